/* config.h - machine files: the table of keys at work, costs of library functions, types of nodes, the network.
 *
 *   keys.def                    the rows of all keys
 *   settings.c                  settings (rows with values): defaults, assignment
 *   size_dependent.c            values that depend on the size of a message
 *   library_costs.c             section [library]
 *   node_types.c                sections [node-type ...]
 *   config.c print.c            reads and writes machine files
 *   remarks.c                   warns of keys that a machine never reads, and of other mistakes
 *   machine_keys.c              keys as simulated programs see them
 *   protocols.c                 contradictions in [protocol]
 *   network.c                   the network that a machine file describes
 *   errors.c                    errors with their position in a file
 */
#ifndef ORRERY_MACHINE_CONFIG_CONFIG_H
#define ORRERY_MACHINE_CONFIG_CONFIG_H

#include "machine/machine.h"

/* -- keys (settings.c, size_dependent.c) ------------------------------------------------------- */

typedef enum MachKind { /* how the value of a key is written in a file and stored */
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
                        /* The kinds from here on have a list of names. */
                        MACH_KIND_CHOICE,    /* stored as an enum: the index in the list */
                        MACH_KIND_NAME,      /* stored as a string, by which a table is searched */
                        MACH_KIND_TOPOLOGY,  /* like NAME, perhaps with parameters: mesh(4,4) */
                        MACH_KIND_ALGORITHM, /* like NAME, but stored in MpiParams.algorithms */
} MachKind;

typedef struct MachSetting { /* one key with its value; the elements of MachConfig.settings, in table order */
    const char *section, *name, *help;
    const char *when; /* condition under which a machine reads it (remarks.c); NULL: always */
    MachKind kind;
    const char *const *names; /* possible values, NULL-terminated; CHOICE: the first is enum constant `least` */
    size_t offset, bytes;     /* of the field in MachConfig */
    uint64_t least, greatest;
    char *fallback; /* the default, as text */
    char *value;    /* the current value, as text */
    char *comment;  /* its comment in the machine file, which gives the source; NULL: none */
    unsigned line;  /* line of the machine file that sets it; 0: none */
    bool given;     /* set by the machine file or --set */
    bool commanded; /* set by --set: `line` no longer gives the value */
} MachSetting;

/* Like mach_setting_store(), for values that depend on the size of a message (size_dependent.c). */
bool mach_config_assign_overhead(MachConfig *config, const MachSetting *setting, const char *text, size_t *where,
                                 GError **error);
bool mach_config_assign_gaps(MachConfig *config, const MachSetting *setting, const char *text, size_t *where,
                             GError **error);

/* Returns all keys with their defaults, as MachSetting in table order. None of them is given. */
GArray *mach_settings_new(void);
MachSetting *mach_setting_find(GArray *settings, const char *section, const char *name);
/* Checks that topology and dims of [network] agree, if the machine file has both with a shape. `given_now` is the key
 * that was read last; the function returns true at once if it is neither of the two. */
bool mach_setting_shape_agrees(const MachConfig *config, const MachSetting *given_now, GError **error);
/* Makes topology and dims of [network] agree after --set of one of them: what the other said about the shape is
 * dropped. */
void mach_setting_shape_override(MachConfig *config, const MachSetting *changed);
/* Gives a key a value. On failure *where is the offset in `text` of the mistake. */
bool mach_setting_assign(MachConfig *config, MachSetting *setting, const char *text, size_t *where, GError **error);
/* Stores a value in the field of `config`, but leaves the setting as it is. On failure *where is the offset in `text`
 * of the mistake. */
bool mach_setting_store(MachConfig *config, const MachSetting *setting, const char *text, size_t *where,
                        GError **error);
/* Returns which values are possible: "time, like 1.5 us" or "one of: a, b, c". The caller frees it with g_free(). */
char *mach_setting_unit(const MachSetting *setting);

/* Describes key `number` as it is on nodes of a type (mach_node_type_of()), for the tool interface. Returns false if
 * there are not so many. */
bool mach_config_key(const MachConfig *config, uint32_t type, uint32_t number, MpiMachineKey *key);

/* -- costs of library functions ---------------------------------------------------------------- */

