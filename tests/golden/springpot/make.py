"""Forces of a springpot by the closed form of a fractional derivative of straight motion; writes the CSV files beside it.

Run with Python 3.11 and numpy. No exponentials: between samples the motion is straight, so the derivative of Caputo is a
sum of powers over the whole history.
"""

from math import gamma
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent

t = np.linspace(0.0, 2.0, 201)
x = 1e-3 * (0.7 * np.sin(7.3 * t) + 0.45 * np.sin(17.9 * t + 0.4) - 0.45 * np.sin(0.4))
v = np.diff(x) / np.diff(t)
for name, c, alpha in [("soft", 1e5, 0.15), ("middle", 2e4, 0.5), ("hard", 3e3, 0.85)]:
    power = lambda s: np.maximum(s, 0.0) ** (1.0 - alpha)
    f = [c / gamma(2.0 - alpha) * np.sum((v * (power(now - t[:-1]) - power(now - t[1:])))[t[1:] <= now + 1e-9]) for now in t]
    np.savetxt(HERE / f"{name}.csv", np.c_[t, x, f], delimiter=",", header="time,displacement,force", comments="", fmt="%.17g")
