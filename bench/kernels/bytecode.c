/* bytecode.c - an interpreter in the interpreter: a switch in a loop, a small stack, jumps. The program that it runs
 * counts how long Collatz's sequences are.
 */
#include <stdio.h>
#include <stdlib.h>

typedef enum Op { PUSH, LOAD, STORE, ADD, MULTIPLY, HALVE, ODD, IS_ONE, JUMP, JUMP_IF, RETURN } Op;
typedef struct Instruction {
    Op op;
    int operand;
} Instruction;

static const Instruction program[] = {
    {PUSH, 0},  {STORE, 1},                                       /* 0: steps = 0 */
    {LOAD, 0},  {IS_ONE, 0}, {JUMP_IF, 21},                       /* 2: until n == 1 */
    {LOAD, 1},  {PUSH, 1},   {ADD, 0},      {STORE, 1},           /* 5: steps++ */
    {LOAD, 0},  {ODD, 0},    {JUMP_IF, 15},                       /* 9: if n is even */
    {LOAD, 0},  {HALVE, 0},  {JUMP, 20},                          /* 12: n / 2 */
    {LOAD, 0},  {PUSH, 3},   {MULTIPLY, 0}, {PUSH, 1},  {ADD, 0}, /* 15: else 3 n + 1 */
    {JUMP, 23},                                                   /* 20 */
    {LOAD, 1},  {RETURN, 0},                                      /* 21: the number of steps */
    {STORE, 0}, {JUMP, 2},                                        /* 23: is the next n */
};

static long run(long n)
{
    long stack[8], *top = stack, variables[2] = {n, 0};
    for (const Instruction *at = program;; at++)
        switch (at->op) {
        case PUSH: *top++ = at->operand; break;
        case LOAD: *top++ = variables[at->operand]; break;
        case STORE: variables[at->operand] = *--top; break;
        case ADD: top--, top[-1] += top[0]; break;
        case MULTIPLY: top--, top[-1] *= top[0]; break;
        case HALVE: top[-1] /= 2; break;
        case ODD: top[-1] &= 1; break;
        case IS_ONE: top[-1] = top[-1] == 1; break;
        case JUMP: at = program + at->operand - 1; break;
        case JUMP_IF:
            if (*--top)
                at = program + at->operand - 1;
            break;
        case RETURN: return *--top;
        }
}

int main(int argc, char **argv)
{
    int most = argc > 1 ? atoi(argv[1]) : 90000;
    long longest = 0, sum = 0;
    for (int n = 1; n <= most; n++) {
        long steps = run(n);
        sum += steps;
        if (steps > longest)
            longest = steps;
    }
    printf("%ld %ld\n", longest, sum);
    return 0;
}
