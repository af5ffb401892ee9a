/* data_race.c - four threads count what they find in a text, in one table.
 *
 * Nothing keeps the threads apart, so two may read the same number before either has written it back: one count is
 * lost. With the argument "lock" a mutex keeps them apart; with "own" each counts in a table of its own, and they are
 * added up at the end.
 *
 * Build:    cc -pthread data_race.c -o data_race
 * Run:      orrery run -n 1 --check=data-races samples/data_race.c
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 4, LETTERS = 26 };

static const char text[] = "the quick brown fox jumps over the lazy dog";
static int table[LETTERS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int uses_lock, uses_own;

struct part {
    pthread_t thread;
    const char *from, *to;
    int own[LETTERS];
};

static void *count(void *argument)
{
    struct part *part = argument;
    for (const char *letter = part->from; letter < part->to; letter++) {
        if (*letter == ' ')
            continue;
        if (uses_own) {
            part->own[*letter - 'a']++;
        } else if (uses_lock) {
            pthread_mutex_lock(&mutex);
            table[*letter - 'a']++;
            pthread_mutex_unlock(&mutex);
        } else {
            table[*letter - 'a']++;
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    struct part parts[THREADS] = {0};
    size_t length = strlen(text);
    int all = 0;
    uses_lock = argc > 1 && strcmp(argv[1], "lock") == 0;
    uses_own = argc > 1 && strcmp(argv[1], "own") == 0;
    for (int i = 0; i < THREADS; i++) {
        parts[i].from = text + length * i / THREADS;
        parts[i].to = text + length * (i + 1) / THREADS;
        pthread_create(&parts[i].thread, NULL, count, &parts[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(parts[i].thread, NULL);
    for (int letter = 0; letter < LETTERS; letter++) {
        for (int i = 0; i < THREADS; i++)
            table[letter] += parts[i].own[letter];
        all += table[letter];
    }
    printf("%d letters, %d of them 'o'\n", all, table['o' - 'a']);
    return 0;
}
