r"""Contrast agent in tissue: arterial input, exchange with tissue, and the signal that a scanner measures of it.

Times are seconds, concentrations millimolar, rate constants per minute, relaxivities 1/(s mM).

References
----------
Parker GJM et al. Experimentally-derived functional form for a population-averaged high-temporal-resolution arterial
input function. Magn Reson Med 2006;56:993-1000, equation 1 and table 1. doi:10.1002/mrm.21066
Tofts PS et al. Estimating kinetic parameters from dynamic contrast-enhanced T1-weighted MRI. J Magn Reson Imaging
1999;10:223-232. doi:10.1002/(SICI)1522-2586(199909)10:3<223::AID-JMRI2>3.0.CO;2-S
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from roclab._core.types import Array, Floats
from roclab.errors import InputError, Words

__all__ = ["concentration_of_signal", "parker_aif", "spgr_signal", "tofts", "unit_response"]

HEMATOCRIT = 0.42
_SMALL = 1e-4  # of rate times step: below it the exponentials are taken by their series


def parker_aif(seconds: Any, *, arrival: float = 0.0, hematocrit: float = HEMATOCRIT) -> Floats:
    r"""Concentration in the arterial plasma of Parker's average patient, mM.

    Two Gaussians and an exponential under a sigmoid; with t in minutes since arrival

    .. math:: C_b(t) = \sum_{n=1}^{2} \frac{A_n}{\sigma_n \sqrt{2\pi}} e^{-(t - T_n)^2 / 2\sigma_n^2}
              + \frac{\alpha e^{-\beta t}}{1 + e^{-s (t - \tau)}}, \qquad C_p = C_b / (1 - h)

    and nothing before. ``hematocrit`` h = 0 gives the concentration in blood, which the paper tabulates.

    >>> round(float(parker_aif(9.94, hematocrit=0)), 6)
    6.030756
    """
    if not 0 <= hematocrit < 1:
        raise InputError("hematocrit", "must lie in [0, 1)", hematocrit, "0.42 is usual")
    t = (np.asarray(seconds, dtype=np.float64) - arrival) / 60
    first = 0.809 / (0.0563 * math.sqrt(2 * math.pi)) * np.exp(-((t - 0.17046) ** 2) / (2 * 0.0563**2))
    second = 0.330 / (0.132 * math.sqrt(2 * math.pi)) * np.exp(-((t - 0.365) ** 2) / (2 * 0.132**2))
    late = 1.050 * np.exp(-0.1685 * np.maximum(t, 0)) / (1 + np.exp(-38.078 * (np.maximum(t, 0) - 0.483)))
    found: Floats = np.where(t >= 0, first + second + late, 0.0) / (1 - hematocrit)
    return found


def unit_response(seconds: Floats, plasma: Floats, rate: Floats) -> Floats:
    r"""Convolution of the plasma with :math:`e^{-k t}`, exact for a plasma concentration that is linear in between.

    .. math:: R_k(t) = \int_0^t C_p(s) e^{-k (t - s)} ds

    Over one step of length d, in which the plasma goes from c by slope m,
    :math:`R \leftarrow R e^{-kd} + c\,(1 - e^{-kd})/k + m\,(d/k - (1 - e^{-kd})/k^2)`.

    Parameters
    ----------
    seconds, plasma : (n,)
        Rising times, not necessarily even, and the concentration at each.
    rate : (k,)
        Rate constants per minute; 0 gives the plain integral.

    Returns
    -------
    (n, k), mM minutes. O(n k).
    """
    minutes = np.asarray(seconds, dtype=np.float64) / 60
    if minutes.ndim != 1 or minutes.size < 2 or (np.diff(minutes) <= 0).any():
        raise InputError("seconds", "must be two or more rising times", Words(f"{np.size(seconds)} times"))
    k = np.atleast_1d(np.asarray(rate, dtype=np.float64))
    out = np.zeros((minutes.size, k.size))
    for at in range(1, minutes.size):
        step = minutes[at] - minutes[at - 1]
        slope = (plasma[at] - plasma[at - 1]) / step
        x = k * step
        small = x < _SMALL
        safe = np.where(small, 1.0, x)
        held = np.where(small, 1 - x / 2 + x * x / 6, -np.expm1(-safe) / safe) * step
        risen = np.where(small, 0.5 - x / 6 + x * x / 24, (safe + np.expm1(-safe)) / (safe * safe)) * step**2
        out[at] = out[at - 1] * np.exp(-x) + plasma[at - 1] * held + slope * risen
    return out


def tofts(seconds: Floats, plasma: Floats, *, ktrans: Any, ve: Any, vp: Any = 0.0) -> Floats:
    r"""Concentration in tissue by the model of Tofts, extended where ``vp`` is not 0; (n,) or (n, voxels).

    .. math:: C(t) = v_p C_p(t) + K \int_0^t C_p(s) e^{-K (t - s) / v_e} ds

    with K = ``ktrans`` per minute and the shares ve and vp of the voxel that are interstitium and plasma.
    """
    k, e, p = np.broadcast_arrays(*(np.asarray(one, dtype=np.float64) for one in (ktrans, ve, vp)))
    if (k < 0).any() or (e <= 0).any() or (p < 0).any():
        raise InputError("ktrans", "must be 0 or more, ve above 0 and vp 0 or more", Words("other values"))
    flat = k.ravel()
    found = flat * unit_response(seconds, plasma, flat / e.ravel()) + np.outer(plasma, p.ravel())
    return found.reshape(np.size(seconds), *k.shape)


def spgr_signal(concentration: Any, *, t1: Any, s0: Any = 1.0, tr: float, flip: Any, relaxivity: float = 4.5) -> Array:
    r"""Signal of a spoiled gradient echo.

    .. math:: S = S_0 \sin a \frac{1 - E}{1 - E \cos a}, \qquad E = e^{-TR (1/T_1 + r C)}

    with the flip angle a in degrees, TR and T1 (without contrast agent) in seconds; echo times are taken for 0.
    """
    angle = np.deg2rad(flip)
    left = np.exp(-tr * (1 / np.asarray(t1) + relaxivity * np.asarray(concentration)))
    found: Array = s0 * np.sin(angle) * (1 - left) / (1 - left * np.cos(angle))
    return found


def concentration_of_signal(
    signal: Any, baseline: Any, *, t1: Any, tr: float, flip: float, relaxivity: float = 4.5
) -> Floats:
    """The concentration behind a signal, given that without contrast agent: the inverse of :func:`spgr_signal`."""
    cosine = math.cos(math.radians(flip))
    rest = np.exp(-tr / np.asarray(t1, dtype=np.float64))
    ratio = np.asarray(signal, dtype=np.float64) / baseline * (1 - rest) / (1 - rest * cosine)
    left = (1 - ratio) / (1 - ratio * cosine)
    if not (ratio < 1).all():
        raise InputError("signal", "must stay below that of full recovery", Words("more"), "check the baseline")
    found: Floats = (-np.log(left) / tr - 1 / np.asarray(t1)) / relaxivity
    return found
