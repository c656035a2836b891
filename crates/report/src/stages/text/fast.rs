//! The fast record for people.

use crate::figures::significant;
use crate::stages::json::{FastDocument, MetricsDocument, RefinedDocument};
use crate::stages::unit_text::Words;
use crate::stages::unit_text::{figure, heading, optional_figure};

/// A table: header and rows.
pub(crate) type Rows = (Vec<String>, Vec<Vec<String>>);

/// What changed under fast loading, in sentences.
pub(crate) fn sentence(fast: &FastDocument, words: &Words) -> String {
    let energy = &fast.dynamic.energy;
    let names = &words.names;
    let unit = names.length.engineering().0;
    let dissipated = format!(
        "Under fast loading {} J were dissipated, {} times what the slow friction would.",
        significant(energy.dissipated, 3),
        significant(energy.dissipated / energy.quasi_static, 3),
    );
    let best = match fast.ranking.first() {
        Some(best) => {
            let own = fast.formulations.iter().find(|f| f.name == *best);
            let error = own.map_or(f64::NAN, |f| f.metrics.rms_theta);
            let slow = fast.formulations.iter().find(|f| f.name == "D0");
            let slow = slow.map_or(f64::NAN, |f| f.metrics.rms_theta);
            let meets = format!(
                "{best} ({}), with an error of {} {unit} rms",
                about(best),
                figure(error, names.length, 3)
            );
            if *best != "D0" && error > 0.5 * slow {
                format!(
                    "No formulation describes the record much better than the slow friction does; the nearest is {meets}."
                )
            } else {
                format!("The formulation that meets the record best is {meets}.")
            }
        }
        None => "Which formulation is right this record cannot tell.".to_owned(),
    };
    let missed = fast.beyond_noise;
    let best = if missed && !fast.ranking.is_empty() {
        format!(
            "{best} That order is not certain, because even the refined device misses the record."
        )
    } else {
        best
    };
    let refined = format!(
        "Refined by least squares the error is {} {unit} rms, and the measurement is met {}.",
        figure(fast.refined.metrics.rms_theta, names.length, 3),
        if missed {
            "less well than its noise would allow"
        } else {
            "to within its noise"
        },
    );
    [dissipated, best, refined].join(" ")
}

/// A formulation in words.
pub(crate) fn about(name: &str) -> &'static str {
    match name {
        "D0" => "the friction of the slow test",
        "D1.1" => "one viscous damper",
        "D1.2" => "one friction",
        "D2.1" => "slow friction and one viscous damper",
        "D2.2" => "slow friction and one more friction",
        "D3.1" => "viscous damping of every stage",
        "D3.2" => "friction of every stage",
        _ => "",
    }
}

/// The formulations, best first.
pub(crate) fn ranking(fast: &FastDocument, words: &Words) -> Rows {
    let names = &words.names;
    let header = vec![
        "formulation".to_owned(),
        heading("error, rms", names.length),
        String::new(),
        "estimated (SI)".to_owned(),
    ];
    let mut order: Vec<_> = fast.formulations.iter().collect();
    order.sort_by(|a, b| a.metrics.rms_theta.total_cmp(&b.metrics.rms_theta));
    let rows = order.into_iter().map(|f| {
        let pairs = f.parameters.iter();
        let values: Vec<String> = pairs
            .map(|(name, v)| format!("{name} {}", significant(v.as_f64().unwrap_or(f64::NAN), 3)))
            .collect();
        let values = match values.len() {
            0..=2 => values.join(", "),
            many => format!("{many} values, one per stage"),
        };
        vec![
            f.name.to_owned(),
            figure(f.metrics.rms_theta, names.length, 3),
            about(f.name).to_owned(),
            values,
        ]
    });
    (header, rows.collect())
}

