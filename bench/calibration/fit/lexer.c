/* Splits the text of a program into words, numbers and signs, by classes of characters. */
enum { COPIES = 12 };
static const char text[] =
    "int main(void) { double sum = 0.0; for (int i = 0; i < 100; i++) { sum += a[i] * 3.14159; "
    "if (sum > limit_of_all && !done) return 42; } /* a comment */ printf(\"%d\\n\", x1 - 27); }";

static int kind(char c)
{
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_')
        return 1;
    if (c >= '0' && c <= '9')
        return 2;
    return c == ' ' ? 0 : 3;
}

double kernel(void)
{
    int counts[5] = {0};
    unsigned hash = 0;
    for (int copy = 0; copy < COPIES; copy++)
        for (const char *at = text; *at;) {
            int first = kind(*at);
            const char *start = at++;
            if (first == 1)
                while (kind(*at) == 1 || kind(*at) == 2)
                    at++;
            else if (first == 2)
                while (kind(*at) == 2 || *at == '.')
                    at++;
            else if (*start == '"') {
                while (*at && *at != '"')
                    at++;
                at++;
                first = 4;
            }
            counts[first]++;
            hash = hash * 31 + (unsigned)(at - start);
        }
    return counts[1] * 3 + counts[2] * 5 + counts[3] + counts[4] + hash % 7;
}
