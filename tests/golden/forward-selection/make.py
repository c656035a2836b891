"""Forward selection by plain QR on 100 random problems; writes selection.csv.

Run: python tests/golden/forward-selection/make.py (NumPy, SciPy). Nothing is shared with the program but the random
numbers: SplitMix64 and Box-Muller, as in crates/identify/tests/noise/mod.rs. Every step tries every candidate beside
those chosen so far with a fresh Householder QR and takes the one that leaves the least sum of squares.

Problem p: rows 60 + 7 p mod 140, candidates 6 + p mod 11, of which the last ones are mixtures of earlier ones (0.9 of
one, 0.4 of noise), scaled by powers of ten; the force is a mixture of four candidates and noise.
Columns: problem, step, index, err, coefficient (of the whole selection of eight terms at most), non-negative (least
squares with no coefficient negative, scipy.optimize.nnls, in the order of the selection).
"""

import math
from pathlib import Path

import numpy as np
import scipy.linalg
import scipy.optimize

MASK = (1 << 64) - 1


class Noise:
    def __init__(self, seed):
        self.state = (seed * 0x2545F4914F6CDD1D) & MASK

    def uniform(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return (((z ^ (z >> 31)) >> 11) + 1) / (1 << 53)

    def gaussian(self):
        return math.sqrt(-2.0 * math.log(self.uniform())) * math.cos(math.tau * self.uniform())


def problem(p):
    noise = Noise(1000 + p)
    rows, count = 60 + (7 * p) % 140, 6 + p % 11
    a = np.empty((rows, count))
    for j in range(count):
        for i in range(rows):
            a[i, j] = noise.gaussian()
        if j >= count // 2 + 1:
            a[:, j] = 0.9 * a[:, j - count // 2 - 1] + 0.4 * a[:, j]
    weights = [3.0, -2.0, 1.0, 0.5]
    y = np.zeros(rows)
    for k, w in enumerate(weights):
        y += w * a[:, (5 * k + p) % count]
    y += np.array([0.3 * noise.gaussian() for _ in range(rows)])
    a *= 10.0 ** np.array([(3 * j) % 13 - 6 for j in range(count)])
    return a, y


def rest(a, y):
    # The solution by QR of unit columns.
    unit = a / np.linalg.norm(a, axis=0)
    q, _ = scipy.linalg.qr(unit, mode="economic")
    left = y - q @ (q.T @ y)
    left -= q @ (q.T @ left)
    return left @ left


def main():
    lines = ["problem,step,index,err,coefficient,non_negative"]
    for p in range(100):
        a, y = problem(p)
        chosen, before = [], y @ y
        errs = []
        for _ in range(min(8, a.shape[1])):
            rests = {j: rest(a[:, chosen + [j]], y) for j in range(a.shape[1]) if j not in chosen}
            best = min(rests, key=rests.get)
            errs.append((before - rests[best]) / (y @ y))
            chosen.append(best)
            before = rests[best]
        sub = a[:, chosen]
        scale = np.linalg.norm(sub, axis=0)
        q, r = scipy.linalg.qr(sub / scale, mode="economic")
        coefficients = scipy.linalg.solve_triangular(r, q.T @ y) / scale
        positive = scipy.optimize.nnls(sub / scale, y)[0] / scale
        for step, (j, e, c, n) in enumerate(zip(chosen, errs, coefficients, positive)):
            lines.append(f"{p},{step},{j},{e:.15e},{c:.15e},{n:.15e}")
    Path(__file__).with_name("selection.csv").write_text("\n".join(lines) + "\n")


main()
