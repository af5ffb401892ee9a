/* getopt.c - getopt, getopt_long and getopt_long_only with GNU's order.
 *
 * Options are found behind other arguments too; the other arguments are moved to the end of argv ("permutation"). If
 * the option string starts with '+', or POSIXLY_CORRECT is set, the first other argument ends the options. If it starts
 * with '-', each other argument is returned as the value of option 1. "--" ends the options.
 *
 *      argv: [options done][others passed over: first_other .. last_other)[optind: not looked at yet]
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

static char *next_char; /* rest of a word of several short options, or 0 */
static int first_other, last_other;

enum order { PERMUTE, REQUIRE_ORDER, RETURN_IN_ORDER };

static void reverse(char **argv, int low, int high)
{
    while (low < --high) {
        char *argument = argv[low];
        argv[low++] = argv[high];
        argv[high] = argument;
    }
}

/* Moves the other arguments behind the options that followed them: a rotation by three reversals. */
static void exchange(char **argv)
{
    reverse(argv, first_other, last_other);
    reverse(argv, last_other, optind);
    reverse(argv, first_other, optind);
    first_other += optind - last_other;
    last_other = optind;
}

static int is_option(const char *argument)
{
    return argument[0] == '-' && argument[1] != '\0';
}

/* Moves optind to the next option. Returns -1 at the end, 1 for an other argument that is returned as a value, else
 * 0. */
static int find_option(int argc, char **argv, enum order order)
{
    if (last_other > optind)
        last_other = optind;
    if (first_other > optind)
        first_other = optind;
    if (order == PERMUTE) {
        if (first_other != last_other && last_other != optind)
            exchange(argv);
        else if (last_other != optind)
            first_other = optind;
        while (optind < argc && !is_option(argv[optind]))
            optind++;
        last_other = optind;
    }
    if (optind < argc && strcmp(argv[optind], "--") == 0) {
        optind++;
        if (first_other != last_other && last_other != optind)
            exchange(argv);
        else if (first_other == last_other)
            first_other = optind;
        last_other = argc;
        optind = argc;
    }
    if (optind >= argc) {
        if (first_other != last_other)
            optind = first_other;
        return -1;
    }
    if (is_option(argv[optind]))
        return 0;
    if (order == REQUIRE_ORDER)
        return -1;
    optarg = argv[optind++];
    return 1;
}

static int complain(const char *options, const char *program, const char *text, const char *name)
{
    if (opterr && *options != ':')
        fprintf(stderr, text, program, name);
    return *options == ':' ? ':' : '?';
}

/* Finds the long option that `name` (of `length`) means, exactly or as the only option with that abbreviation. Returns
 * 0 if there is none; *ambiguous tells whether several options match. */
static const struct option *find_long(const struct option *options, const char *name, size_t length, int *ambiguous)
{
    const struct option *found = 0;
    *ambiguous = 0;
    for (const struct option *option = options; option->name; option++) {
        if (strncmp(option->name, name, length) != 0)
            continue;
        if (strlen(option->name) == length) {
            *ambiguous = 0;
            return option;
        }
        if (found && (found->has_arg != option->has_arg || found->flag != option->flag || found->val != option->val))
            *ambiguous = 1;
        else if (!found)
            found = option;
    }
    return found;
}

/* Finds the argument of a long option, from "=value" or the next word. Returns 0 if all is well. */
static int long_argument(int argc, char **argv, const char *options, const struct option *option, char *value,
                         const char *dashes)
{
    optarg = 0;
    if (value && option->has_arg == no_argument) {
        if (opterr && *options != ':')
            fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", argv[0], dashes, option->name);
        optopt = option->val;
        return '?';
    }
    if (value) {
        optarg = value;
    } else if (option->has_arg == required_argument) {
        if (optind >= argc) {
            if (opterr && *options != ':')
                fprintf(stderr, "%s: option '%s%s' requires an argument\n", argv[0], dashes, option->name);
            optopt = option->val;
            return *options == ':' ? ':' : '?';
        }
        optarg = argv[optind++];
    }
    return 0;
}

