"""The scenarios: every yaku, every outcome and every rare event, each in a short game.

``SCENARIOS`` has them by name. ``shows`` says what each scenario shows; the tests check this in the
played game.
"""

from __future__ import annotations

from paifu.simulate.scripted import Deal, Scenario

_JUNK = "4z"


def _tsumo(hand: str, win: str, seat: int = 0, junk: str = _JUNK, **more: str) -> Deal:
    """A seat is tenpai from the deal and draws its winning tile on its second turn."""
    return Deal((f"{seat} tsumo {win}",), {seat: hand}, own_draws={seat: junk + win}, **more)


def _ron(hand: str, win: str, seat: int, loser: int, junk: str = _JUNK, **more: str) -> Deal:
    """A seat is tenpai from the deal, and another discards its winning tile on its first turn."""
    own_draws = {loser: win, seat: junk}
    return Deal((f"{seat} ron {win}",), {seat: hand}, own_draws=own_draws, **more)


def _riichi_tsumo(hand: str, win: str, junk: str = _JUNK, **more: str) -> Deal:
    """The dealer declares riichi on the first turn and draws the winning tile on the next."""
    script = (f"0 riichi {junk}", f"0 tsumo {win}")
    return Deal(script, {0: hand}, own_draws={0: junk + win}, **more)


def _cheap(dealer: int) -> Deal:
    """A small win without dora that passes the deal: the next seat wins from the seat after it."""
    winner, loser = (dealer + 1) % 4, (dealer + 2) % 4
    return _ron("234567m345p67s88s", "5s", winner, loser, dora="9p")


_YAKU: tuple[tuple[str, str, Deal], ...] = (
    ("pinfu", "pinfu and tsumo, 20 fu", _tsumo("234567m345p67s99p", "8s")),
    ("tanyao", "tanyao", _tsumo("234567m345p67s88p", "5s")),
    ("iipeikou", "iipeikou", _tsumo("223344m567p78s99p", "9s")),
    ("ryanpeikou", "ryanpeikou", _tsumo("223344m556677p9s", "9s")),
    ("sanshoku_doujun", "sanshoku doujun", _tsumo("234m234p23s678s99m", "4s")),
    ("sanshoku_doukou", "sanshoku doukou, sanankou", _tsumo("222m222p222s67s99m", "8s")),
    ("ittsuu", "ittsuu", _tsumo("12345678m345p99s", "9m")),
    ("chanta", "chanta", _tsumo("123m789p12s99s111z", "3s")),
    ("junchan", "junchan", _tsumo("123m789p12s789s99m", "3s")),
    ("chiitoitsu", "seven pairs", _tsumo("1133m5577p2299s3z", "3z")),
    ("honroutou", "honroutou with seven pairs", _tsumo("1199m1199p1199s1z", "1z")),
    ("toitoi", "toitoi and sanankou by ron", _ron("111m333p888s99s22p", "9s", 0, 1)),
    ("honitsu", "honitsu, double east", _tsumo("123456m99m11122z", "9m")),
    ("chinitsu", "chinitsu", _tsumo("1122334567895m", "5m")),
    ("shousangen", "shousangen, haku, hatsu", _tsumo("555666z77z123m45p", "6p")),
    ("chun", "chun", _tsumo("777z123m456p78s99s", "9s")),
    ("seat_south", "the south seat's wind", _tsumo("222z123m456p78s99s", "9s", 1)),
    ("seat_west", "the west seat's wind", _tsumo("333z123m456p78s99s", "9s", 2)),
    ("seat_north", "the north seat's wind", _tsumo("444z123m456p78s99s", "9s", 3, "3z")),
    ("ippatsu", "double riichi, ippatsu, ura dora", _riichi_tsumo(
        "234567m345p67s99p", "8s", ura="8p")),
    ("kazoe", "a counted yakuman: thirteen han of yaku", _riichi_tsumo("2233445566778m", "8m")),
    ("tenhou", "tenhou", Deal(("0 tsumo 8s",), {0: "234567m345p67s99p"}, draws="8s")),
    ("chihou", "chihou", Deal(("1 tsumo 8s",), {1: "234567m345p67s99p"}, draws="1z8s")),
    ("kokushi", "kokushi musou by ron: the discarder goes below zero",
     _ron("119m19p19s123456z", "7z", 0, 2, "5m")),
    ("kokushi_13", "kokushi musou on thirteen tiles", _tsumo("19m19p19s1234567z", "9s", 0, "5m")),
    ("suuankou", "suuankou on two pairs", _tsumo("111m333p555s99s22z", "9s")),
    ("suuankou_tanki", "suuankou on a pair", _tsumo("111m333p555s999s2z", "2z")),
    ("daisangen", "daisangen, closed", _tsumo("555666777z12m99p", "3m")),
    ("tsuuiisou", "tsuuiisou and suuankou: yakuman that add up", _tsumo("111222333z55z66z", "5z")),
    ("shousuushii", "shousuushii", _tsumo("111222333z44z78p", "9p", 0, "1m")),
    ("daisuushii", "daisuushii and suuankou", _tsumo("111222333444z5p", "5p", 0, "1m")),
    ("ryuuiisou", "ryuuiisou", _tsumo("223344s666s88s66z", "8s")),
    ("chinroutou", "chinroutou by ron", _ron("111999m111p99p99s", "9p", 0, 3)),
    ("chuuren", "chuuren poutou", _tsumo("1123455678999m", "1m")),
    ("junsei_chuuren", "junsei chuuren poutou", _tsumo("1112345678999m", "5m")),
    ("haitei", "haitei", Deal(
        ("1 tsumo 9s",), {1: "123456m789p111s9s"}, last="9s", away="9s")),
    ("houtei", "houtei", Deal(
        ("0 ron 9s",), {0: "123456m789p111s9s"}, last="9s", away="9s")),
)  # fmt: skip

