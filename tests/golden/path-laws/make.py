"""Reference forces of gaps, sliders, memories of stroke and networks; writes the CSV files beside it.

Run with Python 3.11, NumPy and SciPy; takes about twenty seconds. Motion is straight between samples. Sliders and
limits that grow go in 2000 steps per sample, each clipped at its end; memories of stroke are differential
equations, integrated between the events at zero and at the largest stroke; networks with a dashpot are stiff
differential equations of their split.
"""

from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp

HERE = Path(__file__).parent
FINE = 2000

t = np.linspace(0.0, 2.0, 201)
x = 1e-3 * (0.3 + 0.7 * t) * (0.7 * np.sin(7.3 * t) + 0.45 * np.sin(17.9 * t + 0.4) - 0.45 * np.sin(0.4))
v = np.gradient(x, t)


def write(name, f, *velocity):
    header = "time,displacement," + ("velocity," if velocity else "") + "force"
    rows = np.c_[(t, x, *velocity, f)]
    np.savetxt(HERE / f"{name}.csv", rows, delimiter=",", header=header, comments="", fmt="%.17g")


# Stops that stand apart: straight, and curved with two sides.
gap = lambda x, k, w, c, n: k[1] * np.maximum(x - c - w / 2, 0) ** n[1] - k[0] * np.maximum(c - w / 2 - x, 0) ** n[0]
write("gap", gap(x, [2e6, 2e6], 4e-4, 0.0, [1, 1]))
write("gap-curved", gap(x, [3e9, 5e9], 2.5e-4, 6e-5, [2.1, 2.3]))

# Dry friction: the force of the direction, higher at low speed.
f, last = [0.0], 0.0
for i in range(1, len(x)):
    dx = x[i] - x[i - 1]
    speed = abs(dx) / (t[i] - t[i - 1])
    if dx != 0:
        last = (25.0 if dx > 0 else -18.0) * (1 + 0.4 * np.exp(-speed / 4e-3))
    f.append(last)
write("slider", np.array(f))

write("eyring-dashpot", 35.0 * np.arcsinh(v / 2e-3), v)

# Limits that grow with the displacement.
zs, ymin, ymax, tilt, growth, count = 90.0, 4e-5, 1.6e-3, 0.4, 6e-4, 5
y = np.geomspace(ymin, ymax, count)
force = (y / ymax) ** tilt
force *= zs / force.sum()


def grown(path):
    z, out, at = np.zeros(count), [0.0], path[0]
    for end in path[1:]:
        for place in np.linspace(at, end, FINE + 1)[1:]:
            limit = y * (1 + (place / growth) ** 2)
            z = np.clip(z + (end - at) / FINE, -limit, limit)
        at = end
        out.append(np.sum(force * z / y))
    return np.array(out)


iwan = grown(x)
write("iwan-grown", iwan)

# Memories of stroke: largest stroke M, what is new of it E, cycles C.
FLOOR, FORGOTTEN = 1e-6, 20


class Side:
    def __init__(self):
        self.state = np.array([FLOOR, 0.0, 0.0])

    def go(self, start, end):
        """From one distance to another on this side."""
        while start != end:
            m, _, _ = self.state
            beyond = end > start and start >= m
            stop = min(end, m) if end > start and start < m else end
            way = abs(stop - start)
            m, e, c = self.state
            if beyond:
                rates = lambda s, q: [1.0, 1.0, -FORGOTTEN * q[2] / q[0]]
                gone = solve_ivp(rates, (0.0, way), self.state, "DOP853", rtol=1e-13, atol=1e-15)
                self.state = np.array([stop, *gone.y[1:, -1]])
            elif end < start:
                self.state = np.array([m, max(e - way, 0.0), c + way / m])
            start = stop


def softened(path, held, stroke, power, fade, approach, sides):
    memory = [Side(), Side()] if sides == 2 else [Side()]
    out, at = [held[0]], path[0]
    for end, f in zip(path[1:], held[1:]):
        for a, b in [(at, 0.0), (0.0, end)] if at * end < 0 else [(at, end)]:
            memory[int(sides == 2 and a + b > 0)].go(abs(a), abs(b))
        m, e, c = memory[int(sides == 2 and end > 0)].state
        c = c if sides == 2 else c / 2
        left = np.exp(-(((m - (1 - approach) * e) / stroke) ** power)) if stroke else 1.0
        out.append(left * (1 + c) ** -fade * f)
        at = end
    return np.array(out)


spring = 2e5 * x + 3e10 * x**3
write("softening", softened(x, spring, 1.1e-3, 0.65, 0.0, 1.0, 2))
write("softening-lag", softened(x, spring, 1.1e-3, 0.65, 0.15, 0.4, 2))
write("softening-iwan", softened(x, iwan, None, 1.0, 0.2, 1.0, 1))

# A gap in series with a two-sided slider.
k, w, plus, minus = 2e6, 3e-4, 25.0, 18.0
e, f = 0.0, [0.0]
for i in range(1, len(x)):
    e = np.clip(e + x[i] - x[i - 1], -w / 2 - minus / k, w / 2 + plus / k)
    f.append(k * (max(e - w / 2, 0) - max(-w / 2 - e, 0)))
write("gap-slider", np.array(f))

# A spring that drags a saturating dashpot, beside another spring.
k, f0, v0, beside = 1e5, 12.0, 1e-3, 2e4
u, f = 0.0, [0.0]
for i in range(1, len(x)):
    speed = (x[i] - x[i - 1]) / (t[i] - t[i - 1])
    rate = lambda s, u: v0 * np.sinh(k * (x[i - 1] + speed * s - u) / f0)
    u = solve_ivp(rate, (0, t[i] - t[i - 1]), [u], "Radau", rtol=1e-11, atol=1e-16).y[0, -1]
    f.append(k * (x[i] - u) + beside * x[i])
write("eyring-spring", np.array(f))
