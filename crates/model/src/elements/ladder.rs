//! The ladder of springs under the triboelastic chains `rt` and `sts`.
//!
//! ```text
//! x --kpa-- y1 --kr1-- y2 --kr2-- ... yN --krN-- ground
//! ```
//!
//! (K y)_j = K_jj y_j - kr_(j-1) y_(j-1) - kr_j y_(j+1), K_11 = kpa + kr_1, K_jj = kr_(j-1) + kr_j:
//! symmetric, tridiagonal, an M-matrix. `kr` may be one value for all cells or one per cell.

use crate::element::Memory;
use crate::error::ModelError;
use crate::law::{Features, Valley};
use crate::registry::{MOST_ENTRIES, Shape};
use crate::scalar::Scalar;
use crate::spec::{Param, Spec};
use std::ops::Range;

/// What `rt` and `sts` share: specification, number of cells, where the stiffness between cells and their friction stand.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    pub(crate) spec: Spec,
    pub(crate) cells: usize,
    pub(crate) kr: Range<usize>,
    pub(crate) friction: Range<usize>,
}

impl Chain {
    /// `cells` are given, or the length of the lists `kr` and `friction`. The states are the reference position, where the
    /// chain is unstrained, and the cells.
    pub(crate) fn new(
        shape: &Shape,
        memory: Memory,
        params: Vec<Param>,
        friction: &str,
    ) -> Result<Self, ModelError> {
        let lists = ["kr", friction];
        let by_lists = shape.common_length(&lists, 15, 2)?;
        let cells = shape.count("cells", by_lists, 2..=MOST_ENTRIES)?;
        let mut spec = Spec::new(memory, params).state("reference", "m");
        for j in 1..=cells {
            spec = spec.state(format!("y[{j}]"), "m");
        }
        for name in lists {
            match shape.lists.get(name) {
                Some(&len) if len != cells => {
                    return Err(ModelError::Lengths {
                        first: "cells".to_owned(),
                        first_len: cells,
                        second: name.to_owned(),
                        second_len: len,
                    });
                }
                Some(&len) => spec = spec.list(name, len),
                None => {}
            }
        }
        Ok(Self {
            kr: spec.range_of("kr"),
            friction: spec.range_of(friction),
            spec,
            cells,
        })
    }

    pub(crate) fn ladder<'a>(&self, p: &'a [f64]) -> Ladder<'a> {
        Ladder {
            kpa: p[KPA],
            kr: PerCell::new(&p[self.kr.clone()]),
            cells: self.cells,
        }
    }

    pub(crate) fn friction<'a>(&self, p: &'a [f64]) -> PerCell<'a> {
        PerCell::new(&p[self.friction.clone()])
    }

    /// The cells that parameter `q` of a list (or of the value shared by all) belongs to.
    pub(crate) fn cells_of(&self, list: &Range<usize>, q: usize) -> Range<usize> {
        if list.len() == 1 {
            0..self.cells
        } else {
            q - list.start..q - list.start + 1
        }
    }
}

/// What both chains say of themselves alike.
macro_rules! chain_law {
    () => {
        named_by!(chain.spec);

        fn guess(&self, features: &$crate::law::Features, _: f64) -> Vec<f64> {
            self.chain.guess(features)
        }

        fn guess_solves(&self) -> bool {
            true
        }

        fn valley(&self) -> Option<$crate::law::Valley> {
            self.chain.valley()
        }
    };
}

/// A chain rests where its reference is.
macro_rules! chain_at_rest {
    () => {
        fn law(&self) -> &dyn Law {
            self
        }

        fn rest(&self, _: &[f64], x: f64, z: &mut [f64]) {
            z.fill(0.0);
            z[0] = x;
        }

        fn rest_slope(&self, _: &[f64], _: f64, slope: &mut [f64]) {
            slope.fill(0.0);
            slope[0] = 1.0;
        }
    };
}

pub(crate) use {chain_at_rest, chain_law};

/// Speed exponent that a chain starts with.
const ALPHA: f64 = 0.1;

impl Chain {
    /// Inversion of the rate-independent chain, all but one cell loaded: with a = 1/kpa, b = (N-1)/kr the
    /// slopes and the secant beyond k0 are 1/a after, 1/(a + b) before a reversal, and 1/(a + b/2); so k0
    /// follows from their harmonic relation. (Bourgeteau et al., eqs 17 to 26; amplitudes throughout,
    /// which doubles the printed friction.)
    pub(crate) fn guess(&self, f: &Features) -> Vec<f64> {
        let cells = self.cells as f64;
        let (after, before, secant) = (f.slope_after, f.slope_before, f.secant);
        let sum = after + before;
        let mut k0 = (2.0 * after * before - secant * sum) / (sum - 2.0 * secant);
        if !(k0 > 0.02 * secant && k0 < 0.98 * before.min(secant)) {
            // Viscous lag makes the cusp steeper than friction would; fall back on the flat part.
            k0 = 0.7 * before.min(secant).max(0.05 * secant);
        }
        let kpa = (after - k0).max(0.1 * secant);
        let rest = 1.0 / (before - k0).max(0.02 * secant) - 1.0 / kpa;
        let kr = if rest > 0.0 {
            (cells - 1.0) / rest
        } else {
            cells * kpa
        };
        let friction = ((f.force - k0 * f.amplitude) / cells).max(1e-3 * f.force / cells);
        let of = |param: &Param| match param.base() {
            "k0" => k0,
            "kpa" => kpa,
            "kr" => kr,
            "ff" => friction,
            "c0" => friction / f.speed_above_zero().powf(ALPHA),
            "alpha" => ALPHA,
            _ => param.default,
        };
        self.spec.params.iter().map(of).collect()
    }

