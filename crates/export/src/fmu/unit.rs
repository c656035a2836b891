//! Units as powers of base units.

/// Exponents of kg, m, s, A, K and rad.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Base {
    pub kg: i32,
    pub m: i32,
    pub s: i32,
    pub a: i32,
    pub k: i32,
    pub rad: i32,
}

/// The base units of a unit such as `N s/m` or `N/m^3`; `None` for plain numbers and for units whose
/// exponents are parameters.
pub(super) fn base(unit: &str) -> Option<Base> {
    let mut total = Base::default();
    let mut sign = 1;
    let mut rest = unit;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('/') {
            (sign, rest) = (-1, after);
            continue;
        }
        if let Some(after) = rest.strip_prefix(' ') {
            rest = after;
            continue;
        }
        if let Some(inside) = rest.strip_prefix('(') {
            let (group, after) = inside.split_once(')')?;
            let (power, after) = exponent(after)?;
            add(&mut total, base(group)?, sign * power);
            rest = after;
            continue;
        }
        let end = rest
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        let (power, after) = exponent(after)?;
        add(&mut total, named(name)?, sign * power);
        rest = after;
    }
    (total != Base::default()).then_some(total)
}

/// The exponent at the head of a text, 1 if there is none; `None` if it is not a whole number.
fn exponent(text: &str) -> Option<(i32, &str)> {
    let Some(after) = text.strip_prefix('^') else {
        return Some((1, text));
    };
    let end = after
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(after.len());
    let (digits, after) = after.split_at(end);
    Some((digits.parse().ok()?, after))
}

fn add(total: &mut Base, unit: Base, power: i32) {
    total.kg += power * unit.kg;
    total.m += power * unit.m;
    total.s += power * unit.s;
    total.a += power * unit.a;
    total.k += power * unit.k;
    total.rad += power * unit.rad;
}

fn named(name: &str) -> Option<Base> {
    let [kg, m, s, rad] = match name {
        "N" => [1, 1, -2, 0],
        "J" => [1, 2, -2, 0],
        "W" => [1, 2, -3, 0],
        "kg" => [1, 0, 0, 0],
        "m" => [0, 1, 0, 0],
        "s" => [0, 0, 1, 0],
        "rad" => [0, 0, 0, 1],
        "Pa" => [1, -1, -2, 0],
        "Hz" => [0, 0, -1, 0],
        "A" => {
            let a = 1;
            return Some(Base {
                a,
                ..Base::default()
            });
        }
        "K" => {
            let k = 1;
            return Some(Base {
                k,
                ..Base::default()
            });
        }
        _ => return None,
    };
    let (a, k) = (0, 0);
    Some(Base {
        kg,
        m,
        s,
        a,
        k,
        rad,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_taken_apart() {
        let of = |kg, m, s, rad| {
            Some(Base {
                kg,
                m,
                s,
                rad,
                ..Base::default()
            })
        };
        assert_eq!(base("A").map(|b| (b.a, b.kg)), Some((1, 0)));
        assert_eq!(base("N/m"), of(1, 0, -2, 0));
        assert_eq!(base("N s/m"), of(1, 0, -1, 0));
        assert_eq!(base("N m/rad^3"), of(1, 2, -2, -3));
        assert_eq!(base("N (s/m)^5"), of(1, -4, 3, 0));
        assert_eq!(base("1"), None);
        assert_eq!(base("N (s/m)^alpha"), None);
        assert_eq!(base("N^(1-n)/m"), None);
    }
}
