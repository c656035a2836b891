"""Writes bouc-wen.csv and dahl.csv: single steps and their derivatives to 17 digits. See SOURCE.md."""

import random
import mpmath as mp

mp.mp.dps = 40
STEP = mp.mpf(10) ** -14  # relative, of the central differences


def distance(a, b, n, m):
    """Integral of dm / (a - b m^n) from 0 to m below saturation."""
    q = b * m**n / a
    return m / a * mp.hyp2f1(1, 1 / n, 1 + 1 / n, q)


def tail(a, b, n, m):
    """Integral of dm / (b m^n - a) from m above saturation to infinity, n > 1."""
    s = (a / b) ** (1 / n)
    r = m / s
    return s / a * r ** (1 - n) / (n - 1) * mp.hyp2f1(1, 1 - 1 / n, 2 - 1 / n, r**-n)


def run(a, b, n, m0, t):
    """m after the distance t (negative: backwards) under m' = a - b m^n."""
    if t == 0:
        return m0
    if b == 0:
        return m0 + a * t
    if b > 0:
        s = (a / b) ** (1 / n)
        if m0 > s:
            goal = tail(a, b, n, m0) + t
            w0 = -mp.log(m0 / s - 1)
            f = lambda w: tail(a, b, n, s * (1 + mp.exp(-w))) - goal
            pace = ((m0 / s) ** n - 1) / (m0 / s - 1)
            w = mp.findroot(f, (w0, w0 + 1.01 * pace * a * t / s), solver="anderson", tol=mp.mpf(10) ** -70,
                            verify=False)
            return s * (1 + mp.exp(-w))
        goal = distance(a, b, n, m0) + t
        w0 = -mp.log(1 - m0 / s)
        eta = a * t / s
        f = lambda w: distance(a, b, n, -s * mp.expm1(-w)) - goal
        ends = (w0, w0 + eta * max(1, n) * 1.01) if t > 0 else (mp.mpf(0), w0)
        if ends[1] > 80:
            ends = (ends[0], mp.mpf(80))
            if f(ends[1]) < 0:  # saturated beyond all digits
                return s
        w = mp.findroot(f, ends, solver="anderson", tol=mp.mpf(10) ** -70, verify=False)
        return -s * mp.expm1(-w)
    goal = distance(a, b, n, m0) + t
    if n > 1 and goal >= (a / -b) ** (1 / n) / a * mp.pi / n / mp.sin(mp.pi / n):
        raise OverflowError("infinite before the end of the step")
    f = lambda m: distance(a, b, n, m) - goal
    high = m0 + a * t if t > 0 else m0
    while f(high) < 0:
        high *= 2
    low = m0 if t > 0 else mp.mpf(0)
    m = mp.findroot(f, (low, high), solver="anderson", tol=mp.mpf(10) ** -70, verify=False)
    return m


def bouc_wen(p, z0, dx):
    a, beta, gamma, n = p
    s = mp.sign(dx)
    left, zeta = abs(dx), s * z0
    if zeta < 0:
        t0 = distance(a, gamma - beta, n, -zeta)
        if left < t0:
            return -s * run(a, gamma - beta, n, -zeta, -left)
        left, zeta = left - t0, mp.mpf(0)
    return s * run(a, beta + gamma, n, zeta, left)


def slope(p, z, s):
    """dz/dx of Bouc-Wen in the direction s."""
    a, beta, gamma, n = p
    return a - (beta * s * mp.sign(z) + gamma) * abs(z) ** n


def by_taylor(rate, z0, length):
    """z after `length` under z' = rate(z), by a Taylor series integrator."""
    mp.mp.dps = 25
    end = mp.odefun(lambda x, y: [rate(y[0])], 0, [z0], tol=mp.mpf(10) ** -20)(length)[0]
    mp.mp.dps = 40
    return end


def check_bouc_wen(p, z0, dx, z1):
    """Compares with the Taylor integrator, split at zero."""
    a, beta, gamma, n = p
    s = mp.sign(dx)
    zeta, left = s * z0, abs(dx)
    if zeta < 0:
        t0 = distance(a, gamma - beta, n, -zeta)
        if left >= t0:  # only the part after zero; before it the same with the other branch
            zeta, left = mp.mpf(0), left - t0
    sign = -1 if zeta < 0 else 1
    if zeta == 0:  # the Taylor series does not start at a fractional power
        return
    end = by_taylor(lambda y: slope(p, s * sign * abs(y), s), zeta, left)
    assert abs(end - s * z1) < mp.mpf(10) ** -16 * max(abs(z0), abs(z1)), (p, z0, dx, end, z1)


def dahl(p, z0, dx):
    sigma, fc, alpha = p
    s = mp.sign(dx)
    w = 1 - s * z0 / fc
    m = alpha - 1
    if w == 0:
        return z0
    u = sigma / fc * abs(w) ** m * abs(dx)
    if m == 0:
        w1 = w * mp.exp(-u)
    elif 1 + m * u <= 0:
        w1 = mp.mpf(0)
    else:
        w1 = w * (1 + m * u) ** (-1 / m)
    return s * fc * (1 - w1)


