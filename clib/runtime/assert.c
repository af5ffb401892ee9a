/* assert.c - the message of a failed assertion (C11 7.2.1.1), in glibc's words. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

void __orrery_assert_fail(const char *expression, const char *file, int line, const char *function)
{
    fprintf(stderr, "%s:%d: %s: Assertion `%s' failed.\n", file, line, function, expression);
    abort();
}
