//! The seven formulations of dissipation under fast loading.
//!
//! D0 is the friction of the slow test. D1 replaces it by one damper (D1.1) or one friction (D1.2) everywhere; D2 adds
//! that to it; D3 has damping (D3.1) or friction (D3.2) of its own at every node.

use super::device::Device;
use super::energy::Energy;

/// Friction and damping at the nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Formulation {
    /// `D0`, `D1.1`, ...
    pub name: &'static str,
    /// What was estimated: `c`, `h`, or `h.I+` and the like.
    pub parameters: Vec<(String, f64)>,
    /// Friction at the nodes.
    pub friction: Vec<f64>,
    /// Damping at the nodes.
    pub viscous: Vec<f64>,
}

/// All seven, from the energy balance.
pub fn formulations(device: &Device, energy: &Energy) -> Vec<Formulation> {
    let n = device.len();
    let none = vec![0.0; n];
    let slow: Vec<f64> = device.friction.iter().map(|h| h.max(0.0)).collect();
    let dissipated = energy.dissipated.max(0.0);
    let more = (energy.dissipated - energy.slow).max(0.0);
    let (c1, h1) = (dissipated / energy.viscous, dissipated / energy.coulomb);
    let (c2, h2) = (more / energy.viscous, more / energy.coulomb);
    let (mut c3, mut h3) = (none.clone(), none.clone());
    for node in device.minus..=device.plus {
        [h3[node], c3[node]] = energy.grown(device, node);
    }
    for stage in &energy.stages {
        h3[stage.stage.outer] = stage.friction;
        c3[stage.stage.outer] = stage.viscous;
    }
    let named = |kind: &str, values: &[f64]| -> Vec<(String, f64)> {
        let outer = energy.stages.iter().map(|s| s.stage.outer);
        outer
            .map(|i| (format!("{kind}.{}", device.name(i)), values[i]))
            .collect()
    };
    let one = |kind: &str, value: f64| vec![(kind.to_owned(), value)];
    let added: Vec<f64> = slow.iter().map(|h| h + h2).collect();
    let all = [
        ("D0", Vec::new(), slow.clone(), none.clone()),
        ("D1.1", one("c", c1), none.clone(), vec![c1; n]),
        ("D1.2", one("h", h1), vec![h1; n], none.clone()),
        ("D2.1", one("c", c2), slow.clone(), vec![c2; n]),
        ("D2.2", one("h", h2), added, none.clone()),
        ("D3.1", named("c", &c3), none.clone(), c3),
        ("D3.2", named("h", &h3), h3, none),
    ];
    all.into_iter()
        .map(|(name, parameters, friction, viscous)| Formulation {
            name,
            parameters,
            friction,
            viscous,
        })
        .collect()
}