_THREE_PONS = ("0 pon 5z", "0 discard 3s", "0 pon 6z", "0 discard 4s", "0 pon 7z", "0 discard 5s")
_DRAGONS = "556677z12m99p345s"
_FOUR_PONS = (
    "0 pon 1z", "0 discard 3s", "0 pon 2z", "0 discard 4s", "0 pon 3z", "0 discard 6s",
    "0 pon 4z", "0 discard 7s",
)  # fmt: skip

_PLAY: tuple[tuple[str, str, Deal], ...] = (
    ("pao_tsumo", "liability for daisangen, won by tsumo", Deal(
        (*_THREE_PONS, "0 tsumo 3m"), {0: _DRAGONS}, draws="9s5z6z8p7z8p8s1s3m")),
    ("pao_ron", "liability for daisangen, won from another seat", Deal(
        (*_THREE_PONS, "0 ron 3m"), {0: _DRAGONS}, draws="9s5z6z8p7z8p8s3m")),
    ("pao_ron_feeder", "liability for daisangen, won from the feeder", Deal(
        (*_THREE_PONS, "0 ron 3m"), {0: _DRAGONS}, draws="9s5z6z8p7z8p3m")),
    ("pao_composite", "liability for daisuushii with tsuuiisou, by tsumo", Deal(
        (*_FOUR_PONS, "0 tsumo 5z"), {0: "11223344z5z3467s"},
        draws="9s1z2z3z8p4z8p8s1s5z")),
    ("rinshan_ankan", "rinshan after an ankan, its dora turned up at once", Deal(
        ("0 ankan 5p", "0 tsumo 9m"), {0: "555p234m678s99s78m"}, draws="0p", rinshan="9m")),
    ("rinshan_daiminkan", "rinshan after a daiminkan, its dora never turned up", Deal(
        ("0 kan 5p", "0 tsumo 9m"), {0: "555p234m678s99s78m"}, draws="1z0p", rinshan="9m")),
    ("rinshan_kakan", "rinshan after a kakan", Deal(
        ("0 pon 5p", "0 discard 1z", "0 kakan 5p", "0 tsumo 9m"),
        {0: "55p234m678s99s78m1z"}, draws="4z5p8p8p8p0p", rinshan="9m")),
    ("chankan", "a kan robbed: its dora never turned up", Deal(
        ("1 pon 5p", "1 discard 9m", "0 discard 4z", "1 kakan 5p", "0 ron 5p"),
        {0: "46p234m678s99s678m", 1: "55p9m"}, draws="1z2z5p3z3z4z0p")),
    ("chankan_ippatsu", "a kan robbed within ippatsu", Deal(
        ("1 pon 5p", "1 discard 9m", "0 riichi 1z", "1 kakan 5p", "0 ron 5p"),
        {0: "46p234m678s99s678m", 1: "55p9m"}, draws="3z2z5p4z4z1z0p")),
    ("kan_upon_kan", "a further kan turns up the dora the first one owes", Deal(
        ("0 kan 5p", "0 ankan 1s", "0 discard 1z"), {0: "555p111s234m78m2z1z"},
        draws="4z0p", rinshan="1s3z")),
    ("sankantsu", "three kans and sanankou", Deal(
        ("0 ankan 1m", "0 ankan 3p", "0 ankan 5s", "0 tsumo 6m"),
        {0: "111m333p555s99s78m"}, draws="1m", rinshan="3p0s6m")),
    ("suukantsu", "four kans of one seat, suuankou", Deal(
        ("0 ankan 1m", "0 ankan 3p", "0 ankan 5s", "0 ankan 9s", "0 tsumo 2z"),
        {0: "111m333p555s999s2z"}, draws="1m", rinshan="3p0s9s2z")),
    ("four_kans_one_seat", "four kans of one seat abort nothing, and there is no fifth", Deal(
        ("0 ankan 1m", "0 ankan 3p", "0 ankan 5s", "0 ankan 9s", "0 tsumo 2z"),
        {0: "111m333p555s999s2z"}, draws="1m8p8p8p2z", rinshan="3p0s9s6z")),
    ("four_kans", "four kans of two seats abort the round", Deal(
        ("0 ankan 1m", "0 ankan 3p", "1 ankan 5s", "1 ankan 9s"),
        {0: "111m333p", 1: "555s999s"}, draws="1m0s", rinshan="3p6z9s7z")),
    ("nine_kinds", "kyuushu kyuuhai", Deal(("0 kyuushu",), {0: "19m19p19s1234z123m"})),
    ("four_winds", "four like winds", Deal(
        tuple(f"{seat} discard 1z" for seat in range(4)), dict.fromkeys(range(4), "1z"))),
    ("four_riichi", "four riichi", Deal(
        ("0 riichi 4z", "1 riichi 4z", "2 riichi 4z", "3 riichi 3z"),
        {0: "123456789m11p23s", 1: "123456789p11s23m", 2: "123456789s11m23p",
         3: "123789m123789p9s"},
        draws="4z4z4z3z")),
    ("three_rons", "three winners on one tile", Deal(
        ("1 ron 1s", "2 ron 1s", "3 ron 1s"),
        {1: "234567m345p88p23s", 2: "234567p345m88m23s", 3: "678m678p678s22m23s"},
        draws="1s")),
    ("four_riichi_ronned", "three winners on the tile of the fourth riichi", Deal(
        ("0 riichi 4z", "1 riichi 4z", "2 riichi 4z", "3 riichi 1s",
         "0 ron 1s", "1 ron 1s", "2 ron 1s"),
        {0: "234567m345p88p23s", 1: "234567p345m88m23s", 2: "678m678p678s22m23s",
         3: "123456789s99p79m"},
        draws="4z4z4z1s")),
    ("nagashi", "nagashi mangan, and three noten", Deal(
        ("0 discard 1m",), own_draws={0: "19m19p19s1234567z19m19p1s"})),
    ("atozuke", "an open hand whose only yaku is the tile it wins on, and ten dora: a bust", Deal(
        ("0 kan 5p", "0 discard 3z", "0 ron 7z"), {0: "555p234m067s99s77z"},
        draws="1z0p7z", rinshan="3z", dora="4p4p")),
    ("riichi_ronned", "riichi ronned on its declaration tile: no stick", Deal(
        ("0 riichi 5s", "1 ron 5s"), {0: "123456789m11p23s", 1: "234567m345p67s88s"},
        draws="0s")),
    ("riichi_and_draw", "two riichi, and sticks that stay on the table", Deal(
        ("0 riichi 4z", "2 riichi 3z"),
        {0: "123456789m111p1z", 2: "123456789s111m9p"}, draws="4z6z3z",
        away="1z9p")),
    ("disconnected", "seats that drop out, one before the round begins, and come back", Deal(
        ("0 leave", "0 return", "2 leave", "2 return"))),
)  # fmt: skip