def check_dahl(p, z0, dx, z1):
    sigma, fc, alpha = p
    s = mp.sign(dx)
    w = 1 - s * z0 / fc
    if w <= 0 or 1 - s * z1 / fc < mp.mpf(10) ** -6:
        return
    end = by_taylor(lambda y: sigma * (1 - y / fc) ** alpha, s * z0, abs(dx))
    assert abs(end - s * z1) < mp.mpf(10) ** -16 * fc, (p, z0, dx, end, z1)


def derivatives(law, p, z0, dx, scales):
    """Central differences by z0, dx and the parameters."""
    x = [z0, dx, *p]
    out = []
    for i in range(len(x)):
        h = STEP * scales[i]
        ends = []
        for e in (h, -h):
            y = list(x)
            y[i] += e
            ends.append(law(y[2:], y[0], y[1]))
        out.append((ends[0] - ends[1]) / (2 * h))
    return out


def row(values):
    return ",".join(repr(float(v)) for v in values)


def main():
    rnd = random.Random(1)
    a, zs = 1e5, 200.0
    starts = [(0, 0.02), (0, 1.0), (0, 6.0), (1e-9, 0.05), (1e-3, 0.3), (0.3, 0.01), (0.5, 2.0), (0.9, 0.1),
              (0.999999, 1.0), (0.99, 30.0), (-0.5, 0.1), (-0.5, 0.7), (-0.8, 4.0), (-1e-6, 0.3), (-0.2, 0.19),
              (-0.95, 0.4), (1.4, 0.3)]
    mixes = [(0.7, 0.3), (0.5, -0.2), (0.25, 0.25), (0.5, -0.5), (0.4, -0.7), (0.3, 0.6)]
    lines = ["a,beta,gamma,n,z0,dx,z1,dz1/dz0,dz1/dx,dz1/da,dz1/dbeta,dz1/dgamma,dz1/dn"]
    count = 0
    for n in [0.5, 0.8, 1.0, 1.0001, 1.3, 1.5, 2.0, 2.7, 4.0, 9.0]:
        for beta, gamma in mixes:
            for z, x in rnd.sample(starts, 5):
                p = [float(v) for v in (a, beta * a / zs**n, gamma * a / zs**n, n)]
                side = rnd.choice([1.0, -1.0])
                z0, dx = side * z * zs, side * x * zs / a
                # Not those above saturation for which there is no closed form here, nor those without bounds.
                along, against = beta + gamma, gamma - beta
                if z * max(along, 0) ** (1 / n) > 1 and n <= 1:
                    continue
                if -z * max(against, 0) ** (1 / n) > 1:
                    continue
                exact = [mp.mpf(v) for v in p], mp.mpf(z0), mp.mpf(dx)
                try:
                    z1 = bouc_wen(*exact)
                except OverflowError:
                    continue
                unit = a / max(abs(exact[1]), abs(z1)) ** exact[0][3]
                by = derivatives(bouc_wen, *exact, [mp.mpf(1), abs(exact[2]), exact[0][0], unit, unit, 1])
                by[0] = slope(exact[0], z1, mp.sign(dx)) / slope(exact[0], exact[1], mp.sign(dx))
                by[1] = slope(exact[0], z1, mp.sign(dx))
                if count % 5 == 0 and x < 2:
                    check_bouc_wen(*exact, z1)
                count += 1
                lines.append(row([*p, z0, dx, z1, *by]))
    open("bouc-wen.csv", "w").write("\n".join(lines) + "\n")
    print(count, "Bouc-Wen steps")

    sigma, fc = 2e5, 3.0
    lines = ["sigma,fc,alpha,z0,dx,z1,dz1/dz0,dz1/dx,dz1/dsigma,dz1/dfc,dz1/dalpha"]
    count = 0
    for alpha in [0.3, 0.9, 0.999999, 1.0, 1.0000001, 1.001, 1.5, 2.5, 6.0]:
        for z, x in [(0, 0.01), (0, 1.5), (0.7, 0.3), (-0.9, 2.0), (0.99, 0.5), (-0.3, 20.0), (1.2, 0.4)]:
            side = rnd.choice([1.0, -1.0])
            z0, dx = side * z * fc, side * x * fc / sigma
            p = [mp.mpf(v) for v in (sigma, fc, alpha)]
            exact = p, mp.mpf(z0), mp.mpf(dx)
            z1 = dahl(*exact)
            by = derivatives(dahl, *exact, [p[1], abs(exact[2]), *p])
            if count % 3 == 0 and x < 2:
                check_dahl(*exact, z1)
            count += 1
            lines.append(row([sigma, fc, alpha, z0, dx, z1, *by]))
    open("dahl.csv", "w").write("\n".join(lines) + "\n")
    print(count, "Dahl steps")


main()
