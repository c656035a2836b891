"""Keyword arguments of the commands.

Written by ``cargo xtask generate`` from the types of the program; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict


class ReadingKeywords(TypedDict, total=False):
    """How files are read."""

    columns: str | Mapping[str, float | str] | None
    """Which column plays which role; a name, a number from 1, or a sum or difference of those."""
    units: str | Mapping[str, str] | None
    """Units of roles or columns."""
    flip: str | Sequence[str] | None
    """Channels whose sign is turned."""
    zero: str | Mapping[str, float | str] | None
    """Channels whose offset is removed: "mean", "first", "midrange" or a value such as "0.2mm"."""
    window: str | Mapping[str, Any] | Sequence[float | str] | None
    """The part of the record that counts: "all", "stabilised" (last full cycle), { cycle = 3 } or [0.5, 2.0] in
    seconds. What comes before it is its history. Default: "all"."""
    gaps: Literal["keep", "interpolate"] | None
    """What to do with missing values of motion, load or time. Default: "keep", which refuses them."""
    rate: float | str | None
    """Samples per second of a file without a time column, such as "200Hz"."""
    cycle: int | None
    """Only this cycle, from 1."""


class ValidateKeywords(ReadingKeywords, total=False):
    """What is said about every test."""

    preload: float | str | None
    """What the part is under before the test: a displacement or a force, such as "2.2mm" or "150N"."""
    nuisance: str | Sequence[str] | Mapping[str, Any] | None
    """What the rig may have added to the record, estimated with the parameters."""


class FitKeywords(ValidateKeywords, total=False):
    """How to search."""

    fix: Mapping[str, float | str] | None
    """Hold a parameter at a value: SI, or with a unit, such as rt.k0=200N/mm."""
    start: Mapping[str, float | str] | None
    """Start a parameter at a value: SI, or with a unit."""
    cells: int | None
    """Cells of a chain."""
    weights: Literal["equal", "noise"] | None
    """How tests count against each other."""
    loss: Literal["linear", "huber", "soft-l1"] | None
    """How much large residuals count; huber and soft-l1 are not pulled by outliers."""
    method: Literal["auto", "trust-region", "bfgs", "lbfgs", "semi-analytic"] | None
    """How to search."""
    follow: str | Sequence[str] | None
    """Let a parameter follow a condition of the tests: eyring-dashpot.f=current:exp-quadratic; without a form,
    or with auto, it is chosen by levels left out; a second condition after *."""
    tikhonov: Mapping[str, Mapping[str, Any]] | None
    """Parameters held towards a value, by address."""
    profile: str | Sequence[str] | None
    """Follow the likelihood along a parameter: an interval that needs no straight lines."""
    no_scan: bool | None
    """Do not look for other minima along the valley of a chain."""
    seed: int | None
    """Seed of the search."""
    threads: int | None
    """Tests simulated at the same time; all cores if left out. The result is the same."""


class CompareKeywords(ValidateKeywords, total=False):
    """What is compared, and for how long."""

    models: str | Sequence[str] | None
    """Models to compare, such as 'bouc-wen+dashpot,series(gap,slider)+dashpot,rt'; found from the records if
    left out."""
    budget: str | None
    """Most candidates that are tried, such as 40; or a time such as 60s, and then the result depends on the
    machine."""


class TermsKeywords(ReadingKeywords, total=False):
    """How to choose terms."""

    preload: float | str | Mapping[str, float | str] | None
    """What the part is under before the tests: 2.2mm or 150N, or per test: test1=2.2mm,test2=1mm. Left out, it
    is found from the data."""
    terms: str | Sequence[str] | None
    """Candidate terms: k1, k2, ... (powers of the displacement), c1, c2, ... (powers of the velocity), one,
    sgn, products such as x^2*v, columns of the files [default: k1,k3,k5,c1,c3,c5,c7,c9,c11,c13]."""
    degree: int | None
    """Highest degree of the Chebyshev terms in the ranking."""
    ranking: Literal["chebyshev", "sliders"] | None
    """What stands for friction among the ranked terms; the model has spring-sliders in any case."""
    sign: Literal["turns", "velocity"] | None
    """Where the direction of a branch comes from."""
    slope: Literal["savitzky-golay", "forward"] | None
    """How the velocity is found where no column gives it."""


class StagesKeywords(ReadingKeywords, total=False):
    """How to characterise a device."""

    inertia: float | str | None
    """Inertia on the device in the fast test, such as 0.25 (kg m^2); a mass in kg for lengths and forces."""
    stages: str | Sequence[int] | None
    """Number of drive and coast stages; found from the record if left out."""
    eta: float | None
    """Sharpness of the friction (s/rad or s/m); from the peak speed if left out."""
    time_scale: float | str | None
    """Unit of time of R4 to R6 and of the window of the linearisation, such as 0.1s."""
    clearance_friction: bool | None
    """Seek friction within the clearance too."""
