"""Seating plans and lists of other programs: nobody meets twice where that can be, nothing is taken over by halves."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from hupai.hall.seating.columns import read_titles
from hupai.hall.seating.importing import NewEntrant, parse_players, parse_schedule
from hupai.hall.seating.planning import (
    Tie,
    count_repeats,
    find_ties,
    order_finalists,
    plan_balanced,
    rank_spread,
    seat_by_standing,
    seat_final,
    team_mates,
)
from hupai.hall.seating.seating import Seating, seat
from scoring.errors import InvalidRequest


def meetings(plan: list[Seating]) -> Counter[tuple[int, ...]]:
    return Counter(tuple(sorted(p)) for r in plan for t in r.tables for p in combinations(t, 2))


def seated(players: int, rounds: int, seed: int = 1, table_size: int = 4) -> list[Seating]:
    found: list[Seating] = []
    for number in range(rounds):
        found.append(seat(range(1, players + 1), found, seed + number, table_size))
    return found


@pytest.mark.parametrize("table_size", [3, 4])
@pytest.mark.parametrize("players", [4, 5, 16, 23, 40])
def test_everybody_sits_once_or_rests(players: int, table_size: int) -> None:
    for made in seated(players, 4, table_size=table_size):
        everybody = [p for t in made.tables for p in t] + list(made.resting)
        assert sorted(everybody) == list(range(1, players + 1))
        assert all(len(t) == table_size for t in made.tables) and len(made.resting) == players % table_size


def test_nobody_meets_again_while_that_can_be() -> None:
    assert max(meetings(seated(40, 5)).values()) == 1
    assert [r.repeats for r in seated(40, 5)] == [0] * 5
    # Sixteen players can be seated five times without a repeat; a search by swaps comes close.
    again = meetings(seated(16, 5))
    assert max(again.values()) <= 2 and sum(n > 1 for n in again.values()) <= 24


def test_resting_and_winds_are_shared_out() -> None:
    made = seated(6, 9)
    rests = Counter(p for r in made for p in r.resting)
    assert set(rests.values()) == {3}
    winds = Counter((p, w) for r in seated(16, 8) for t in r.tables for w, p in enumerate(t))
    assert max(winds.values()) - min(winds[p, w] for p in range(1, 17) for w in range(4)) <= 2


def test_a_seed_seats_the_same_and_too_few_players_are_refused() -> None:
    assert seated(12, 3, 5) == seated(12, 3, 5) != seated(12, 3, 6)
    for bad, table_size in (([1, 2, 3], 4), ([1, 2, 3, 3], 4), ([1, 2], 3)):
        with pytest.raises(InvalidRequest, match=f"at least {table_size} players"):
            seat(bad, [], 1, table_size)


@pytest.mark.parametrize(
    ("players", "rounds", "table_size"),
    [
        *((16, 5, 4), (20, 5, 4), (32, 8, 4), (64, 10, 4), (17, 3, 4), (100, 25, 4)),
        *((9, 4, 3), (12, 4, 3), (15, 7, 3), (18, 8, 3), (27, 13, 3), (10, 3, 3)),
    ],
)
def test_a_plan_lets_nobody_meet_twice(players: int, rounds: int, table_size: int) -> None:
    plan = plan_balanced(range(1, players + 1), rounds, [], 7, table_size)
    assert len(plan) == rounds and max(meetings(plan).values()) == 1
    for made in plan:
        assert sorted([p for t in made.tables for p in t] + list(made.resting)) == list(range(1, players + 1))
        assert made.repeats == 0 and all(len(t) == table_size for t in made.tables)


@pytest.mark.parametrize(("players", "rounds", "table_size"), [(9, 4, 3), (15, 7, 3), (16, 5, 4)])
def test_everybody_meets_everybody_once(players: int, rounds: int, table_size: int) -> None:
    """The whole of an affine plane, and Kirkman's week: no pair is left over."""
    met = meetings(plan_balanced(range(1, players + 1), rounds, [], 3, table_size))
    assert set(met) == set(combinations(range(1, players + 1), 2)) and set(met.values()) == {1}


@pytest.mark.parametrize(
    ("players", "rounds", "again"),
    [
        (6, 4, 12),  # any two rounds at two tables share two pairs: two in three at each, six times
        (9, 5, 9),  # 45 meetings, and there are 36 pairs
    ],
)
def test_of_three_at_a_table_as_few_meet_again_as_can_be(players: int, rounds: int, again: int) -> None:
    assert sum(r.repeats for r in plan_balanced(range(1, players + 1), rounds, [], 1, 3)) == again


