/* Computed jumps run natively, as the interpreter of a little machine uses them: operations that call functions,
 * divide, use an array on the stack and addresses of labels from tables, variables and differences (6.8.6, and GNU C's
 * labels as values). */
#include <stdio.h>
#include <string.h>

enum { PUSH, ADD, SUB, MUL, DIV, DUP, DROP, SWAP, CALL, TEXT, JNZ, OVER, HALT, OPERATIONS };

static long depth;

static long __attribute__((noinline)) twist(long x, long y)
{
    depth++;
    return (x * 31 + y) % 100003;
}

static long run(const int *code, long argument)
{
    static void *const labels[OPERATIONS] = {&&push, &&add,  &&sub,  &&mul, &&div,  &&dup, &&drop,
                                             &&swap, &&call, &&text, &&jnz, &&over, &&halt};
    long stack[32] = {argument}, *sp = stack + 1, other;
    char line[40];
    const int *pc = code;
    double weight = 0.5;
    void *next = labels[*pc++];
    goto *next;
push:
    *sp++ = *pc++;
    goto *labels[*pc++];
add:
    sp--;
    sp[-1] += sp[0];
    goto *labels[*pc++];
sub:
    sp--;
    sp[-1] -= sp[0];
    goto *labels[*pc++];
mul:
    sp--;
    sp[-1] = (sp[-1] * sp[0]) % 1000003;
    weight = weight * 0.75 + 1;
    goto *labels[*pc++];
div:
    sp--;
    sp[-1] /= sp[0];
    goto *labels[*pc++];
dup:
    *sp = sp[-1];
    sp++;
    goto *labels[*pc++];
drop:
    sp--;
    goto *labels[*pc++];
swap:
    other = sp[-1];
    sp[-1] = sp[-2];
    sp[-2] = other;
    goto *(&&over + (labels[*pc++] - &&over));
call:
    sp--;
    sp[-1] = twist(sp[-1], sp[0]);
    next = labels[*pc++];
    goto *next;
text:
    snprintf(line, sizeof line, "%ld/%.3f", sp[-1], weight);
    sp[-1] += (long)strlen(line);
    goto *labels[*pc++];
over:
    *sp = sp[-2];
    sp++;
    goto *labels[*pc++];
jnz : {
    int to = *pc++;
    if (*--sp)
        pc = code + to;
    goto *labels[*pc++];
}
halt:
    return sp[-1] + (long)weight;
}

int main(void)
{
    static const int code[] = {PUSH, 1,    SWAP, /* 3: */ SWAP, OVER, MUL,  PUSH, 7,    ADD, OVER,
                               CALL, TEXT, PUSH, 9973,          DUP,  DROP, ADD,  PUSH, 3,   DIV,
                               SWAP, PUSH, 1,    SUB,           DUP,  JNZ,  3,    DROP, HALT};
    for (long n = 1; n < 3000; n = n * 3 + 1)
        printf("%ld: %ld\n", n, run(code, n));
    printf("%ld\n", depth);
    return 0;
}
