/* #pragma weak, weak and alias attributes, #pragma redefine_extname: names of symbols, whatever order they come in. */
#include <stdio.h>

#pragma weak weak_before = strong
#pragma weak nowhere
#pragma redefine_extname called defined
int strong(void) { return 7; }
int weak_before(void);
extern int nowhere(void);
int called(void);
int other_name(void) __asm__("defined");
int other_name(void) { return 11; }
int twice(void) __attribute__((alias("strong")));
extern int __attribute__((weak)) missing(void);
static int renamed(void) __attribute__((weakref("strong")));
#pragma nobody knows this

int main(void)
{
    printf("%d %d %d %d\n", weak_before(), called(), twice(), renamed());
    printf("%d %d\n", nowhere == 0, !missing);
    return 0;
}
