/* machine_keys.c - the keys of a machine as simulated programs see them, through the tool interface of MPI. */
#include "machine/config/config.h"

#include <string.h>

/* The unit of a kind whose values are plain numbers in MachConfig; NULL: it is none of these, or has no unit. */
static const char *const units[] = {
    [MACH_KIND_FREQUENCY] = "Hz",
    [MACH_KIND_TIME] = "ps",
    [MACH_KIND_BANDWIDTH] = "bytes per second",
    [MACH_KIND_SIZE] = "bytes",
    [MACH_KIND_CYCLES] = "1/256 cycle",
    [MACH_KIND_COUNT_Q8] = "1/256",
    [MACH_KIND_TIME_PER_BYTE] = "fs per byte",
    [MACH_KIND_ALGORITHM] = NULL,
};

static bool is_number(const MachSetting *setting)
{
    return (setting->kind == MACH_KIND_COUNT || units[setting->kind]) &&
           (setting->bytes == sizeof(uint32_t) || setting->bytes == sizeof(uint64_t));
}

static uint64_t number_in(const MachConfig *config, const MachSetting *setting)
{
    const char *field = (const char *)config + setting->offset;
    uint64_t wide;
    uint32_t narrow;
    memcpy(&wide, field, sizeof wide);
    memcpy(&narrow, field, sizeof narrow);
    return setting->bytes == sizeof narrow ? narrow : wide;
}

/* Returns the setting as the type of node changes it, or as it is. */
static const MachSetting *setting_on(const MachConfig *config, uint32_t type, const MachSetting *setting)
{
    const MachNodeType *nodes = type ? g_ptr_array_index(config->node_types, type - 1) : NULL;
    const MachSetting *own = nodes ? mach_setting_find(nodes->settings, setting->section, setting->name) : NULL;
    return own ? own : setting;
}

static uint64_t number_on(const MachConfig *config, uint32_t type, const MachSetting *setting)
{
    if (!type)
        return number_in(config, setting);
    MachConfig seen;
    mach_node_config(config, type, &seen);
    return number_in(&seen, setting);
}

bool mach_config_key(const MachConfig *config, uint32_t type, uint32_t number, MpiMachineKey *key)
{
    if (number >= config->settings->len)
        return false;
    const MachSetting *setting = &g_array_index(config->settings, MachSetting, number);
    const MachSetting *own = setting_on(config, type, setting);
    *key =
        (MpiMachineKey){.section = setting->section, .name = setting->name, .help = setting->help, .value = own->value};
    if (setting->kind == MACH_KIND_CHOICE || setting->kind == MACH_KIND_NAME || setting->kind == MACH_KIND_ALGORITHM) {
        key->form = MPI_KEY_CHOICE;
        key->names = setting->names;
    } else if (is_number(setting)) {
        key->form = MPI_KEY_NUMBER;
        key->unit = units[setting->kind];
        key->number = number_on(config, type, setting);
    } else {
        key->form = MPI_KEY_TEXT;
    }
    if (setting->kind == MACH_KIND_ALGORITHM)
        key->tunes = MPI_TUNES_ALGORITHM;
    else if (setting->offset == offsetof(MachConfig, mpi.eager_limit))
        key->tunes = MPI_TUNES_EAGER_LIMIT;
    return true;
}
