/* link_set.h - the objects that make a program, and the archives they draw on (link_set.c). */
#ifndef ORRERY_CLI_LINK_SET_H
#define ORRERY_CLI_LINK_SET_H

#include "vcode/vcode.h"

typedef struct LinkSet LinkSet;

LinkSet *cli_link_set_new(void);
void cli_link_set_free(LinkSet *set);
/* Takes an object (and owns it). `shared`: its definitions are there, but need no others to give way. */
void cli_link_set_add(LinkSet *set, VcodeModule *object);
/* Takes the objects of an archive, to be drawn on. */
void cli_link_set_add_archive(LinkSet *set, GPtrArray *modules);
/* A name that is wanted although no object refers to it. */
void cli_link_set_need(LinkSet *set, const char *name);
/* Draws an object that defines the name, if an archive has one and nobody defines it yet; whether it is defined. */
bool cli_link_set_find(LinkSet *set, const char *name);
/* All objects so far, VcodeModule *, in link order. */
const GPtrArray *cli_link_set_objects(const LinkSet *set);

#endif
