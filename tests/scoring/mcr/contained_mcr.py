"""A hand for every line of what contains what in Mahjong Competition Rules. For the test of all such lines."""

from tests.scoring.asking import ask, hand

DRAWN = {"win": "self_draw"}
GATES = "1112345678999m"
SHIFTED = hand("2233445566778m", "8m")
ORPHANS = hand("9m19p19s11234567z", "1m")
TERMINALS = hand("999m9s", "9s", "pung 111m", "pung 999p", "pung 111s")
FOUR_HIDDEN = hand("222m444p777s55s99m", "9m")
PAIRS = hand("1133m5577p2244s7z", "7z")
GREATER = hand("147m25p36s123456z", "7z")
LESSER = hand("14m258p369s12345z", "6z")
OPEN = hand("567p888m67s33z", "8s", "chow 234m")
_LINES = (
    (
        *("big_four_winds", "big_three_winds all_pungs prevalent_wind seat_wind pung_of_terminals_or_honors"),
        ask("mcr", hand("444z5p", "5p", "pung 111z", "pung 222z", "pung 333z")),
    ),
    (
        *("big_three_dragons", "two_dragon_pungs dragon_pung"),
        ask("mcr", hand("777z23m99p", "4m", "pung 555z", "pung 666z")),
    ),
    ("all_green", "half_flush", ask("mcr", hand("23s666s88s", "4s", "chow 234s", "pung 666z"))),
    (
        *("nine_gates", "full_flush no_honors fully_concealed_hand"),
        ask("mcr", hand(GATES, "5m"), **DRAWN),
    ),
    ("nine_gates", "concealed_hand pung_of_terminals_or_honors", ask("mcr", hand(GATES, "1m"))),
    (
        *("four_kongs", "three_kongs all_pungs melded_kong concealed_kong single_wait"),
        ask("mcr", hand("8m", "8m", "kong_open 2222m", "kong_open 4444p", "kong_added 7777s", "kong_concealed 5555z")),
    ),
    ("seven_shifted_pairs", "seven_pairs full_flush no_honors fully_concealed_hand", ask("mcr", SHIFTED, **DRAWN)),
    ("seven_shifted_pairs", "concealed_hand", ask("mcr", SHIFTED)),
    ("seven_shifted_pairs", "single_wait", ask("mcr", hand("1122344556677m", "3m"))),
    (
        *("thirteen_orphans", "all_types all_terminals_and_honors fully_concealed_hand single_wait"),
        ask("mcr", ORPHANS, **DRAWN),
    ),
    ("thirteen_orphans", "concealed_hand", ask("mcr", ORPHANS)),
    (
        *("all_terminals", "all_pungs outside_hand pung_of_terminals_or_honors double_pung no_honors"),
        ask("mcr", TERMINALS),
    ),
    (
        *("little_four_winds", "big_three_winds pung_of_terminals_or_honors"),
        ask("mcr", hand("333z44z23p", "4p", "pung 111z", "pung 222z")),
    ),
    (
        *("little_three_dragons", "two_dragon_pungs dragon_pung"),
        ask("mcr", hand("77z234m67m", "8m", "pung 555z", "pung 666z")),
    ),
    (
        *("all_honors", "all_pungs outside_hand pung_of_terminals_or_honors"),
        ask("mcr", hand("333z6z", "6z", "pung 111z", "pung 555z", "pung 777z")),
    ),
    (
        *("four_concealed_pungs", "three_concealed_pungs two_concealed_pungs all_pungs fully_concealed_hand"),
        ask("mcr", FOUR_HIDDEN, **DRAWN),
    ),
    ("four_concealed_pungs", "concealed_hand", ask("mcr", hand("222m444p777s888s5m", "5m"))),
    (
        *("pure_terminal_chows", "full_flush no_honors all_chows pure_double_chow two_terminal_chows"),
        ask("mcr", hand("11223355m77889m", "9m")),
    ),
    (
        "quadruple_chow",
        "pure_triple_chow pure_double_chow tile_hog",
        ask("mcr", hand("22223333444m55p", "4m"), **DRAWN),
    ),
    (
        *("four_pure_shifted_pungs", "pure_shifted_pungs all_pungs"),
        ask("mcr", hand("555s66s99p", "6s", "pung 333s", "pung 444s")),
    ),
    (
        *("four_pure_shifted_chows", "pure_shifted_chows short_straight"),
        ask("mcr", hand("345p56p99s", "4p", "chow 123p", "chow 234p")),
    ),
    (
        *("four_pure_shifted_chows", "two_terminal_chows"),
        ask("mcr", hand("567m79m22s", "8m", "chow 123m", "chow 345m")),
    ),
    (
        *("three_kongs", "melded_kong concealed_kong"),
        ask("mcr", hand("67m55z", "8m", "kong_open 2222m", "kong_added 4444p", "kong_concealed 7777s")),
    ),
    (
        *("all_terminals_and_honors", "all_pungs outside_hand pung_of_terminals_or_honors"),
        ask("mcr", hand("777z9p", "9p", "pung 111m", "pung 999s", "pung 222z")),
    ),
    ("seven_pairs", "fully_concealed_hand single_wait", ask("mcr", PAIRS, **DRAWN)),
    ("seven_pairs", "concealed_hand", ask("mcr", PAIRS)),
    (
        *("greater_honors_and_knitted_tiles", "lesser_honors_and_knitted_tiles all_types fully_concealed_hand"),
        ask("mcr", GREATER, **DRAWN),
    ),
    ("greater_honors_and_knitted_tiles", "concealed_hand", ask("mcr", GREATER)),
    (
        *("all_even_pungs", "all_pungs all_simples no_honors"),
        ask("mcr", hand("666s88m22p", "8m", "pung 222m", "pung 444p")),
    ),
    ("full_flush", "no_honors", ask("mcr", hand("789p12p55p", "3p", "chow 234p", "pung 666p"))),
    ("pure_triple_chow", "pure_double_chow", ask("mcr", hand("334455s78m11z", "9m", "chow 345s"))),
    ("upper_tiles", "upper_four no_honors", ask("mcr", hand("777s88s99m", "8s", "chow 789m", "chow 789p"))),
    ("middle_tiles", "all_simples no_honors", ask("mcr", hand("444s56p66m", "4p", "chow 456p", "pung 555m"))),
    ("lower_tiles", "lower_four no_honors", ask("mcr", hand("123m12p33s", "3p", "chow 123s", "pung 222p"))),
    ("pure_straight", "short_straight two_terminal_chows", ask("mcr", hand("456s78s22m555p", "9s", "chow 123s"))),
    (
        *("three_suited_terminal_chows", "mixed_double_chow two_terminal_chows all_chows no_honors"),
        ask("mcr", hand("789m123s79s55p", "8s", "chow 123m")),
    ),
    ("all_fives", "all_simples no_honors", ask("mcr", hand("456p567s46s55m", "5s", "chow 345m"))),
    ("triple_pung", "double_pung", ask("mcr", hand("333p78m99s", "6m", "pung 333m", "pung 333s"))),
    ("three_concealed_pungs", "two_concealed_pungs", ask("mcr", hand("222m555p888s67m11s", "8m"))),
    ("lesser_honors_and_knitted_tiles", "all_types fully_concealed_hand", ask("mcr", LESSER, **DRAWN)),
    ("lesser_honors_and_knitted_tiles", "concealed_hand", ask("mcr", LESSER)),
    ("upper_four", "no_honors", ask("mcr", hand("789p67s66p", "8s", "chow 678m", "pung 999s"))),
    ("lower_four", "no_honors", ask("mcr", hand("234p12s33p", "3s", "chow 123m", "pung 444s"))),
    (
        *("big_three_winds", "pung_of_terminals_or_honors"),
        ask("mcr", hand("444z678p5m", "5m", "pung 111z", "pung 333z")),
    ),
    ("reversible_tiles", "one_voided_suit", ask("mcr", hand("456s88s99p555z", "8s", "chow 123p"))),
    ("mixed_triple_chow", "mixed_double_chow", ask("mcr", hand("46s222m88s", "5s", "chow 456m", "chow 456p"))),
    ("last_tile_draw", "self_drawn", ask("mcr", OPEN, last_tile=True, **DRAWN)),
    (
        *("out_with_replacement_tile", "self_drawn"),
        ask("mcr", hand("567m888m67s33z", "8s", "kong_open 2222p"), replacement=True, **DRAWN),
    ),
    ("robbing_the_kong", "last_tile", ask("mcr", OPEN, win="robbed_kong", last_of_kind=True)),
    (
        *("melded_hand", "single_wait"),
        ask("mcr", hand("7s", "7s", "chow 234m", "pung 666s", "chow 345p", "pung 888p")),
    ),
    (
        *("two_concealed_kongs", "concealed_kong two_concealed_pungs"),
        ask("mcr", hand("456s23p99m", "4p", "kong_concealed 3333m", "kong_concealed 7777p")),
    ),
    (
        *("mixed_kongs", "melded_kong concealed_kong"),
        ask("mcr", hand("456s23p88s", "4p", "kong_open 3333m", "kong_concealed 7777p")),
    ),
    ("two_dragon_pungs", "dragon_pung", ask("mcr", hand("345m67m22m", "8m", "pung 555z", "pung 777z"))),
    ("fully_concealed_hand", "self_drawn", ask("mcr", hand("234m456m678p3455s", "2s"), **DRAWN)),
    ("two_melded_kongs", "melded_kong", ask("mcr", hand("333p34s88s", "2s", "kong_open 3333m", "kong_added 7777p"))),
    ("dragon_pung", "pung_of_terminals_or_honors", ask("mcr", hand("456p78s22m555z", "9s", "chow 123m"))),
    ("prevalent_wind", "pung_of_terminals_or_honors", ask("mcr", hand("345m67m99m", "5m", "pung 111z", "pung 888m"))),
    ("seat_wind", "pung_of_terminals_or_honors", ask("mcr", hand("345m67m99m", "5m", "pung 222z", "pung 888m"))),
    ("all_chows", "no_honors", ask("mcr", hand("345p56p99s", "4p", "chow 123p", "chow 234p"))),
    ("all_simples", "no_honors", ask("mcr", hand("56m777s22p", "4m", "chow 234m", "chow 345m"))),
)
LINES = [("mcr", by, inner, {**asked, "why": True}) for by, inner, asked in _LINES]
