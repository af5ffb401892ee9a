/* Converts days to dates and back, by the Gregorian calendar. */
enum { DAYS = 1500 };

static int days_of(int year, int month, int day)
{
    year -= month <= 2;
    int era = (year >= 0 ? year : year - 399) / 400;
    int of_era = year - era * 400, of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static int date_of(int days)
{
    days += 719468;
    int era = (days >= 0 ? days : days - 146096) / 146097, of_era = days - era * 146097;
    int year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int of_year = of_era - (365 * year + year / 4 - year / 100), part = (5 * of_year + 2) / 153;
    int day = of_year - (153 * part + 2) / 5 + 1, month = part < 10 ? part + 3 : part - 9;
    return ((year + era * 400 + (month <= 2)) * 100 + month) * 100 + day;
}

double kernel(void)
{
    long sum = 0;
    for (int i = 0; i < DAYS; i++) {
        int date = date_of(i * 17 - 3000);
        sum += date + days_of(date / 10000, date / 100 % 100, date % 100);
    }
    return (double)sum;
}
