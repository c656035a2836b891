use super::*;

fn si(text: &str, quantity: Quantity) -> f64 {
    factor(text, &[quantity], "test").unwrap().0
}

#[test]
fn spellings_of_the_same_unit_agree() {
    for text in ["N m", "Nm", "N*m", "N·m", "N.m", "N-m"] {
        assert_eq!(si(text, Quantity::Torque), 1.0, "{text}");
    }
    for text in ["m/s^2", "m/s²", "m/s2", "m/s**2"] {
        assert_eq!(si(text, Quantity::Acceleration), 1.0, "{text}");
    }
    assert_eq!(si("µm", Quantity::Length), 1e-6);
    assert_eq!(si("°", Quantity::Angle), si("deg", Quantity::Angle));
    assert_eq!(si("Sec", Quantity::Time), 1.0);
    assert_eq!(si("KN", Quantity::Force), 1e3);
}

#[test]
fn the_same_text_means_different_things() {
    assert_eq!(si("g", Quantity::Acceleration), 9.806_65);
    assert_eq!(si("g", Quantity::Mass), 1e-3);
    assert!((si("rpm", Quantity::Frequency) - 1.0 / 60.0).abs() < 1e-15);
    assert_eq!(si("MN", Quantity::Force), 1e6);
    assert_eq!(si("mN", Quantity::Force), 1e-3);
    // `mn` could be either: refused.
    assert!(factor("mn", &[Quantity::Force], "test").is_err());
}

#[test]
fn a_number_in_front_scales() {
    assert!((si("980.665 N", Quantity::Force) - 980.665).abs() < 1e-12);
    assert!((si("10 mm", Quantity::Length) - 0.01).abs() < 1e-15);
}

#[test]
fn quantities_on_the_command_line() {
    let value = |text, q| parse_quantity(text, q).unwrap();
    assert!((value("2.2mm", Quantity::Length) - 2.2e-3).abs() < 1e-16);
    assert_eq!(value("150N", Quantity::Force), 150.0);
    assert_eq!(value("1e-3", Quantity::Length), 1e-3);
    assert_eq!(value(" 5 Hz ", Quantity::Frequency), 5.0);
    assert!((value("-1.5in", Quantity::Length) + 0.0381).abs() < 1e-15);
    assert!(matches!(
        parse_quantity("2.2 N", Quantity::Length),
        Err(DataError::WrongUnit { .. })
    ));
    assert!(matches!(
        parse_quantity("2.2 furlong", Quantity::Length),
        Err(DataError::UnknownUnit { .. })
    ));
    for text in ["", "mm", "1,5mm", "nan", "inf", "--2mm"] {
        assert!(
            matches!(
                parse_quantity(text, Quantity::Length),
                Err(DataError::BadValue { .. })
            ),
            "{text}"
        );
    }
}

#[test]
fn engineering_units_are_in_the_table() {
    for quantity in Quantity::ALL {
        let (symbol, factor_) = quantity.engineering();
        assert!(kinds(symbol).contains(&quantity), "{quantity}: {symbol}");
        assert!(factor_ > 0.0);
        assert_eq!(
            factor(quantity.si(), &[quantity], "").unwrap().0,
            1.0,
            "{quantity}"
        );
    }
}

#[test]
fn levels_of_conditions_have_their_own_zero() {
    let level = |text: &str| parse_level(text).unwrap();
    assert_eq!(level("0.5A"), (0.5, Some("A")));
    assert_eq!(level("500 mA"), (0.5, Some("A")));
    assert_eq!(level("0.5"), (0.5, None));
    assert_eq!(level("20°C"), (293.15, Some("K")));
    // -40 + 273.15 is not 233.15 to the last bit.
    assert!((level("-40degC").0 - 233.15).abs() < 1e-12);
    // Where both scales meet.
    assert!((level("-40degF").0 - 233.15).abs() < 1e-9);
    assert_eq!(level("2bar"), (2e5, Some("Pa")));
    assert_eq!(level("150N"), (150.0, Some("N")));
    assert!(parse_level("warm").is_err());
    assert!(parse_level("3 parsec").is_err());
}
