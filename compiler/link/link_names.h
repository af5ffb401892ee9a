/* link_names.h - what objects tell the linker beyond the tables of vcode.h. */
#ifndef ORRERY_COMPILER_LINK_NAMES_H
#define ORRERY_COMPILER_LINK_NAMES_H

/* Local symbols of these names stand for functions to be run before main and after exit, in order. '@' cannot be part
 * of a name in C. */
#define CC_CONSTRUCTOR_NAME "@constructor"
#define CC_DESTRUCTOR_NAME  "@destructor"
/* Functions that the linker makes: they call the constructors and destructors; the start-up code calls them. */
#define CC_INIT_FUNCTION "__orrery_init"
#define CC_FINI_FUNCTION "__orrery_fini"
/* An object with a local symbol of this name stands for a shared library: its definitions give way to the program's. */
#define CC_SHARED_NAME "@shared"
/* Name of the symbols of string literals. */
#define CC_STRING_NAME "@string"
/* In the value of an undefined function's symbol, beside the number of its argument registers + 1. */
#define CC_VALUE_VARIADIC (1u << 16)

#endif
