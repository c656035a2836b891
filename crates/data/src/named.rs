//! Enumerations whose values have names.

/// Values with their texts: the enumeration, `ALL` of them in order, and `TEXTS` for what reads off one of the texts.
macro_rules! named {
    (
        $(#[$about:meta])*
        pub enum $type:ident, $texts:literal {
            $( $(#[$doc:meta])* $value:ident = $own:expr, )*
        }
    ) => {
        $(#[$about])*
        pub enum $type {
            $( $(#[$doc])* $value, )*
        }

        impl $type {
            /// All of them.
            pub const ALL: [Self; [$( stringify!($value) ),*].len()] = [$( Self::$value ),*];

            const TEXTS: &[[&'static str; $texts]] = &[$( $own ),*];
        }
    };
}
pub(crate) use named;
