"""How a phantom is scanned: times of the frames, pulse sequence and field, by name."""

from __future__ import annotations

from dataclasses import dataclass

from roclab._core.checks import check_choice
from roclab.names import DCE_PROTOCOLS, DceProtocol

__all__ = ["PROTOCOLS", "Protocol", "protocol_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """One way of scanning.

    Attributes
    ----------
    times : seconds, of the middle of every frame
    arrival : seconds, at which contrast agent should arrive; that of a patient differs by ``jitter``
    tr, flip, relaxivity : seconds, degrees, 1/(s mM)
    longer : factor of T1, which grows with the field
    noise : standard deviation as a share of the signal of gland before contrast agent
    """

    name: str
    times: tuple[float, ...]
    arrival: float
    jitter: float
    tr: float
    flip: float
    relaxivity: float
    longer: float
    noise: float


PROTOCOLS: dict[DceProtocol, Protocol] = {
    "reference": Protocol(
        name="reference", times=tuple(72.0 * at for at in range(6)), arrival=30.0, jitter=5.0, tr=0.005, flip=12.0,
        relaxivity=4.5, longer=1.0, noise=0.08,
    ),
    "external": Protocol(
        name="external", times=tuple(55.0 * at for at in range(8)), arrival=28.0, jitter=5.0, tr=0.004, flip=10.0,
        relaxivity=4.1, longer=1.15, noise=0.10,
    ),
}  # fmt: skip


def protocol_of(given: DceProtocol | Protocol) -> Protocol:
    """A protocol, or the one of a name."""
    if isinstance(given, Protocol):
        return given
    check_choice(given, "protocol", DCE_PROTOCOLS)
    return PROTOCOLS[given]
