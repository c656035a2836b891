//! Pieces of the documents for programs.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A part of a document: each key once, with its type and where its value comes from. `of` makes it.
macro_rules! document {
    (
        $(#[$about:meta])*
        $seen:vis $name:ident($($from:ident: $type:ty),* $(,)?) {
            $( $(#[$note:meta])* $key:ident: $kind:ty = $value:expr, )*
        }
    ) => {
        #[derive(schemars::JsonSchema, serde::Serialize)]
        $(#[$about])*
        $seen struct $name {
            $( $(#[$note])* pub(crate) $key: $kind, )*
        }

        impl $name {
            /// From what was found.
            $seen fn of($($from: $type),*) -> Self {
                Self { $( $key: $value, )* }
            }
        }
    };
}
pub(crate) use document;

/// A document for each of many, in their order.
pub(crate) fn each<'a, T: 'a, D>(
    all: impl IntoIterator<Item = &'a T>,
    of: impl Fn(&'a T) -> D,
) -> Vec<D> {
    all.into_iter().map(of).collect()
}

/// Entries by name, in their own order.
pub struct Named<T>(pub Vec<(String, T)>);

impl<T> Named<T> {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, entry)| (name, entry)))
    }
}

/// A diagnostic as documents hold it.
#[derive(JsonSchema)]
#[schemars(rename = "Diagnostic")]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct EntrySchema {
    /// What programs go by.
    code: String,
    /// What people read.
    message: String,
}

impl<T: JsonSchema> JsonSchema for Named<T> {
    fn schema_name() -> Cow<'static, str> {
        BTreeMap::<String, T>::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        BTreeMap::<String, T>::json_schema(generator)
    }

    fn inline_schema() -> bool {
        true
    }
}
/// The bytes of a document.
pub fn bytes(document: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(document)?;
    bytes.push(b'\n');
    Ok(bytes)
}
