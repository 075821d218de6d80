"""Labelling beyond one machine: actors on a Ray cluster in the place of worker processes.

Which pictures there are, what is done and what is written is as on one machine (``run``); every machine must see the
pictures and the labels under the same paths. Actors may die: Ray labels their pictures again elsewhere.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Final

from hupai.label.engines.pictures import LabelOptions, Readable, Save
from hupai.label.engines.pool import Pool, RecordLine

if TYPE_CHECKING:
    from ray.util import ActorPool

PICTURES_PER_TASK: Final = 2
"""Pictures that an actor gets at once: the second is read while the first is recognised."""


class LabelActor:
    """A worker of the cluster: keeps the models loaded in a labelling process of its own.

    A picture that crashes the decoder kills only that process. If it killed the actor, Ray would restart the actor
    with the same picture for ever.
    """

    def __init__(self, options: LabelOptions, save: Save | None) -> None:
        self._pool = Pool(options, 1, save).__enter__()

    def label(self, pictures: Sequence[Readable]) -> list[RecordLine]:
        """Return the records of some pictures."""
        return list(self._pool.label(iter(pictures)))


class RayPool:
    """A number of actors on the cluster that was joined (:func:`hupai.label.engines.joining.join_cluster`).

    It is used as :class:`hupai.label.engines.pool.Pool` is.
    """

    def __init__(self, options: LabelOptions, workers: int, save: Save | None = None) -> None:
        self._options, self._save, self._count = options, save, workers

    def __enter__(self) -> RayPool:
        import ray

        actor = ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=-1)(LabelActor)
        self._actors = [actor.remote(self._options, self._save) for _ in range(self._count)]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        import ray

        for actor in self._actors:
            ray.kill(actor)

    def label(self, pictures: Iterator[Readable]) -> Iterator[RecordLine]:
        """Yield the record of every picture, as they are finished.

        Raises:
            HupaiError: an actor is unable to work: models that cannot be loaded, crops that cannot be written.
        """
        from ray.util import ActorPool

        pool = ActorPool(self._actors)
        while lot := list(itertools.islice(pictures, PICTURES_PER_TASK)):
            if not pool.has_free():
                yield from _next_lines(pool)
            pool.submit(lambda actor, lot: actor.label.remote(lot), lot)
        while pool.has_next():
            yield from _next_lines(pool)


def _next_lines(pool: ActorPool) -> list[RecordLine]:
    from ray.exceptions import RayTaskError

    try:
        lines: list[RecordLine] = pool.get_next_unordered()
    except RayTaskError as error:
        raise error.cause from None
    return lines
