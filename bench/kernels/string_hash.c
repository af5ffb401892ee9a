/* string_hash.c - counts words by a hash table with chains: bytes, integer arithmetic, pointers, comparison of strings.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1024 };

struct word {
    struct word *next;
    int count;
    char text[12];
};
static struct word *table[BUCKETS];

static unsigned hash(const char *text)
{
    unsigned h = 5381;
    while (*text)
        h = h * 33 + (unsigned char)*text++;
    return h;
}

static void add(const char *text)
{
    struct word **place = &table[hash(text) % BUCKETS], *w;
    for (w = *place; w; w = w->next)
        if (strcmp(w->text, text) == 0) {
            w->count++;
            return;
        }
    w = malloc(sizeof *w);
    strcpy(w->text, text);
    w->count = 1;
    w->next = *place;
    *place = w;
}

int main(int argc, char **argv)
{
    int words = argc > 1 ? atoi(argv[1]) : 5000000;
    unsigned state = 1;
    char text[12];
    for (int i = 0; i < words; i++) {
        int length = 0;
        for (unsigned n = (state >> 8) % 2000; n || length < 3; n /= 7)
            text[length++] = (char)('a' + n % 7);
        text[length] = 0;
        add(text);
        state = state * 1103515245 + 12345;
    }
    int most = 0;
    for (int i = 0; i < BUCKETS; i++)
        for (struct word *w = table[i]; w; w = w->next)
            if (w->count > most)
                most = w->count;
    printf("%d\n", most);
    return 0;
}
