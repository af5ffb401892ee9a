/* Words in a tree of letters, then searches in it. */
enum { WORDS = 300, MOST = 2400 };
static int child[MOST][26], ends[MOST], used;

static int word(char *w, unsigned n)
{
    int length = 3 + (int)(n % 5);
    for (int i = 0; i < length; i++) {
        n = n * 1664525u + 1013904223u;
        w[i] = (char)('a' + (n >> 24) % 26 % (unsigned)(6 + 4 * i));
    }
    w[length] = 0;
    return length;
}

static void insert(const char *w)
{
    int node = 0;
    for (; *w; w++) {
        if (!child[node][*w - 'a']) {
            for (int k = 0; k < 26; k++)
                child[used][k] = 0;
            ends[used] = 0;
            child[node][*w - 'a'] = used++;
        }
        node = child[node][*w - 'a'];
    }
    ends[node]++;
}

static int find(const char *w)
{
    int node = 0;
    for (; *w; w++)
        if (!(node = child[node][*w - 'a']))
            return 0;
    return ends[node];
}

double kernel(void)
{
    char w[16];
    int found = 0;
    used = 1;
    for (int k = 0; k < 26; k++)
        child[0][k] = 0;
    for (unsigned i = 0; i < WORDS; i++) {
        word(w, i * 7919);
        insert(w);
    }
    for (unsigned i = 0; i < 5 * WORDS; i++) {
        word(w, i * 1583);
        found += find(w);
    }
    return found + used;
}
