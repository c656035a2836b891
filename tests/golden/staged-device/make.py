"""Writes the reference of a staged device: records, motion, nodes, linearisation, balance, refinement. See SOURCE.md."""

import numpy as np
from scipy.integrate import cumulative_trapezoid, quad, solve_ivp
from scipy.optimize import least_squares, nnls
from scipy.signal import savgol_filter

ANGLES = np.array([-0.32, -0.25, -0.11, -0.05, -0.01, 0.01, 0.07, 0.13, 0.30, 0.40])
TORQUES = np.array([-168.4, -98.4, -42.4, -0.4, 0, 0, 0.6, 60.6, 128.6, 278.6])
SLOW = np.array([3.5, 2.0, 1.0, 0.4, 0, 0, 0.5, 1.25, 2.5, 4.0])
FAST = np.array([8.0, 4.5, 2.4, 1.0, 0, 0, 1.3, 3.0, 5.5, 9.0])
NAMES = ["IV-", "III-", "II-", "I-", "0-", "0+", "I+", "II+", "III+", "IV+"]
ETA, J, DT, SAMPLES, TAU = 50.0, 0.25, 0.7e-3, 2858, 0.1
TIME = DT * np.arange(SAMPLES)
LOAD = 25.0 + 83.6 * 0.5 * (1.0 + np.cos(np.pi * np.minimum(TIME / 5e-3, 1.0)))
GAMMA = 282.6
random = np.random.default_rng(20261116)


def line(values, x):
    """Straight lines between the nodes, continued beyond both ends."""
    i = np.clip(np.searchsorted(ANGLES, x, side="right") - 1, 0, len(ANGLES) - 2)
    share = (x - ANGLES[i]) / (ANGLES[i + 1] - ANGLES[i])
    return values[i] + share * (values[i + 1] - values[i])


def simulate(friction, rtol):
    """The inertia let go: smooth pieces between nodes and corners of the load, by DOP853."""
    corners = [*TIME[:9], TIME[-1]]
    angle, velocity, acceleration = (np.zeros(SAMPLES) for _ in range(3))
    # At rest in equilibrium under the first torque, within the third drive stage.
    y = np.array([np.interp(LOAD[0], TORQUES[5:], ANGLES[5:]), 0.0])
    stage = 7
    for start, end in zip(corners[:-1], corners[1:]):
        t = start
        torque = np.interp([start, end], TIME, LOAD)
        while t < end:
            span = ANGLES[stage + 1] - ANGLES[stage]
            k = (TORQUES[stage + 1] - TORQUES[stage]) / span
            m = (friction[stage + 1] - friction[stage]) / span

            def rate(t, y):
                away = y[0] - ANGLES[stage]
                load = torque[0] + (t - start) / (end - start) * (torque[1] - torque[0])
                held = TORQUES[stage] + k * away + (friction[stage] + m * away) * np.tanh(ETA * y[1])
                return [y[1], (load - held) / J]

            def lower(t, y):
                return y[0] - ANGLES[stage]

            def upper(t, y):
                return y[0] - ANGLES[stage + 1]

            lower.terminal = upper.terminal = True
            lower.direction, upper.direction = -1, 1
            run = solve_ivp(rate, (t, end), y, method="DOP853", rtol=rtol, atol=1e-2 * rtol, events=(lower, upper), dense_output=True, max_step=2e-3)
            inside = (TIME >= t) & (TIME <= run.t[-1])
            if inside.any():
                angle[inside], velocity[inside] = run.sol(TIME[inside])
                acceleration[inside] = [rate(s, (a, v))[1] for s, a, v in zip(TIME[inside], angle[inside], velocity[inside])]
            t, y = run.t[-1], run.y[:, -1].copy()
            if run.status == 1:
                went_down = len(run.t_events[0]) > 0
                y[0] = ANGLES[stage] if went_down else ANGLES[stage + 1]
                stage += -1 if went_down else 1
    return angle, velocity, acceleration


