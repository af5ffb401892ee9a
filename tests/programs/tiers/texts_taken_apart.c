/* texts_taken_apart.c - functions of the C library that look for something in a text: texts that are constant, private,
 * at the end of memory, and one that does not end.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const numbers[] = {"12",
                                      " \t\n\v\f\r-7x",
                                      "+8",
                                      "-",
                                      "",
                                      "x1",
                                      "- 1",
                                      "0x10",
                                      "2147483648",
                                      "-2147483649",
                                      "007",
                                      "999999999999999999",
                                      "9999999999999999999",
                                      "-9223372036854775808"};

static long look(const char *text, const char *set)
{
    const char *break_at = strpbrk(text, set), *found = strstr(text, set), *byte = strchr(text, set[0]);
    long sum = (long)(strspn(text, set) * 3 + strcspn(text, set) * 5);
    sum += break_at ? break_at - text : -1;
    sum = sum * 7 + (found ? found - text : -1);
    return sum * 7 + (byte ? byte - text : -1);
}

int main(void)
{
    char line[] = "one, two;three ,,four;; five";
    char *block = malloc(20 * 4096 - 32), *end = block + 20 * 4096 - 32; /* to the end of memory, but for a mark */
    long sum = 0;
    memset(block, 'a', 20 * 4096 - 32);
    strcpy(end - 30, "the text at the end, bounded");
    for (int turn = 0; turn < 400; turn++) {
        char copy[sizeof line];
        strcpy(copy, line);
        for (char *word = strtok(copy, ",; "); word; word = strtok(NULL, ",; "))
            sum = sum * 31 % 1000003 + word[0] + (long)strlen(word);
        sum += look("abcabcd", "bca") + look(line, "e") + look(end - 30, "end") + look(end - 20 - turn % 9, "");
        sum += look(block + 4096 * (turn % 19), "the") + look("", "x");
        for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
            sum = sum * 5 % 1000003 + atoi(numbers[i]) % 1000 + atol(numbers[i]) % 1000 + atoll(numbers[i]) % 1000;
    }
    printf("%ld\n", sum);
    fflush(stdout);
    memset(block, 'a', 20 * 4096 - 32);
    memset(end, 'b', 16); /* the mark, too: nothing ends */
    for (int turn = 0; turn < 10; turn++)
        sum += (long)strcspn(end - 100, turn < 5 ? "xb" : "xa");
    printf("%ld\n", sum);
    return 0;
}
