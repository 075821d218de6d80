"""Parts of the server by themselves: strict JSON, kept photos, places, the recogniser's queue."""

from __future__ import annotations

import asyncio
import io
import json
import socket
import threading
import time
import weakref
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import AvifImagePlugin, Image

from hupai.web.answers.json_text import MAX_DEPTH, parse_json
from hupai.web.change_notifier import ChangeNotifier
from hupai.web.errors import Busy, Gone, TooMany, WebError
from hupai.web.listen.listening import bind_socket
from hupai.web.middleware.decoding import BUDGET_SECONDS, DecodingBudget
from hupai.web.middleware.limits import client_of
from hupai.web.recogniser import STALLED_SECONDS, Places, Recogniser
from hupai.web.requests.forms import Upload
from hupai.web.requests.photos import KeptPhotos
from tests.waiting import until
from vision.io.costs import LARGE_BYTES
from vision.io.photo import Photo

T = TypeVar("T")
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=5), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(JSON)
def test_proper_json_comes_through(value: Any) -> None:
    assert parse_json(json.dumps(value).encode()) == value
    assert parse_json(json.dumps(value, ensure_ascii=False).encode()) == value


@given(st.binary(max_size=60))
def test_anything_else_is_refused_by_name(data: bytes) -> None:
    try:
        parse_json(data)
    except WebError as error:
        assert error.code == "bad_json"


def test_the_depth_is_bounded() -> None:
    parse_json(b"[" * (MAX_DEPTH - 1) + b"1" + b"]" * (MAX_DEPTH - 1))
    for depth in (MAX_DEPTH + 1, 500, 200_000):
        with pytest.raises(WebError, match="levels deep"):
            parse_json(b"[" * depth + b"1" + b"]" * depth)


def test_an_address_decodes_for_half_a_minute_in_every_minute() -> None:
    now, used, released = [0.0], [0.0], []
    budget = DecodingBudget(lambda: released.append(now[0]), lambda: now[0], lambda: used[0])

    def decode(client: str, seconds: float, needed: int = LARGE_BYTES) -> None:
        budget.refuse_spent(client)
        with budget.spend(client, needed):
            used[0] += seconds

    decode("hostile", 1)
    now[0] = 20
    decode("hostile", BUDGET_SECONDS)
    assert not released
    decode("another", BUDGET_SECONDS - 1, LARGE_BYTES + 1)
    with pytest.raises(OSError), budget.spend("a third", LARGE_BYTES + 1):
        raise OSError("the file breaks off")
    assert released == [20, 20, 20, 20]
    with pytest.raises(TooMany) as refused:
        decode("hostile", 1)
    assert refused.value.retry_after == 60, "the first second alone is not enough"
    now[0] = 79
    with pytest.raises(TooMany) as refused:
        decode("hostile", 1)
    assert refused.value.retry_after == 1
    decode("another", 1)
    now[0] = 80
    decode("hostile", 1)


def test_avif_is_decoded_in_the_thread_whose_time_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    threads, decoder = [], AvifImagePlugin._avif.AvifDecoder

    def decode(data: bytes, codec: str, most: int) -> object:
        threads.append(most)
        return decoder(data, codec, most)

    monkeypatch.setattr(AvifImagePlugin._avif, "AvifDecoder", decode)
    picture = io.BytesIO()
    Image.new("RGB", (64, 64)).save(picture, "AVIF")
    Photo(picture.getvalue())
    assert threads == [1]


def test_kept_photos_grow_old_and_make_room() -> None:
    now = [0.0]
    photos = KeptPhotos(seconds=10, max_bytes=100, clock=lambda: now[0])
    first = photos.keep(Upload("a", bytes(40)), {"n": 1})
    assert photos.get(first).reading == {"n": 1}
    now[0] = 9
    second = photos.keep(Upload("b", bytes(40)), {})
    third = photos.keep(Upload("c", bytes(40)), {})
    with pytest.raises(Gone):
        photos.get(first)
    now[0] = 20
    for photo_id in (second, third, "", "x"):
        with pytest.raises(Gone):
            photos.get(photo_id)
    assert len({first, second, third}) == 3
    too_large = photos.keep(Upload("d", bytes(101)), {})
    with pytest.raises(Gone):
        photos.get(too_large)


def test_a_photo_that_makes_room_for_another_takes_no_memory_any_more() -> None:
    class Reading(dict[str, object]):
        """One that can be watched."""

    photos, reading = KeptPhotos(seconds=10, max_bytes=100), Reading()
    kept = weakref.ref(reading)
    photos.keep(Upload("a", bytes(60)), reading)
    del reading
    assert kept() is not None
    photos.keep(Upload("b", bytes(60)), {})
    assert kept() is None


def test_places_are_counted_and_weighed() -> None:
    places = Places(3, "tests", max_bytes=100)
    with places.take(size=60):
        with pytest.raises(Busy) as caught, places.take("a", 50, lambda: 7):
            pass
        assert caught.value.retry_after == 7
        with places.take(size=40), places.take(), pytest.raises(Busy), places.take():
            pass
    with places.take("a", 1000):  # alone, even a large one is taken
        assert places.taken == 1
    with pytest.raises(ZeroDivisionError), places.take("a", 5):
        raise ZeroDivisionError
    with places.take("a", 100):
        assert places.taken == 1


def test_an_address_of_ipv6_is_its_network() -> None:
    ends = ["192.0.2.1", "::ffff:192.0.2.1", "2001:db8:1:2::3", "2001:db8:1:2:ffff::4", "fe80::1%eth0", "testclient"]
    found = [client_of({"client": (end, 1)}) for end in ends]
    assert found[:2] == ["192.0.2.1"] * 2 and found[2] == found[3] == "2001:db8:1:2::/64"
    assert found[4:] == ["fe80::/64", "testclient"] and client_of({}) == "unknown"


