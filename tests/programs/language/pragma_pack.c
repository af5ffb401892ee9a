/* #pragma pack limits the alignment of members, as gcc reads it; push and pop keep the old limit. */
#include <stddef.h>
#include <stdio.h>

#pragma pack(push, 1)
struct one { char c; int i; double d; short s; };
struct fields { char c; unsigned a : 5, b : 9; int i; };
#pragma pack(push, 2)
struct two { char c; int i; double d; short s; };
#pragma pack(pop)
struct one_again { char c; long l; };
#pragma pack(pop)
struct natural { char c; int i; double d; short s; };
#pragma pack(4)
struct four { char c; double d; struct natural n; };
union u { char c[5]; long l; };
#pragma pack()
struct natural_again { char c; double d; };
_Pragma("pack(1)") struct by_operator { char c; long l; };

int main(void)
{
    struct one x = {1, 2, 3.5, 4}, y = x;
    struct fields f = {1, 30, 300, 77};
    printf("%zu %zu %zu %zu\n", sizeof(struct one), offsetof(struct one, i), offsetof(struct one, d), offsetof(struct one, s));
    printf("%zu %zu %zu\n", sizeof(struct two), offsetof(struct two, i), offsetof(struct two, d));
    printf("%zu %zu %zu\n", sizeof(struct one_again), sizeof(struct natural), sizeof(struct natural_again));
    printf("%zu %zu %zu\n", sizeof(struct four), offsetof(struct four, n), sizeof(union u));
    printf("%zu\n", sizeof(struct by_operator));
    printf("%d %d %g %d\n", y.c, y.i, y.d, y.s);
    printf("%d %u %u %d %zu\n", f.c, f.a, f.b, f.i, offsetof(struct fields, i));
    return 0;
}
