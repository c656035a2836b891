//! The range of the tests behind a model: said when the motion leaves it.

use super::fault::Status;
use super::instance::Instance;
use masing_diagnostic::{Diagnostic, FitDiagnostic, TestDiagnostic, Units};
use masing_model::MotionKind;

/// The quantities of which it was said that they left the range.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Left {
    displacement: bool,
    speed: bool,
    level: bool,
}

impl Instance {
    /// Displacement and velocity as the part has them.
    pub(super) fn motion(&self) -> [f64; 2] {
        match self.exchange {
            Some(_) => [self.inputs.x, self.inputs.v],
            None => [self.stepper.now().x, self.stepper.now().v],
        }
    }

    /// Warns of every quantity that is beyond the tests of the model, once in the life of the instance: a simulation
    /// has thousands of steps, and goes back over some of them.
    pub(super) fn warn_outside(&mut self) {
        if let Some((condition, level)) = self.stepper.level_outside().filter(|_| !self.left.level)
        {
            let found = Diagnostic::from(FitDiagnostic::LevelOutside {
                test: "the simulation".to_owned(),
                condition: condition.name.clone(),
                level,
                range: condition.range,
                unit: condition.unit.clone(),
            });
            let message = format!("{}; said once", found.text(Units::default()));
            self.left.level = true;
            self.say(Status::Warning, &message);
        }
        let model = self.stepper.model();
        let Some(tests) = model.validity else {
            return;
        };
        let [x, v] = self.motion();
        let displacement = !self.left.displacement && tests.displacement_outside(x);
        let speed = !self.left.speed && tests.speed_outside(v);
        if !(displacement || speed) {
            return;
        }
        let found = Diagnostic::from(TestDiagnostic::OutsideValidity {
            displacement: displacement.then_some((x, tests.displacement)),
            speed: speed.then_some((v.abs(), tests.speed)),
            frequency: None,
        });
        let units = Units::of_rotation(model.motion() == MotionKind::Rotation);
        let message = format!("{}; said once", found.text(units));
        self.left.displacement |= displacement;
        self.left.speed |= speed;
        self.say(Status::Warning, &message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fmu::Interface;
    use masing_export::fmu::{MODEL, Meaning, token};
    use std::sync::mpsc::{Receiver, channel};

    const TEXT: &str = "schema = \"masing.model/1\"\n[[element]]\ntype = \"jenkins\"\nks = 1e5\nzs = 5e-4\n\
        [validity]\ndisplacement = [-1e-3, 1e-3]\nspeed = 0.1\n";

    /// A running instance at rest at zero, and what it says.
    fn running(interface: Interface) -> (Instance, Receiver<(Status, String)>) {
        let name = format!("masing-c-range-{interface:?}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(MODEL), TEXT).unwrap();
        let (send, told) = channel();
        let log = Box::new(move |status: Status, text: &str| {
            send.send((status, text.to_owned())).unwrap();
        });
        let instance = Instance::new(&folder, &token(TEXT), interface, log);
        let mut instance = instance.map_err(|(_, fault)| fault).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        instance.enter_initialization().unwrap();
        instance.exit_initialization().unwrap();
        (instance, told)
    }

    fn set(instance: &mut Instance, meaning: Meaning, value: f64) {
        let list = instance.variables.list();
        let at = list.iter().position(|v| v.meaning == meaning).unwrap();
        instance.set_reals(&[at as u32], &[value]).unwrap();
    }

    fn warned(told: &Receiver<(Status, String)>, words: &str) {
        let (status, text) = told.try_recv().expect(words);
        assert_eq!(status, Status::Warning);
        assert!(text.contains(words), "{text}");
        assert!(told.try_recv().is_err(), "{text}");
    }

    #[test]
    fn each_quantity_is_told_once_in_co_simulation() {
        let (mut instance, told) = running(Interface::CoSimulation);
        let mut to = |x: f64, dt: f64| {
            set(&mut instance, Meaning::Displacement, x);
            let time = instance.time();
            instance.do_step(time, dt).unwrap();
        };
        to(0.9e-3, 0.1);
        assert!(told.try_recv().is_err());
        to(1.5e-3, 0.1);
        warned(&told, "displacement 1.5 mm (tested -1 mm to 1 mm)");
        to(2e-3, 0.1);
        to(0.0, 0.1);
        to(1.5e-3, 0.1);
        assert!(told.try_recv().is_err());
        to(0.0, 1e-3);
        warned(&told, "speed 1500 mm/s (tested up to 100 mm/s)");
        // Nor after a step back.
        let kept = instance.keep(0);
        instance.restore(kept).unwrap();
        let time = instance.time();
        set(&mut instance, Meaning::Displacement, 2e-3);
        instance.do_step(time, 1e-3).unwrap();
        assert!(told.try_recv().is_err());
    }

    #[test]
    fn trials_of_a_solver_are_not_told_but_its_steps_are() {
        let (mut instance, told) = running(Interface::ModelExchange);
        set(&mut instance, Meaning::Displacement, 3e-3);
        let mut rates = vec![0.0; instance.counts()[0]];
        instance.derivatives(&mut rates).unwrap();
        assert!(told.try_recv().is_err());
        instance.completed_step().unwrap();
        warned(&told, "displacement 3 mm");
        instance.completed_step().unwrap();
        assert!(told.try_recv().is_err());
    }
}
