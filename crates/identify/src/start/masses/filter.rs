//! Derivatives without differentiation: a channel and the load sent through the same low-passes.
//!
//! L = lambda/(s + lambda) is the lag of first order. From powers of it follow s^j lambda^(4-j)/(s +
//! lambda)^4 = lambda^j (1 - L)^j L^(4-j) up to a factor: derivatives of what was measured, all delayed
//! and smoothed in the same way, so that a linear equation between them still holds.

/// Order of the filter: one beyond twice differentiated.
pub(super) const ORDER: usize = 4;

/// A channel after 0 to 4 lags.
pub(super) struct Lagged {
    after: Vec<Vec<f64>>,
    rate: f64,
}

impl Lagged {
    /// Sends a channel, straight between its samples, through lags of that rate (1/s).
    pub(super) fn new(time: &[f64], values: &[f64], rate: f64) -> Self {
        let mut after = vec![values.to_vec()];
        for k in 0..ORDER {
            let next = lag(time, &after[k], rate);
            after.push(next);
        }
        Self { after, rate }
    }

    /// The channel differentiated `order` times, at a sample.
    pub(super) fn derivative(&self, order: usize, sample: usize) -> f64 {
        // (1 - L)^j L^(4-j): binomial coefficients of alternating sign.
        let mut sum = 0.0;
        let mut coefficient = 1.0;
        for i in 0..=order {
            sum += coefficient * self.after[ORDER - order + i][sample];
            coefficient *= -((order - i) as f64) / (i + 1) as f64;
        }
        sum * self.rate.powi(order as i32)
    }
}

/// y' = rate (x - y) from y = 0, exactly for an x of straight lines.
fn lag(time: &[f64], x: &[f64], rate: f64) -> Vec<f64> {
    let mut out = Vec::with_capacity(x.len());
    let mut y = 0.0;
    out.push(y);
    for i in 1..x.len() {
        let step = rate * (time[i] - time[i - 1]);
        let decay = (-step).exp();
        // Mean of the decay over the step.
        let mean = -(-step).exp_m1() / step;
        y = decay * y + (mean - decay) * x[i - 1] + (1.0 - mean) * x[i];
        out.push(y);
    }
    out
}

/// What remains of any initial state after that time: the free motions of the filter.
pub(super) fn beginnings(since: f64, rate: f64) -> [f64; ORDER] {
    let t = rate * since;
    let decay = (-t).exp();
    [decay, t * decay, t * t * decay, t * t * t * decay]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_of_a_sine_agree_with_each_other() {
        let (w, rate) = (30.0, 40.0);
        let time: Vec<f64> = (0..4000).map(|i| f64::from(i) * 5e-4).collect();
        let sine: Vec<f64> = time.iter().map(|t| (w * t).sin()).collect();
        let x = Lagged::new(&time, &sine, rate);
        for i in 2000..4000 {
            // 1e-4: straight lines between 400 samples a period.
            let balance = x.derivative(2, i) + w * w * x.derivative(0, i);
            assert!(balance.abs() < 1e-4 * w * w, "{balance}");
        }
    }
}
