/* regex_program.h - the form of a compiled regular expression, shared by regex_compile.c and regex_match.c.
 *
 * It is a program of small operations for a machine that follows all alternatives at once. Jumps are relative, so that
 * a part of a program can be moved and repeated.
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
    OP_SPLIT,     /* goes to both a and b, relative to this step */
    OP_JUMP,      /* goes to a, relative to this step */
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
