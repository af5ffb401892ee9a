/* Reading standard input and strings: scanf, fgets, getchar, ungetc, getline (C11 7.21.6.2, 7.21.7). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int a, b, n;
    unsigned u;
    long l;
    short h;
    float f;
    double d;
    char word[32], letters[16], c;
    n = scanf("%d %d", &a, &b);
    printf("%d: %d %d\n", n, a, b);
    n = scanf("%i %x %ld %hd", &a, &u, &l, &h);
    printf("%d: %d %u %ld %d\n", n, a, u, l, h);
    n = scanf("%f %lf", &f, &d);
    printf("%d: %g %g\n", n, f, d);
    n = scanf("%s %c %3s", word, &c, letters);
    printf("%d: %s %c %s\n", n, word, c, letters);
    n = scanf("%[^,],%d", word, &a);
    printf("%d: <%s> %d\n", n, word, a);
    n = scanf("%d", &a); /* a letter stands there */
    printf("%d\n", n);
    n = getchar();
    ungetc(n, stdin);
    int again = getchar();
    printf("%c %c\n", n, again);
    char line[64];
    printf("%s", fgets(line, sizeof line, stdin));
    printf("%s", fgets(line, sizeof line, stdin));
    char *grown = NULL;
    size_t size = 0;
    ssize_t length = getline(&grown, &size, stdin);
    printf("%zd %s", length, grown);
    free(grown);
    n = scanf("%*d %d%n", &a, &b);
    printf("%d: %d %d\n", n, a, b);
    n = scanf("%d", &a);
    printf("%d %d\n", n, feof(stdin) != 0);
    int day, year;
    char month[10];
    n = sscanf("25 dec 1993", "%d%9s%d", &day, month, &year);
    printf("%d: %d %s %d\n", n, day, month, year);
    n = sscanf("0x1A 1e3 abc", "%i %lf %[a-c]", &a, &d, word);
    printf("%d: %d %g %s\n", n, a, d, word);
    n = sscanf("12:34:56", "%d:%d:%d", &a, &b, &day);
    printf("%d: %d %d %d\n", n, a, b, day);
    n = sscanf("", "%d", &a);
    int m = sscanf("x", "%d", &a);
    printf("%d %d\n", n, m);
    return 0;
}
