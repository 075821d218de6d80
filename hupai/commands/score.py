"""``hupai score``: a photo, a typed hand or a file of requests in; the score and who pays whom out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from hupai.asking import Asked, parse_fed, parse_liable, parse_options
from hupai.output import complain, lasting, print_json
from hupai.recognise import each_picture, no_hand
from scoring.errors import Fault, HupaiError, InvalidRequest
from scoring.request import parse_request
from scoring.seats import SEATS, Seat

WIN = "How it was won"
HOUSE = "House rules and penalties"
TYPED = "Without a camera"
_NOT_WHOLE = frozenset({"one_tile_short", "too_few_tiles", "too_many_tiles"})


def score(
    photos: Annotated[list[Path] | None, typer.Argument(help="Photos of winning hands.")] = None,
    rules: Annotated[str, typer.Option(help="hongkong, zungjung, hangzhou, singapore or riichi.")] = "hongkong",
    seat: Annotated[str | None, typer.Option(help="The winner's seat: E S W N.", rich_help_panel=WIN)] = None,
    round_: Annotated[str | None, typer.Option("--round", help="The round wind.", rich_help_panel=WIN)] = None,
    win: Annotated[str | None, typer.Option(help="self_draw, discard or robbed_kong.", rich_help_panel=WIN)] = None,
    from_: Annotated[
        str | None, typer.Option("--from", help="Whose tile it was: E S W N.", rich_help_panel=WIN)
    ] = None,
    last_tile: Annotated[
        bool,
        typer.Option(
            "--last-tile", help="Won with the last tile of the wall, or the discard after it.", rich_help_panel=WIN
        ),
    ] = False,
    replacement: Annotated[
        bool,
        typer.Option("--replacement", help="Drawn as the replacement of a kong or a bonus tile.", rich_help_panel=WIN),
    ] = False,
    double_kong: Annotated[
        bool, typer.Option("--double-kong", help="Replacement of a kong made with a replacement.", rich_help_panel=WIN)
    ] = False,
    heavenly: Annotated[
        bool, typer.Option("--heavenly", help="The dealer's hand was complete on the deal.", rich_help_panel=WIN)
    ] = False,
    earthly: Annotated[
        bool, typer.Option("--earthly", help="A non-dealer's win in the very first turn.", rich_help_panel=WIN)
    ] = False,
    humanly: Annotated[
        bool, typer.Option("--humanly", help="Won on a discard before the own first draw.", rich_help_panel=WIN)
    ] = False,
    flower_win: Annotated[
        bool, typer.Option("--flower-win", help="Won by bonus tiles alone.", rich_help_panel=WIN)
    ] = False,
    riichi: Annotated[bool, typer.Option("--riichi", help="The winner declared riichi.", rich_help_panel=WIN)] = False,
    double_riichi: Annotated[
        bool, typer.Option("--double-riichi", help="Riichi in the first turn.", rich_help_panel=WIN)
    ] = False,
    ippatsu: Annotated[
        bool,
        typer.Option("--ippatsu", help="Won within a turn of riichi, without a call between.", rich_help_panel=WIN),
    ] = False,
    dora: Annotated[str | None, typer.Option(help="Dora indicators, such as 7s1z.", rich_help_panel=WIN)] = None,
    ura: Annotated[str | None, typer.Option(help="Ura-dora indicators.", rich_help_panel=WIN)] = None,
    counters: Annotated[int | None, typer.Option(help="Honba.", rich_help_panel=WIN)] = None,
    riichi_sticks: Annotated[int | None, typer.Option(help="Sticks taken from the table.", rich_help_panel=WIN)] = None,
    wareme: Annotated[str | None, typer.Option(help="The seat where the wall broke.", rich_help_panel=WIN)] = None,
    indicator: Annotated[
        str | None, typer.Option(help="Hangzhou: the indicator tile, or permanent.", rich_help_panel=WIN)
    ] = None,
    banker: Annotated[str | None, typer.Option(help="Hangzhou: the banker's seat.", rich_help_panel=WIN)] = None,
    streak: Annotated[
        int | None, typer.Option(help="Hangzhou: the banker's hand in a row, from 1.", rich_help_panel=WIN)
    ] = None,
    floats: Annotated[int | None, typer.Option(help="Hangzhou: fortune floats.", rich_help_panel=WIN)] = None,
    kong_streak: Annotated[int | None, typer.Option(help="Hangzhou: kongs in a row.", rich_help_panel=WIN)] = None,
    honours: Annotated[
        int | None, typer.Option(help="Hangzhou: ten or more honours discarded from the start.", rich_help_panel=WIN)
    ] = None,
    doubles_after: Annotated[
        int | None,
        typer.Option(help="Hangzhou: floats and kongs after the liable player's discard.", rich_help_panel=HOUSE),
    ] = None,
    fed: Annotated[
        list[str] | None, typer.Option(help="Hangzhou: N>S=3, north fed south 3 sets.", rich_help_panel=HOUSE)
    ] = None,
    responsible: Annotated[
        str | None, typer.Option(help="Zung Jung: auto, none or a seat.", rich_help_panel=HOUSE)
    ] = None,
    liable: Annotated[
        str | None, typer.Option(help="Who pays for all and why: W:nine_piece.", rich_help_panel=HOUSE)
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(help="A house rule: table=canton (see `hupai rules R`).", rich_help_panel=HOUSE)
    ] = None,
    hand: Annotated[
        str | None, typer.Option(help="Concealed tiles, such as 234m567p345s88s.", rich_help_panel=TYPED)
    ] = None,
    winning: Annotated[
        str | None, typer.Option(help="The winning tile (overrules the photo).", rich_help_panel=TYPED)
    ] = None,
    meld: Annotated[
        list[str] | None, typer.Option(help="678s, pung:555z@W, kong_concealed:1111m.", rich_help_panel=TYPED)
    ] = None,
    bonus: Annotated[
        str | None, typer.Option(help="Bonus tiles, such as 'f1 g3' (overrules the photo).", rich_help_panel=TYPED)
    ] = None,
    jsonl: Annotated[
        str | None, typer.Option(help="One score request a line from this file, or - for standard input.")
    ] = None,
    set_: Annotated[str | None, typer.Option("--set", help="A learned tile set (see learn-set).")] = None,
    annotate: Annotated[
        Path | None, typer.Option(help="Write the marked photo here (a folder when there are several).")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print nothing but JSON.")] = False,
) -> None:
    """Score a photographed or typed winning hand: every element explained, and who pays whom."""
    typed = hand is not None or bool(meld) or (flower_win and bonus is not None and not photos and jsonl is None)
    _one_source(photos, typed, jsonl)
    if jsonl is not None:
        from hupai.jsonl import score_lines

        raise typer.Exit(score_lines(jsonl))
    context: dict[str, Any] = {
        "seat": seat,
        "round": round_,
        "win": win,
        "from": from_,
        "dora_indicators": dora,
        "ura_indicators": ura,
        "counters": counters,
        "riichi_sticks": riichi_sticks,
        "wareme": wareme,
        "indicator": indicator,
        "banker": banker,
        "streak": streak,
        "floats": floats,
        "kong_streak": kong_streak,
        "honours": honours,
        "doubles_after": doubles_after,
        "responsible": responsible,
        "liable": parse_liable(liable) if liable else None,
        "fed": parse_fed(fed) if fed else None,
    }
    flags = {
        "last_tile": last_tile,
        "replacement": replacement,
        "double_kong": double_kong,
        "heavenly": heavenly,
        "earthly": earthly,
        "humanly": humanly,
        "flower_win": flower_win,
        "riichi": riichi,
        "double_riichi": double_riichi,
        "ippatsu": ippatsu,
    }
    given = {name: value for name, value in {**context, **flags}.items() if value is not None and value is not False}
    asked = Asked(rules, given, parse_options(option or ()), hand, winning, tuple(meld or ()), bonus)
    if photos:
        raise typer.Exit(_score_photos(photos, asked, set_, annotate, as_json))
    _score_typed(asked, as_json)


def _one_source(photos: list[Path] | None, typed: bool, jsonl: str | None) -> None:
    if bool(photos) + typed + (jsonl is not None) != 1:
        message = "Give one of: photos, --hand with --winning, --flower-win with --bonus, or --jsonl FILE."
        raise InvalidRequest.of([Fault("usage", message)])


def _score_typed(asked: Asked, as_json: bool) -> None:
    try:
        result = parse_request(asked.request(None, asked.typed_hand())).score()
    except InvalidRequest as error:
        if not as_json:
            raise
        print_json(lasting({"id": None, "error": error.to_json()}))
        complain(error)
        raise typer.Exit(error.exit_status) from error
    if as_json:
        print_json(lasting(result.to_json(), asked.options))
        return
    from rich.console import Console

    from hupai.show import show_score

    show_score(Console(), result)


def _score_photos(photos: list[Path], asked: Asked, set_: str | None, annotate: Path | None, as_json: bool) -> int:
    # What the flags say is checked before any photo is read, so that a slip costs no waiting.
    _check_flags(asked)
    from rich.console import Console

    from hupai.learned import learned_set
    from hupai.marked import marked_path, write_marked
    from hupai.show import hand_line, show_doubts, show_score
    from vision.photo import Photo
    from vision.pipeline import Eyes

    target = marked_path(annotate, photos)
    eyes = Eyes()
    known = learned_set(set_, eyes.models["reader"])
    console = Console()
    how = {"rules": asked.rules, **({} if set_ is None else {"set": set_})}

    def work(path: Path) -> Callable[[], None]:
        photo = Photo(path)
        reading = eyes.see(photo, rules=asked.rules, tileset=known)
        if annotate is not None:
            write_marked(photo, reading, target(path))
        if reading.hand is None:
            raise no_hand(reading)
        seat = asked.context.get("seat")
        seen = (reading.hand.seated(Seat(seat)) if seat in set(SEATS) else reading.hand).to_json()
        dora = seen.pop("dora_indicators")
        try:
            result = parse_request(asked.request(str(path), seen, dora)).score()
        except InvalidRequest as error:
            raise _unscorable(error, hand_line(reading.hand), reading.doubts) from error
        if as_json:
            answer = {**result.to_json(str(path)), "read": {**reading.to_json(str(path)), "options": how}}
            return lambda: print_json(lasting(answer, asked.options))
        line = f"{path}: {hand_line(reading.hand)}"

        def tell() -> None:
            console.print(line, markup=False, highlight=False)
            show_doubts(console, reading)
            show_score(console, result)

        return tell

    return each_picture(photos, work, as_json=as_json).exit_status


def _check_flags(asked: Asked) -> None:
    """Faults of the flags alone: the request with a harmless hand must be readable."""
    hand = {"concealed": "123456789m123p1s", "melds": [], "winning_tile": "1s", "bonus": ""}
    try:
        parse_request({**asked.request(None, hand), "concealed": hand["concealed"], "winning_tile": "1s"})
    except InvalidRequest as error:
        faults = [f for f in error.faults if (f.field or "").split(".")[0] in ("rules", "options", "context")]
        if faults:
            raise InvalidRequest.of(faults) from error


def _unscorable(error: InvalidRequest, hand: str, doubts: tuple[Any, ...]) -> HupaiError:
    """What was read cannot be scored as it is: say what was read, and what would help."""
    questions = " ".join(d.message for d in doubts)
    if any(d.code in _NOT_WHOLE for d in doubts):  # what else is wrong follows from that
        message = f"The hand read ({hand}) is not whole. {questions}"
    else:
        message = f"The hand read ({hand}) cannot be scored: {error.message} {questions}".strip()
    return HupaiError(message, code=error.code, field=error.field, faults=error.faults)
