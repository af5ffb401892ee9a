/* calling.h - the forms in which a call passes its arguments.
 *
 * C89 and old headers call functions without a prototype. Then only the running program knows whether the callee is
 * variadic and how many parameters it has (C11 6.5.2.2p6). A `calli` names the form of its arguments in field c. If the
 * callee expects another form, the VM adapts the window: missing arguments are 0, surplus arguments are ignored, and
 * the variable arguments of a variadic callee go into slots. The operand of a `call` that is not yet linked tells the
 * linker the form in the same way.
 */
#ifndef ORRERY_VCODE_CALLING_H
#define ORRERY_VCODE_CALLING_H

enum {
    VCODE_PASS_PLAIN = 0,    /* all arguments in registers */
    VCODE_PASS_ROOM = 1,     /* no prototype: R[a+n] holds the address of room for n slots in the caller's frame */
    VCODE_PASS_SLOTS = 2,    /* + k: variadic; the last of the n arguments is the address of k slots */
    VCODE_PASS_MOST = 65535, /* the largest value that field c can hold */
};

#endif
