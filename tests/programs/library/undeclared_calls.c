/* Library functions that nobody declared are called as what they are (C89 3.3.2.2), and a later definition of the
 * program's own counts. */
extern int errno;

int main()
{
    char text[40], *made;
    long big;
    sprintf(text, "%s-%d-%.2f", "text", 5, 2.5);
    puts(text);
    printf("%.3f %d\n", strtod("1.25", 0), (int)strlen(text));
    made = strchr(getenv("NO_SUCH_NAME") ? "set" : "a-b", '-');
    printf("%s %s\n", made, strtok(text, "-"));
    big = strtol("8589934592", 0, 10);
    printf("%ld %ld\n", big, labs(-big));
    srand48(1);
    printf("%.6f\n", drand48());
    errno = 0;
    printf("%d", fopen("/no/such/file", "r") == 0);
    printf(" %d %d\n", errno, difference(9, 4));
    return 0;
}

int difference(a, b)
int a, b;
{
    return a - b;
}
