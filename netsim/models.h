/* models.h - switching models by name (models.c). It stands above the folders that the models are in. */
#ifndef ORRERY_NETSIM_MODELS_H
#define ORRERY_NETSIM_MODELS_H

#include "netsim/core/core.h"

const NetModel *net_model_lookup(const char *name, GError **error);

#endif
