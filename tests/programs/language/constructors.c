/* constructor and destructor attributes: by priority, those without one last (first for destructors), each kind in the
 * order of the text (the reverse for destructors). */
#include <stdio.h>

#define MAKE(name, attribute)                                                                                          \
    static __attribute__((attribute)) void name(void)                                                                  \
    {                                                                                                                  \
        puts(#name);                                                                                                   \
    }
MAKE(plain_first, constructor)
MAKE(late, constructor(300))
MAKE(early, constructor(101))
MAKE(plain_second, __constructor__)
MAKE(end_plain_first, destructor)
MAKE(end_early, destructor(101))
MAKE(end_late, destructor(300))
MAKE(end_plain_second, destructor)

int main(void)
{
    puts("main");
    return 0;
}
