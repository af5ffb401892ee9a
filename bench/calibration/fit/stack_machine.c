/* An interpreter of a small stack machine: a switch in a loop. */
enum { PUSH, ADD, MULTIPLY, DUPLICATE, SWAP, DROP, DECREMENT, JUMP, END };
static const int program[] = {PUSH, 0,   PUSH, 3000, SWAP, PUSH, 7,         ADD,  DUPLICATE, MULTIPLY, PUSH,
                              1023, ADD, SWAP, DROP, PUSH, 1,    DECREMENT, JUMP, 2,         END};

double kernel(void)
{
    long stack[64], count = 2500;
    int sp = 0, pc = 0;
    for (;;) {
        switch (program[pc++]) {
        case PUSH: stack[sp++] = program[pc++]; break;
        case ADD:
            sp--;
            stack[sp - 1] += stack[sp];
            break;
        case MULTIPLY:
            sp--;
            stack[sp - 1] = stack[sp - 1] * stack[sp] & 0xffff;
            break;
        case DUPLICATE:
            stack[sp] = stack[sp - 1];
            sp++;
            break;
        case SWAP: {
            long keep = stack[sp - 1];
            stack[sp - 1] = stack[sp - 2];
            stack[sp - 2] = keep;
            break;
        }
        case DROP: sp--; break;
        case DECREMENT: count--; break;
        case JUMP: pc = count > 0 ? program[pc] : pc + 1; break;
        case END: return (double)stack[sp - 1];
        }
        if (sp > 40)
            sp = 8;
    }
}
