/* Reads a nested text of lists, numbers and strings by recursive descent. */
static const char text[] =
    "{\"name\": \"run 17\", \"sizes\": [10, 20, 40, 80, 160, 320], \"times\": [[1.5, 2.25], [3.125, "
    "4.0], [6.5, 8.75], []], \"done\": true, \"more\": {\"note\": \"all is well\", \"left\": null, "
    "\"codes\": [-1, -22, 333, -4444, 55555]}}";
static const char *at;
static int values, depth, deepest;

static void blank(void)
{
    while (*at == ' ' || *at == '\n')
        at++;
}

static double value(void);

static double list(char end, int pairs)
{
    double sum = 0.0;
    at++;
    if (++depth > deepest)
        deepest = depth;
    for (blank(); *at != end; blank()) {
        if (pairs) {
            sum += value();
            blank();
            at++;
        }
        sum += value();
        blank();
        if (*at == ',')
            at++;
    }
    at++;
    depth--;
    return sum;
}

static double number(void)
{
    double sign = 1.0, n = 0.0, place = 1.0;
    if (*at == '-') {
        sign = -1.0;
        at++;
    }
    while (*at >= '0' && *at <= '9')
        n = n * 10.0 + (*at++ - '0');
    if (*at == '.')
        for (at++; *at >= '0' && *at <= '9'; at++) {
            place /= 10.0;
            n += place * (*at - '0');
        }
    return sign * n;
}

static double value(void)
{
    double n = 0.0;
    blank();
    values++;
    switch (*at) {
    case '{': return list('}', 1);
    case '[': return list(']', 0);
    case '"':
        for (at++; *at != '"'; at++)
            n += 1.0;
        at++;
        return n;
    case 't': at += 4; return 1.0;
    case 'f': at += 5; return 0.0;
    case 'n': at += 4; return 0.0;
    default: return number();
    }
}

double kernel(void)
{
    double sum = 0.0;
    values = deepest = 0;
    for (int t = 0; t < 15; t++) {
        at = text;
        sum += value();
    }
    return sum + values + deepest;
}