def test_where_it_cannot_be_few_meet_again_and_that_is_counted() -> None:
    """Twelve players at three tables have too few others for four rounds; one after the other is never better."""
    plan = plan_balanced(range(1, 13), 4, [], 1, 4)
    again = sum(n - 1 for n in meetings(plan).values())
    assert 0 < again <= 18
    assert [r.repeats for r in count_repeats(plan)] == [r.repeats for r in plan]


def test_winds_are_shared_out_in_a_plan() -> None:
    plan = plan_balanced(range(1, 33), 8, [], 3, 4)
    winds = Counter((p, w) for r in plan for t in r.tables for w, p in enumerate(t))
    assert max(winds.values()) <= 4 and min(winds[p, w] for p in range(1, 33) for w in range(4)) >= 1


def test_a_plan_goes_on_from_what_was_played() -> None:
    first = plan_balanced(range(1, 25), 2, [], 1, 4)
    later = plan_balanced(range(1, 25), 2, first, 2, 4)
    assert max(meetings([*first, *later]).values()) == 1
    assert later == plan_balanced(range(1, 25), 2, first, 2, 4) != plan_balanced(range(1, 25), 2, first, 3, 4)


@pytest.mark.parametrize(("players", "rounds"), [(16, 4), (32, 5)])
def test_players_of_one_team_do_not_meet(players: int, rounds: int) -> None:
    mates = team_mates({p: f"Team {(p - 1) // 4}" for p in range(1, players + 1)})
    plan = plan_balanced(range(1, players + 1), rounds, [], 1, 4, mates)
    assert not set(meetings(plan)) & set(mates) and max(meetings(plan).values()) == 1


def test_players_of_one_team_who_meet_are_no_repeat_meeting() -> None:
    mates = team_mates({p: f"Team {p % 2}" for p in range(1, 9)})
    (made,) = plan_balanced(range(1, 9), 1, [], 1, 4, mates)
    assert set(meetings([made])) & set(mates) and made.repeats == 0


def test_a_swiss_round_seats_equals_together_but_not_the_same_four_again() -> None:
    order = list(range(1, 17))
    first = seat_by_standing(order, [], 1, 4)
    assert {frozenset(t) for t in first.tables} == {frozenset(range(n, n + 4)) for n in (1, 5, 9, 13)}
    second = seat_by_standing(order, [first], 2, 4)
    assert second.repeats <= 8 and sorted(p for t in second.tables for p in t) == order
    spread = [max(t) - min(t) for t in second.tables]
    assert max(spread) < 12
    assert 1 in second.tables[0], "the leaders' table is the first"
    odd = seat_by_standing([5, 4, 3, 2, 1], [Seating(((2, 3, 4, 5),), (1,), 0)], 1, 4)
    assert odd.resting == (2,)
    threes = seat_by_standing(order, [], 1, 3)
    assert [set(t) for t in threes.tables] == [set(range(n, n + 3)) for n in (1, 4, 7, 10, 13)]
    assert threes.resting == (16,)


def test_the_leader_of_many_sits_at_the_first_table() -> None:
    """With repeat meetings weighed heavily, the leader's three companions may rank far behind the other tables'."""
    order = list(range(1, 61))
    moved = 0
    for seed in range(3):
        before: list[Seating] = []
        for number in range(3):
            made = seat_by_standing(order, before, seed + number, 4, 40)
            assert 1 in made.tables[0], (seed, number)
            best = [min(table) for table in made.tables]
            assert best == sorted(best)
            moved += [sum(table) for table in made.tables] != sorted(sum(table) for table in made.tables)
            before.append(made)
    assert moved, "the tables' ranks never crossed"


def test_new_faces_are_had_for_ranks_that_lie_apart() -> None:
    order = list(range(1, 33))
    before: list[Seating] = []
    for seed in range(5):
        before.append(seat_by_standing(order, before, seed, 4))
    made = [seat_by_standing(order, before, 1, 4, weight) for weight in (1, 10, 100)]
    repeats, spreads = [m.repeats for m in made], [rank_spread(m, order) for m in made]
    assert repeats == sorted(repeats, reverse=True) and repeats[0] > repeats[-1]
    assert spreads == sorted(spreads) and spreads[0] < spreads[-1]


