"""What the columns of a player list are: their titles in the languages of clubs that play."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

_LETTERS: Final = str.maketrans({"ł": "l", "ø": "o", "æ": "ae"})  # the accented letters that do not decompose
_TITLES: Final = {
    "first": (
        "first name, given name, forename, prénom, Vorname, Rufname, imię, imiona, nombre de pila, voornaam, "
        "fornavn, förnamn, etunimi, křestní jméno, krstné meno, имя игрока"
    ),
    "last": (
        "last name, surname, family name, nom de famille, Nachname, Familienname, Zuname, nazwisko, "
        "apellido, apellidos, cognome, apelido, apelidos, sobrenome, último nome, achternaam, familienaam, "
        "efternavn, efternamn, sukunimi, příjmení, priezvisko, фамилия, прізвище"
    ),
    "family": "姓, vezetéknév, családnév",
    "given": "名, keresztnév, utónév",
    "name": (
        "name, full name, player name, first and last name, nom, nom complet, nombre, nombre completo, nome, "
        "nome completo, naam, navn, namn, nimi, jméno, meno, név, имя, фио, им'я, ім'я, піб, 姓名, 名前, "
        "氏名, 名稱, 名称, player, participant, joueur, Spieler, Teilnehmer, gracz, zawodnik, jugador, "
        "giocatore, jogador, speler, spiller, spelare, pelaaja, hráč, játékos, игрок, участник, гравець, "
        "選手, 选手, 玩家"
    ),
    "club": (
        "club, Verein, Klub, klubb, förening, forening, vereniging, kerho, seura, circolo, clube, egyesület, "
        "клуб, 所属, クラブ, 所属クラブ, 所属団体, 會, 俱樂部, 俱乐部, 社團, 社团, city, town, ville, Stadt, "
        "Ort, Wohnort, miasto, ciudad, localidad, città, cidade, localidade, stad, plaats, woonplaats, "
        "kaupunki, město, mesto, város, город, місто, 都市, 城市"
    ),
    "country": (
        "country, country code, nation, nationality, nat, association, pays, nationalité, Land, "
        "Nationalität, kraj, narodowość, país, nacionalidad, nacionalidade, paese, nazione, nazionalità, "
        "nationaliteit, nationalitet, maa, země, stát, krajina, štát, ország, страна, країна, 国, 國, 国籍, "
        "國籍, 国家, 國家"
    ),
    "ema": "ema",
    "team": (
        "team, équipe, Mannschaft, drużyna, zespół, equipo, squadra, equipa, equipe, ploeg, hold, lag, "
        "joukkue, tým, csapat, команда, チーム, 隊伍, 队伍"
    ),
    "substitute": (
        "substitute, sub, reserve, remplaçant, Ersatz, Ersatzspieler, rezerwowy, rezerwa, suplente, riserva, "
        "invaller, reserv, varapelaaja, náhradník, tartalék, запасной, запасний, 補欠, 候補, 後備, 替補, 替补"
    ),
}
"""By field; ``family`` stands before the given name, ``last`` behind it. The earlier a title stands here, the more it
counts."""
_ALONE: Final = {"first": "last", "last": "first", "given": "family", "family": "given"}
"""What a plain name is beside the other part of it: French nom beside prénom, Spanish nombre beside apellidos."""
_AND: Final = frozenset(("and", "et", "und", "i", "y", "e", "og", "och", "ja", "a", "és", "и", "та"))


def read_titles(cells: Sequence[str]) -> list[str | None]:
    """Return the field of each column, None where it is none; all None if the row names no column of names."""
    forms = [_forms(cell) for cell in cells]
    found: dict[str, int] = {}
    for field, words in _WORDS.items():
        free = [(words.index(form), i) for i, given in enumerate(forms) for form in given if form in words]
        if free:
            found[field] = min(free)[1]
    for part, other in _ALONE.items():
        if "name" in found and part in found and other not in found:
            found[other] = found.pop("name")
    if not found.keys() & {"name", *_ALONE}:
        return [None] * len(cells)
    if {"first", "last"} <= found.keys() or {"given", "family"} <= found.keys():
        found.pop("name", None)
    named = {i: field for field, i in found.items()}
    return [named.get(i) for i in range(len(cells))]


def _fold(title: str) -> str:
    """Return a title in small letters without accents and punctuation."""
    plain = unicodedata.normalize("NFKD", title.casefold()).translate(_LETTERS)
    return " ".join(re.sub(r"[^\w'/()]+|_", " ", "".join(c for c in plain if not unicodedata.combining(c))).split())


def _forms(cell: str) -> set[str]:
    """Return the words that a title may be known by: all of it, without what is in brackets, what a slash parts."""
    whole = re.sub(r"\s*\(.*?\)", "", title := _fold(cell.replace("’", "'")))
    found = {title, whole, *(part.strip() for part in whole.split("/"))}
    words = [word for word in re.split(r"[ /]+", whole) if word not in _AND]
    if any(word == "ema" or (word.startswith("ema") and not word[3:].isascii()) for word in words):
        found = {"ema"}
    elif len(words) > 1 and all(any(word in _WORDS[part] for part in ("name", *_ALONE)) for word in words):
        found = {"name"}
    return found


_WORDS: Final = {field: tuple(_fold(word) for word in words.split(", ")) for field, words in _TITLES.items()}
