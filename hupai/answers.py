"""What a photo shows and what its hand is worth, as objects that explain and draw themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from hupai.learned import learned_set
from hupai.terminal.flags import Flags
from hupai.terminal.mended import mended
from hupai.terminal.show import hand_line, request_line
from scoring.errors import Fault, HupaiError, InvalidRequest, quoted
from scoring.request import parse_request
from scoring.rules import system_named
from scoring.score import Score
from scoring.tiles import format_tiles
from vision.hand.corrected import corrected
from vision.io.given import Source
from vision.io.photo import Photo
from vision.pipeline import shared_eyes
from vision.reading import Reading, Role, SeenHand

if TYPE_CHECKING:
    from PIL.Image import Image


def read_photo(picture: Source, rules: str | None, tileset: str | None) -> ReadPhoto:
    """Read a photo with the models of this process; see :func:`hupai.read`.

    Raises:
        HupaiError: the picture cannot be used, or the rules or tile set do not exist.
    """
    if rules is not None:
        system_named(rules)  # refuses what is none before the models are loaded
    photo = Photo(picture)
    eyes = shared_eyes()
    known = learned_set(tileset, eyes.models["classifier"])
    return ReadPhoto(photo, eyes.see(photo, rules=rules, tileset=known), rules)


@dataclass(frozen=True, slots=True, repr=False)
class ReadPhoto:
    """What a photo shows.

    Attributes:
        photo: the picture. reading: everything that was recognised in it.
        rules: the rule system that helped the reading; None: any.
    """

    photo: Photo = field(compare=False)
    reading: Reading
    rules: str | None = None

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
        seat: str,
        win: str,
        round: str = "E",  # noqa: A002 - the name of the contracts
        from_: str | None = None,
        winning: str | None = None,
        bonus: str | None = None,
        options: Mapping[str, object] | None = None,
        **context: object,
    ) -> ScoredPhoto:
        """Return what the hand is worth, why, and who pays whom; the photo is not read again.

        Under other rules than those that helped the reading, the hand is made out anew of the tiles in sight: a tile
        that these rules lack is left out, and asked about.

        Args:
            rules: ``hongkong``, or another that ``hupai rules`` lists.
            seat: the winner's seat, ``E``, ``S``, ``W`` or ``N``.
            win: ``self_draw``, ``discard`` or ``robbed_kong``.
            round: the round wind. from_: who discarded the winning tile, unless it was self-drawn.
            winning, bonus: the winning tile and the bonus tiles, if the photo does not show them or was misread.
            options: house rules by name.
            context: any other field of a score request's context, such as ``riichi=True`` or ``last_tile=True``.

        Raises:
            HupaiError: there is no whole hand, or an argument is invalid.
        """
        faults = _type_faults({"rules": rules, "winning": winning, "bonus": bonus}, options)
        if faults:
            raise InvalidRequest.of(faults)
        given = {"seat": seat, "win": win, "round": round, **({} if from_ is None else {"from": from_}), **context}
        flags = Flags(rules, given, dict(options or {}), winning=winning, bonus=bonus)
        seen = mended(self._under(flags.named_rules), flags)
        try:
            result = parse_request(flags.request(None, seen.hand, seen.dora)).score()
        except InvalidRequest as error:
            questions = (doubt.message for doubt in seen.doubts)
            message = " ".join([f"{request_line(seen.hand)} cannot be scored: {error.message}", *questions])
            raise HupaiError(message, code=error.code, field=error.field, faults=error.faults) from error
        read = ReadPhoto(self.photo, replace(seen.reading, doubts=seen.doubts), flags.named_rules)
        return ScoredPhoto(read, result)

    def _under(self, rules: str) -> Reading:
        """Return the reading that these rules help."""
        if self.rules is not None and system_named(self.rules) is system_named(rules):
            return self.reading
        return corrected(self.reading, {}, rules=rules)

    def explain(self) -> str:
        """Return the hand, other tiles in the photo, repairs and doubts, one per line."""
        reading = self.reading
        if self.hand is not None:
            lines = [hand_line(self.hand)]
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
        hand = "no hand" if self.hand is None else hand_line(self.hand)
        return f"<ReadPhoto {self.photo.name}: {len(self.reading.tiles)} tiles, {hand}{_doubtful(self)}>"

    def _repr_html_(self) -> str:
        from hupai.card import card

        return card(self.photo.name, self.plot(), self.explain().splitlines())


@dataclass(frozen=True, slots=True, repr=False)
class ScoredPhoto:
    """What the hand on a photo is worth.

    Attributes:
        read: what the photo shows. result: the score with its elements, arrangement and payments.
    """

    read: ReadPhoto
    result: Score

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
        return f"<ScoredPhoto {self.read.photo.name}: {self.result.system.name}, {said}{_doubtful(self.read)}>"

    def _repr_html_(self) -> str:
        from hupai.card import card

        return card(self.read.photo.name, self.plot(), self.read.explain().splitlines(), self.result)


def _type_faults(texts: Mapping[str, object], options: object) -> list[Fault]:
    """Return a fault for every argument that should be text and is not, and for house rules that are no mapping."""
    wrong = [(name, "text", value) for name, value in texts.items() if not isinstance(value, str | None)]
    if not isinstance(options, Mapping | None):
        wrong.append(("options", 'a mapping such as {"min_faan": 0}', options))
    return [Fault("bad_value", f"{name} is {kind}, not {quoted(value)}.", name) for name, kind, value in wrong]


def _doubtful(read: ReadPhoto) -> str:
    count = sum(not doubt.open for doubt in read.reading.doubts)
    return f", {count} doubt{'s' * (count > 1)}" if count else ""