/* Handles a long option at `name`. */
static int get_long(int argc, char **argv, const char *options, const struct option *long_options, int *index,
                    char *name, const char *dashes)
{
    int ambiguous;
    size_t length = strcspn(name, "=");
    const struct option *option = find_long(long_options, name, length, &ambiguous);
    next_char = 0;
    optind++;
    if (ambiguous || !option) {
        if (opterr && *options != ':')
            fprintf(stderr, ambiguous ? "%s: option '%s%s' is ambiguous\n" : "%s: unrecognized option '%s%s'\n",
                    argv[0], dashes, name);
        optopt = 0;
        return '?';
    }
    int failed = long_argument(argc, argv, options, option, name[length] ? name + length + 1 : 0, dashes);
    if (failed)
        return failed;
    if (index)
        *index = (int)(option - long_options);
    if (!option->flag)
        return option->val;
    *option->flag = option->val;
    return 0;
}

/* Finds the argument of a short option: the rest of the word or, if the argument is required, the next word. */
static int short_argument(int argc, char **argv, const char *options, const char *rule, int letter)
{
    optarg = 0;
    if (*next_char) {
        optarg = next_char;
        optind++;
    } else if (rule[2] == ':') {
        optind++;
    } else if (++optind >= argc) {
        char name[2] = {(char)letter, 0};
        optopt = letter;
        next_char = 0;
        return complain(options, argv[0], "%s: option requires an argument -- '%s'\n", name);
    } else {
        optarg = argv[optind++];
    }
    next_char = 0;
    return letter;
}

static int get_short(int argc, char **argv, const char *options)
{
    int letter = (unsigned char)*next_char++;
    const char *rule = letter == ':' || letter == ';' ? 0 : strchr(options, letter);
    if (rule && rule[1] == ':')
        return short_argument(argc, argv, options, rule, letter);
    if (!*next_char) {
        optind++;
        next_char = 0;
    }
    if (rule)
        return letter;
    char name[2] = {(char)letter, 0};
    optopt = letter;
    complain(options, argv[0], "%s: invalid option -- '%s'\n", name);
    return '?';
}

static int get(int argc, char **argv, const char *options, const struct option *long_options, int *index, int only)
{
    enum order order = *options == '-'             ? RETURN_IN_ORDER
                       : *options == '+'           ? REQUIRE_ORDER
                       : getenv("POSIXLY_CORRECT") ? REQUIRE_ORDER
                                                   : PERMUTE;
    if (*options == '-' || *options == '+')
        options++;
    optarg = 0;
    if (optind == 0) { /* GNU: starts again from the beginning */
        optind = 1;
        first_other = last_other = 1;
        next_char = 0;
    }
    if (first_other == 0)
        first_other = last_other = optind;
    if (!next_char || !*next_char) {
        next_char = 0;
        int found = find_option(argc, argv, order);
        if (found != 0)
            return found;
        char *word = argv[optind];
        if (long_options && word[1] == '-')
            return get_long(argc, argv, options, long_options, index, word + 2, "--");
        int ambiguous;
        if (long_options && only && (word[2] || !strchr(options, word[1])) &&
            (find_long(long_options, word + 1, strcspn(word + 1, "="), &ambiguous) || !strchr(options, word[1])))
            return get_long(argc, argv, options, long_options, index, word + 1, "-");
        next_char = word + 1;
    }
    return get_short(argc, argv, options);
}

int getopt(int argc, char *const argv[], const char *options)
{
    return get(argc, (char **)argv, options, 0, 0, 0);
}

int getopt_long(int argc, char *const argv[], const char *options, const struct option *long_options, int *index)
{
    return get(argc, (char **)argv, options, long_options, index, 0);
}

int getopt_long_only(int argc, char *const argv[], const char *options, const struct option *long_options, int *index)
{
    return get(argc, (char **)argv, options, long_options, index, 1);
}
