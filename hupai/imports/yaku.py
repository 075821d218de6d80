"""What other programs call the yaku, and how they number them."""

from __future__ import annotations

import unicodedata
from typing import Final

from scoring.rules.riichi.elements import ALL

MJLOG: Final = (
    *("menzen_tsumo", "riichi", "ippatsu", "chankan", "rinshan", "haitei", "houtei", "pinfu", "tanyao", "iipeiko"),
    *(*("seat_wind",) * 4, *("round_wind",) * 4, "haku", "hatsu", "chun", "double_riichi", "chiitoitsu", "chanta"),
    *("ittsuu", "sanshoku_doujun", "sanshoku_doukou", "sankantsu", "toitoi", "sanankou", "shousangen", "honroutou"),
    *("ryanpeiko", "junchan", "honitsu", "chinitsu", "renhou", "tenhou", "chiihou", "daisangen", "suuankou"),
    *("suuankou_tanki", "tsuuiisou", "ryuuiisou", "chinroutou", "chuuren", "junsei_chuuren", "kokushi", "kokushi_13"),
    *("daisuushii", "shousuushii", "suukantsu", "dora", "ura_dora", "aka_dora"),
)
"""By Tenhou's numbers, from 0; source: its log viewer, as told by many readers of its logs."""
_MAHJONG_SOUL: Final = (
    *("menzen_tsumo=Fully Concealed Hand", "riichi=Riichi", "chankan=Robbing a Kan", "rinshan=After a Kan"),
    *("haitei=Under the Sea", "houtei=Under the River", "haku=White Dragon", "hatsu=Green Dragon", "chun=Red Dragon"),
    *("seat_wind=Seat Wind", "round_wind=Prevalent Wind", "tanyao=All Simples", "iipeiko=Pure Double Sequence"),
    *("pinfu=Pinfu", "chanta=Half Outside Hand", "ittsuu=Pure Straight", "sanshoku_doujun=Mixed Triple Sequence"),
    *("double_riichi=Double Riichi", "sanshoku_doukou=Triple Triplets", "sankantsu=Three Quads", "toitoi=All Triplets"),
    *("sanankou=Three Concealed Triplets", "shousangen=Little Three Dragons", "honroutou=All Terminals and Honors"),
    *("chiitoitsu=Seven Pairs", "junchan=Fully Outside Hand", "honitsu=Half Flush"),
    *("ryanpeiko=Twice Pure Double Sequence", "chinitsu=Full Flush", "ippatsu=Ippatsu", "dora=Dora"),
    *("aka_dora=Red Five", "ura_dora=Ura Dora", "kita=Kita", "tenhou=Blessing of Heaven", "chiihou=Blessing of Earth"),
    *("daisangen=Big Three Dragons", "suuankou=Four Concealed Triplets", "tsuuiisou=All Honors", "ryuuiisou=All Green"),
    *("chinroutou=All Terminals", "kokushi=Thirteen Orphans", "shousuushii=Four Little Winds", "suukantsu=Four Quads"),
    *("chuuren=Nine Gates", "paarenchan=Eight-time East Staying", "junsei_chuuren=True Nine Gates"),
    *("suuankou_tanki=Single-wait Four Concealed Triplets", "kokushi_13=Thirteen-wait Thirteen Orphans"),
    "daisuushii=Four Big Winds",
)
MAHJONG_SOUL: Final = {number: row.split("=")[0] for number, row in enumerate(_MAHJONG_SOUL, 1)}
"""By Mahjong Soul's numbers; source: its table of fan, as exported logs show it."""


def _plain(name: str) -> str:
    return "".join(unicodedata.normalize("NFKC", name).replace("么", "幺").casefold().split())


_NAMES: Final = {
    **{_plain(element.native): element.id for element in ALL},
    **{_plain(row.split("=")[1]): row.split("=")[0] for row in _MAHJONG_SOUL},
    **dict.fromkeys(("両立直", "ダブルリーチ"), "double_riichi"),
    **dict.fromkeys(("国士無双13面", "国士無双十三面待ち"), "kokushi_13"),
}


def yaku_named(name: str) -> str:
    """Return the element of a name in Japanese or English, a wind's with or without the wind; else the name itself."""
    plain = _plain(name)
    winds = (id_ for part, id_ in (("自風", "seat_wind"), ("場風", "round_wind")) if part in plain)
    return _NAMES.get(plain) or next(winds, name)
