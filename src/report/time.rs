//! Moments as text.

/// Seconds since 1970 as `2026-11-18T08:13:10Z`.
pub(super) fn utc(at: u64) -> String {
    let (days, rest) = (at / 86_400, at % 86_400);
    let (year, month, day) = date(days);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3_600, rest / 60 % 60, rest % 60)
}

/// Year, month and day of a number of days since 1970. Years begin in March here, so that the day of a leap
/// year is the last of them.
fn date(days: u64) -> (u64, u64, u64) {
    // 719_468 days lie between the first of March of the year 0 and 1970; 146_097 make 400 years.
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (era * 400 + year + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::utc;

    #[test]
    fn moments_are_dates() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(utc(1_794_989_590), "2026-11-18T08:13:10Z");
        assert_eq!(utc(4_102_444_799), "2099-12-31T23:59:59Z");
        assert!(utc(u64::MAX).ends_with('Z'));
    }
}
