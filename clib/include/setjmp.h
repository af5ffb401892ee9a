/* setjmp.h - C11 7.13 and POSIX */
#ifndef _SETJMP_H
#define _SETJMP_H

#include <orrery_features.h>

typedef long jmp_buf[8];

int setjmp(jmp_buf environment);
#define setjmp(environment) setjmp(environment)
_Noreturn void longjmp(jmp_buf environment, int value);

#ifdef __ORRERY_POSIX
typedef long sigjmp_buf[8];
#define _setjmp(environment)           setjmp(environment)
#define _longjmp(environment, value)   longjmp(environment, value)
#define sigsetjmp(environment, mask)   setjmp(environment)
#define siglongjmp(environment, value) longjmp(environment, value)
#endif

#endif
