/* An interpreter of a small register machine: three-operand instructions. */
enum { LOADI, ADDI, ADDR, MULR, XORR, SHIFT, LESS, BRANCH, HALT };
typedef struct Instruction {
    unsigned char op, a, b, c;
} Instruction;
static const Instruction program[] = {
    {LOADI, 0, 0, 0}, {LOADI, 1, 0, 1}, {LOADI, 3, 0, 200}, {ADDI, 0, 0, 1}, {MULR, 2, 0, 1},   {ADDR, 1, 1, 2},
    {SHIFT, 2, 1, 3}, {XORR, 1, 1, 2},  {ADDR, 4, 4, 1},    {LESS, 5, 0, 3}, {BRANCH, 5, 0, 3}, {HALT, 4, 0, 0},
};

double kernel(void)
{
    unsigned long r[8] = {0};
    double sum = 0.0;
    for (int t = 0; t < 8; t++)
        for (int pc = 0;; pc++) {
            Instruction i = program[pc];
            if (i.op == HALT)
                break;
            switch (i.op) {
            case LOADI: r[i.a] = i.c; break;
            case ADDI: r[i.a] = r[i.b] + i.c; break;
            case ADDR: r[i.a] = r[i.b] + r[i.c]; break;
            case MULR: r[i.a] = r[i.b] * r[i.c]; break;
            case XORR: r[i.a] = r[i.b] ^ r[i.c]; break;
            case SHIFT: r[i.a] = r[i.b] >> i.c; break;
            case LESS: r[i.a] = r[i.b] < r[i.c]; break;
            default:
                if (r[i.a])
                    pc = i.c - 1;
            }
            sum += i.op;
        }
    return sum + (double)(r[4] & 1023);
}
