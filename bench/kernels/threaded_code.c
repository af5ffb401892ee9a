/* threaded_code.c - an interpreter of a stack machine that goes from instruction to instruction by computed goto.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { PUSH, LOAD, STORE, ADD, SUB, MUL, MOD, LT, JZ, JMP, HALT };
static int32_t code[] = {PUSH,  0,  STORE, 0, PUSH, 0, STORE, 1,     LOAD, 0,   PUSH, 0,       LT,
                         JZ,    37, LOAD,  1, LOAD, 0, PUSH,  3,     MUL,  ADD, PUSH, 1000003, MOD,
                         STORE, 1,  LOAD,  0, PUSH, 1, ADD,   STORE, 0,    JMP, 8,    HALT};

static int32_t run(const int32_t *c)
{
    static const void *const t[] = {&&push, &&load, &&store, &&add, &&sub, &&mul, &&mod, &&lt, &&jz, &&jmp, &&halt};
    int32_t stack[64], *sp = stack, var[8] = {0};
    const int32_t *pc = c;
#define NEXT goto *t[*pc++]
    NEXT;
push:
    *sp++ = *pc++;
    NEXT;
load:
    *sp++ = var[*pc++];
    NEXT;
store:
    var[*pc++] = *--sp;
    NEXT;
add:
    sp--;
    sp[-1] += sp[0];
    NEXT;
sub:
    sp--;
    sp[-1] -= sp[0];
    NEXT;
mul:
    sp--;
    sp[-1] *= sp[0];
    NEXT;
mod:
    sp--;
    sp[-1] %= sp[0];
    NEXT;
lt:
    sp--;
    sp[-1] = sp[-1] < sp[0];
    NEXT;
jz : {
    int32_t to = *pc++;
    if (!*--sp)
        pc = c + to;
}
    NEXT;
jmp:
    pc = c + *pc;
    NEXT;
halt:
    return var[1];
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 17000000;
    code[11] = turns;
    printf("%d\n", run(code));
    return 0;
}
