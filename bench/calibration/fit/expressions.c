/* Arithmetic expressions in text, evaluated by recursive descent. */
static const char *at;
static long sum(void);

static long atom(void)
{
    if (*at == '(') {
        at++;
        long value = sum();
        at++;
        return value;
    }
    long value = 0;
    while (*at >= '0' && *at <= '9')
        value = value * 10 + (*at++ - '0');
    return value;
}

static long product(void)
{
    long value = atom();
    while (*at == '*') {
        at++;
        value = value * atom() % 1000003;
    }
    return value;
}

static long sum(void)
{
    long value = product();
    while (*at == '+' || *at == '-') {
        char sign = *at++;
        long other = product();
        value = sign == '+' ? value + other : value - other;
    }
    return value;
}

double kernel(void)
{
    static const char *const texts[] = {"1+2*3-4", "(12+30)*(7-2)+100*3", "2*(3+4*(5-1))*(6+7)", "99999-88888*2+(1)",
                                        "((((5))))*((2+3)*(4+5))-17*23"};
    long total = 0;
    for (int i = 0; i < 300; i++) {
        at = texts[i * i % 5];
        total += sum();
    }
    return (double)total;
}
