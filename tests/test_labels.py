"""The catalogue of labels: no language lacks a text, and every text takes the same values."""

from __future__ import annotations

import re
import string
from dataclasses import replace

import polars as pl
import pytest

from paifu.cli.main import run
from paifu.errors import Fault, UsageError
from paifu.game.events import LIMITS
from paifu.labels import labels_for, labels_in, languages, reason_key
from paifu.query.player_measures import MEASURES
from paifu.rules.engine import UNCERTAIN
from paifu.rules.fan.game import FAN_COUNT
from paifu.rules.games import all_games
from paifu.rules.hands.faults import FAULTS, sentence
from paifu.schema.yaku import YAKU
from tests.helpers.reasons import reasons
from tests.helpers.refusals import refused

WITH_TILES = ("five_copies", "sanma_tiles", "foreign_tiles", "chankan_copy", "last_copy_held")
"""Faults that say of which tiles they are; see ``fault_in``."""
OTHERS = [language for language in languages() if language != "en"]


def texts(language: str) -> dict[str, str]:
    return labels_in(language)._texts


def values(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_there_is_english_and_japanese() -> None:
    assert {"en", "ja"} <= set(languages())


@pytest.mark.parametrize("language", OTHERS)
def test_no_label_is_missing_or_left_over(language: str) -> None:
    assert texts(language).keys() == texts("en").keys()


@pytest.mark.parametrize("language", OTHERS)
def test_a_text_takes_the_values_that_the_english_text_takes(language: str) -> None:
    for key, text in texts(language).items():
        allowed = values(texts("en")[key]) | {"n"}
        if key == "round.short" or key.startswith("tile."):
            continue
        assert values(text) <= allowed, key


@pytest.mark.parametrize("language", languages())
def test_no_text_is_empty(language: str) -> None:
    assert [key for key, text in texts(language).items() if not text.strip()] == []


@pytest.mark.parametrize("language", languages())
def test_every_value_that_a_column_can_have_has_a_text(language: str) -> None:
    labels = labels_in(language)
    assert {limit for limit in LIMITS if limit != "none"} <= labels.section("limit").keys()
    assert all(labels.yaku(yaku.key) for yaku in YAKU)
    assert {f"column.{name}" for name in MEASURES} <= texts(language).keys()


@pytest.mark.parametrize("language", languages())
def test_every_reason_of_a_verdict_has_a_text(language: str) -> None:
    labels = labels_in(language)
    found = reasons() | {
        UNCERTAIN, "the hand has no yaku",
        "a win needs 2 han, dora and ippatsu not counted: the hand has 1",
        "a win needs 2 han, dora not counted: the hand has 1",
    }  # fmt: skip
    missing = {told for told in found if not labels.has(reason_key(told))}
    assert not missing, f"add these sentences to [reason] of data/labels/{language}.toml"


@pytest.mark.parametrize("language", OTHERS)
def test_every_refusal_has_a_text(language: str) -> None:
    labels = labels_in(language)
    missing = {told for told in refused() if not labels.has(f"refused.{told}")}
    missing -= {told for told in missing if labels.has(reason_key(told))}
    assert not missing, f"add these sentences to [refused] of data/labels/{language}.toml"


@pytest.mark.parametrize("language", OTHERS)
def test_every_fault_of_a_hand_has_a_text_with_its_tiles(language: str) -> None:
    labels = labels_in(language)
    faults = [Fault(key) for key in FAULTS if key != "ok"] + [Fault("tile_count", number=13)]
    faults += [Fault(key, ((4, 6),)) for key in WITH_TILES]
    for fault in faults:
        shown = labels.reason(f"123m11z: {sentence(fault, 'mcr')}")
        assert shown.startswith("123m11z: ")
        assert not re.search("[a-z]{3,} [a-z]{2,}", shown), fault


@pytest.mark.parametrize("name", all_games())
@pytest.mark.parametrize("language", OTHERS)
def test_every_reason_of_another_game_has_a_text(language: str, name: str) -> None:
    """Why a complete hand does not win or has no price, what a kong or a dealt hand lacks."""
    labels, game = labels_in(language), all_games()[name]
    told = [game.needs.replace(FAN_COUNT, "3")]
    told += [event.refusal for event in (game.kong, game.dealt, game.by_name) if event]
    for own in (game, replace(game, extends="")):
        told += pl.select(own.how_to_give(pl.lit("base, cap"))).to_series().to_list()
    assert [each for each in told if labels.reason(each) == each] == []


def test_a_refusal_is_in_the_language_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    def said(*arguments: str) -> str:
        assert run([*arguments, "--lang", "ja"]) in (2, 3)
        return capsys.readouterr().err.strip()

    assert said("score", "234m067p345s88s67m") == (
        "paifu: 和了牌が分からない。--win 8m のように書く（Python では win='8m'）"
    )
    assert said("score", "111222333m11155z", "--win", "5z", "--seat", "up") == (
        "paifu: seat は east, south, west, north のいずれか。'up' ではない"
    )
    assert said("score", "11111m222333p55z6z", "--win", "6z").startswith(
        "paifu: 11111m222333p556z: ドラ表示牌と抜いた北を含め、同じ牌が5枚以上ある"
    )
    assert said("score", "123789m2345p678s", "--win", "5p", "--rules", "mcr") == (
        "paifu: 123789m23455p678s は形はできているが、mcr では和了れない: "
        "和了には花牌を除いて8点以上要るが、この手は5点"
    )
    assert said("waits", "pon:11z") == "paifu: pon は3枚で書く。'pon:11z' は2枚"
    assert "というルールセットはない" in said("score", "1z", "--rules", "tenhou-5p")


def test_the_reasons_of_a_session_name_winds_in_japanese() -> None:
    reason = labels_in("ja").reason
    assert reason("East should still deal after the draw") == "流局の後も東家が親を続ける"
    assert reason(
        "North should deal after West's and South's wins; it belongs to the East round"
    ) == ("西家と南家の和了の後の親は北家; 東場の局")
    assert reason("the changes add up to -80 and not to 0") == "増減の合計は0のはずが-80"
    assert labels_in("en").reason("South should deal after East's win").startswith("South")


def test_a_reason_that_the_catalogue_does_not_know_is_its_own_text() -> None:
    assert labels_in("ja").reason("no wall follows from a x19 seed {a}") == (
        "no wall follows from a x19 seed {a}"
    )


def test_the_language_is_that_of_the_locale_or_english(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    assert labels_for().language == "en"
    monkeypatch.setenv("LANG", "ja_JP.UTF-8")
    assert labels_for().language == "ja"
    monkeypatch.setenv("LC_ALL", "C")
    assert labels_for().language == "en"
    monkeypatch.setenv("LC_ALL", "fi_FI.UTF-8")  # a language without a file
    assert labels_for().language == "en"
    with pytest.raises(UsageError, match="there is no language 'fi': there are en, ja"):
        labels_for("fi")