_LONGER: tuple[Scenario, ...] = (
    Scenario("double_ron", "two winners on one tile, with honba and a stick on the table", (
        _tsumo("234567m345p67s99p", "8s"),
        Deal(("3 riichi 4z", "1 ron 5s", "2 ron 5s"),
             {1: "234567m345p67s88s", 2: "234567p345m67s22m", 3: "123789m123789p1z"},
             draws="1m9p9p4z5s", away="1z"),
    )),
    Scenario("south_in", "an east game that goes into a south round, with its wind", (
        *map(_cheap, range(4)), _tsumo("222z123m456p78s99s", "9s"),
    )),
    Scenario("west_in", "a south game that goes into a west round, with its wind", (
        *map(_cheap, (0, 1, 2, 3, 0, 1, 2, 3)), _tsumo("333z123m456p78s99s", "9s"),
    ), length="south"),
    Scenario("no_kuitan", "a game without open tanyao", (_cheap(0),), kuitan=False),
    Scenario("kita_rinshan", "rinshan after a north set aside", (
        Deal(("0 kita", "0 tsumo 8s"), {0: "234567p345s67s99p"}, draws="4z", rinshan="8s"),
    ), players=3),
    Scenario("kita_ron", "a north ronned as it is set aside", (
        Deal(("1 kita", "0 ron 4z"), {0: "123456789p55z44z"}, draws="1z4z"),
    ), players=3),
    Scenario("kita_dora", "a north set aside turns up the dora a kakan owes", (
        Deal(("0 pon 5p", "0 discard 1z", "0 kakan 5p", "0 kita", "0 tsumo 9s"),
             {0: "55p234p678s99m78s1z"}, draws="2z5p1m1m0p", rinshan="4z9s", dora="3z3z"),
    ), players=3),
    Scenario("sanma_double_ron", "two winners of three", (
        Deal(("1 ron 5s", "2 ron 5s"), {1: "234567p345s67s88p", 2: "22345678p678s67s"},
             draws="5s"),
    ), players=3),
    Scenario("sanma_nagashi", "nagashi mangan with three players", (
        Deal(("0 discard 1m",), own_draws={0: "19m19p19s1234567z19m19p19s"}),
    ), players=3),
    Scenario("sanma_four_kans", "four kans of two seats with three players", (
        Deal(("0 ankan 1m", "0 ankan 3p", "1 ankan 5s", "1 ankan 9s"),
             {0: "111m333p", 1: "555s999s"}, draws="1m0s", rinshan="3p6z9s7z"),
    ), players=3),
    Scenario("three_rons_last", "three winners on the last discard of the wall", (
        Deal(("0 ron 1s", "2 ron 1s", "3 ron 1s"),
             {0: "234567m345p88p23s", 2: "234567p345m88m23s", 3: "678m678p678s22m23s"},
             last="1s", away="1s4s"),
    )),
    Scenario("chips", "a chip lobby: ippatsu, a red five and ura dora earn chips by tsumo", (
        _riichi_tsumo("234067m345p67s99p", "8s", ura="8p"),
    ), rules="tenhou-chip"),
    Scenario("kiriage", "a parlour, whose honba is 1,500: 30 fu and 4 han pay a mangan", (
        _tsumo("234567m345p67s99p", "8s"),
        Deal(("1 ron 5s",), {1: "234567m345p67s88s"}, own_draws={1: "4z", 2: "5s"}, dora="7s"),
    ), rules="tenhou-chip-5"),
    Scenario("leftover_sticks", "a game that ends in a draw with a stick on the table", (
        _tsumo("223344m556677p9s", "9s", 1), _cheap(1), _cheap(2),
        Deal(("0 riichi 4z",), {0: "123456789m111p1z"}, own_draws={0: "4z"}, away="1z"),
    )),
    Scenario("sanma_nine_kinds", "kyuushu kyuuhai with three players", (
        Deal(("0 kyuushu",), {0: "19m19p19s1235z123p"}),
    ), players=3),
)  # fmt: skip

SCENARIOS: dict[str, Scenario] = {
    scenario.name: scenario
    for scenario in (
        *(Scenario(name, shows, (deal,)) for name, shows, deal in (*_YAKU, *_PLAY)),
        *_LONGER,
    )
}
"""Every scenario by name."""
