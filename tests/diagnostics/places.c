/* Places: headers, macros, tabs, wide characters, long lines, lines that go on, control characters. */
/* options:  */
#include <stddef.h>
#include "places.h"
#define SQUARE(x) ((x) * (x) + missing)
#define MANY /* of
   two lines */ 3
/* é */ int f(void) { int	x = "日本" + zork; return SQUARE(3); }
int g(char *p) { return p != NULL && zork2 == NULL && p == NULL; }
int h(int alpha)
{
    return (alpha +
            alpha) % 1.5 + nothing;
}
char *s = "[31m" oops;
int long_line(void) { return 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + far_away + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0; }