def test_a_final_seats_the_first_by_rank() -> None:
    made = seat_final([9, 8, 7, 6, 5, 4, 3, 2, 1], 8, [], 1, 4)
    assert [set(t) for t in made.tables] == [{9, 8, 7, 6}, {5, 4, 3, 2}] and made.resting == (1,)
    made = seat_final([9, 8, 7, 6, 5, 4, 3, 2, 1], 6, [], 1, 3)
    assert [set(t) for t in made.tables] == [{9, 8, 7}, {6, 5, 4}] and made.resting == (1, 2, 3)
    for size, table_size, sizes in ((0, 4, "4, 8, 12"), (6, 4, "4, 8, 12"), (12, 4, "4, 8, 12"), (8, 3, "3, 6, 9")):
        with pytest.raises(InvalidRequest, match=sizes):
            seat_final([1, 2, 3, 4, 5, 6, 7, 8], size, [], 1, table_size)


RANKS = {1: 1, 2: 2, 3: 2, 4: 2, 5: 5, 6: 6, 7: 7, 8: 7, 9: 7, 10: 10}


@pytest.mark.parametrize(
    ("ranks", "size", "first", "ties"),
    [
        (RANKS, 4, (), []),
        (RANKS, 8, (), [Tie((7, 8, 9), 2)]),
        (RANKS, 8, (9,), [Tie((7, 8), 1)]),
        (RANKS, 8, (9, 8), []),
        (dict.fromkeys(range(1, 10), 1), 8, (), [Tie(tuple(range(1, 10)), 8)]),
        (dict.fromkeys(range(1, 9), 1), 8, (), [Tie(tuple(range(1, 9)), 4)]),
        ({1: 1, 2: 2, 3: 3, 4: 4, 5: 4, 6: 6, 7: 7, 8: 8, 9: 8}, 8, (), [Tie((4, 5), 1), Tie((8, 9), 1)]),
        ({1: 1, 2: 1, 3: 1, 4: 1}, 4, (), []),
    ],
)
def test_equals_at_a_cut_are_named_until_somebody_goes_first(
    ranks: dict[int, int], size: int, first: tuple[int, ...], ties: list[Tie]
) -> None:
    assert find_ties(ranks, size, first, 4) == ties


def test_equals_at_a_cut_of_a_final_of_three() -> None:
    assert find_ties(RANKS, 3, (), 3) == [Tie((2, 3, 4), 2)]
    assert find_ties(RANKS, 6, (3,), 3) == [Tie((2, 4), 1)]


def test_of_equals_in_a_final_those_put_first_go_first() -> None:
    assert order_finalists(RANKS, (9, 8, 10)) == [1, 2, 3, 4, 5, 6, 9, 8, 7, 10]


@pytest.mark.parametrize("rounds", [0, 31])
def test_a_plan_has_some_rounds(rounds: int) -> None:
    with pytest.raises(InvalidRequest):
        plan_balanced(range(1, 17), rounds, [], 1, 4)


def test_a_list_of_players_by_its_columns_and_without() -> None:
    text = "\ufeffEMA number;First name;Last name;Country;Place\n04290012;Ann;Lee;NED;1\n;Bo;;GBR;2\n"
    assert parse_players(text).entrants == [
        NewEntrant("Ann Lee", country="NED", ema="04290012"),
        NewEntrant("Bo", country="GBR"),
    ]
    assert parse_players("Ann, Oak\n\nBo").entrants == [NewEntrant("Ann", "Oak"), NewEntrant("Bo")]
    wide = parse_players("姓名，俱樂部\n林美，東\n陳大文、西\nBo, Oak，Elm").entrants
    assert wide == [NewEntrant("林美", "東"), NewEntrant("陳大文", "西"), NewEntrant("Bo", "Oak，Elm")]
    tabs = parse_players("name\tteam\tsubstitute\nAnn\tRed\tyes")
    assert tabs.entrants == [NewEntrant("Ann", team="Red", substitute=True)]


@pytest.mark.parametrize(
    "heads",
    [
        "名前,所属,国,EMA番号,チーム,補欠",
        "姓名,會,國家,EMA 編號,隊伍,後備",
        "姓名,社團,國家,EMA編號,隊伍,候補",
        "姓名,俱乐部,国家,EMA 编号,队伍,替补",
    ],
)
def test_headings_are_known_in_the_languages_of_the_page(heads: str) -> None:
    found = parse_players(f"{heads}\n林美,東,HKG,04290012,赤,是\n陳大文,西,HKG,,白,")
    assert found.entrants == [
        NewEntrant("林美", "東", "HKG", "04290012", "赤", substitute=True),
        NewEntrant("陳大文", "西", "HKG", "", "白"),
    ]


