/* models.h - switching models by name (models.c). Above the rooms that they are in. */
#ifndef ORRERY_NETSIM_MODELS_H
#define ORRERY_NETSIM_MODELS_H

#include "netsim/core/core.h"

const NetModel *net_model_lookup(const char *name, GError **error);

#endif
