/* #pragma GCC diagnostic and clang diagnostic hold from their line on. */
/* options: -Wall -Werror=return-type */
void f(void)
{
    int before;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"
    int ignored;
#pragma clang diagnostic error "-Wunused"
    int as_error;
#pragma GCC diagnostic pop
    int behind;
#pragma GCC diagnostic warning "-Wshadow"
    { int behind; }
    _Pragma("GCC diagnostic ignored \"-Wunused-variable\"") int also_ignored;
#pragma GCC diagnostic warning "-Wno-such-thing"
}
int g(void) { }