typedef struct MachLibraryCost { /* a key of [library] */
    const char *name;            /* static */
    uint32_t base_q8, unit_q8;   /* per call, and per byte or element, in 1/256 cycle */
    char *value;                 /* as it was written */
    char *comment;               /* its comment in the machine file, which gives the source; NULL: none */
} MachLibraryCost;
GArray *mach_library_costs_new(void);
/* Returns the static name of a library or MPI function, or NULL if the simulator does not have it. */
const char *mach_library_function(const char *name);
/* Returns ", did you mean "sin"?" or a list of the functions. The caller frees it with g_free(). */
char *mach_library_suggestion(const char *name);
MachLibraryCost *mach_library_cost_find(GArray *costs, const char *name);
/* Sets the cost of a known function. On failure *where is the offset in `text` of the mistake. */
bool mach_library_cost_assign(GArray *costs, const char *name, const char *text, size_t *where, GError **error);
char *mach_format_library_cost(uint64_t base_q8, uint64_t unit_q8); /* "20 cycles + 0.5 cycles/unit"; g_free() */
/* Appends VmExternCost rows. Names that have to be made are put into `names`, which must live as long as the rows. */
void mach_library_costs_append(GArray *all, GStringChunk *names, const GArray *costs);

/* -- nodes that differ ------------------------------------------------------------------------- */

typedef struct MachNodeRange {
    uint32_t first, last; /* last UINT32_MAX: up to the last node of the network */
    uint32_t offset;      /* of this range in MachNodeType.nodes */
} MachNodeRange;

typedef struct MachNodeType { /* a section [node-type NAME] */
    char *name;
    unsigned line;
    GArray *ranges;                    /* MachNodeRange */
    char *nodes, *nodes_comment;       /* value of the key `nodes` as written, and its comment; NULL: not given */
    unsigned nodes_line, nodes_column; /* position of that value in the machine file; 0: not given there */
    GArray *settings;                  /* MachSetting: the keys that the type changes, with value and comment */
    GArray *library;                   /* MachLibraryCost: the functions whose costs it changes */
} MachNodeType;

enum { MACH_NOT_IN_VALUE = 1 << 30 }; /* a *where: the mistake is in the name of the key */
MachNodeType *mach_node_type_new(const char *name, unsigned line);
void mach_node_type_free(void *type);
MachNodeType *mach_node_type_find(const MachConfig *config, const char *name);
/* Sets a key of a type. *comment becomes the address at which the comment of the key is to be stored. On failure *where
 * is the offset in `text` of the mistake, or MACH_NOT_IN_VALUE. */
bool mach_node_type_assign(const MachConfig *config, MachNodeType *type, const char *name, const char *text,
                           size_t *where, char ***comment, GError **error);
/* Returns the type of a node. Types are numbered from 1 in the order of the file; 0: the node has no type. */
uint32_t mach_node_type_of(const MachConfig *config, uint32_t node);
uint32_t mach_node_types(const MachConfig *config); /* number of types, including 0 */
/* Fills `seen` with the values that hold on nodes of a type. It is a shallow copy, which owns nothing. */
void mach_node_config(const MachConfig *config, uint32_t type, MachConfig *seen);
/* Number of cores of a node that ranks have: communication threads on cores of their own take the others. */
uint32_t mach_config_seats(const MachConfig *config);
/* The same for one node, with its type, and for all nodes together. */
uint32_t mach_config_cores(const MachConfig *config, uint32_t node);
uint64_t mach_config_total_cores(const MachConfig *config, uint32_t nodes);

/* -- protocols (protocols.c) ------------------------------------------------------------------- */

/* Refuses keys of [protocol] that contradict each other. */
bool mach_config_check_protocols(const MachConfig *config, GError **error);
/* Returns the key by which messages on a path go by daemons; NULL: none do. */
const MachSetting *mach_config_daemons(const MachConfig *config);

/* -- the network ------------------------------------------------------------------------------- */

/* Makes the network for `ranks` ranks; `client` gets its callbacks. Returns NULL with an error if it cannot be. */
Network *mach_config_network_for(const MachConfig *config, uint32_t ranks, const NetClient *client, GError **error);

#endif
