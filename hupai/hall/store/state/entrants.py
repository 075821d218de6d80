"""Players of a tournament: added, edited, gone and back. One transaction each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from hupai.basics.errors import Conflict, NotFound
from hupai.basics.names import fold_name
from hupai.hall.seating.importing import MAX_FAULTS, TAKEN_NAME, NewEntrant
from hupai.hall.tables import Entrant
from scoring.errors import Fault
from scoring.words.sentence import say

FIELDS: Final = ("name", "club", "country", "ema", "team", "substitute")


def entrants_of(session: Session, tournament_id: str) -> list[Entrant]:
    """Return the players by number."""
    query = select(Entrant).where(Entrant.tournament_id == tournament_id).order_by(Entrant.number)
    return list(session.scalars(query))


def find_entrant(session: Session, tournament_id: str, number: int) -> Entrant:
    """Return the player with this number.

    Raises:
        NotFound: there is none.
    """
    entrant = session.get(Entrant, (tournament_id, number))
    if entrant is None:
        raise NotFound(say("This tournament has no player {n}.", n=number), field="player")
    return entrant


def entrant_json(entrant: Entrant) -> dict[str, Any]:
    """Return a player as in the API."""
    values = {field: getattr(entrant, field) for field in FIELDS}
    return {"number": entrant.number, **values, "left": entrant.left_after is not None}


@dataclass(frozen=True, slots=True)
class PlanCheck:
    """A planned round against the present players.

    Attributes:
        late: who plays, but neither sits nor rests in it. gone: who sits in it, but has left. spare: substitutes who do
            not sit in it.
    """

    late: Sequence[Entrant]
    gone: Sequence[Entrant]
    spare: Sequence[Entrant]

    @property
    def fits(self) -> bool:
        """Whether it can be seated, with substitutes for those who have left."""
        return not self.late and len(self.gone) <= len(self.spare)


def check_plan(planned: Mapping[str, Any], entrants: Sequence[Entrant]) -> PlanCheck:
    """Compare a planned round, as in the API, with the players there are now."""
    sitting = {p for table in planned["tables"] for p in table["players"]}
    here = [e for e in entrants if e.left_after is None and e.number not in sitting]
    late = [e for e in here if not e.substitute and e.number not in planned["resting"]]
    gone = [e for e in entrants if e.left_after is not None and e.number in sitting]
    return PlanCheck(late, gone, [e for e in here if e.substitute])


def add_entrants(session: Session, tournament_id: str, players: Sequence[NewEntrant], after: int = 0) -> list[int]:
    """Add players, within a transaction that holds the lock on the tournament; return their numbers.

    Numbers up to ``after`` have been used before.

    Raises:
        Conflict: a name that is taken.
    """
    taken = [e.name for e in entrants_of(session, tournament_id)]
    query = select(func.max(Entrant.number)).where(Entrant.tournament_id == tournament_id)
    first = number = max(session.scalar(query) or 0, after)
    refuse_taken([player.name for player in players], taken)
    for player in players:
        number += 1
        values = {field: getattr(player, field) for field in FIELDS}
        session.add(Entrant(tournament_id=tournament_id, number=number, left_after=None, **values))
    session.flush()
    return list(range(first + 1, number + 1))


def edit_entrant(session: Session, entrant: Entrant, values: Mapping[str, Any]) -> None:
    """Change a player's details.

    Raises:
        Conflict: a name that is taken.
    """
    others = [e.name for e in entrants_of(session, entrant.tournament_id) if e.number != entrant.number]
    refuse_taken([str(values["name"])], others)
    for field, value in values.items():
        setattr(entrant, field, value)
    session.flush()


def refuse_taken(names: Sequence[str], others: Iterable[str]) -> None:
    """Refuse names that others have, or that occur twice, all at once.

    Raises:
        Conflict: there are some.
    """
    faults: list[Fault] = []
    taken = {fold_name(name) for name in others}
    for name in names:
        if fold_name(name) in taken:
            message = say(TAKEN_NAME, a=f"{name!r}")
            faults.append(Fault("conflict", message, "players"))
        taken.add(fold_name(name))
    if faults:
        raise Conflict.of(faults[:MAX_FAULTS])