def test_a_name_in_two_columns_keeps_the_order_of_its_language() -> None:
    assert parse_players("名,姓\n大文,陳").entrants == [NewEntrant("陳 大文")]


def test_a_list_as_spreadsheets_save_it() -> None:
    named = parse_players('rank;player;name;ema\n1;7;\'=Ann;4290012\n2;3;"Bo\u2028Elm";11990016\n')
    assert named.entrants == [NewEntrant("=Ann", ema="04290012"), NewEntrant("Bo Elm", ema="11990016")]


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16"])
def test_a_list_in_another_encoding_is_refused(encoding: str) -> None:
    """The page reads every file as UTF-8."""
    garbled = "name,club\nMüller,Köln\n".encode(encoding).decode("utf-8", "replace")
    for parse in (parse_players, lambda text: parse_schedule(text, NAMES, 4)):
        with pytest.raises(InvalidRequest, match="UTF-8"):
            parse(garbled)


def test_every_bad_row_is_named_and_the_others_are_taken() -> None:
    found = parse_players(f'name,ema\nAnn,1\n,2\nBo,"!!"\n{"x" * 41},4\nCy,3\nANN,5\nDee,6', ["dee"])
    assert [player.name for player in found.entrants] == ["Ann", "Cy"]
    assert [line for line, _ in found.refused] == [3, 4, 5, 7, 8]
    assert "at most 40 characters fit here, this has 41" in found.refused[2][1].message
    assert "as line 2 does" in found.refused[3][1].message
    for none in ("", "name,club\n", "\n \n", "name\n<b>"):
        with pytest.raises(InvalidRequest):
            _ = parse_players(none).entrants


NAMES = {n: f"P{n}" for n in range(1, 10)}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('name,club\nAnn,Oak\n"Bo,Elm\nCy,Ash\nDee,Fir', 3),
        ('Ann\n"Bo,Elm\nCy,"Ash, too"\nDee', 2),
        ('"Ann\n"Bo"\nCy', 1),
        ('Ann,Oak\n"Bo,Elm', 2),
    ],
)
def test_a_quotation_mark_that_none_closes_hides_no_player(text: str, line: int) -> None:
    with pytest.raises(InvalidRequest, match=f"^Line {line}: a quotation mark opens a cell, and none closes it"):
        parse_players(text)


def test_other_quotation_marks_are_taken() -> None:
    found = parse_players('"Bo ""Fox"" Elm",Oak\n"Cy" Ash,Fir\nDee 5" Fir,"Fir,\nand Elm"')
    assert [player.club for player in found.entrants] == ["Oak", "Fir", "Fir, and Elm"]


def test_faulty_rows_are_named_by_their_lines_where_a_cell_has_several() -> None:
    found = parse_players('name,address\nAnn,"Oak Street 1\nElm"\n\nBo,\n<Cy>,"Main Street\n2"\n')
    assert [(line, f.message.partition(" of ")[0]) for line, f in found.refused] == [(6, "Line 6")]


@pytest.mark.parametrize(
    "titles",
    [
        "Nom;Prénom;Club;Pays;N° EMA",
        "Nazwisko;Imię;Klub;Kraj;EMA",
        "Name;Vorname;Verein;Land;EMA-Nr.",
        "Apellidos;Nombre;Ciudad;País;EMA",
        "Cognome;Nome;Circolo;Nazione;numero EMA",
        "Apelido;Nome;Clube;País;EMA",
        "Achternaam;Voornaam;Vereniging;Land;EMA",
        "Efternavn;Fornavn;Klub;Land;EMA",
        "EFTERNAMN;FÖRNAMN;KLUBB;LAND;EMA",
        "Sukunimi;Etunimi;Seura;Maa;EMA",
        "Příjmení;Jméno;Klub;Země;EMA",
        "Priezvisko;Meno;Klub;Krajina;EMA",
        "Фамилия;Имя;Клуб;Страна;EMA",
        "Прізвище;Ім’я;Місто;Країна;EMA",
        "Last_Name;First_Name;Club/City;NAT;EMA ID",
    ],
)
def test_columns_are_known_in_the_languages_of_clubs(titles: str) -> None:
    found = parse_players(f"{titles}\nMeier;Anna;Lyon;FRA;04290012\nMeier;Hans;Köln;GER;")
    assert found.entrants == [
        NewEntrant("Anna Meier", "Lyon", "FRA", "04290012"),
        NewEntrant("Hans Meier", "Köln", "GER"),
    ]
    assert [c["field"] for c in found.to_json()["columns"]] == ["last_name", "first_name", "club", "country", "ema"]


