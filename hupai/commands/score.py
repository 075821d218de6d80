"""``hupai score``: a photo, a typed hand or a file of requests in; the score and who pays whom out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from hupai.messages import with_flags
from hupai.terminal import options as o
from hupai.terminal.each_picture import SOME_FAILED, each_picture, mention_pages
from hupai.terminal.flags import Flags, add_preset, context_of, parse_options
from hupai.terminal.output import print_error, print_json, with_provenance
from scoring.errors import Fault, HupaiError, InvalidRequest
from scoring.request import parse_request

if TYPE_CHECKING:
    from hupai.api import UnscorableHand
    from hupai.terminal.show import Paper
    from scoring.score import Score
    from vision.hand.correction import Correction
    from vision.reading import Reading


@o.with_context_flags
def score(
    photos: o.Photos = None,
    rules: o.Rules = None,
    hand: o.Hand = None,
    winning: o.Winning = None,
    meld: o.Melds = None,
    bonus: o.Bonus = None,
    tile: o.Tiles = None,
    seat: o.Winner = None,
    win: o.Won = None,
    from_: o.From = None,
    option: o.HouseRules = None,
    preset: o.PresetName = None,
    jsonl: o.Jsonl = None,
    keep_aside: o.KeepAside = False,
    set_: o.Set = None,
    annotate: o.Annotate = None,
    why: o.Why = False,
    as_json: o.AsJson = False,
    **context: Any,
) -> None:
    """Score a photographed or typed winning hand: every element explained, and who pays whom."""
    by_bonus = context["flower_win"] and bonus is not None and jsonl is None
    typed = not photos and (hand is not None or bool(meld) or by_bonus)
    _check_one_source(photos, typed, jsonl)
    if jsonl is not None:
        from hupai.terminal.jsonl import score_lines

        raise typer.Exit(score_lines(jsonl))
    given = {"seat": seat, "win": win, "from": from_, **context}
    rules, options = add_preset(preset, rules, parse_options(option or ()))
    flags = Flags(
        rules,
        context_of(given),
        options,
        hand,
        winning,
        tuple(meld or ()),
        bonus,
        tuple(tile or ()),
    )
    if photos:
        raise typer.Exit(_score_photos(photos, flags, set_, annotate, keep_aside=keep_aside, as_json=as_json, why=why))
    raise typer.Exit(_score_typed(flags, as_json=as_json, why=why))


def _check_one_source(photos: list[Path] | None, typed: bool, jsonl: str | None) -> None:
    if bool(photos) + typed + (jsonl is not None) != 1:
        message = "Give one of: photos, --hand with --winning, --flower-win with --bonus, or --jsonl FILE."
        raise InvalidRequest.of([Fault("usage", message)])


def _score_typed(flags: Flags, *, as_json: bool, why: bool) -> int:
    try:
        if flags.tiles:
            message = "--tile names a tile of a photo: there is none, so write it in --hand."
            raise InvalidRequest.of([Fault("usage", message)])
        faults, request = flags.faults(), flags.request(flags.typed_hand())
        if faults:
            raise InvalidRequest.of(_add_tile_faults(faults, request))
        result = parse_request(request).score()
    except InvalidRequest as error:
        if not as_json:
            raise
        print_json(with_provenance({"id": None, "error": error.to_json()}))
        print_error(error)
        raise typer.Exit(error.exit_status) from error
    if as_json:
        print_json(with_provenance(result.to_json(with_why=why), flags.options))
    else:
        from hupai.terminal.show import Paper

        _show(Paper(), request, result, flags, why=why)
    return 0 if result.legal else SOME_FAILED


def _add_tile_faults(faults: list[Fault], request: Mapping[str, Any]) -> list[Fault]:
    """The flags' faults and those of the tiles beside them."""
    try:
        parse_request(request)
    except InvalidRequest as error:
        known = {fault.field for fault in faults}
        faults = faults + [f for f in error.faults if f.field not in known and f not in faults]
    return faults


def _show(
    paper: Paper,
    request: Mapping[str, Any],
    result: Score,
    flags: Flags,
    seen: Reading | None = None,
    name: str | None = None,
    *,
    why: bool = False,
) -> None:
    """What was scored, what is not sure about it, the score, what was assumed."""
    from hupai.terminal.assumed import state_assumptions
    from hupai.terminal.show import show_doubt, show_hand, show_repairs, show_score, show_why

    show_hand(paper, result, name)
    if seen is not None:
        from hupai.terminal.corrections import questions

        show_repairs(paper, seen.repairs)
        for doubt, flag in questions(seen.doubts, seen.hand):
            show_doubt(paper, doubt, flag)
    show_score(paper, result)
    show_why(paper, result, everything=why)
    sentence = state_assumptions(request, result, flags, seen=seen is not None)
    if sentence:
        paper.print(sentence, markup=False, highlight=False)


