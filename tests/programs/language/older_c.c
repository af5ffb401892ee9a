/* What came before and what GNU C allows: extern inline that is defined again, a promoted parameter under a prototype,
 * a type name as parameter in parentheses (6.7.6.3p11), a last member without semicolon, differences of addresses in
 * static data, scopes of statements (6.8.4p3); a transparent union takes what a member would. */
#include <stdio.h>

extern inline __attribute__((gnu_inline)) int again(void)
{
    return 1;
}
int again(void)
{
    return 2;
}

typedef int x;
static int call(int (*x)(void))
{
    return x();
}

static int narrow(int);
static int narrow(c) unsigned char c;
{
    return c;
}

struct s {
    int a;
    int b
};
int distance = (int)((char *)&((struct s *)0)->b - (char *)0) + 0U;
int in_string = &"Foobar"[3] - &"Foobar"[1];
int equal = (_Complex float)(0.5) == 0.5;

typedef union {
    int *integer;
    void *any;
} either __attribute__((transparent_union));
static int pass(either x)
{
    return x.integer ? *x.integer : -1;
}

int main(void)
{
    int four = 4;
    void *p = &four;
    printf("%d %d %d %d\n", pass(&four), pass(p), pass(0), pass((either){&four}));
    struct tag {
        char c;
    };
    if (sizeof(struct tag { int q[5]; }) == 20)
        printf("%zu\n", sizeof(struct tag));
    printf("%d %d %d %d %d %zu\n", again(), call(again), narrow(300), distance, in_string + equal, sizeof(struct tag));
    return 0;
}
