//! Diagnostics of terms: what the data support of a sum of powers and spring-sliders.

use crate::advice::Advice;
use crate::thresholds;
use crate::words::listed;

/// In what a held-out test goes beyond the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beyond {
    /// Speed.
    Faster,
    /// Amplitude.
    Larger,
}

diagnostics! {
    /// What the search for terms has to say.
    pub enum TermsDiagnostic, "Terms" {
        /// The damping terms feed energy in at speeds that were tested.
        NonPassive { from: f64 = 0.065, top_speed: f64 = 0.19 }
        code: "non-passive", severity: Untrusted;
        trigger: "The power of the damping terms is negative somewhere inside the tested speeds.";
        message(units): format!(
            "the damping terms feed energy in {}, inside the tested speeds (up to {}); the model must not be used there",
            if *from < 1e-3 * top_speed {
                "from the smallest speeds on".to_owned()
            } else {
                format!("above {}", units.show_speed(*from))
            },
            units.show_speed(*top_speed)
        );

        /// The stiffness of the powers is not positive at a displacement that was tested.
        NegativeStiffness { at: f64 = 1.5e-3 }
        code: "negative-stiffness", severity: Untrusted;
        trigger: "The slope of the polynomial part is zero or negative inside the tested range.";
        message(units): format!(
            "the stiffness of the polynomial part is not positive at {}, inside the tested range", units.show_length(*at)
        );

        /// Nearly all samples have one speed, so that damping cannot be told from friction.
        OneSpeed {}
        code: "one-speed", severity: Warning;
        trigger: "Damping terms were chosen from records of constant speed.";
        message(_): "nearly all samples have the same speed: damping cannot be told from dry friction, nor its powers from each other".to_owned();
        advice: Advice::to("add a test at another speed");

        /// Velocities come from too few samples in a cycle.
        Coarse { test: String = "fast".to_owned(), per_cycle: f64 = 25.0 }
        code: "coarse", severity: Warning;
        trigger: format!("Damping terms were chosen, and a cycle has fewer than {} samples.", thresholds::TERMS_FEW_SAMPLES);
        message(_): format!(
            "test `{test}` has {per_cycle:.0} samples in a cycle; velocities from so few are off by more than the error bars of the damping terms say"
        );
        advice: Advice::to(format!("sample faster, {} a cycle or more, or give a velocity column", thresholds::TERMS_FEW_SAMPLES));

        /// Another choice of terms would do almost as well.
        CloseChoice { runner_up: Vec<String> = vec!["x3".to_owned()], bic: f64 = 0.7 }
        code: "close-choice", severity: Warning;
        trigger: format!("The information criterion (BIC) of the next choice differs by less than {}.", thresholds::CLOSE_CHOICE);
        message(_): format!(
            "the choice of terms is a close one: {} would do almost as well (BIC {bic:.1} apart)",
            if runner_up.is_empty() { "no powers at all".to_owned() } else { listed(runner_up) }
        );

        /// The terms can hardly be told apart.
        IllConditioned { condition: f64 = 3e7 }
        code: "ill-conditioned", severity: Warning;
        trigger: format!("The condition number of the terms exceeds {:.0e}.", thresholds::ILL_CONDITIONED);
        message(_): format!("the terms can hardly be told apart (condition {condition:.0e})");
        advice: Advice::to("add a test at another amplitude or frequency");

        /// A given preload is many amplitudes away: its unit may be wrong.
        FarPreload { test: String = "small".to_owned(), preload: f64 = 2.2, amplitude: f64 = 1e-3 }
        code: "far-preload", severity: Warning;
        trigger: format!("The preload exceeds {} amplitudes.", thresholds::FAR_PRELOAD);
        message(units): format!(
            "the preload of test `{test}` is {}, its amplitude {}; is the unit of the preload right?",
            units.show_length(*preload), units.show_length(*amplitude)
        );

        /// The test covers a small part of the characteristic.
        NarrowRange { test: String = "small".to_owned(), low: f64 = 2e-3, high: f64 = 2.2e-3 }
        code: "narrow-range", severity: Warning;
        trigger: format!("The preload exceeds {} amplitudes.", thresholds::NARROW_RANGE);
        message(units): format!(
            "test `{test}` covers {} to {} of the characteristic: powers mean something there only, and friction that never slips in it counts as stiffness",
            units.show_length(*low), units.show_length(*high)
        );

        /// The curve that was found does not carry the given preload.
        PreloadDiffers { test: String = "small".to_owned(), at: f64 = 2e-3, found: f64 = 900.0, given: f64 = 1500.0, band: f64 = 120.0 }
        code: "preload-differs", severity: Warning;
        trigger: "A preload is given as a force, and the curve differs from it by more than friction and noise explain.";
        message(units): format!(
            "the curve that was found has {} at the preload of test `{test}` ({}), not the {} that were given; friction explains a difference of {} at most",
            units.show_force(*found), units.show_length(*at), units.show_force(*given), units.show_force(*band)
        );
        advice: Advice::to("is the force zeroed, and is the preload meant as the force on the part?");

        /// For experts: the Chebyshev coefficients belong to no spring-slider.
        ChebyshevNoSlider {}
        code: "chebyshev-no-slider", severity: Note;
        trigger: "a1/a0 is not positive, or one of the two was not chosen.";
        message(_): "for experts: the Chebyshev coefficients a0 and a1 belong to no spring-slider (a1/a0 is not positive, or one of them was not chosen), so that the paper's eq (37) has no solution; the model does not depend on them".to_owned();

        /// The model has no friction, because the data do not support any.
        NoFriction {}
        code: "no-friction", severity: Note;
        trigger: "No spring-slider was chosen.";
        message(_): "the data support no spring-slider; the model has none".to_owned();

        /// Strokes are too short for full slip, which the Chebyshev coefficients assume.
        ShortStrokes { shortest: f64 = 1e-4, slip: f64 = 2e-4 }
        code: "short-strokes", severity: Warning;
        trigger: "The shortest stroke is less than twice the slip displacement of the longest slider.";
        message(units): format!(
            "the shortest stroke ({}) is less than twice the slip displacement of the longest slider (which is {}); the Chebyshev coefficients hold only for full slip in every stroke",
            units.show_length(*shortest), units.show_length(*slip)
        );

        /// Candidates that repeat others were not ranked.
        DependentTerms { terms: Vec<String> = vec!["x5".to_owned()] }
        code: "dependent-terms", severity: Note;
        trigger: "A candidate is a combination of others in these tests.";
        message(_): format!("{}: the same as other candidates in these tests, and left out of the ranking", listed(terms));

        /// Terms were found that the model file cannot hold.
        OutsideModel { terms: Vec<String> = vec!["one".to_owned()], without: f64 = 0.08, error: f64 = 0.02 }
        code: "outside-model", severity: Warning;
        trigger: "A term that is no power of displacement or velocity and no spring-slider was chosen.";
        message(_): format!(
            "{} cannot be written to model.toml, which holds powers of displacement and velocity and spring-sliders: the file alone has an error of {:.1} % against {:.1} % with everything that was found",
            listed(terms), 100.0 * without, 100.0 * error
        );

        /// A test is too short for all sliders to slip, so that its result depends on what came before.
        LockedIn { test: String = "small".to_owned(), force: f64 = 35.0 }
        code: "locked-in", severity: Warning;
        trigger: format!("The force that sliders may keep exceeds {} times the noise.", thresholds::LOCKED_IN_SIGMAS);
        message(units): format!(
            "test `{test}` moves too little for all spring-sliders to slip: they are taken to begin as the preload left them, and another history shifts the {} by up to {}",
            units.force(), units.show_force(*force)
        );

        /// A held-out test goes beyond what the terms come from.
        Extrapolated { test: String = "large".to_owned(), beyond: Beyond = Beyond::Larger }
        code: "extrapolated", severity: Warning;
        trigger: format!("Its speed (with damping terms) or amplitude exceeds the fitted ones by the factor {}.", thresholds::EXTRAPOLATED);
        message(_): format!(
            "test `{test}`, which was held out, is {} than the tests that the terms come from; powers mean nothing beyond them",
            match beyond { Beyond::Faster => "faster", Beyond::Larger => "larger" }
        );

        /// The tests have several preloads, of which the model file holds none.
        PreloadPerTest {}
        code: "preload-per-test", severity: Note;
        trigger: "Tests with different preloads were fitted together.";
        message(_): "the tests have different preloads; model.toml holds none".to_owned();
        advice: Advice::to("give it with the motion");
    }
}
