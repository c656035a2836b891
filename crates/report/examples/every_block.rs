//! A page with every kind of block, each as full as it gets: what the browser check looks at.
//!
//! `cargo run -p masing-export --example every_block > page.html`

use masing_report::{
    Axis, Bar, Bars, Block, Interval, Intervals, Matrix, Note, Page, Pen, Plot, Section, Shape,
    Table,
};

/// As many parameters as a chain of 15 cells with its own values in each has.
const PARAMETERS: usize = 33;

fn name(i: usize) -> String {
    match i {
        0 => "polynomial-dashpot-2.c13".to_owned(),
        1 => "a parameter whose name is much longer than any reasonable name of a parameter"
            .to_owned(),
        i => format!("rt.kr[{}]", i - 1),
    }
}

fn loops(samples: usize) -> Plot {
    let axes = (Axis::new("displacement", "mm"), Axis::new("force", "N"));
    let mut plot = Plot::new("Loop", Shape::Path, axes.0, axes.1);
    let phase = |i: usize| std::f64::consts::TAU * i as f64 / samples as f64;
    let x: Vec<f64> = (0..=samples).map(|i| phase(i).sin()).collect();
    let model: Vec<f64> = (0..=samples).map(|i| (phase(i) + 0.2).sin()).collect();
    let measured: Vec<f64> = (0..=samples)
        .map(|i| model[i] + 0.02 * (997.0 * phase(i)).sin())
        .collect();
    let traces = [
        (Pen::Measured, "measured".to_owned(), &measured[..]),
        (Pen::Model, "model".to_owned(), &model[..]),
    ];
    plot.add_all(&x, traces);
    plot
}

fn histories() -> [Plot; 2] {
    // A time of day in a record that nobody has thinned out.
    let time: Vec<f64> = (0..20_000).map(|i| 1.7e9 + 1e-3 * f64::from(i)).collect();
    let plot = |title: &str| {
        let plot = Plot::new(
            title,
            Shape::History,
            Axis::new("time", "s"),
            Axis::new("force", "N"),
        );
        plot.grouped("histories")
    };
    let model: Vec<f64> = time.iter().map(|t| 500.0 * (t - 1.7e9).sin()).collect();
    let mut measured = model.clone();
    measured[5000..6000].fill(f64::NAN);
    let mut over_time = plot("Force over time");
    let traces = [
        (Pen::Measured, "measured".to_owned(), &measured[..]),
        (Pen::Model, "model".to_owned(), &model[..]),
    ];
    over_time.add_all(&time, traces);
    let mut low = plot("Difference").low();
    low.add("difference", &time, &model);
    [over_time, low]
}

fn spectrum() -> Plot {
    let axes = (
        Axis::new("frequency", "Hz").log(),
        Axis::new("dynamic stiffness", "N/mm").log(),
    );
    let mut plot = Plot::new("Dynamic stiffness", Shape::Path, axes.0, axes.1);
    let frequency: Vec<f64> = (0..9).map(|i| 10_f64.powf(0.25 * f64::from(i))).collect();
    for k in 0..4 {
        let stiffness: Vec<f64> = frequency
            .iter()
            .map(|f| f.powf(0.1) * 10_f64.powi(k))
            .collect();
        let colour = k.unsigned_abs() as usize;
        plot.add_coloured(
            colour,
            Pen::Points,
            format!("± {k} mm, measured"),
            &frequency,
            &stiffness,
        );
        plot.add_coloured(
            colour,
            Pen::Dotted,
            format!("± {k} mm"),
            &frequency,
            &stiffness,
        );
    }
    plot
}

fn convergence() -> Plot {
    let axes = (Axis::new("evaluations", ""), Axis::new("error", "%").log());
    let mut plot = Plot::new("Convergence", Shape::Path, axes.0, axes.1).low();
    let count: Vec<f64> = (0..60).map(f64::from).collect();
    let error: Vec<f64> = count.iter().map(|n| 100.0 * 0.6_f64.powf(*n)).collect();
    plot.add("error", &count, &error);
    plot
}

fn intervals(widest: f64) -> Intervals {
    let rows = (0..PARAMETERS).map(|i| {
        let factor = widest.powf(i as f64 / PARAMETERS as f64);
        Interval {
            name: name(i),
            text: format!("× {:.2} to {factor:.2}", 1.0 / factor),
            ratio: (i != 3).then_some([1.0 / factor, factor]),
            firm: factor < 1.5,
        }
    });
    Intervals {
        title: "How well each parameter is determined".to_owned(),
        axis: "95 % interval, relative to the value".to_owned(),
        rows: rows.collect(),
    }
}

fn bars() -> Bars {
    let rows = (0..12).map(|i| {
        let value = if i == 11 {
            f64::INFINITY
        } else {
            0.3 * f64::from(i)
        };
        Bar {
            name: format!("triangle, {i} mm, 23 degrees, sample 7, after conditioning"),
            value,
            text: format!("{value:.1} %"),
            marked: i > 8,
        }
    });
    Bars {
        title: "Error of every test".to_owned(),
        axis: "error, % of rms force".to_owned(),
        rows: rows.collect(),
        from: None,
        legend: ["fitted".to_owned(), "held out".to_owned()],
    }
}

fn matrix(size: usize) -> Matrix {
    let values = (0..size * size).map(|k| {
        let (i, j) = ((k / size) as f64, (k % size) as f64);
        if i == 4.0 && j == 2.0 {
            f64::NAN
        } else {
            (i * j).cos()
        }
    });
    Matrix {
        title: format!("Correlation of {size} parameters"),
        names: (0..size).map(name).collect(),
        values: values.collect(),
    }
}

fn words() -> Vec<Block> {
    let long = "`a name between backticks` and ".repeat(8);
    vec![
        Block::Verdict {
            good: true,
            text: long.clone(),
        },
        Block::Notes(vec![Note {
            text: long.clone(),
            advice: Some(long.clone()),
        }]),
        Block::Facts(vec![
            ("name".to_owned(), "value ".repeat(30)),
            ("a long name ".repeat(10), "value".to_owned()),
            ("hash".to_owned(), "0123456789abcdef".repeat(8)),
        ]),
        Block::Table(Table {
            header: vec!["column\nunit".to_owned(); 9],
            rows: vec![vec!["01234567".to_owned(); 9]; 20],
            note: Some(long.clone()),
            words: false,
            word_columns: vec![0],
        }),
        Block::Listing("a line of text that is long ".repeat(20)),
    ]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [over_time, difference] = histories();
    let sections = vec![
        Section::new("Words", words()),
        Section::new(
            "Plots",
            vec![
                Block::Columns(vec![
                    vec![Block::Plot(loops(500))],
                    vec![Block::Plot(over_time), Block::Plot(difference)],
                ]),
                Block::Plot(spectrum()),
            ],
        )
        .on_new_sheet(),
        Section::new(
            "Charts",
            vec![
                Block::Intervals(intervals(1.4)),
                Block::Intervals(intervals(1e6)),
                Block::Bars(bars()),
            ],
        ),
        Section::new(
            "Folded",
            vec![
                Block::Matrix(matrix(5)),
                Block::Matrix(matrix(PARAMETERS)),
                Block::Plot(convergence()),
            ],
        )
        .expert(),
    ];
    let page = Page {
        title: "Every kind of block".to_owned(),
        subtitle: "As full as it gets".to_owned(),
        sections,
        footer: "An example of masing-export.".to_owned(),
    };
    println!("{}", page.render()?);
    Ok(())
}
