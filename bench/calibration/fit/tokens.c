/* Finds the words of a text, converts them to lower case, and looks them up by binary search. */
#include <string.h>
static const char *const words[] = {"and", "as", "be", "by", "for", "in",  "is",
                                    "it",  "of", "on", "or", "so",  "the", "to"};
static const char text[] =
    "The order of the words in a text is not by chance: it is made so that those who read it, or hear it, may "
    "follow the thought To its end. And for that, there is a place for each of them, as on a map of a Country.";

static int find(const char *word)
{
    int low = 0, high = sizeof words / sizeof *words;
    while (low < high) {
        int middle = (low + high) / 2, order = strcmp(word, words[middle]);
        if (order == 0)
            return middle;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return -1;
}

double kernel(void)
{
    int counts[16] = {0}, unknown = 0;
    char word[32];
    for (int turn = 0; turn < 12; turn++)
        for (const char *at = text; *at;) {
            int n = 0;
            while (*at && !((*at | 32) >= 'a' && (*at | 32) <= 'z'))
                at++;
            while ((*at | 32) >= 'a' && (*at | 32) <= 'z')
                word[n++] = (char)(*at++ | 32);
            word[n] = 0;
            int which = find(word);
            if (which < 0)
                unknown++;
            else
                counts[which]++;
        }
    return unknown + counts[12] * 100;
}
