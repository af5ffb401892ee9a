/* setjmp.h - C11 7.13 */
#ifndef _SETJMP_H
#define _SETJMP_H

typedef long jmp_buf[8];
typedef long sigjmp_buf[8];

int setjmp(jmp_buf environment);
_Noreturn void longjmp(jmp_buf environment, int value);

#define _setjmp(environment)           setjmp(environment)
#define _longjmp(environment, value)   longjmp(environment, value)
#define sigsetjmp(environment, mask)   setjmp(environment)
#define siglongjmp(environment, value) longjmp(environment, value)

#endif
