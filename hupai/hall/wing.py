"""What the hall adds to hupai."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hupai.wing import MANY_HANDS, Command, Extra, Wing

if TYPE_CHECKING:
    from hupai.settings import Settings
    from hupai.store.wing import StoreWing
    from hupai.web.wing import WebWing


def _store() -> StoreWing:
    from hupai.hall.store_wing import STORE

    return STORE


def _web(_: Settings) -> WebWing:
    from hupai.hall.web_wing import WEB

    return WEB


_COMMANDS: Final = {
    "tournament": Command(
        "hupai.hall.commands.tournament.app",
        MANY_HANDS,
        ("hupai tournament save cup.json", "hupai tournament take cup.json --data-folder FOLDER"),
    ),
    "watch": Command(
        "hupai.hall.commands.watch.watch",
        MANY_HANDS,
        (
            'hupai watch rtsp://camera/table1 --table "Table 1"',
            "hupai watch 0 --table home",
            "hupai watch 0 --table A --seat E --server https://hall:8000",
        ),
    ),
}
_MQTT: Final = Extra("mqtt", ("paho",), "events over MQTT", "pip install paho-mqtt")
WING: Final = Wing(store=_store, web=_web, extras=(_MQTT,), commands=_COMMANDS)
