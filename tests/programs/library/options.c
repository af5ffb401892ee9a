/* getopt and getopt_long with GNU's permutation. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void walk(int argc, char **argv, const char *options, const struct option *long_options)
{
    char *copy[32];
    memcpy(copy, argv, (argc + 1) * sizeof *copy);
    int c, index = -1;
    optind = 0;
    opterr = 0;
    while ((c = long_options ? getopt_long(argc, copy, options, long_options, &index) : getopt(argc, copy, options)) !=
           -1) {
        if (c == '?' || c == ':')
            printf(" %c(%c)", c, optopt ? optopt : '-');
        else if (c < 32)
            printf(" #%d(%s)", c, optarg ? optarg : "");
        else
            printf(" %c(%s)", c, optarg ? optarg : "");
    }
    printf(" |");
    for (int i = optind; i < argc; i++)
        printf(" %s", copy[i]);
    printf("\n");
}

int main(int argc, char **argv)
{
    static int flag;
    static const struct option long_options[] = {
        {"size", required_argument, 0, 's'},  {"verbose", no_argument, 0, 'v'}, {"set", no_argument, &flag, 17},
        {"level", optional_argument, 0, 'l'}, {"version", no_argument, 0, 3},   {0, 0, 0, 0}};
    walk(argc, argv, "ab:c::", 0);
    walk(argc, argv, "+ab:c::", 0);
    walk(argc, argv, "-ab:c::", 0);
    walk(argc, argv, ":ab:c::", 0);
    walk(argc, argv, "ab:c::s:vl::", long_options);
    printf("%d\n", flag);
    return 0;
}
