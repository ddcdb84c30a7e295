"""The comparison that all subjects share: what is a match, and which fields it lists."""

from __future__ import annotations

import polars as pl

from paifu.audit.comparison import concat, judge, paired
from paifu.rules.riichi.ruleset import RuleSet
from paifu.schema.tables import TABLES

RULES = RuleSet(name="table")


def judged(**columns):
    length = len(next(iter(columns.values())))
    frame = pl.DataFrame({"game_id": range(length), "round_index": [0] * length, **columns})
    fields = [name.removeprefix("recorded_") for name in frame.columns if "recorded" in name]
    return judge("round", frame, fields, RULES, 1)


def statuses(verdicts):
    return verdicts.verdicts.sort("game_id")["status"].to_list()


def test_equal_fields_match_and_others_are_listed_with_both_values():
    verdicts = judged(
        recorded_honba=[1, 1, 1],
        computed_honba=[1, 2, 1],
        recorded_outcome=["ron", "ron", None],
        computed_outcome=["ron", "tsumo", "tsumo"],
    )
    assert statuses(verdicts) == ["match", "mismatch", "match"]
    assert verdicts.fields.select("game_id", "field", "recorded", "computed").rows() == [
        (1, "honba", "1", "2"),
        (1, "outcome", "ron", "tsumo"),
    ]


def test_what_the_record_leaves_out_is_not_compared_but_what_it_has_must_be_computed():
    verdicts = judged(recorded_fu=[None, 30, None], computed_fu=[30, None, None])
    assert statuses(verdicts) == ["match", "mismatch", "match"]
    assert verdicts.fields["computed"].to_list() == [None]


def test_legality_comes_before_what_cannot_be_known_and_only_what_can_be_scored_differs():
    verdicts = judged(
        recorded_points=[1000, 1000, 1000],
        computed_points=[2000, 2000, 2000],
        illegal=["furiten", None, "furiten"],
        unscorable=[None, "hidden tiles", "hidden tiles"],
    )
    assert statuses(verdicts) == ["illegal", "unscorable", "illegal"]
    assert verdicts.fields["game_id"].to_list() == [0]
    assert verdicts.verdicts.sort("game_id")["reason"].to_list() == [
        "furiten", "hidden tiles", "furiten",
    ]  # fmt: skip


def test_lists_are_compared_whole_and_written_with_spaces():
    verdicts = judged(recorded_dora=[["1m", "2m"], ["1m"]], computed_dora=[["1m", "3m"], ["1m"]])
    assert statuses(verdicts) == ["mismatch", "match"]
    assert verdicts.fields.select("recorded", "computed").rows() == [("1m 2m", "1m 3m")]


def test_rows_are_the_tables_rows():
    verdicts = concat([judged(recorded_fu=[30], computed_fu=[40])] * 2)
    for frame, table in (
        (verdicts.verdicts, TABLES["verdicts"]),
        (verdicts.fields, TABLES["verdict_fields"]),
    ):
        assert tuple(frame.columns) == table.names
        assert frame.to_arrow().cast(table.arrow()).num_rows == 2
    assert verdicts.counts == {"round": {"mismatch": 2}}


def test_fields_of_every_seat():
    assert paired(["delta_"], 3) == ["delta_0", "delta_1", "delta_2"]
    assert paired(["honba", "delta_"], 4)[:2] == ["honba", "delta_0"]
