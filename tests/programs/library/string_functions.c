/* <string.h> and <ctype.h> in use (C11 7.24, 7.4). */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int sign(int value)
{
    return (value > 0) - (value < 0);
}

int main(void)
{
    char text[64] = "one,two;;three", copy[64];
    for (char *part = strtok(text, ",;"); part; part = strtok(NULL, ",;"))
        printf("<%s>", part);
    printf("\n");
    strcpy(copy, "a-b--c");
    char *rest = copy, *part;
    while ((part = strsep(&rest, "-")))
        printf("(%s)", part);
    printf("\n");
    char *state;
    strcpy(copy, "  x  y ");
    for (part = strtok_r(copy, " ", &state); part; part = strtok_r(NULL, " ", &state))
        printf("[%s]", part);
    printf("\n");
    strcpy(copy, "hello");
    strcat(copy, " ");
    strncat(copy, "worldwide", 5);
    printf("%s %zu %zu\n", copy, strlen(copy), strnlen(copy, 4));
    printf("%s %s %s %s\n", strchr(copy, 'o'), strrchr(copy, 'o'), strstr(copy, "wor"), strpbrk(copy, "wl"));
    printf("%zu %zu\n", strspn(copy, "hel"), strcspn(copy, " "));
    printf("%d %d %d %d\n", sign(strcmp("a", "b")), sign(strncmp("abc", "abd", 2)), sign(strcasecmp("HeLLo", "hello")),
           sign(memcmp("\1\2", "\1\1", 2)));
    memset(copy, '*', 5);
    memmove(copy + 2, copy, 3);
    memcpy(copy + 8, "XY", 2);
    printf("%s %d\n", copy, memchr(copy, 'X', 12) == copy + 8);
    char *duplicate = strdup("duplicate"), *part_of = strndup(duplicate, 4);
    printf("%s %s\n", duplicate, part_of);
    free(duplicate);
    free(part_of);
    char padded[6] = "zzzzz";
    strncpy(padded, "ab", 4);
    printf("%s %d %c\n", padded, padded[3], padded[4]);
    printf("%s | %s | %s\n", strerror(0), strerror(ENOENT), strerror(EDOM));
    int counts[12] = {0};
    for (int c = 0; c < 256; c++) {
        counts[0] += isalnum(c) != 0, counts[1] += isalpha(c) != 0, counts[2] += isblank(c) != 0;
        counts[3] += iscntrl(c) != 0, counts[4] += isdigit(c) != 0, counts[5] += isgraph(c) != 0;
        counts[6] += islower(c) != 0, counts[7] += isprint(c) != 0, counts[8] += ispunct(c) != 0;
        counts[9] += isspace(c) != 0, counts[10] += isupper(c) != 0, counts[11] += isxdigit(c) != 0;
    }
    for (int i = 0; i < 12; i++)
        printf("%d ", counts[i]);
    printf("%d %d\n", isalpha('x'), isdigit('7'));
    for (char *p = strcpy(copy, "Mixed Case 9"); *p; p++)
        putchar(isupper((unsigned char)*p) ? tolower(*p) : toupper(*p));
    printf("\n%d %d\n", (isalpha)('a') != 0, ffs(40));
    return 0;
}
