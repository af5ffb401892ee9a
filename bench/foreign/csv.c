/* csv.c - lines of fields taken apart with strtok, strchr, atoi and strtod, and written again with sprintf. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const cities[] = {"Hamburg", "Bremen", "New York", "Rio", "Ulan Bator", "Oslo"};

static char *trim(char *s)
{
    while (isspace((unsigned char)*s))
        s++;
    char *end = s + strlen(s);
    while (end > s && isspace((unsigned char)end[-1]))
        *--end = 0;
    return s;
}

static int city_of(const char *name)
{
    for (int i = 0; i < 6; i++)
        if (strcmp(cities[i], name) == 0)
            return i;
    return -1;
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 2000, lines = argc > 2 ? atoi(argv[2]) : 400;
    char *text = malloc((size_t)lines * 80), *copy = malloc((size_t)lines * 80), *at = text;
    for (int i = 0; i < lines; i++)
        at += sprintf(at, "%d, %s ,%d.%02d,  %s\n", i * 37 % 1000, cities[i * 5 % 6], i % 90, i % 100,
                      i % 3 ? "yes" : "no");
    double total = 0;
    long count[6] = {0}, check = 0;
    for (int turn = 0; turn < turns; turn++) {
        strcpy(copy, text);
        for (char *line = copy, *next; line && *line; line = next) {
            next = strchr(line, '\n');
            if (next)
                *next++ = 0;
            char *field = strtok(line, ",");
            int id = atoi(field);
            int city = city_of(trim(strtok(NULL, ",")));
            double value = strtod(strtok(NULL, ","), NULL);
            int good = strcmp(trim(strtok(NULL, ",")), "yes") == 0;
            if (good && city >= 0)
                count[city] += id, total += value;
        }
        char out[64];
        check += sprintf(out, "%d:%ld:%.2f", turn, count[turn % 6], total);
    }
    printf("%.2f %ld %ld\n", total, count[2], check);
    return 0;
}
