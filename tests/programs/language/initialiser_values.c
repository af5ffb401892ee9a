/* What initialisers evaluate, and how often: the value of a designated range once (GNU), whatever stays of the range. Flexible
 * array members of static objects take what follows, with braces or without. */
#include <stdio.h>

static int calls;
static int next(void)
{
    return ++calls;
}
struct P {
    int x, y;
};
static struct P point(void)
{
    calls++;
    return (struct P){calls, -calls};
}
#define SHOW(A)                                                                                                        \
    do {                                                                                                               \
        printf("%s:", #A);                                                                                             \
        for (unsigned i_ = 0; i_ < sizeof A / sizeof(int); i_++)                                                       \
            printf(" %d", ((const int *)A)[i_]);                                                                       \
        printf("; %d calls\n", calls);                                                                                 \
    } while (0)

static void ranges(void)
{
    int c = 0;
    int plain[] = {[0 ... 1] = ++c, [2 ... 3] = ++c};
    SHOW(plain);
    int replaced[4] = {[0 ... 3] = next(), [0] = 70, [2] = 72};
    SHOW(replaced);
    int none[2] = {[0 ... 1] = next(), [0] = 5, [1] = 6};
    (void)none; /* gcc drops the call, and may: 6.7.9p19 */
    calls = 10;
    struct P points[3] = {[0 ... 2] = point()};
    SHOW(points);
    struct P braces[3] = {[0 ... 2] = {next(), 5}};
    SHOW(braces);
    int nested[2][3] = {[0 ... 1][0 ... 1] = next()};
    SHOW(nested);
    struct P path[3] = {[0 ... 2].y = next(), [1 ... 2].x = next()};
    SHOW(path);
    double converted[3] = {[0 ... 2] = next()};
    printf("%g %g %g; %d calls\n", converted[0], converted[1], converted[2], calls);
    int *same[2] = {[0 ... 1] = &(int){next()}};
    printf("%d %d\n", same[0] == same[1], *same[1]);
    volatile int v = 3;
    int watched[2] = {[0 ... 1] = v++ + v * 0};
    SHOW(watched);
    for (int i = 0; i < 3; i++) {
        int again[2] = {[0 ... 1] = next()};
        SHOW(again);
    }
    int *literal = (int[4]){[1 ... 3] = next()};
    printf("%d %d %d %d; %d calls\n", literal[0], literal[1], literal[2], literal[3], calls);
    int statement[2] = {[0 ... 1] = ({
                            int t = next();
                            t * 2;
                        })};
    SHOW(statement);
}

typedef struct {
    char a, b[];
} Text;
typedef struct {
    int n;
    struct P p[];
} Points;
Text bare = {'f', 'o', 'o', 0}, quoted = {'b', "ar"}, braced = {'b', {'a', 'z', 0}};
Points flat = {3, 1, 2, 3, 4, 5}, listed = {2, {{1, 2}, {3}}};
Points empty = {4, {{}, {}, {}, {}}};
static int behind = 77;
static Points local_last = {1, .p = {[1] = {8}, [0].y = 9}};

static void flexible(void)
{
    static Text inner = {'x', 'y', 'z'};
    printf("%s %s %s %c%c\n", &bare.a, &quoted.a, &braced.a, inner.b[0], inner.b[1]);
    printf("%d %d %d %d %d %d\n", flat.p[0].x, flat.p[0].y, flat.p[1].x, flat.p[1].y, flat.p[2].x, flat.p[2].y);
    printf("%d %d %d %d\n", listed.p[0].x, listed.p[0].y, listed.p[1].x, listed.p[1].y);
    for (int i = 0; i < 4; i++)
        empty.p[i] = (struct P){i, i};
    printf("%d %d %d %d\n", behind, local_last.p[0].x, local_last.p[0].y, local_last.p[1].x);
}

int main(void)
{
    ranges();
    flexible();
    return 0;
}
