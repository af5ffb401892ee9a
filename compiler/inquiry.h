/* inquiry.h - expressions that a user of the debugger asks for, read by the front end of the compiler.
 *
 * A program that was compiled with debug information has the types and names of its variables. An inquiry is an
 * expression, or the name of a type, that is read as if it stood at a place in that program: the same lexer, grammar,
 * conversions and error texts. What comes out is the typed tree of tree.h. In it, the symbol of a variable or function
 * has its index in the module's variables[] or functions[] as `value`; a type of the program has the index of its
 * record in types[], plus 1, as `back`.
 *
 * Beyond C an inquiry may contain array[from:to:step] and object@count (CC_SECTION).
 */
#ifndef ORRERY_COMPILER_INQUIRY_H
#define ORRERY_COMPILER_INQUIRY_H

#include "compiler/tree/tree.h"

typedef struct CcInquiry CcInquiry;

/* What the text may mention. */
typedef struct CcInquiryNames {
    const VcodeModule *module; /* must outlive the inquiry */
    /* Returns the index in variables[] of the variable that a name means; VCODE_NONE: none. */
    uint32_t (*variable)(void *user, const char *name);
    /* Returns the text that a macro without parameters stands for, valid as long as the module; NULL: none. May be
     * NULL. */
    const char *(*macro)(void *user, const char *name);
    void *user;
} CcInquiryNames;

enum { CC_INQUIRY_LONGEST = 4096 }; /* bytes of text, macros expanded: that also bounds how deep it nests */

/* Reads an inquiry. Returns NULL with an error of domain CC_ERROR: what is wrong, the text, and a caret below the
 * place. O(text + tables of the module). Free it with cc_inquiry_free(). */
CcInquiry *cc_inquiry_new(const char *text, const CcInquiryNames *names, GError **error);
void cc_inquiry_free(CcInquiry *inquiry);
/* The expression; NULL: it is a type. */
const CcExpr *cc_inquiry_expr(const CcInquiry *inquiry);
/* The type of the expression, or the type. */
const CcType *cc_inquiry_type(const CcInquiry *inquiry);
/* Returns "what\n  text\n    ^~~", with the caret below `length` bytes of text at `column`, from 1. */
char *cc_inquiry_point(const char *what, const char *text, unsigned column, unsigned length);

#endif
