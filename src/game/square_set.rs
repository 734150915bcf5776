//! What all bitboards have in common, whatever their number of squares.

/// Implements the operations of a set of squares for `$set`, a tuple struct of one unsigned integer whose bits are squares, and the
/// text of a square such as `e4`.
/// Bits from `$squares` on are never set. `$square` is the type of a square, made of an index by `$new`.
macro_rules! square_set {
    ($set:ident of $square:ty, $squares:expr, $new:expr) => {
        impl $set {
            /// The empty set.
            pub const EMPTY: $set = $set(0);
            /// All squares.
            pub const ALL: $set = $set(!0 >> ($set(0).0.leading_zeros() as usize - $squares));

            /// The number of squares.
            #[inline(always)]
            pub const fn count(self) -> u32 {
                self.0.count_ones()
            }

            /// Whether the set is empty.
            #[inline(always)]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// Whether the set has at least one square. Not `any`, which is [`Iterator::any`].
            #[inline(always)]
            pub const fn has_any(self) -> bool {
                self.0 != 0
            }

            /// Whether `square` is in the set.
            #[inline(always)]
            pub const fn contains(self, square: $square) -> bool {
                self.0 >> square.index() & 1 != 0
            }

            /// The square with the lowest index of a set that is not empty.
            #[inline(always)]
            pub const fn lsb(self) -> $square {
                $new(self.0.trailing_zeros() as u8)
            }
        }

        $crate::game::square_set!(operators $set
            BitAnd bitand BitAndAssign bitand_assign,
            BitOr bitor BitOrAssign bitor_assign,
            BitXor bitxor BitXorAssign bitxor_assign);

        /// All squares that are not in the set.
        impl std::ops::Not for $set {
            type Output = $set;
            #[inline(always)]
            fn not(self) -> $set {
                $set(!self.0 & $set::ALL.0)
            }
        }

        /// Set difference: the squares of the first set that are not in the second.
        impl std::ops::Sub for $set {
            type Output = $set;
            #[inline(always)]
            fn sub(self, other: $set) -> $set {
                $set(self.0 & !other.0)
            }
        }

        /// Removes and returns the squares in ascending order.
        impl Iterator for $set {
            type Item = $square;

            #[inline(always)]
            fn next(&mut self) -> Option<$square> {
                if self.0 == 0 {
                    return None;
                }
                let square = self.lsb();
                self.0 &= self.0 - 1;
                Some(square)
            }
        }

        impl std::fmt::Display for $square {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}{}", (b'a' + self.file() as u8) as char, self.rank() + 1)
            }
        }

        impl std::fmt::Debug for $square {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }

        impl std::fmt::Debug for $set {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_set().entries(*self).finish()
            }
        }
    };
    (operators $set:ident $($trait:ident $method:ident $assign:ident $assign_method:ident),*) => {$(
        impl std::ops::$trait for $set {
            type Output = $set;
            #[inline(always)]
            fn $method(self, other: $set) -> $set {
                $set(std::ops::$trait::$method(self.0, other.0))
            }
        }

        impl std::ops::$assign for $set {
            #[inline(always)]
            fn $assign_method(&mut self, other: $set) {
                std::ops::$assign::$assign_method(&mut self.0, other.0);
            }
        }
    )*};
}

pub(crate) use square_set;