@pytest.mark.parametrize(
    ("titles", "fields"),
    [
        ("Vezetéknév;Keresztnév;Egyesület", ["family", "given", "club"]),
        ("Nom / Prénom;Ville;Remarques", ["name", "club", None]),
        ("Imię i nazwisko;Miasto", ["name", "club"]),
        ("Place;Nom;Pays", [None, "name", "country"]),
        ("First name;Name", ["first", "last"]),
        ("Player;First name;Last name", [None, "first", "last"]),
        ("氏名;所属クラブ", ["name", "club"]),
        ("Dupont;Jean;Lyon", [None, None, None]),
    ],
)
def test_what_the_titles_of_columns_mean(titles: str, fields: list[str | None]) -> None:
    assert read_titles(titles.split(";")) == fields


def test_a_schedule_of_another_program_wide_and_long() -> None:
    wide = parse_schedule("round,table,east,south,west,north\n1,A,1,2,3,4\n1,B,p5,P6,7,8\n2,A,5,1,6,2\n", NAMES, 4)
    assert wide[0] == (Seating(((1, 2, 3, 4), (5, 6, 7, 8)), (9,), 0), ("A", "B"))
    assert wide[1] == (Seating(((5, 1, 6, 2),), (3, 4, 7, 8, 9), 0), ("A",))
    long = parse_schedule(
        "round;table;seat;player\n" + "".join(f"1;A;{s};{n}\n" for n, s in enumerate("ESWN", 1)), NAMES, 4
    )
    assert long[0][0].tables == ((1, 2, 3, 4),)


def test_a_schedule_of_tables_of_three() -> None:
    wide = parse_schedule("round,table,east,south,west\n1,A,1,2,3\n1,B,p5,P6,7\n", NAMES, 3)
    assert wide == [(Seating(((1, 2, 3), (5, 6, 7)), (4, 8, 9), 0), ("A", "B"))]
    long = parse_schedule("round,table,seat,player\n1,A,W,1\n1,A,E,2\n1,A,S,3\n", NAMES, 3)
    assert long[0][0].tables == ((2, 3, 1),)
    for text, part in (
        ("round,table,east,south\n1,A,1,2", "round, table, east, south, west."),
        ("round,table,seat,player\n1,A,N,1", "one of E, S, W"),
        ("round,table,seat,player\n1,A,E,1", "3 players"),
    ):
        with pytest.raises(InvalidRequest, match=part):
            parse_schedule(text, NAMES, 3)


def test_a_seating_script_of_pantheon() -> None:
    found = parse_schedule("\ufeff1-2-3-4\r\n5-6-7-8\r\n\r\n\r\n9-1-5-2\r\n", NAMES, 4)
    assert found == [
        (Seating(((1, 2, 3, 4), (5, 6, 7, 8)), (9,), 0), ("1", "2")),
        (Seating(((9, 1, 5, 2),), (3, 4, 6, 7, 8), 0), ("1",)),
    ]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "first row"),
        ("1-2-3-4\n5-6-7", "table 2: a table has 4"),
        ("1-2-3-4-5", "table 1: a table has 4"),
        ("1-2-3-4\n5-6-7-44", "Line 2: nobody"),
        ("1-2-3-4\n\n5-6-7-5", "twice in round 2"),
        ("round,table,east\n1,A,1", "first row"),
        ("round,table,east,south,west,north\n", "no round"),
        ("round,table,east,south,west,north\n1,A,1,2,3,44", "nobody is called"),
        ("round,table,east,south,west,north\n1,A,1,2,3,3", "twice"),
        ("round,table,east,south,west,north\nx,A,1,2,3,4", "no round"),
        ("round,table,seat,player\n1,A,E,1\n1,A,E,2\n1,A,Q,3", "taken twice"),
        ("round,table,seat,player\n1,A,E,1", "4 players"),
    ],
)
def test_a_schedule_that_makes_no_sense_is_refused(text: str, part: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        parse_schedule(text, NAMES, 4)
    assert any(part in f.message for f in caught.value.faults), caught.value.faults
