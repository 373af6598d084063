//! Enums whose values are the values of an axis: one name for each, the same everywhere.

/// Makes an enum with the names of its values, parsed and printed by name.
macro_rules! axis {
    (
        $(#[$meta:meta])*
        pub enum $axis:ident {
            $($(#[$value_meta:meta])* $value:ident = $name:literal,)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $axis {
            $($(#[$value_meta])* $value,)*
        }

        impl $axis {
            /// The names of all values.
            pub const NAMES: &[&str] = &[$($name),*];

            /// All values, in the order of their names.
            pub const ALL: [$axis; $axis::NAMES.len()] = [$($axis::$value),*];

            /// The name of the value.
            pub fn name(self) -> &'static str {
                match self {
                    $($axis::$value => $name,)*
                }
            }
        }

        impl std::fmt::Display for $axis {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for $axis {
            type Err = String;

            fn from_str(name: &str) -> std::result::Result<Self, String> {
                $axis::ALL.into_iter().find(|value| value.name() == name).ok_or_else(|| name.into())
            }
        }
    };
}

pub(crate) use axis;