def slow_record(samples, noise):
    low, high = ANGLES[0], ANGLES[-1]
    gone = 2 * (high - low) * np.arange(samples) / (samples - 1)
    up, down = gone <= high, (gone > high) & (gone <= 2 * high - low)
    angle = np.where(up, gone, np.where(down, 2 * high - gone, gone - 2 * (high - low)))
    torque = line(TORQUES, angle) + np.where(down, -1, 1) * line(SLOW, angle)
    return np.round(angle, 7), np.round(torque + noise * random.standard_normal(samples), 4)


def slow_points(angle, torque):
    """Samples with their direction; those just after a turn, where the friction has not turned, are left out."""
    top, bottom = np.argmax(angle), np.argmin(angle)
    index, reach = np.arange(len(angle)), 0.005 * np.ptp(angle)
    sense = np.where((index < top) | (index >= bottom), 1.0, -1.0)
    kept = np.ones(len(angle), bool)
    kept[top:bottom] = np.abs(angle[top:bottom] - angle[top]) > reach
    kept[bottom:] = np.abs(angle[bottom:] - angle[bottom]) > reach
    return angle[kept], torque[kept], sense[kept]


def knots(angle, torque):
    """All unknowns together: inner nodes, torque and friction but in the clearance; errors from the Jacobian."""
    x, y, s = slow_points(angle, torque)
    ends = np.min(angle), np.max(angle)
    free = [i for i in range(10) if i not in (4, 5)]

    def unpack(p):
        nodes = np.concatenate([[ends[0]], p[:8], [ends[1]]])
        phi, h = np.zeros(10), np.zeros(10)
        phi[free], h[free] = p[8:16], p[16:]
        return nodes, phi, h

    def residual(p):
        nodes, phi, h = unpack(p)
        return np.interp(x, nodes, phi) + s * np.interp(x, nodes, h) - y

    start = np.concatenate([ANGLES[1:9] + 2e-3, 1.02 * TORQUES[free], 0.9 * SLOW[free]])
    found = least_squares(residual, start, x_scale=np.maximum(np.abs(start), 0.05), method="trf", xtol=1e-15, ftol=1e-15, gtol=1e-15, max_nfev=2000, jac="3-point")
    variance = 2 * found.cost / (len(x) - len(start))
    error = np.sqrt(np.diag(np.linalg.inv(found.jac.T @ found.jac)) * variance)
    nodes, phi, h = unpack(found.x)
    _, phi_error, h_error = unpack(error)
    node_error = np.concatenate([[0], error[:8], [0]])
    with open("nodes.csv", "w") as out:
        out.write("name,angle,torque,friction,angle_error,torque_error,friction_error\n")
        for row in zip(NAMES, nodes, phi, h, node_error, phi_error, h_error):
            out.write(row[0] + "".join(f",{v:.9g}" for v in row[1:]) + "\n")


def linearised(angle, acceleration):
    """Equations 10 to 17, with the mean coefficient times the mean angle written as the mean of A."""
    a = LOAD - J * acceleration
    out = {}
    for width in (0.05, 0.4):
        half = int(round(0.5 * width * TAU / DT))
        torque = np.zeros(SAMPLES)
        for i in range(SAMPLES):
            own = slice(max(i - half, 0), i + half + 1)
            mean, mean_a = np.mean(angle[own]), np.mean(a[own])
            variance = np.mean(angle[own] ** 2) - mean**2
            # At turning points the angle does not change within the window.
            gamma = 0.0 if np.sqrt(max(variance, 0)) < 5e-4 * np.ptp(angle) else (np.mean(a[own] * angle[own]) - mean_a * mean) / variance
            torque[i] = mean_a + gamma * (angle[i] - mean)
        out[width] = torque
    return out


