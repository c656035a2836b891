"""Forward selection of 20 of 200 candidates over 50,000 samples by others, for `cargo xtask bench`.

Arguments: FOLDER. Writes FOLDER/candidates.f64 (columns one after the other, then the force) and FOLDER/peers.txt: one line
per method, its seconds (best of three; of one for SysIdentPy), and the chosen candidates. A second, nearly dependent
problem goes to FOLDER/dependent.f64 and dependent.txt: ten pairs of candidates that differ by 3e-6 of their length, the
force takes both of each pair with opposite coefficients of 1e5; written are relative errors of the coefficients.
"""

import sys
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.linear_model import orthogonal_mp, orthogonal_mp_gram
from sysidentpy.model_structure_selection import FROLS

ROWS, COUNT, TERMS = 50_000, 200, 20


def save(path, a, y):
    with open(path, "wb") as out:
        np.asfortranarray(a).T.tofile(out)
        y.tofile(out)


def sysidentpy(a, y, terms):
    model = FROLS(order_selection=False, n_terms=terms, ylag=1, xlag=1)
    model.max_lag = 0
    return model.error_reduction_ratio(a, y.reshape(-1, 1), terms)[1]


def omp(a, y, terms):
    # Unit columns, as its documentation asks for; the length of a column is part of the work.
    unit = a / np.linalg.norm(a, axis=0)
    coefficients = orthogonal_mp(unit, y, n_nonzero_coefs=terms)
    chosen = np.flatnonzero(coefficients)
    return chosen[np.argsort(-np.abs(coefficients[chosen]))]


def best_of(times, run):
    seconds = []
    for _ in range(times):
        begun = time.perf_counter()
        found = run()
        seconds.append(time.perf_counter() - begun)
    return min(seconds), found


def plain(folder):
    rng = np.random.default_rng(20)
    common = rng.standard_normal((ROWS, 10))
    a = rng.standard_normal((ROWS, COUNT)) + 0.3 * common @ rng.standard_normal((10, COUNT))
    a = np.asfortranarray(a * 10.0 ** rng.integers(-6, 7, COUNT))
    chosen = rng.choice(COUNT, TERMS, replace=False)
    unit = a[:, chosen] / np.linalg.norm(a[:, chosen], axis=0)
    # Every term is clearly weaker than the one before, so that all criteria agree.
    y = unit @ (100.0 * 0.8 ** np.arange(TERMS)) + 1e-3 * rng.standard_normal(ROWS)
    save(folder / "candidates.f64", a, y)
    lines = []
    for name, times, run in [
        ("scikit-learn orthogonal_mp", 3, lambda: omp(a, y, TERMS)),
        ("SysIdentPy error_reduction_ratio", 1, lambda: sysidentpy(a, y, TERMS)),
    ]:
        seconds, found = best_of(times, run)
        lines.append(f"{name};{seconds};{' '.join(str(int(j)) for j in found)}")
    (folder / "peers.txt").write_text("\n".join(lines) + "\n")


def dependent(folder):
    rng = np.random.default_rng(21)
    rows, pairs = 20_000, 10
    base = rng.standard_normal((rows, pairs))
    near = base + 3e-6 * rng.standard_normal((rows, pairs))
    a = np.asfortranarray(np.concatenate([base, near], axis=1))
    truth = np.concatenate([np.full(pairs, 1e5), np.full(pairs, -1e5 + 1.0)])
    y = a @ truth
    save(folder / "dependent.f64", a, y)

    def error(found):
        return float(np.max(np.abs(found / truth - 1.0)))

    lines = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        lines.append(f"normal equations (eq 38);{error(np.linalg.solve(a.T @ a, a.T @ y))}")
        gram = orthogonal_mp_gram(a.T @ a, a.T @ y, n_nonzero_coefs=2 * pairs)
        lines.append(f"scikit-learn orthogonal_mp_gram;{error(gram)}")
        q, r = np.linalg.qr(a)
        lines.append(f"NumPy Householder QR;{error(np.linalg.solve(r, q.T @ y))}")
    (folder / "dependent.txt").write_text("\n".join(lines) + "\n")


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    plain(folder)
    dependent(folder)


main()
