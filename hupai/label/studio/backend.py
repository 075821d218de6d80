"""Predictions for tasks, and a tile set per project that learns from finished tasks."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar

from anyio import to_thread

from hupai.basics.errors import NotFound
from hupai.label.corrections.lessons import lessons_from_boxes
from hupai.label.engines.labeller import box_of
from hupai.label.formats import ImportContext
from hupai.label.formats.labelstudio import checked_boxes
from hupai.label.plan import fingerprint
from hupai.label.records import Record, model_signature
from hupai.label.studio.client import LabelStudio
from hupai.label.studio.project import Project, project_of
from hupai.store.files.sets import FolderSets
from hupai.web.errors import Busy
from hupai.web.recogniser import Recogniser
from scoring.errors import HupaiError
from vision.errors import TileSetError
from vision.io.photo import Photo
from vision.learn.setfiles import to_bytes
from vision.learn.tileset import Lesson, TileSet
from vision.pipeline import TileReader

log = logging.getLogger("hupai.label_studio")

PATIENCE_SECONDS: Final = 80.0
"""Seconds for the tasks of one request; Label Studio waits for a hundred."""
MAX_WAITING: Final = 10_000
"""Finished tasks that may wait to be learned from."""
_MALFORMED: Final = (KeyError, TypeError, ValueError, AttributeError, IndexError)

T = TypeVar("T")


@dataclass(slots=True)
class Backend:
    """Answers the requests of Label Studio.

    Attributes:
        studio: has the tasks. recogniser: runs the models. sets_folder: of learned sets. max_pixels: of a picture.
    """

    studio: LabelStudio
    recogniser: Recogniser
    sets_folder: Path
    max_pixels: int
    _waiting: dict[tuple[int, int | None], None] = field(default_factory=dict)
    _learning: asyncio.Task[None] | None = None

    def version(self, project: int) -> str:
        """Return the version of a project's predictions; it changes when the project's set has learned something."""
        known = self._set(project)
        learned = f" {known.name} {fingerprint(known)[:12]}" if known is not None else ""
        return f"hupai {model_signature(self.recogniser.models)}{learned}"

    async def predict(
        self, tasks: Sequence[Mapping[str, Any]], project: Project, number: int
    ) -> list[list[dict[str, Any]]]:
        """Return a list of predictions for every task: one, or none if its picture cannot be read or time is up.

        Raises:
            HupaiError: that of the first task, if none could be read.
        """
        known, version = self._set(number), self.version(number)
        end = time.monotonic() + PATIENCE_SECONDS
        answers: list[list[dict[str, Any]]] = []
        first: HupaiError | None = None
        for task in tasks:
            answers.append([])
            if time.monotonic() > end:
                continue
            try:
                record = await self._read(task, project, known)
            except HupaiError as error:
                log.warning("task %s: %s", task.get("id"), error.message)
                first = first or error
                continue
            # The lowest: Label Studio sorts tasks by it, and one bad tile should bring a task to the front.
            score = min((b.confidence for b in record.boxes if b.confidence is not None), default=0.0)
            answers[-1].append({"result": project.regions(record), "score": score, "model_version": version})
        if first is not None and not any(answers):
            raise first
        return answers

    def learn_later(self, project: int, task: int | None = None) -> None:
        """Learn from a finished task, or again from all tasks of a project, when there is time. On the event loop."""
        if len(self._waiting) >= MAX_WAITING:
            log.warning("%d finished tasks wait already; start the training of project %d later", MAX_WAITING, project)
            return
        self._waiting[project, task] = None
        if self._learning is None or self._learning.done():
            self._learning = asyncio.ensure_future(self._learn_all())

    def close(self) -> None:
        """Drop what has not been learned yet."""
        if self._learning is not None:
            self._learning.cancel()

    async def _learn_all(self) -> None:
        while self._waiting:
            project, task = next(iter(self._waiting))
            del self._waiting[project, task]
            try:
                found = await (self._learn(project) if task is None else self._learn_task(project, task))
                log.info("project %d: %s", project, found)
            except HupaiError as error:
                log.warning("project %d learns nothing: %s", project, error.message)
            except _MALFORMED as error:
                log.warning("project %d learns nothing: its tasks make no sense (%r)", project, error)

    async def _learn_task(self, project: int, task: int) -> str:
        found = await to_thread.run_sync(self.studio.task, task)
        lessons = await self._lessons(found, await self._project(int(found["project"])))
        if not lessons:
            return f"task {task} teaches nothing"
        model = self._model()
        name = set_name(int(found["project"]))
        sets = FolderSets(self.sets_folder)
        known = await _once_free(lambda: self.recogniser.do(lambda: sets.teach(name, model, lessons)))
        return f"{known.name} has {known.lessons} lessons"

    async def _learn(self, number: int) -> str:
        project = await self._project(number)
        learned, count = TileSet.empty(set_name(number), self._model()), 0
        tasks = self.studio.tasks(number)
        while (task := await to_thread.run_sync(next, tasks, None)) is not None:
            try:
                lessons = await self._lessons(task, project)
            except (HupaiError, *_MALFORMED) as error:
                log.warning("task %s teaches nothing: %s", task.get("id"), error)
                continue
            if lessons:
                count, learned = count + 1, learned.with_lessons(lessons)
        if not count:
            return "there is no finished task to learn from"
        sets, data = FolderSets(self.sets_folder), to_bytes(learned)
        await _once_free(lambda: self.recogniser.do(lambda: sets.import_set(data, learned.name, replace=True)))
        return f"{learned.name} learned {learned.lessons} lessons of {count} tasks"

    async def _project(self, number: int) -> Project:
        return project_of(await to_thread.run_sync(self.studio.config, number))

    async def _lessons(self, task: Mapping[str, Any], project: Project) -> list[Lesson]:
        boxes = checked_boxes(task, ImportContext(project.classes.to_notation))
        if not boxes:
            return []
        photo = await self._photo(task, project)
        return await _once_free(
            lambda: self.recogniser.run(lambda reader: lessons_from_boxes(reader.find_tiles(photo), boxes))
        )

    async def _photo(self, task: Mapping[str, Any], project: Project) -> Photo:
        number, uri = int(task.get("id") or 0), task["data"].get(project.key)
        if not isinstance(uri, str):
            raise HupaiError(f"Task {number} has no {project.key} in its data.", code="bad_value")
        data = await to_thread.run_sync(self.studio.picture, uri, number)
        return Photo(data, name=f"task {number}", max_bytes=self.studio.max_bytes, max_pixels=self.max_pixels)

    async def _read(self, task: Mapping[str, Any], project: Project, known: TileSet | None) -> Record:
        photo = await self._photo(task, project)

        def read(reader: TileReader) -> Record:
            sightings = reader.find_tiles(photo)
            if known is not None:
                sightings = known.read(sightings)
            return Record(photo.name, photo.width, photo.height, tuple(map(box_of, sightings)))

        return await self.recogniser.run(read)

    def _model(self) -> str:
        return self.recogniser.models.get("classifier", "")

    def _set(self, project: int) -> TileSet | None:
        """Return what the project's finished tasks have taught; None if that is nothing, or was for another model."""
        try:
            return FolderSets(self.sets_folder).find(set_name(project), self._model())
        except NotFound:
            return None
        except TileSetError as error:
            log.warning("project %d is read without its set: %s", project, error.message)
            return None


def set_name(project: int) -> str:
    """Return the name of a project's learned set."""
    return f"label-studio-{project}"


async def _once_free(work: Callable[[], Awaitable[T]]) -> T:
    """Return what ``work`` returns, however often there is no place for it: learning can wait."""
    while True:
        try:
            return await work()
        except Busy as error:
            await asyncio.sleep(error.retry_after or 1)