def balance(angle, velocity, acceleration):
    """Equations 18 to 43 with Table 2 as printed, the coast side of (37) and the signs of (41), (43) corrected."""
    integral = lambda f: np.trapezoid(f, TIME)
    rub, square = np.tanh(ETA * velocity) * velocity, velocity**2
    phi = lambda x: float(line(TORQUES, x))
    corners = [v for v in ANGLES if min(angle[0], angle[-1]) < v < max(angle[0], angle[-1])]
    stored = quad(phi, angle[0], angle[-1], points=corners or None, epsabs=1e-12, epsrel=1e-12)[0]
    dissipated = integral(LOAD * velocity) - stored - 0.5 * J * (velocity[-1] ** 2 - velocity[0] ** 2)
    slow = integral(line(SLOW, angle) * rub)
    rows = {
        "dissipated": dissipated, "slow": slow,
        "D1.1.c": dissipated / integral(square), "D1.2.h": dissipated / integral(rub),
        "D2.1.c": (dissipated - slow) / integral(square), "D2.2.h": (dissipated - slow) / integral(rub),
    }
    power = (LOAD - line(TORQUES, angle) - J * acceleration) * velocity
    for side in (1, -1):
        inner = 5 if side > 0 else 4
        for kind, flow in (("h", rub), ("c", square)):
            last = 0.0
            for step in range(1, 4):
                i, o = inner + side * (step - 1), inner + side * step
                low, high = min(ANGLES[i], ANGLES[o]), max(ANGLES[i], ANGLES[o])
                window = ((angle >= low) & (angle < high)).astype(float)
                energy = integral(power * window)
                alpha = integral(flow * window)
                beta = integral(flow * (angle - ANGLES[i]) / (high - low) * window)
                if side > 0:
                    value = (energy + last * (beta - alpha)) / beta
                    gain = (alpha - beta) / beta
                else:
                    value = (last * (alpha + beta) - energy) / beta
                    gain = (alpha + beta) / -beta
                rows[f"{NAMES[o]}.energy"] = energy
                rows[f"{NAMES[o]}.gain.{kind}"] = gain
                if gain > 5:
                    break
                rows[f"{NAMES[o]}.{kind}"] = last = max(value, 0.0)
    return rows


