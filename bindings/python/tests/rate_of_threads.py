"""Fits in two threads beside one: prints fits per second; nothing is judged."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import masing

ROOT = Path(os.environ.get("MASING_ROOT", Path(__file__).parents[3]))
FILE = ROOT / "examples/bushing/triangle.csv"
FITS = 4
ROUNDS = 3


def rate(threads: int) -> float:
    """Fits per second in so many threads, each fit in its own."""
    begun = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda _: masing.fit(FILE, "rt", threads=1), range(FITS)))
    return FITS / (time.perf_counter() - begun)


if __name__ == "__main__":
    rate(1)
    rates = {threads: max(rate(threads) for _ in range(ROUNDS)) for threads in (1, 2)}
    print(f"fits per second, one rt bushing and one record, best of {ROUNDS}, {os.cpu_count()} cores:")
    for threads, value in rates.items():
        print(f"  {threads} thread{'s' if threads > 1 else ' '}  {value:.3f}")
    print(f"  ratio      {rates[2] / rates[1]:.2f}")
