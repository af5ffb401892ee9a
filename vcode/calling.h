/* calling.h - how a call says in which form it passes arguments, for calls whose callee expects another form.
 *
 * C89 and old headers call functions without a prototype; then nobody knows before run time whether the callee is
 * variadic or how many parameters it has (C11 6.5.2.2p6). A `calli` tells its form in field c. Where it is not the
 * callee's, the VM fits the window: missing arguments are 0, further ones are ignored, and those of a variadic callee
 * go into slots. The operand of a `call` that is not linked yet says the same to the linker.
 */
#ifndef ORRERY_VCODE_CALLING_H
#define ORRERY_VCODE_CALLING_H

enum {
    VCODE_PASS_PLAIN = 0, /* all arguments in registers */
    VCODE_PASS_ROOM = 1,  /* no prototype: R[a+n] is the address of n slots' room in the caller's frame */
    VCODE_PASS_SLOTS = 2, /* + k: variadic; the last of the n arguments is the address of k slots */
    VCODE_PASS_MOST = 65535,
};

#endif
