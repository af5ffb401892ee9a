/* goto_vm.c - an interpreter of a register machine by computed goto; its program counts primes. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    uint8_t op, a, b, c;
    int32_t imm;
} insn;

enum { MOVI, ADD, ADDI, SUB, MUL, REM, BLT, BEQ, BNE, JMP, PRINT, END };

static int64_t execute(const insn *code)
{
    static void *labels[] = {&&movi, &&add, &&addi, &&sub, &&mul, &&rem, &&blt, &&beq, &&bne, &&jmp, &&print, &&end};
    int64_t r[16] = {0};
    uint64_t executed = 0;
    const insn *i = code;
#define DISPATCH()                                                                                                     \
    do {                                                                                                               \
        executed++;                                                                                                    \
        goto *labels[i->op];                                                                                           \
    } while (0)
    DISPATCH();
movi:
    r[i->a] = i->imm;
    i++;
    DISPATCH();
add:
    r[i->a] = r[i->b] + r[i->c];
    i++;
    DISPATCH();
addi:
    r[i->a] = r[i->b] + i->imm;
    i++;
    DISPATCH();
sub:
    r[i->a] = r[i->b] - r[i->c];
    i++;
    DISPATCH();
mul:
    r[i->a] = r[i->b] * r[i->c];
    i++;
    DISPATCH();
rem:
    r[i->a] = r[i->c] ? r[i->b] % r[i->c] : 0;
    i++;
    DISPATCH();
blt:
    i = r[i->a] < r[i->b] ? code + i->imm : i + 1;
    DISPATCH();
beq:
    i = r[i->a] == r[i->b] ? code + i->imm : i + 1;
    DISPATCH();
bne:
    i = r[i->a] != r[i->b] ? code + i->imm : i + 1;
    DISPATCH();
jmp:
    i = code + i->imm;
    DISPATCH();
print:
    printf("%lld\n", (long long)r[i->a]);
    i++;
    DISPATCH();
end:
    return (int64_t)executed;
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 360000;
    insn code[] = {
        {MOVI, 1, 0, 0, 2}, {MOVI, 2, 0, 0, turns}, {MOVI, 3, 0, 0, 0}, {MOVI, 4, 0, 0, 2}, /* 0: n, limit, count, d */
        {MUL, 5, 4, 4, 0},  {BLT, 1, 5, 0, 10},     {REM, 6, 1, 4, 0},  {BEQ, 6, 7, 0, 11}, /* 4: d * d > n? */
        {ADDI, 4, 4, 0, 1}, {JMP, 0, 0, 0, 4},      {ADDI, 3, 3, 0, 1}, {ADDI, 1, 1, 0, 1}, /* 8; 10: prime; 11: next */
        {BLT, 1, 2, 0, 3},  {PRINT, 3, 0, 0, 0},    {END, 0, 0, 0, 0},
    };
    printf("%lld\n", (long long)execute(code));
    return 0;
}
