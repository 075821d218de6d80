"""The Python API: what a photo shows and what its hand is worth, as objects that explain and draw themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from hupai.basics.counts import count_of
from hupai.basics.words import seat_of, win_of
from hupai.store.files.learned_sets import load_set
from scoring.errors import Fault, HupaiError, InvalidRequest, quote_value
from scoring.request import parse_request
from scoring.rules import system_named
from scoring.score import Score
from scoring.seats import SEATS, Seat
from scoring.system import RuleSystem
from scoring.tiles import format_tiles
from scoring.written import read_tile, read_tiles
from vision.hand.correction import (
    Correction,
    PhotoCorrection,
    SetBonus,
    SetIndicator,
    SetWinningTile,
    apply_corrections,
    decode_again,
    no_hand,
)
from vision.io.given import Source
from vision.io.photo import Photo
from vision.layout.shapes import ANY, HandRules, checked_shapes, shapes_of
from vision.pipeline import shared_reader
from vision.reading import Reading, Role, SeenHand

if TYPE_CHECKING:
    from PIL.Image import Image


def read(
    picture: Source,
    rules: str | None = None,
    *,
    tileset: str | None = None,
    options: Mapping[str, object] | None = None,
) -> ReadPhoto:
    """Return what a photo shows.

    Args:
        picture: a path, the bytes of a file, an open binary file, a Pillow image, or an upright RGB array (H, W, 3) or
            grey array (H, W) of uint8.
        rules: the rule system whose winning shapes help the reading; any if not given.
        tileset: name of a tile set taught with ``hupai learn-set``.
        options: house rules by name, of which ``players`` and ``kita`` change what tiles there are.

    Raises:
        HupaiError: the picture cannot be used, or the rules, house rules or tile set do not exist.
    """
    shapes = checked_shapes(rules, options or {})  # refuses unknown ones before the models are loaded
    photo = Photo(picture)
    reader = shared_reader()
    known = load_set(tileset, reader.models["classifier"])
    return ReadPhoto(photo, reader.read(photo, rules=shapes, tileset=known), shapes)


def score(
    picture: Source,
    rules: str = "hongkong",
    *,
    tileset: str | None = None,
    **circumstances: Any,
) -> ScoredPhoto:
    """Return what the hand on a photo is worth, why, and who pays whom: :func:`read`, then :meth:`ReadPhoto.score`.

    Args:
        picture, tileset: see :func:`read`.
        rules, circumstances: see :meth:`ReadPhoto.score`; ``seat`` and ``win`` are needed.

    Raises:
        HupaiError: the picture cannot be used, shows no whole hand, or an argument is missing or invalid.
    """
    _check_facts(circumstances.get("seat"), circumstances.get("win"))  # before the photo is read: that takes seconds
    options = circumstances.get("options")
    return read(picture, rules, tileset=tileset, options=options).score(rules, **circumstances)


@dataclass(frozen=True, slots=True, repr=False)
class ReadPhoto:
    """What a photo shows.

    Attributes:
        photo: the picture. reading: everything that was recognised in it.
        shapes: of the rules that helped the reading.
    """

    photo: Photo = field(compare=False)
    reading: Reading
    shapes: HandRules = ANY

    @property
    def hand(self) -> SeenHand | None:
        """The hand, or None if the tiles make none."""
        return self.reading.hand

    @property
    def doubts(self) -> list[str]:
        """What the camera cannot know or is unsure of, as questions."""
        return [doubt.message for doubt in self.reading.doubts]

    def score(
        self,
        rules: str = "hongkong",
        *,
        seat: str | None = None,
        win: str | None = None,
        round: str = "E",  # noqa: A002 - the name of the contracts
        from_: str | None = None,
        winning: str | None = None,
        bonus: str | None = None,
        corrections: Iterable[Correction] = (),
        options: Mapping[str, object] | None = None,
        **context: object,
    ) -> ScoredPhoto:
        """Return what the hand is worth, why, and who pays whom; the photo is not read again.

        Under other rules than those that helped the reading, the hand is made out anew of the tiles in sight: a tile
        that these rules lack is left out, and asked about.

        Args:
            rules: ``hongkong``, or another that ``hupai rules`` lists.
            seat: the winner's seat, ``E``, ``S``, ``W`` or ``N``; needed. Everyday words do, too, such as ``East``.
            win: ``self_draw``, ``discard`` or ``robbed_kong``; needed. Everyday words do, too, such as ``tsumo``.
            round: the round wind. from_: who discarded the winning tile, unless it was self-drawn.
            winning, bonus: the winning tile and the bonus tiles, if the photo does not show them or was misread.
            corrections: what else is to be corrected for this score, see :mod:`vision.hand.correction`.
            options: house rules by name.
            context: any other field of a score request's context, such as ``riichi=True`` or ``last_tile=True``.

        Raises:
            HupaiError: there is no whole hand, or an argument is invalid.
        """
        _check_facts(seat, win)
        faults = _type_faults({"rules": rules, "winning": winning, "bonus": bonus}, options)
        if faults:
            raise InvalidRequest.of(faults)
        seats = {"seat": seat, "round": round, **({} if from_ is None else {"from": from_})}
        given = {
            **{name: seat_of(value) if isinstance(value, str) else value for name, value in seats.items()},
            "win": win_of(win) if isinstance(win, str) else win,
            **context,
        }
        said = list(corrections)
        said += [] if winning is None else [SetWinningTile(read_tile(winning))]
        said += [] if bonus is None else [SetBonus(read_tiles(bonus))]
        return score_photo(self, rules, given, options or {}, said)

    def under(self, rules: str, options: Mapping[str, object] | None = None) -> ReadPhoto:
        """Return the photo with the hand that is made out under these rules."""
        shapes = shapes_of(rules, options)
        if shapes == self.shapes:
            return self
        return ReadPhoto(self.photo, decode_again(self.reading, {}, rules=shapes), shapes)

    def explain(self) -> str:
        """Return the hand, other tiles in the photo, repairs and doubts, one per line."""
        reading = self.reading
        if self.hand is not None:
            lines = [str(self.hand)]
            others = [s.tile for s, role in zip(reading.tiles, reading.roles, strict=True) if role is Role.OTHER]
            lines += [f"not of the hand: {format_tiles(others)}"] if others else []
        else:
            lines = [f"no hand: {format_tiles(s.tile for s in reading.tiles) or 'no tile in sight'}"]
        lines += [f"repaired: {r.read} read as {r.used} ({r.why})" for r in reading.repairs]
        return "\n".join([*lines, *self.doubts])

    def plot(self) -> Image:
        """Return the photo with every tile outlined and named, as a Pillow image."""
        from PIL.Image import fromarray

        from vision.io.annotate import annotate

        return fromarray(annotate(self.photo.pixels, self.reading))

    def to_json(self) -> dict[str, Any]:
        """Return the read response of the JSON contracts."""
        return self.reading.to_json(self.photo.name)

    def __repr__(self) -> str:
        hand = "no hand" if self.hand is None else str(self.hand)
        return f"<ReadPhoto {self.photo.name}: {count_of(len(self.reading.tiles), 'tile')}, {hand}{_doubt_count(self)}>"

    def _repr_html_(self) -> str:
        from hupai.notebook import notebook_card

        return notebook_card(self.photo.name, self.plot(), self.explain().splitlines())


@dataclass(frozen=True, slots=True, repr=False)
class ScoredPhoto:
    """What the hand on a photo is worth.

    Attributes:
        read: what the photo shows, with the doubts that are left.
        result: the score with its elements, arrangement and payments.
        request: the score request (contract form) of the corrected hand.
    """

    read: ReadPhoto
    result: Score
    request: Mapping[str, Any] = field(compare=False)

    @property
    def legal(self) -> bool:
        """Whether the hand may win."""
        return self.result.legal

    @property
    def total(self) -> dict[str, Any]:
        """The sum as in a score response: ``unit``, ``value``, ``uncapped``, and what else the rules count."""
        total: dict[str, Any] = self.result.to_json()["total"]
        return total

    @property
    def payments(self) -> dict[str, Any] | None:
        """What each seat gets (negative: pays), by ``E S W N pot``; None if the discarder's seat is unknown."""
        return None if self.result.payments is None else self.result.payments.to_json()

    def explain(self) -> str:
        """Return the hand as read, the doubts, the steps to the score, why it is no higher, one sentence per line."""
        return "\n".join([self.read.explain(), *self.result.explanation, *self.result.why.sentences])

    def plot(self) -> Image:
        """See :meth:`ReadPhoto.plot`."""
        return self.read.plot()

    def to_json(self) -> dict[str, Any]:
        """Return the score response of the JSON contracts, with the reading under ``read``."""
        return {**self.result.to_json(self.read.photo.name), "read": self.read.to_json()}

    def __repr__(self) -> str:
        total, refusal = self.total, self.result.refusal
        said = f"may not win: {refusal.message}" if refusal else f"{total['value']} {total['unit']}"
        return f"<ScoredPhoto {self.read.photo.name}: {self.result.system.name}, {said}{_doubt_count(self.read)}>"

    def _repr_html_(self) -> str:
        from hupai.notebook import notebook_card

        return notebook_card(self.read.photo.name, self.plot(), self.read.explain().splitlines(), self.result)