def noise_of(values):
    """Fourth differences without what stands out."""
    sizes = np.sort(np.abs(np.diff(values, 4)))
    inner = sizes[sizes <= 4 * sizes[len(sizes) // 2] / 0.67449]
    return np.sqrt(np.mean(inner**2) / 70)


REACHED = [1, 2, 3, 6, 7, 8]


def energy_over_time(angle, velocity, dissipated, slow):
    """Non-negative least squares on the energy up to turning points and crossings, held towards (E / E slow) h slow."""
    s, elastic = noise_of(velocity), line(TORQUES, angle)
    area = np.array([quad(lambda x: float(line(TORQUES, x)), ANGLES[0], x, points=[v for v in ANGLES if ANGLES[0] < v < x] or None)[0] for x in angle])
    stored = 0.5 * J * velocity**2 + area
    work = cumulative_trapezoid(LOAD * velocity, TIME, initial=0)
    left = work - (stored - stored[0])
    wander = cumulative_trapezoid(((LOAD - elastic) * s) ** 2, TIME, initial=0) * DT
    piece = np.searchsorted(ANGLES, angle, side="right") - 1
    rows = [i for i in range(1, SAMPLES) if velocity[i - 1] * velocity[i] <= 0 or piece[i] != piece[i - 1] or i == SAMPLES - 1]
    error = np.sqrt((J * velocity * s) ** 2 + wander + (2.6e-4 * dissipated) ** 2)
    rub = np.tanh(ETA * velocity) * velocity
    expected = SLOW * dissipated / slow
    columns = [cumulative_trapezoid(rub * line(np.eye(10)[node], angle), TIME, initial=0) * expected[node] for node in REACHED]
    a = np.array([c[rows] / error[rows] for c in columns]).T
    a = np.vstack([a, np.eye(len(REACHED))])
    b = np.concatenate([left[rows] / error[rows], np.ones(len(REACHED))])
    return dict(zip([NAMES[n] for n in REACHED], nnls(a, b)[0] * expected[REACHED]))


def refined(velocity, dissipated, slow, last):
    """Friction of the nodes reached by least squares on the velocity, with a simulator and differences of its own."""
    s, unit = noise_of(velocity), SLOW[REACHED] * dissipated / slow
    # Loosely held at the energy balance; the third coast stage, hardly entered, where friction goes on as the slow one does.
    held, error = np.ones(len(REACHED)), np.full(len(REACHED), 3.0)
    held[0] = np.clip(last * SLOW[1] / SLOW[2] / unit[0], 0.3, 3.0)
    error[0] = 0.5 * held[0]

    def residual(x):
        friction = np.zeros(10)
        friction[REACHED] = x * unit
        # Beyond the motion, as the slow friction goes on.
        friction[0], friction[9] = friction[1] * 3.5 / 2.0, friction[8] * 4.0 / 2.5
        difference = (simulate(friction, 1e-9)[1] - velocity) / s
        return np.concatenate([difference, (x - held) / error])

    # From what was put in: over the whole record the squares have a minimum for every swing that may be gained or lost.
    found = least_squares(residual, FAST[REACHED] / unit, bounds=(0, np.inf), diff_step=1e-5, jac="3-point", xtol=1e-9, ftol=1e-10, gtol=1e-9, x_scale=1.0)
    normal = np.linalg.inv(found.jac.T @ found.jac)
    chi2 = np.sum(found.fun[:SAMPLES] ** 2) / (SAMPLES - len(REACHED))
    return {NAMES[n]: (v, e) for n, v, e in zip(REACHED, found.x * unit, np.sqrt(np.diag(normal)) * unit)}, chi2


def main():
    angle, velocity, acceleration = simulate(FAST, 1e-12)
    with open("motion.csv", "w") as out:
        out.write("time,angle,velocity,acceleration\n")
        for i in range(0, SAMPLES, 10):
            out.write(f"{TIME[i]:.4f},{angle[i]:.14g},{velocity[i]:.14g},{acceleration[i]:.14g}\n")
    measured = np.round(velocity + 0.01 * random.standard_normal(SAMPLES), 6)
    with open("fast.csv", "w") as out:
        out.write("velocity\n" + "".join(f"{v:.6f}\n" for v in measured))
    slow_angle, slow_torque = slow_record(3000, 0.15)
    with open("slow.csv", "w") as out:
        out.write("angle,torque\n" + "".join(f"{a:.7f},{t:.4f}\n" for a, t in zip(slow_angle, slow_torque)))
    knots(slow_angle, slow_torque)
    start = np.interp(LOAD[0], TORQUES[5:], ANGLES[5:])
    turned = cumulative_trapezoid(measured, TIME, initial=0) + start
    slopes = savgol_filter(measured, 7, 2, deriv=1, delta=DT, mode="interp")
    torque = linearised(turned, slopes)
    with open("linearised.csv", "w") as out:
        out.write("time,angle,acceleration,short,long\n")
        for i in range(0, SAMPLES, 10):
            out.write(f"{TIME[i]:.4f},{turned[i]:.12g},{slopes[i]:.12g},{torque[0.05][i]:.12g},{torque[0.4][i]:.12g}\n")
    rows = balance(turned, measured, slopes)
    for name, value in energy_over_time(turned, measured, rows["dissipated"], rows["slow"]).items():
        rows[f"{name}.cumulative"] = value
    found, rows["refined.chi2"] = refined(measured, rows["dissipated"], rows["slow"], rows["II-.h"])
    for name, (value, error) in found.items():
        rows[f"{name}.refined"], rows[f"{name}.error"] = value, error
    with open("balance.csv", "w") as out:
        out.write("what,value\n" + "".join(f"{k},{v:.12g}\n" for k, v in rows.items()))


main()
