//! What a force-displacement record shows at a glance: sizes from which a law makes its first guess.

/// Features of the largest loop of a record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Features {
    /// Half the range of the displacement.
    pub amplitude: f64,
    /// Half the range of the force.
    pub force: f64,
    /// Slope just after a reversal.
    pub slope_after: f64,
    /// Slope just before a reversal.
    pub slope_before: f64,
    /// Range of the force over the range of the displacement.
    pub secant: f64,
    /// Mean absolute speed.
    pub speed: f64,
    /// Energy dissipated per stretch of four amplitudes.
    pub energy: f64,
}

impl Features {
    /// The friction force that would dissipate as much: at least a twentieth of the force, so that no
    /// guess begins with a law that does nothing.
    pub fn friction(&self) -> f64 {
        (self.energy / (4.0 * self.amplitude)).max(0.05 * self.force)
    }

    /// The same loop with that many times the force.
    #[must_use]
    pub fn scaled(self, times: f64) -> Self {
        Self {
            force: self.force * times,
            slope_after: self.slope_after * times,
            slope_before: self.slope_before * times,
            secant: self.secant * times,
            energy: self.energy * times,
            ..self
        }
    }

    /// The speed, never zero: records without a time column have none.
    pub fn speed_above_zero(&self) -> f64 {
        self.speed.max(1e-9)
    }
}