class UnscorableHand(HupaiError):
    """A hand that was read and cannot be scored as it is.

    Attributes:
        read: what the photo shows, with the doubts that are left. hand: the corrected hand.
    """

    def __init__(self, read: ReadPhoto, hand: SeenHand, error: InvalidRequest) -> None:
        message = " ".join([f"{hand} cannot be scored: {error.message}", *read.doubts])
        super().__init__(message, code=error.code, field=error.field, faults=error.faults)
        self.read = read
        self.hand = hand


def score_photo(
    photo: ReadPhoto,
    rules: str,
    context: Mapping[str, Any],
    options: Mapping[str, object],
    corrections: Iterable[Correction],
) -> ScoredPhoto:
    """Return what the hand on a photo is worth under the rules.

    Args:
        context, options: of a score request, in contract form.
        corrections: of the reading. Those of tiles in the photo are part of the answer's reading, those of the hand
            only of its request: the reading says what the photo shows.

    Raises:
        NoHandError: no hand can be made out, and none is given.
        UnscorableHand: the hand is not whole, or the request makes no sense.
        InvalidRequest: corrections that do not fit; unknown rules.
    """
    photo, system = photo.under(rules, options), system_named(rules)
    said = list(corrections)
    indicator = context.get("indicator")
    if indicator is not None and "indicator" in system.reads:
        said.append(SetIndicator(read_tile("5z" if indicator == "permanent" else indicator)))
    shapes = photo.shapes
    read = apply_corrections(photo.reading, (c for c in said if isinstance(c, PhotoCorrection)), rules=shapes)
    whole = apply_corrections(read, (c for c in said if not isinstance(c, PhotoCorrection)), rules=shapes)
    if whole.hand is None:
        raise no_hand(whole)
    left = replace(photo, reading=replace(read, doubts=whole.doubts))
    hand = whole.hand.seated(Seat(seat), shapes.players) if (seat := context.get("seat")) in SEATS else whole.hand
    request = _request(hand, system, context, options)
    try:
        return ScoredPhoto(left, parse_request(request).score(), request)
    except InvalidRequest as error:
        raise UnscorableHand(left, whole.hand, error) from error


