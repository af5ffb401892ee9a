/* assert.h - C11 7.2; may be included again with another NDEBUG */
#undef assert
#ifdef NDEBUG
#define assert(expression) ((void)0)
#else
#define assert(expression)                                                                                            \
    ((expression) ? (void)0 : __orrery_assert_fail(#expression, __FILE__, __LINE__, __func__))
#endif

#ifndef _ASSERT_H
#define _ASSERT_H
_Noreturn void __orrery_assert_fail(const char *expression, const char *file, int line, const char *function);
#define static_assert _Static_assert
#endif