/// The refined nodes.
pub(crate) fn refined(refined: &RefinedDocument, words: &Words) -> Rows {
    let names = &words.names;
    let header = vec![
        "node".to_owned(),
        heading(names.displacement, names.length),
        "+-".to_owned(),
        heading(names.force, names.load),
        heading("stiffness of stage", names.stiffness),
        "+-".to_owned(),
        heading("friction h", names.load),
        "+-".to_owned(),
        heading("hysteresis 2h", names.load),
        "status of h".to_owned(),
    ];
    let rows = refined.nodes.iter().map(|node| {
        let stage = refined.stages.iter().find(|s| s.name == node.name);
        let error = stage.map(|s| s.std_error).filter(|e| *e > 0.0);
        vec![
            node.name.clone(),
            figure(node.angle, names.length, 4),
            optional_figure(node.std_error.angle, names.length, 2),
            figure(node.torque, names.load, 4),
            optional_figure(stage.map(|s| s.stiffness), names.stiffness, 4),
            optional_figure(error, names.stiffness, 2),
            figure(node.friction, names.load, 3),
            optional_figure(node.std_error.friction, names.load, 2),
            figure(node.hysteresis, names.load, 3),
            in_words(node.status.unwrap_or("")).to_owned(),
        ]
    });
    (header, rows.collect())
}

fn in_words(status: &str) -> &str {
    match status {
        "not-reached" => "not reached by the dynamic test",
        "poorly-determined" => "poorly determined",
        "at-bound" => "at a bound",
        "fixed" => "held",
        other => other,
    }
}

/// R1 to R6 as in the paper's Table 3, a column per formulation.
pub(crate) fn table_3(fast: &FastDocument) -> Rows {
    let mut header = vec![String::new()];
    let mut columns: Vec<&MetricsDocument> = Vec::new();
    for f in &fast.formulations {
        header.push(f.name.to_owned());
        columns.push(&f.metrics);
    }
    header.push("refined".to_owned());
    columns.push(&fast.refined.metrics);
    let shown = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |v| significant(v, 3));
    let row = |name: &str, value: &dyn Fn(&MetricsDocument) -> Option<f64>| {
        let mut cells = vec![name.to_owned()];
        cells.extend(columns.iter().map(|m| shown(value(m))));
        cells
    };
    let mut rows = Vec::new();
    for (k, name) in ["R1", "R2", "R3"].into_iter().enumerate() {
        let of = move |m: &MetricsDocument| [m.r1, m.r2, m.r3][k];
        rows.push(row(&format!("{name}(theta)"), &|m| of(m).map(|e| e.theta)));
        rows.push(row(&format!("{name}(omega)"), &|m| of(m).map(|e| e.omega)));
        rows.push(row(&format!("{name}(alpha)"), &|m| of(m).map(|e| e.alpha)));
    }
    for (k, name) in ["R4", "R5", "R6"].into_iter().enumerate() {
        rows.push(row(name, &move |m| m.periods()[k]));
        rows.push(row(&format!("{name}, last crossing"), &move |m| {
            m.last_crossing[k]
        }));
    }
    (header, rows)
}

/// Friction from the energy over time: a column for each set of sources of dissipation.
pub(crate) fn cumulative(fast: &FastDocument, words: &Words) -> Rows {
    let names = &words.names;
    let (load, factor) = names.load.engineering();
    let (length, scale) = names.length.engineering();
    let (mut header, mut columns) = (vec!["node".to_owned()], Vec::new());
    for own in &fast.dynamic.cumulative {
        let with = match (own.clearance_friction, own.viscous) {
            (false, "none") => "alone",
            (true, "none") => "and clearance",
            (_, "one") => "and one damper",
            _ => "and dampers",
        };
        header.push(format!("h {with}\n{load}"));
        let number = |value: f64| significant(value, 3);
        let chi2 = number(own.chi2);
        let friction = own.nodes.iter().map(|n| number(n.friction / factor));
        columns.push(friction.chain([chi2]).collect::<Vec<String>>());
        if own.viscous != "none" {
            header.push(format!("c\n{load} s/{length}"));
            let damping = own.nodes.iter().map(|n| number(n.viscous * scale / factor));
            columns.push(damping.chain([String::new()]).collect());
        }
    }
    let nodes = fast.refined.nodes.iter().map(|n| n.name.clone());
    let rows = nodes
        .chain(["chi2".to_owned()])
        .enumerate()
        .map(|(i, name)| {
            let cells = columns.iter().map(|column| column[i].clone());
            std::iter::once(name).chain(cells).collect()
        });
    (header, rows.collect())
}
