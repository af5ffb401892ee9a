/* trie.c - words in a tree of letters, counted, and found by their beginnings. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct trie {
    struct trie *child[26];
    int count, below;
} trie;

static trie *new_trie(void)
{
    return calloc(1, sizeof(trie));
}

static void insert(trie *t, const char *word)
{
    for (; *word; word++) {
        int i = *word - 'a';
        t->below++;
        if (!t->child[i])
            t->child[i] = new_trie();
        t = t->child[i];
    }
    t->count++;
}

static int below(const trie *t, const char *prefix)
{
    for (; t && *prefix; prefix++)
        t = t->child[*prefix - 'a'];
    return t ? t->below + t->count : 0;
}

static int depth(const trie *t)
{
    int most = 0;
    for (int i = 0; i < 26; i++)
        if (t->child[i]) {
            int d = depth(t->child[i]) + 1;
            if (d > most)
                most = d;
        }
    return most;
}

static void release(trie *t)
{
    for (int i = 0; i < 26; i++)
        if (t->child[i])
            release(t->child[i]);
    free(t);
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 25, words = argc > 2 ? atoi(argv[2]) : 10000;
    unsigned seed = 17;
    long sum = 0;
    for (int turn = 0; turn < turns; turn++) {
        trie *t = new_trie();
        for (int i = 0; i < words; i++) {
            char word[12];
            int n = 0;
            do {
                seed = seed * 1664525 + 1013904223;
                word[n++] = (char)('a' + (seed >> 27) % 26);
            } while (n < 11 && (seed >> 16) % 7);
            word[n] = 0;
            insert(t, word);
        }
        char prefix[3] = {0};
        for (int r = 0; r < 40; r++)
            for (prefix[0] = 'a'; prefix[0] <= 'z'; prefix[0]++)
                for (prefix[1] = 'a'; prefix[1] <= 'z'; prefix[1]++)
                    sum += below(t, prefix);
        sum += depth(t);
        release(t);
    }
    printf("%ld\n", sum);
    return 0;
}
