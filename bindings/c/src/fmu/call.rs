//! How every entry point reaches its instance.

use super::fault::{Fault, Status};
use super::instance::Instance;
use crate::boundary::{borrow, guarded};
use std::ffi::c_int;

/// Entry points of a standard: their names (one, or one for each version), what they are given after the instance, and
/// what they do with it.
macro_rules! entry_points {
    () => {};
    ($old:ident / $new:ident ($($given:tt)*) = $work:expr; $($more:tt)*) => {
        entry_points! { $old($($given)*) = $work; $new($($given)*) = $work; $($more)* }
    };
    ($name:ident ($($given:tt)*) = $work:expr; $($more:tt)*) => {
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(
            instance: *mut $crate::fmu::Instance,
            $($given)*
        ) -> std::ffi::c_int {
            $crate::fmu::call(instance, $work)
        }
        entry_points! { $($more)* }
    };
}
pub(crate) use entry_points;

/// Runs `work` on an instance. What goes wrong is told; a panic, which would be a defect, stays inside and ends the
/// instance.
pub fn call(handle: *mut Instance, work: impl FnOnce(&mut Instance) -> Result<(), Fault>) -> c_int {
    let tell = |fault: &Fault| {
        // Messages go through a function of others.
        guarded((), || {
            if let Some(instance) = borrow(handle) {
                instance.tell(fault);
            }
        });
    };
    let defect = Fault {
        status: Status::Fatal,
        message: "a defect of masing: please report it; this instance can no longer be used"
            .to_owned(),
    };
    let done = guarded(Err(defect), || match borrow(handle) {
        Some(instance) => work(instance),
        None => Err(Fault::error("there is no instance")),
    });
    match done {
        Ok(()) => Status::Ok as c_int,
        Err(fault) => {
            tell(&fault);
            fault.status as c_int
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boundary::{give, take};
    use crate::fmu::Interface;
    use masing_export::fmu::{MODEL, token};
    use std::sync::mpsc::channel;

    #[test]
    fn what_goes_wrong_is_told_and_panics_stay_inside() {
        let folder = std::env::temp_dir().join(format!("masing-c-call-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let text = "schema = \"masing.model/1\"\n[[element]]\ntype = \"spring\"\nk = 1.0\n";
        std::fs::write(folder.join(MODEL), text).unwrap();
        let (send, told) = channel();
        let log = Box::new(move |status: Status, text: &str| {
            send.send((status, text.to_owned())).unwrap();
        });
        let instance = Instance::new(&folder, &token(text), Interface::CoSimulation, log);
        let handle = give(instance.map_err(|(_, fault)| fault).unwrap());

        assert_eq!(call(handle, |_| Ok(())), 0);
        assert_eq!(call(handle, |_| Err(Fault::error("no"))), 3);
        assert_eq!(told.try_recv(), Ok((Status::Error, "no".to_owned())));
        assert_eq!(call(handle, |_| panic!("a test of what happens then")), 4);
        let (status, words) = told.try_recv().unwrap();
        assert!(
            status == Status::Fatal && words.contains("report"),
            "{words}"
        );
        assert_eq!(call(std::ptr::null_mut(), |_| Ok(())), 3);
        take(handle);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
