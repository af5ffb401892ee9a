/* link_names.h - names and values by which objects tell the linker more than the tables of vcode.h can. */
#ifndef ORRERY_COMPILER_LINK_NAMES_H
#define ORRERY_COMPILER_LINK_NAMES_H

/* Local symbols with these names stand for functions that run before main and after exit. A name in C cannot contain
 * '@'. */
#define CC_CONSTRUCTOR_NAME "@constructor"
#define CC_DESTRUCTOR_NAME  "@destructor"
/* Functions that the linker makes. They call the constructors and the destructors; the start-up code calls them. */
#define CC_INIT_FUNCTION "__orrery_init"
#define CC_FINI_FUNCTION "__orrery_fini"
/* An object with a local symbol of this name is a shared library. Its definitions give way to those of the program. */
#define CC_SHARED_NAME "@shared"
/* Name of the symbols of string literals. */
#define CC_STRING_NAME "@string"
/* Flag in the value of an undefined function's symbol: the function is variadic. The rest of the value is the number of
 * argument registers + 1; 0: unknown. */
#define CC_VALUE_VARIADIC (1u << 16)

#endif
