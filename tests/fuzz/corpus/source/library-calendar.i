int main(void)
{
    setenv("TZ", "UTC", 1);
    time_t moments[] = {0, 951827696, 1234567890, 4102444799};
    for (int i = 0; i < 4; i++) {
        struct tm *calendar = gmtime(&moments[i]);
        printf("%d-%d-%d %d:%d:%d %d %d %d\n", calendar->tm_year, calendar->tm_mon, calendar->tm_mday,
               calendar->tm_hour, calendar->tm_min, calendar->tm_sec, calendar->tm_wday, calendar->tm_yday,
               calendar->tm_isdst);
        char text[100];
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ %A %B %j %p %I %U %y %% %Z", calendar);
        printf("%s|%zu\n", text, strlen(text));
        printf("%s%s", asctime(calendar), ctime(&moments[i]));
        struct tm again = *localtime(&moments[i]);
        printf("%d\n", mktime(&again) == moments[i]);
    }
    struct tm odd = {0};
    odd.tm_year = 124;
    odd.tm_mon = 13;
    odd.tm_mday = 35;
    time_t normal = mktime(&odd);
    printf("%ld %d %d %d %d\n", (long)normal, odd.tm_year, odd.tm_mon, odd.tm_mday, odd.tm_wday);
    printf("%g\n", difftime(moments[2], moments[1]));
    return 0;
}
