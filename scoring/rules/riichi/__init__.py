"""Japanese (riichi) mahjong: yaku, yakuman, han and fu, the mangan ladder, payments, drawn hands.

Source of every value: this project's riichi specification, which follows Wikipedia's "Japanese mahjong scoring
rules" and names its other sources; where they differ or leave something open the choice is a house rule
(:class:`RiichiOptions`) or is said beside the code.

Besides the system itself: payments without a winning hand (:func:`noten_payments`, :func:`nagashi_mangan`,
:func:`chombo`).
"""

from scoring.rules.riichi.conventions import chombo, nagashi_mangan, noten_payments
from scoring.rules.riichi.options import RiichiOptions
from scoring.rules.riichi.system import SYSTEM, Riichi

__all__ = ["SYSTEM", "Riichi", "RiichiOptions", "chombo", "nagashi_mangan", "noten_payments"]
