// Calendar dates for seed data. Sites live on a fixed "today", because dates taken from the real
// clock would make the state of a seed different every day.

/// Days from 1970-01-01 to the day all seed data is written from: 2026-10-30.
const SEED_TODAY: i64 = 20_756;

/// The date `days` before the fixed today, as `YYYY-MM-DD`.
pub(crate) fn days_ago(days: u64) -> String {
    date_text(SEED_TODAY - i64::try_from(days).unwrap_or(0))
}

/// Proleptic Gregorian date of a day number counted from 1970-01-01, by counting in 400-year eras
/// that begin on 1 March, so the leap day is the last day of a year.
fn date_text(day_number: i64) -> String {
    let shifted = day_number + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_days() {
        assert_eq!(date_text(0), "1970-01-01");
        assert_eq!(date_text(11_016), "2000-02-29");
        assert_eq!(date_text(-1), "1969-12-31");
        assert_eq!(days_ago(0), "2026-10-30");
        assert_eq!(days_ago(302), "2026-01-01");
        assert_eq!(days_ago(303), "2025-12-31");
    }
}
