"""Reference forces of the rate laws, by SciPy's integrators; writes the CSV files beside it.

Run with Python 3.11 and scipy; takes about twenty seconds. The motion is straight between samples, so every
sample interval is integrated by itself.
"""

from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp

HERE = Path(__file__).parent


def motion(samples, amplitude):
    t = np.linspace(0.0, 2.0, samples)
    return t, amplitude * (0.7 * np.sin(7.3 * t) + 0.45 * np.sin(17.9 * t + 0.4) - 0.45 * np.sin(0.4))


def run(t, x, rate, force, z0, method, rtol, atol, split=None):
    z = np.atleast_1d(np.array(z0, dtype=float))
    out = [force(x[0], z)]
    for i in range(1, len(t)):
        v = (x[i] - x[i - 1]) / (t[i] - t[i - 1])
        start = t[i - 1]
        while start < t[i]:
            f = lambda s, z, v=v, i=i: rate(x[i - 1] + v * (s - t[i - 1]), v, z)
            events = None
            if split is not None:
                events = lambda s, z: split(z)
                events.terminal = True
            # A short first step keeps the integrator from stepping over a kink at the start.
            sol = solve_ivp(f, (start, t[i]), z, method=method, rtol=rtol, atol=atol, events=events)
            z, start = sol.y[:, -1], sol.t[-1]
            if sol.status == 1 and start < t[i]:
                # Just beyond the kink, so that the event is not found again.
                h = 1e-9 * (t[i] - t[i - 1])
                z = z + h * np.atleast_1d(f(start, z))
                start += h
        out.append(force(x[i], z))
    return np.array(out)


def write(name, t, x, f):
    np.savetxt(HERE / f"{name}.csv", np.c_[t, x, f], delimiter=",", header="time,displacement,force", comments="", fmt="%.17g")


t, x = motion(201, 1e-3)
k, tau = 1e5, 0.15
write("maxwell", t, x, run(t, x, lambda x, v, z: k * v - z / tau, lambda x, z: z[0], 0.0, "DOP853", 1e-13, 1e-13))

sigma, fc, alpha = 2e5, 60.0, 1.7
dahl = lambda x, v, z: sigma * v * np.sign(1 - z * np.sign(v) / fc) * np.abs(1 - z * np.sign(v) / fc) ** alpha
write("dahl", t, x, run(t, x, dahl, lambda x, z: z[0], 0.0, "DOP853", 1e-13, 1e-13))

a, beta, gamma, n = 1e5, 20.0, 8.0, 1.6
bw = lambda x, v, z: a * v - beta * abs(v) * np.sign(z) * np.abs(z) ** n - gamma * v * np.abs(z) ** n
write("bouc-wen", t, x, run(t, x, bw, lambda x, z: z[0], 0.0, "DOP853", 1e-13, 1e-13, split=lambda z: z[0]))

phi = -6.0
sided = lambda x, v, z: bw(x, v, z) - phi * (v * np.sign(z) + abs(v)) * np.abs(z) ** n
write("bouc-wen-asymmetric", t, x, run(t, x, sided, lambda x, z: z[0], 0.0, "DOP853", 1e-13, 1e-13, split=lambda z: z[0]))

dnu, deta = 8.0, 5.0
pinch, rate, q, psi, dpsi, lam = 0.6, 20.0, 0.15, 0.35, 1.0, 0.4


def degrading(pinches):
    def rates(x, v, state):
        z, e = state
        nu, eta = 1 + dnu * e, 1 + deta * e
        h = 1.0
        if pinches:
            zeta = pinch * (1 - np.exp(-rate * e))
            largest = (a / (nu * (beta + gamma))) ** (1 / n)
            h = 1 - zeta * np.exp(-(((z * np.sign(v) / largest - q) / ((psi + dpsi * e) * (lam + zeta))) ** 2))
        plain = a * v - nu * (beta * abs(v) * np.sign(z) * abs(z) ** n + gamma * v * abs(z) ** n)
        return np.array([h * plain / eta, z * v])

    return rates


for name, pinches in [("bouc-wen-degrading", False), ("bouc-wen-pinching", True)]:
    f = run(t, x, degrading(pinches), lambda x, z: z[0], np.zeros(2), "DOP853", 1e-12, 1e-13, split=lambda z: z[0])
    write(name, t, x, f)

sigma0, sigma1, sigma2, fc, fs, vs = 1e5, 100.0, 200.0, 30.0, 40.0, 5e-3
stribeck = lambda v: fc + (fs - fc) * np.exp(-((v / vs) ** 2))
bristles = lambda x, v, z: v - sigma0 * np.abs(v) / stribeck(v) * z
# The bristles follow the straight motion; their damping and the viscous part see the velocity of the record.
v = 1e-3 * (0.7 * 7.3 * np.cos(7.3 * t) + 0.45 * 17.9 * np.cos(17.9 * t + 0.4))
z = run(t, x, bristles, lambda x, z: z[0], 0.0, "DOP853", 1e-13, 1e-18)
f = sigma0 * z + sigma1 * bristles(x, v, z) + sigma2 * v
np.savetxt(HERE / "lugre.csv", np.c_[t, x, v, f], delimiter=",", header="time,displacement,velocity,force", comments="", fmt="%.17g")

cells, k0, kpa, kr, alpha = 15, 2e5, 8e5, 3e6, 0.15
c0 = 20.0 * 1000**alpha
K = 2 * kr * np.eye(cells) - kr * np.eye(cells, k=1) - kr * np.eye(cells, k=-1)
K[0, 0] = kpa + kr


def chain(x, v, y):
    f = -K @ y
    f[0] += kpa * x
    return np.sign(f) * np.abs(f / c0) ** (1 / alpha)


write("rt", t, x, run(t, x, chain, lambda x, y: k0 * x + kpa * (x - y[0]), np.zeros(cells), "Radau", 1e-10, 1e-16))