def _request(
    hand: SeenHand, system: RuleSystem[Any], context: Mapping[str, Any], options: Mapping[str, object]
) -> dict[str, Any]:
    """Return the score request (contract form) of a hand, with the indicators that lie open in the photo."""
    tiles = hand.to_json()
    context, dora = dict(context), tiles.pop("dora_indicators")
    if dora and "dora_indicators" in system.reads:
        context.setdefault("dora_indicators", dora)
    if len(dora) == 1 and "indicator" in system.reads:
        context.setdefault("indicator", dora[0])  # the tile that lies open in the wall
    return {"id": None, "rules": system.id, "options": dict(options), **tiles, "context": context}


def _check_facts(seat: object, win: object) -> None:
    """Refuse to score without what no photo shows.

    Raises:
        InvalidRequest: ``missing``: it was not given who won, or how.
    """
    faults = []
    if seat is None:
        faults.append(Fault("missing", 'Who won? Give seat="E", "S", "W" or "N".', "context.seat"))
    if win is None:
        message = 'How was it won? Give win="self_draw", "discard" or "robbed_kong".'
        faults.append(Fault("missing", message, "context.win"))
    if faults:
        raise InvalidRequest.of(faults)


def _type_faults(texts: Mapping[str, object], options: object) -> list[Fault]:
    """Return a fault for every argument that should be text and is not, and for house rules that are not a mapping."""
    wrong = [(name, "text", value) for name, value in texts.items() if not isinstance(value, str | None)]
    if not isinstance(options, Mapping | None):
        wrong.append(("options", 'a mapping such as {"min_faan": 0}', options))
    return [Fault("bad_value", f"{name} is {kind}, not {quote_value(value)}.", name) for name, kind, value in wrong]


def _doubt_count(read: ReadPhoto) -> str:
    count = sum(not doubt.open for doubt in read.reading.doubts)
    return f", {count_of(count, 'doubt')}" if count else ""