def _score_photos(
    photos: list[Path],
    flags: Flags,
    set_: str | None,
    annotate: Path | None,
    *,
    keep_aside: bool,
    as_json: bool,
    why: bool,
) -> int:
    # What the flags say is checked before any photo is read, so that a slip costs no waiting.
    from hupai.terminal.corrections import KEEP_ASIDE, asks_to_keep, parse_corrections, parse_tile_flags

    faults = flags.faults()
    typed: tuple[Correction, ...] = ()
    if flags.tiles and len(photos) > 1:
        faults.append(Fault("usage", "--tile names a tile of one photo: score that photo alone."))
    try:
        typed = parse_corrections(flags)
    except InvalidRequest as error:
        faults += error.faults
    if faults:
        raise InvalidRequest.of(faults)
    from hupai.api import ReadPhoto, UnscorableHand, score_photo
    from hupai.store.files.learned_sets import load_set
    from hupai.terminal.annotated import annotation_targets, write_annotated
    from hupai.terminal.show import Paper
    from vision.errors import NoHandError
    from vision.hand.aside import keep_aside as keep_all
    from vision.io.photo import Photo
    from vision.layout.shapes import shapes_of
    from vision.pipeline import TileReader

    target = annotation_targets(annotate, photos)
    reader = TileReader()
    known = load_set(set_, reader.models["classifier"])
    paper = Paper()
    rules, shapes = flags.named_rules, shapes_of(flags.named_rules, flags.options)
    how = {"rules": rules, **({} if set_ is None else {"set": set_})}
    refused: list[Path] = []

    def work(path: Path) -> Callable[[], None]:
        photo = Photo(path)
        reading = reader.read(photo, rules=shapes, tileset=known)
        seen = ReadPhoto(photo, keep_all(reading, rules=shapes) if keep_aside else reading, shapes)
        return lambda: finish(path, seen)

    def finish(path: Path, seen: ReadPhoto) -> None:
        mention_pages(seen.photo)
        try:
            corrections = (*typed, *parse_tile_flags(flags, seen.reading))
            scored = score_photo(seen, rules, flags.context, flags.options, corrections)
        except UnscorableHand as error:
            mark(path, error.read)
            raise _explain_unscorable(error) from error
        except NoHandError as error:
            hints = [f"({KEEP_ASIDE})" for doubt in seen.reading.doubts if asks_to_keep(doubt)]
            raise NoHandError(" ".join((str(error), *hints)), code=error.code) from error
        mark(path, scored.read)
        if not scored.legal:
            refused.append(path)
        if as_json:
            read = {**scored.read.reading.to_json(str(path)), "options": how}
            answer = {**scored.result.to_json(str(path), with_why=why), "read": read}
            print_json(with_provenance(answer, flags.options))
        else:
            _show(paper, scored.request, scored.result, flags, scored.read.reading, str(path), why=why)

    def mark(path: Path, read: ReadPhoto) -> None:
        if annotate is not None:
            write_annotated(read.photo, read.reading, target(path))

    outcome = each_picture(photos, work, as_json=as_json)
    return outcome.exit_status or (SOME_FAILED if refused else 0)


def _explain_unscorable(error: UnscorableHand) -> HupaiError:
    """What was read cannot be scored as it is: say what was read, and what would help."""
    from hupai.terminal.corrections import questions
    from vision.hand.correction import ABOUT_COUNT

    # What the rules ask for, too, is not asked twice.
    asked = {(fault.field or "").removeprefix("context.") for fault in error.faults}
    doubts = [d for d in error.read.reading.doubts if not (d.code == "indicator_unknown" and "indicator" in asked)]
    asked_for = " ".join(f"{doubt.message} ({flag})" for doubt, flag in questions(doubts, error.hand))
    if any(d.code in ABOUT_COUNT for d in doubts):  # what else is wrong follows from that
        message = f"The hand read ({error.hand}) is not whole. {asked_for}"
    else:
        faults = " ".join(dict.fromkeys(with_flags(fault) for fault in error.faults))
        message = f"The hand read ({error.hand}) cannot be scored: {faults} {asked_for}".strip()
    return HupaiError(message, code=error.code, field=error.field, faults=error.faults)
