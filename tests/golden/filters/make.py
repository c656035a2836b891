"""Writes filters.csv and record.csv: see SOURCE.md."""

import numpy as np
from scipy.signal import butter, lfilter, lfilter_zi, sosfilt, sosfilt_zi

STEP = 2e-3


def average(samples, x):
    """A moving average, before which the signal was as at its first sample."""
    b = np.ones(samples) / samples
    return lfilter(b, 1.0, x, zi=lfilter_zi(b, 1.0) * x[0])[0]


def low_pass(order, frequency, x):
    """A low-pass, before which the signal was as at its first sample."""
    sections = butter(order, frequency, fs=1.0 / STEP, output="sos")
    return sosfilt(sections, x, zi=sosfilt_zi(sections) * x[0])[0]


def write(name, columns, digits):
    with open(name, "w") as out:
        out.write(",".join(columns) + "\n")
        for row in zip(*columns.values()):
            out.write(",".join(f"{value:.{digits}g}" for value in row) + "\n")


def filters():
    n = 200
    t = STEP * np.arange(n)
    x = 3.0 + np.sin(17.0 * t) + 0.4 * np.sin(300.0 * t + 1.0) + 0.3 * (t > 0.2)
    columns = {"x": x, "average-2": average(2, x), "average-37": average(37, x)}
    for order in (1, 2, 3, 4):
        for frequency in (3.0, 40.0, 200.0):
            columns[f"low-pass-{order}-{frequency:g}"] = low_pass(order, frequency, x)
    write("filters.csv", columns, 15)


def record():
    """A Jenkins element (spring 2e5 N/m, friction 120 N) beside a dashpot (900 N s/m), whose measured force went through an
    average of 12 samples and a low-pass of order 2 at 12 Hz."""
    n, k, limit, c = 1500, 2e5, 120.0, 900.0
    t = STEP * np.arange(n)
    x = 1e-3 * np.sin(2 * np.pi * 1.3 * t) * np.minimum(t / 0.5, 1.0)
    v = np.diff(x, prepend=x[0]) / STEP
    z, force = 0.0, np.zeros(n)
    for i in range(n):
        if i > 0:
            z = np.clip(z + k * (x[i] - x[i - 1]), -limit, limit)
        # The dashpot feels the slope of the displacement at the sample: the mean of both sides inside the record.
        slope = 0.5 * (v[i] + v[i + 1]) if 0 < i < n - 1 else v[max(i, 1)]
        force[i] = z + c * slope
    filtered = low_pass(2, 12.0, average(12, force))
    rng = np.random.default_rng(1)
    noisy = filtered + 0.3 * rng.standard_normal(n)
    write("record.csv", {"time [s]": t, "displacement [m]": x, "force [N]": noisy}, 9)


filters()
record()