    /// A smooth cycle fixes k0, 1/kpa - 1/(2 kr) and the product of kr with the friction; kr alone comes
    /// from the kinks, so that along this curve there is one minimum for every number of cells that the
    /// test reaches. Only where all cells are alike.
    pub(crate) fn valley(&self) -> Option<Valley> {
        let (kr, friction) = (&self.kr, &self.friction);
        let alike = kr.len() == 1 && friction.len() == 1;
        alike.then(|| Valley {
            params: vec![kr.start, friction.start, KPA],
            walk: |values, factor| {
                let [kr, friction, kpa] = values else { return };
                let flexibility = 1.0 / *kpa - 0.5 / *kr;
                *kr *= factor;
                *friction /= factor;
                *kpa = 1.0 / (flexibility + 0.5 / *kr);
            },
        })
    }
}

/// Where kpa stands among the parameters of a chain.
const KPA: usize = 1;

/// One value for all cells, or one per cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PerCell<'a> {
    values: &'a [f64],
    stride: usize,
}

impl<'a> PerCell<'a> {
    pub(crate) fn new(values: &'a [f64]) -> Self {
        Self {
            values,
            stride: usize::from(values.len() > 1),
        }
    }

    #[inline]
    pub(crate) fn at(&self, cell: usize) -> f64 {
        self.values[cell * self.stride]
    }

    /// Whether all cells share one value.
    pub(crate) fn shared(&self) -> bool {
        self.stride == 0
    }

    /// Where the value of a cell stands in the list.
    #[inline]
    pub(crate) fn index(&self, cell: usize) -> usize {
        cell * self.stride
    }

    /// The smallest value.
    pub(crate) fn least(&self) -> f64 {
        self.values.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

/// The stiffness matrix of the chain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ladder<'a> {
    pub(crate) kpa: f64,
    pub(crate) kr: PerCell<'a>,
    pub(crate) cells: usize,
}

impl Ladder<'_> {
    /// K_jj.
    #[inline]
    pub(crate) fn diagonal(&self, j: usize) -> f64 {
        (if j == 0 { self.kpa } else { self.kr.at(j - 1) }) + self.kr.at(j)
    }

    /// Writes kappa K_jj and kappa kr_j.
    pub(crate) fn scaled(&self, kappa: f64, diagonal: &mut [f64], link: &mut [f64]) {
        for j in 0..self.cells {
            diagonal[j] = kappa * self.diagonal(j);
            link[j] = kappa * self.kr.at(j);
        }
    }

    /// (K y)_j.
    #[inline]
    pub(crate) fn row(&self, y: &[f64], j: usize) -> f64 {
        let mut sum = self.diagonal(j) * y[j];
        if j > 0 {
            sum -= self.kr.at(j - 1) * y[j - 1];
        }
        if j + 1 < self.cells {
            sum -= self.kr.at(j) * y[j + 1];
        }
        sum
    }

    /// Writes pull e1 - K y: the forces that springs exert on the cells.
    #[inline]
    pub(crate) fn forces(&self, pull: f64, y: &[f64], out: &mut [f64]) {
        let n = self.cells;
        forces(pull, self.kpa, |j| self.kr.at(j), &y[..n], &mut out[..n]);
    }

    /// Stretch of the spring behind cell `j`: to the next cell, or to ground for the last one.
    #[inline]
    pub(crate) fn stretch(&self, y: &[f64], j: usize) -> f64 {
        y[j] - if j + 1 < self.cells { y[j + 1] } else { 0.0 }
    }

    /// d(K y)_i/d kr_j is +-`stretch(y, j)` in rows j and j + 1: adds `weight` times it to `out`.
    #[inline]
    pub(crate) fn add_spring(
        &self,
        y: &[f64],
        j: usize,
        weight: f64,
        mut out: impl FnMut(usize, f64),
    ) {
        let force = weight * self.stretch(y, j);
        out(j, force);
        if j + 1 < self.cells {
            out(j + 1, -force);
        }
    }
}

/// Writes pull e1 - K y for springs of stiffness `kpa` and `kr(j)`.
#[inline]
pub(crate) fn forces<S: Scalar>(pull: S, kpa: S, kr: impl Fn(usize) -> S, y: &[S], out: &mut [S]) {
    let n = y.len();
    // Force in the spring before the cell, then in the one behind it.
    let mut before = pull - kpa * y[0];
    for j in 0..n {
        let next = if j + 1 < n { y[j + 1] } else { 0.0.into() };
        let behind = kr(j) * (y[j] - next);
        out[j] = before - behind;
        before = behind;
    }
}

/// Cuts scratch room into rows of length `n`.
pub(crate) fn rows<const K: usize>(room: &mut [f64], n: usize) -> [&mut [f64]; K] {
    let mut chunks = room.chunks_exact_mut(n);
    std::array::from_fn(|_| chunks.next().expect("the caller sized the scratch room"))
}