def test_an_address_gets_half_of_the_places() -> None:
    places = Places(4, "tests", max_bytes=100)
    with places.take("a", 30):
        with pytest.raises(TooMany) as caught, places.take("a", 21, lambda: 7):
            pass
        assert caught.value.retry_after == 7
        with places.take("a", 20), places.take("b", 50), places.take("c"):
            pass
        with places.take("a"), pytest.raises(TooMany), places.take("a"):
            pass


def played(scene: Coroutine[None, None, T]) -> T:
    """Run a scene in a thread of its own: the browser's tests keep a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, scene).result()


async def waits(recogniser: Recogniser, count: int) -> None:
    """So many photos wait or are read."""
    while recogniser.pending_photos != count:
        await asyncio.sleep(0)


def test_what_waits_is_dropped_when_its_phone_leaves() -> None:
    recogniser = Recogniser(workers=1, queue=5)
    done: list[str] = []
    gate = threading.Event()

    async def scene() -> None:
        def slow() -> None:
            gate.wait(120)
            done.append("first")

        first = asyncio.ensure_future(recogniser.do(slow))
        await waits(recogniser, 1)
        second = asyncio.ensure_future(recogniser.do(lambda: done.append("second")))
        third = asyncio.ensure_future(recogniser.do(lambda: done.append("third")))
        await waits(recogniser, 3)
        second.cancel()
        await waits(recogniser, 2)
        gate.set()
        await first
        await third
        with pytest.raises(asyncio.CancelledError):
            await second
        assert recogniser.pending_photos == 0

    played(scene())
    assert done == ["first", "third"]
    recogniser.close()


def test_who_has_used_the_workers_least_is_next(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr("hupai.web.recogniser.time", SimpleNamespace(monotonic=lambda: now[0]))
    recogniser = Recogniser(workers=1, queue=20)
    done: list[str] = []
    gate = threading.Event()

    async def scene() -> None:
        def work(who: str, seconds: float) -> None:
            gate.wait(120)
            now[0] += seconds
            done.append(who)

        async def add(who: str, seconds: float) -> None:
            tasks.append(asyncio.ensure_future(recogniser.do(lambda: work(who, seconds), who)))
            await waits(recogniser, len(tasks))

        tasks: list[asyncio.Future[None]] = []
        for _ in range(5):
            await add("bomber", 2)
        for _ in range(4):
            await add("guest", 1)
        gate.set()
        await asyncio.gather(*tasks)

    played(scene())
    assert "".join(who[0] for who in done) == "bggbggbbb"
    recogniser.close()


def test_a_hanging_worker_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr("hupai.web.recogniser.time", SimpleNamespace(monotonic=lambda: now[0]))
    recogniser = Recogniser(workers=1, queue=1)
    at_work, gate = threading.Event(), threading.Event()

    async def scene() -> None:
        task = asyncio.ensure_future(recogniser.do(lambda: at_work.set() or gate.wait(120)))
        assert await asyncio.to_thread(at_work.wait, 300)
        now[0] += STALLED_SECONDS
        assert not recogniser.stalled
        now[0] += 1
        assert recogniser.stalled
        gate.set()
        await task  # answered a moment before the worker counts as free
        assert await asyncio.to_thread(until, lambda: not recogniser.stalled)

    played(scene())
    recogniser.close()


def test_the_queue_is_bounded_and_says_for_how_long() -> None:
    recogniser = Recogniser(workers=1, queue=2, seconds=10)
    gate = threading.Event()

    async def scene() -> None:
        tasks = [asyncio.ensure_future(recogniser.do(lambda: gate.wait(120))) for _ in range(3)]
        await waits(recogniser, 3)
        with pytest.raises(Busy) as caught:
            await recogniser.do(time.time)
        gate.set()
        await asyncio.gather(*tasks)
        assert caught.value.retry_after == 20, "two of three were done, and half of the queue was free"
        await recogniser.do(time.time)

    played(scene())
    recogniser.close()


def test_the_time_of_a_photo_comes_near_to_that_of_the_last_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr("hupai.web.recogniser.time", SimpleNamespace(monotonic=lambda: now[0]))
    recogniser = Recogniser(workers=1, queue=1)

    def work() -> None:
        now[0] += 7

    async def scene() -> None:
        for _ in range(60):
            await recogniser.do(work)

    played(scene())
    recogniser.close()
    assert abs(recogniser.seconds - 7) < 0.1


def test_a_crowd_that_is_told_lets_others_take_their_turn() -> None:
    async def follow() -> int:
        asked = iter(range(10**6))
        notifier = ChangeNotifier(lambda: int(next(asked) > 0), 0, listeners=1)
        told = 0

        async def spectator() -> None:
            nonlocal told
            assert await notifier.wait_until(lambda news: news == 1, 300)
            told += 1

        crowd = [asyncio.create_task(spectator()) for _ in range(400)]
        most = before = 0
        while told < len(crowd):
            await asyncio.sleep(0)
            most, before = max(most, told - before), told
        await asyncio.gather(*crowd)
        notifier.listeners = 0
        return most

    assert played(follow()) <= 40


def test_accepted_connections_send_small_pieces_at_once() -> None:
    """Otherwise the body of an answer waits until the other side has confirmed its head, which takes 40 ms."""

    async def no_delay() -> int:
        found: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def connected(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            peer = writer.get_extra_info("socket")
            found.set_result(peer.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listener = bind_socket("127.0.0.1", 0)
        async with await asyncio.start_server(connected, sock=listener):
            with socket.create_connection(listener.getsockname()):
                return await asyncio.wait_for(found, 300)

    assert played(no_delay())
