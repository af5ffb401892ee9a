/* switch_vm.c - an interpreter by a switch over bytes: the well-known language of eight characters. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char tape[30000];

static long run(const char *program, const int *match)
{
    unsigned char *cell = tape;
    long steps = 0, out = 0;
    for (int at = 0; program[at]; at++, steps++) {
        switch (program[at]) {
        case '>': cell++; break;
        case '<': cell--; break;
        case '+': ++*cell; break;
        case '-': --*cell; break;
        case '.': out = out * 31 + *cell; break;
        case '[':
            if (!*cell)
                at = match[at];
            break;
        case ']':
            if (*cell)
                at = match[at];
            break;
        default: break;
        }
    }
    return steps + out;
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 1600;
    static const char program[] =
        "++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+.>++."
        ">>++++++++++++++++++++++++++++++++[>++++++++++++++++++++++++++++++++[>+>+<<-]>>[<<+>>-]<[-]<<-]";
    static int match[sizeof program];
    int stack[64], depth = 0;
    for (int i = 0; program[i]; i++)
        if (program[i] == '[')
            stack[depth++] = i;
        else if (program[i] == ']') {
            match[i] = stack[--depth];
            match[stack[depth]] = i;
        }
    long sum = 0;
    for (int i = 0; i < turns; i++) {
        memset(tape, 0, sizeof tape);
        sum += run(program, match);
    }
    printf("%ld\n", sum);
    return 0;
}
