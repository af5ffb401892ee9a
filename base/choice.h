/* choice.h - a closed list of names, written once: the enum and the names come from the same rows.
 *
 *     #define COLOURS(CHOICE) CHOICE(COLOUR_RED, "red") CHOICE(COLOUR_BLUE, "blue")
 *     BASE_CHOICE_ENUM(Colour, COLOURS);
 *     static const char *const colours[] = BASE_CHOICE_NAMES(COLOURS);
 *
 * Names stand at their constants' places, and NULL ends them. Programs compare constants; only readers and printers see
 * names.
 */
#ifndef ORRERY_BASE_CHOICE_H
#define ORRERY_BASE_CHOICE_H

/* clang-format off */
#define BASE_CHOICE_CONSTANT(constant, name) constant,
#define BASE_CHOICE_NAME(constant, name) name,
#define BASE_CHOICE_ENUM(Type, LIST) typedef enum Type { LIST(BASE_CHOICE_CONSTANT) } Type
#define BASE_CHOICE_NAMES(LIST) {LIST(BASE_CHOICE_NAME) NULL}
/* One string constant: "red|blue". */
#define BASE_CHOICE_ALTERNATIVE(constant, name) "|" name
#define BASE_CHOICE_ALTERNATIVES(LIST) (&(LIST(BASE_CHOICE_ALTERNATIVE))[1])
/* clang-format on */

#endif
