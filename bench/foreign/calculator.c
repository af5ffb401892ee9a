/* calculator.c - expressions as text, worked out by recursive descent. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static const char *p;
static double variables[26];
static double expression(void);

static void skip(void)
{
    while (*p == ' ')
        p++;
}

static double primary(void)
{
    skip();
    if (*p == '(') {
        p++;
        double v = expression();
        skip();
        if (*p == ')')
            p++;
        return v;
    }
    if (*p == '-') {
        p++;
        return -primary();
    }
    if (isalpha((unsigned char)*p))
        return variables[*p++ - 'a'];
    double v = 0;
    while (isdigit((unsigned char)*p))
        v = v * 10 + (*p++ - '0');
    if (*p == '.') {
        double scale = 0.1;
        for (p++; isdigit((unsigned char)*p); p++, scale /= 10)
            v += (*p - '0') * scale;
    }
    return v;
}

static double term(void)
{
    double v = primary();
    for (;;) {
        skip();
        if (*p == '*') {
            p++;
            v *= primary();
        } else if (*p == '/') {
            p++;
            double d = primary();
            v = d != 0 ? v / d : 0;
        } else
            return v;
    }
}

static double expression(void)
{
    double v = term();
    for (;;) {
        skip();
        switch (*p) {
        case '+':
            p++;
            v += term();
            break;
        case '-':
            p++;
            v -= term();
            break;
        default: return v;
        }
    }
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 2000000;
    static const char *const lines[] = {"a * (b + 3.25) - c / (2 + a)", "((a+b)*(a-b)+17)/(c*c+1)",
                                        "-x + 12*y/7 - (3 - (2 - (1 - z)))", "1+2*3-4/5+6*7-8",
                                        "((((a))))*0.5 + 100.125"};
    double sum = 0;
    for (int i = 0; i < turns; i++) {
        variables[0] = i % 100;
        variables['b' - 'a'] = i % 7;
        variables['c' - 'a'] = i % 13 - 6;
        variables['x' - 'a'] = variables['y' - 'a'] = sum > 1e6 ? 1 : 2;
        p = lines[i % 5];
        sum += expression();
    }
    printf("%.9g\n", sum);
    return 0;
}
