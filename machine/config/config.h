/* config.h - machine files: the table of keys at work, costs of library functions, types of nodes, the network.
 *
 *   keys.def                    the rows of all keys
 *   settings.c                  rows with values: defaults, and giving a key its value
 *   size_dependent.c            values that depend on the size of a message
 *   library_costs.c             section [library]
 *   node_types.c                sections [node-type ...]
 *   config.c print.c            reads and writes machine files
 *   remarks.c                   what a machine never reads, and other things that its user should know
 *   network.c                   the network that a machine file describes
 *   errors.c                    where an error of a file is
 */
#ifndef ORRERY_MACHINE_CONFIG_CONFIG_H
#define ORRERY_MACHINE_CONFIG_CONFIG_H

#include "machine/machine.h"

/* -- keys (settings.c, size_dependent.c) ------------------------------------------------------- */

typedef enum MachKind { /* how the value of a key is written */
                        MACH_KIND_TEXT,
                        MACH_KIND_COUNT,
                        MACH_KIND_COUNT_Q8,
                        MACH_KIND_FREQUENCY,
                        MACH_KIND_TIME,
                        MACH_KIND_BANDWIDTH,
                        MACH_KIND_SIZE,
                        MACH_KIND_CYCLES,
                        MACH_KIND_TIME_PER_BYTE,
                        MACH_KIND_OVERHEAD,
                        MACH_KIND_GAPS,
                        MACH_KIND_CHANCE,
                        MACH_KIND_EXTENTS,
                        MACH_KIND_GRID,
                        MACH_KIND_MAPPING,
                        /* What follows has a list of names. */
                        MACH_KIND_CHOICE,    /* kept as an enum: the place in the list */
                        MACH_KIND_NAME,      /* kept as the name, by which a table is searched */
                        MACH_KIND_TOPOLOGY,  /* the same, perhaps with parameters: mesh(4,4) */
                        MACH_KIND_ALGORITHM, /* the same, in MpiParams.algorithms */
} MachKind;

typedef struct MachSetting { /* one key with its value; the elements of MachConfig.settings, in table order */
    const char *section, *name, *help;
    const char *when; /* on which machines it is read (remarks.c); NULL: on all */
    MachKind kind;
    const char *const *names; /* what a value may be, NULL-terminated; CHOICE: the first is number `least` */
    size_t offset, bytes;     /* of the field in MachConfig */
    uint64_t least, greatest;
    char *fallback; /* the default, as text */
    char *value;    /* what is in force, as text */
    char *comment;  /* what the machine file says about it (its source), or NULL */
    unsigned line;  /* where the machine file gives it; 0: nowhere */
    bool given;     /* by the file or --set */
    bool commanded; /* by --set: what the line of the file says no longer counts */
} MachSetting;

/* Values by size of message (size_dependent.c); as mach_setting_store(). */
bool mach_config_assign_overhead(MachConfig *config, const MachSetting *setting, const char *text, size_t *where,
                                 GError **error);
bool mach_config_assign_gaps(MachConfig *config, const MachSetting *setting, const char *text, size_t *where,
                             GError **error);

/* Every key with its default, unset. */
GArray *mach_settings_new(void);
MachSetting *mach_setting_find(GArray *settings, const char *section, const char *name);
/* A key of a machine file has been given: whether these and dims are the same, if it is one of the two and the file has
 * both. */
bool mach_setting_shape_agrees(const MachConfig *config, const MachSetting *given_now, GError **error);
/* One of the two has been set on the command line: the other says no more. */
void mach_setting_shape_override(MachConfig *config, const MachSetting *changed);
/* Gives a key a value. On failure *where is the offset in `text` of what is wrong. */
bool mach_setting_assign(MachConfig *config, MachSetting *setting, const char *text, size_t *where, GError **error);
/* Only stores it in the field of `config`: leaves the setting as it is. */
bool mach_setting_store(MachConfig *config, const MachSetting *setting, const char *text, size_t *where,
                        GError **error);
/* "time, like 1.5 us" or "one of a, b, c": what may stand for the value. g_free. */
char *mach_setting_unit(const MachSetting *setting);

/* -- costs of library functions ---------------------------------------------------------------- */

typedef struct MachLibraryCost { /* a key of [library] */
    const char *name;            /* static */
    uint32_t base_q8, unit_q8;
    char *value;   /* as it was written */
    char *comment; /* its source, or NULL */
} MachLibraryCost;
GArray *mach_library_costs_new(void);
/* The name as the table of functions has it; NULL where the simulator has no such function. */
const char *mach_library_function(const char *name);
/* ", did you mean "sin"?" or what there is. g_free. */
char *mach_library_suggestion(const char *name);
MachLibraryCost *mach_library_cost_find(GArray *costs, const char *name);
/* Gives a known function its cost. On failure *where is the offset in `text` of what is wrong. */
bool mach_library_cost_assign(GArray *costs, const char *name, const char *text, size_t *where, GError **error);
char *mach_format_library_cost(uint64_t base_q8, uint64_t unit_q8); /* "20 cycles + 0.5 cycles/unit"; g_free */
/* Appends VmExternCost rows; names that have to be made go to `names`. */
void mach_library_costs_append(GArray *all, GStringChunk *names, const GArray *costs);

/* -- nodes that differ ------------------------------------------------------------------------- */

typedef struct MachNodeRange {
    uint32_t first, last; /* UINT32_MAX: to the last node that there is */
    uint32_t offset;      /* in the text of `nodes` */
} MachNodeRange;

typedef struct MachNodeType { /* a section [node-type NAME] */
    char *name;
    unsigned line;
    GArray *ranges;                    /* MachNodeRange */
    char *nodes, *nodes_comment;       /* as written; NULL: not given */
    unsigned nodes_line, nodes_column; /* of the value; 0: not from the machine file */
    GArray *settings;                  /* MachSetting: the keys that it changes, with value and comment */
    GArray *library;                   /* MachLibraryCost */
} MachNodeType;

enum { MACH_NOT_IN_VALUE = 1 << 30 }; /* a *where: the name of the key is wrong */
MachNodeType *mach_node_type_new(const char *name, unsigned line);
void mach_node_type_free(void *type);
MachNodeType *mach_node_type_find(const MachConfig *config, const char *name);
/* Gives a key of a type its value; *comment is where its source is kept. */
bool mach_node_type_assign(const MachConfig *config, MachNodeType *type, const char *name, const char *text,
                           size_t *where, char ***comment, GError **error);
/* Types are numbered from 1 in the order of the file; 0: nodes of no type. */
uint32_t mach_node_type_of(const MachConfig *config, uint32_t node);
uint32_t mach_node_types(const MachConfig *config); /* with the one that has number 0 */
/* The machine's values as nodes of a type see them: a shallow copy, which owns nothing. */
void mach_node_config(const MachConfig *config, uint32_t type, MachConfig *seen);
/* Cores of a node; of all nodes together. */
uint32_t mach_config_cores(const MachConfig *config, uint32_t node);
uint64_t mach_config_total_cores(const MachConfig *config, uint32_t nodes);

/* -- the network ------------------------------------------------------------------------------- */

/* For that many ranks; `client` hears of it. */
Network *mach_config_network_for(const MachConfig *config, uint32_t ranks, const NetClient *client, GError **error);

#endif
