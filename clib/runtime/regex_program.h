/* regex_program.h - what a compiled regular expression is: shared by regex_compile.c and regex_match.c.
 *
 * A program of small operations for a machine that follows all alternatives at once. Jumps are relative, so that a
 * piece of program can be moved and repeated.
 */
#ifndef ORRERY_REGEX_PROGRAM_H
#define ORRERY_REGEX_PROGRAM_H

#include <regex.h>

enum operation {
    OP_CHARACTER, /* a: the character */
    OP_ANY,
    OP_SET,   /* a: index in sets */
    OP_BEGIN, /* ^ */
    OP_END,   /* $ */
    OP_BUFFER_BEGIN,
    OP_BUFFER_END,
    OP_WORD_EDGE, /* a: 0 \b, 1 \B, 2 \<, 3 \> */
    OP_SAVE,      /* a: slot 2n where group n begins, 2n + 1 where it ends */
    OP_SPLIT,     /* goes to a, and to b */
    OP_JUMP,      /* a */
    OP_BACK_REFERENCE,
    OP_MATCH,
};

struct step {
    unsigned char operation;
    int a, b;
};

struct orrery_regex {
    struct step *steps;
    unsigned char (*sets)[32];
    int step_count, set_count, step_capacity, set_capacity;
    int flags, has_back_reference;
};

#endif
