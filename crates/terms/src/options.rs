//! What is looked for.

use super::dictionary::Term;
use super::test::{Sign, Slope};

/// What is looked for.
#[derive(Clone, Debug)]
pub struct Options {
    /// Powers of the displacement.
    pub stiffness: Vec<u32>,
    /// Powers of the velocity.
    pub damping: Vec<u32>,
    /// Further candidates.
    pub extra: Vec<Term>,
    /// Highest degree of the Chebyshev terms in the ranking; none leaves them out.
    pub chebyshev: Option<u32>,
    /// Whether the ranking has spring-sliders over a grid of slip displacements in place of the Chebyshev terms.
    pub sliders: bool,
    /// Where the direction of a branch comes from.
    pub sign: Sign,
    /// How the velocity is found.
    pub slope: Slope,
    /// Threads.
    pub workers: usize,
}

impl Default for Options {
    /// The dictionary of the paper: k1 k3 k5, c1 to c13, a0 to a10.
    fn default() -> Self {
        Self {
            stiffness: vec![1, 3, 5],
            damping: vec![1, 3, 5, 7, 9, 11, 13],
            extra: Vec::new(),
            chebyshev: Some(10),
            sliders: false,
            sign: Sign::default(),
            slope: Slope::default(),
            workers: 1,
        }
    }
}

impl Options {
    /// Linear candidates without memory.
    pub fn linear(&self) -> Vec<Term> {
        let stiffness = self.stiffness.iter().map(|p| Term::Stiffness(*p));
        let damping = self.damping.iter().map(|p| Term::Damping(*p));
        let extra = self.extra.iter().cloned();
        stiffness.chain(damping).chain(extra).collect()
    }

    /// All candidates of the ranking; `grid` are the slip displacements that are tried.
    pub fn dictionary(&self, grid: &[f64]) -> Vec<Term> {
        let mut terms = self.linear();
        if self.sliders {
            terms.extend(grid.iter().map(|r| Term::Slider(*r)));
        } else if let Some(degree) = self.chebyshev {
            terms.extend((0..=degree).map(Term::Chebyshev));
        }
        terms
    }
}
