/* link_set.h - the objects that make a program, and archives that supply more (link_set.c). */
#ifndef ORRERY_CLI_LINK_SET_H
#define ORRERY_CLI_LINK_SET_H

#include "vcode/vcode.h"

typedef struct LinkSet LinkSet;

LinkSet *cli_link_set_new(void);
void cli_link_set_free(LinkSet *set);
/* Adds an object and takes it. */
void cli_link_set_add(LinkSet *set, VcodeModule *object);
/* Adds the objects of an archive, to be linked as needed. Takes the array. */
void cli_link_set_add_archive(LinkSet *set, GPtrArray *modules);
/* Adds a name that is wanted although no object refers to it. */
void cli_link_set_need(LinkSet *set, const char *name);
/* Draws the archive member that offers the name, if the name is not defined yet. Returns whether it is defined now. */
bool cli_link_set_find(LinkSet *set, const char *name);
/* Returns all objects so far, VcodeModule *, in link order. */
const GPtrArray *cli_link_set_objects(const LinkSet *set);

#endif
