//! What the ladder says about the motion that a model is for.

use super::structure;
use crate::figures::{percent, rounded};
use crate::text::capital;
use crate::{Axis, Block, Pen, Plot, Section, Shape};
use masing_data::unit::Quantity;
use masing_identify::Names;
use masing_identify::compare::{Compared, Outlook, Rung, Standing};
use masing_model::MotionKind;

/// Share of the motion that has its like in the tests below which the weights say little.
const LITTLE_ALIKE: f64 = 0.5;

/// What a tied model deviates from the chosen one by on the motion, relative to the rms force.
pub(super) fn deviation(found: &Compared, rung: usize) -> Option<f64> {
    let outlook = found.outlook.as_ref()?;
    let at = outlook.forces.iter().position(|(own, _)| *own == rung)?;
    let differs = outlook.disagreement.as_ref()?.from_chosen.get(at)?;
    (found.ladder[rung].standing == Standing::Tied).then_some(*differs)
}

/// The sentences about the motion; none where none was given.
pub fn sentences(found: &Compared, motion: MotionKind) -> Vec<String> {
    let Some(outlook) = &found.outlook else {
        return vec![];
    };
    let names = Names::of(motion);
    let name = &outlook.name;
    let mut out = vec![format!(
        "Left-out errors are weighted by the speeds and amplitudes of `{name}`."
    )];
    if outlook.alike < LITTLE_ALIKE {
        out.push(format!(
            "Only {} of it has its like in the tests; the other errors count alike, and the weights say little.",
            percent(outlook.alike)
        ));
    }
    out.extend(outside(outlook));
    out.extend(beside(outlook, &names));
    out.extend(differ(found, outlook, &names));
    for rung in outlook.failed.iter().map(|i| &found.ladder[*i]) {
        out.push(format!(
            "{} could not be simulated over it.",
            structure(rung)
        ));
    }
    out
}

fn outside(outlook: &Outlook) -> Option<String> {
    let own = outlook.outside?;
    if own.any == 0.0 {
        return Some("All of it lies within the displacements and speeds of the tests.".to_owned());
    }
    let mut parts = vec![format!("displacement {}", percent(own.displacement))];
    if let Some(speed) = own.speed {
        parts.push(format!("speed {}", percent(speed)));
        parts.push(format!("both {}", percent(own.both)));
    }
    let any = percent(own.any);
    Some(format!(
        "{any} of it lies outside the tests ({}): there the force is extrapolated.",
        parts.join(", ")
    ))
}

fn beside(outlook: &Outlook, names: &Names) -> Option<String> {
    let said = |what: &str, (own, least): (f64, f64), quantity: Quantity, which: &str| {
        let (own, least) = (rounded(own, quantity, 3), rounded(least, quantity, 3));
        format!("{what} {own} ({least} in the {which} test)")
    };
    let smaller = outlook.beside.smaller;
    let smaller = smaller.map(|pair| said("swings by", pair, names.length, "smallest"));
    let slower = outlook.beside.slower;
    let slower = slower.map(|pair| said("moves with", pair, names.velocity, "slowest"));
    let parts: Vec<String> = smaller.into_iter().chain(slower).collect();
    (!parts.is_empty()).then(|| {
        format!(
            "It usually {}: a test that moves as little and as slowly would tell more.",
            parts.join(" and ")
        )
    })
}

fn differ(found: &Compared, outlook: &Outlook, names: &Names) -> Option<String> {
    let own = outlook.disagreement.as_ref()?;
    let levels = outlook.levels.iter().filter(|(name, _)| {
        let rungs = outlook.forces.iter().map(|(i, _)| &found.ladder[*i]);
        let mut conditions = rungs.flat_map(|r| r.trial.model.conditions());
        conditions.any(|c| c.name == **name)
    });
    let levels: Vec<String> = levels
        .map(|(name, level)| format!("{name} {level}"))
        .collect();
    let at = if levels.is_empty() {
        String::new()
    } else {
        format!(" (at {})", levels.join(", "))
    };
    let largest = &own.largest;
    let [low, high] = largest.models.map(|i| structure(&found.ladder[i]));
    let [least, most] = largest.force.map(|f| rounded(f, names.load, 3));
    Some(format!(
        "The {} tied models differ on it by {} of the rms {}{at}; most at {:.4} s, {} {} and {}: {least} by {low}, {most} by {high}.",
        outlook.forces.len(),
        percent(own.spread),
        names.force,
        largest.time,
        names.displacement,
        rounded(largest.x, names.length, 3),
        rounded(largest.v, names.velocity, 3),
    ))
}

/// The tied models over the motion.
pub fn section(found: &Compared, motion: MotionKind) -> Option<Section> {
    let outlook = found.outlook.as_ref()?;
    let names = Names::of(motion);
    let group = "target";
    let scaled = |values: &[f64], quantity: Quantity| -> Vec<f64> {
        let factor = quantity.engineering().1;
        values.iter().map(|v| v / factor).collect()
    };
    let time = outlook.motion.time();
    let time_axis = || Axis::new("time", "s");
    let mut forces = Plot::new(
        format!("Tied models over {}", outlook.name),
        Shape::History,
        time_axis(),
        Axis::of(names.force, names.load),
    )
    .grouped(group);
    let each: Vec<(String, Vec<f64>)> = outlook
        .forces
        .iter()
        .map(|(i, force)| (label(&found.ladder[*i]), scaled(force, names.load)))
        .collect();
    let traces = each.iter();
    forces.add_all(
        time,
        traces.map(|(name, force)| (Pen::Line, name.clone(), force.as_slice())),
    );
    if let Some(own) = &outlook.disagreement {
        forces.mark_x(own.largest.time, "largest difference");
    }
    let mut moved = Plot::new(
        capital(names.displacement),
        Shape::History,
        time_axis(),
        Axis::of(names.displacement, names.length),
    )
    .grouped(group)
    .low();
    moved.add(
        names.displacement,
        time,
        &scaled(outlook.motion.x(), names.length),
    );
    let blocks = vec![
        Block::Text(sentences(found, motion).join(" ")),
        Block::Plot(forces),
        Block::Plot(moved),
    ];
    Some(Section::new(format!("On {}", outlook.name), blocks))
}

fn label(rung: &Rung) -> String {
    match rung.standing {
        Standing::Chosen => format!("{} (chosen)", structure(rung)),
        _ => structure(rung),
    }
}
