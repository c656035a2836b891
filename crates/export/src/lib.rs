//! Models for other programs: FMUs that simulations run.
//!
//! An [`fmu::Fmu`] is a model with the description that FMI 2.0 or 3.0 asks for; [`fmu::Archive`] packs both with the shared
//! library of `masing-c`. The library reads the same list of [`fmu::Variables`] as the description.
//!
//! ```
//! use masing_export::fmu::{Fmu, Version};
//! use masing_model::{Assembly, Model, Shape};
//!
//! let assembly = Assembly::from_names("spring", |_| Shape::default())?;
//! let model = Model::with_defaults(assembly, None)?;
//! // A simulation is advised to run it for 1 s, in steps of 1 ms.
//! let fmu = Fmu::new(&model, Version::Three, "bushing", [1.0, 1e-3]);
//! assert!(fmu.description().contains("fmiVersion=\"3.0\""));
//! let library = b"the bytes of libmasing_c.so";
//! let file = fmu.archive(Some(library), None)?.finish()?;
//! assert!(file.starts_with(b"PK"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod fmu;
