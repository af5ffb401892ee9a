/* models.c - switching models by name: the table of all models, whichever folder they are in. */
#include "netsim/models.h"

#include "netsim/core/core.h"
#include "netsim/params/params.h"

#define NET_MODEL(symbol, name, text) extern const NetModel net_model_##symbol;
#include "netsim/models.def"
#undef NET_MODEL

static const NetModel *const models[] = {
#define NET_MODEL(symbol, name, text) &net_model_##symbol,
#include "netsim/models.def"
#undef NET_MODEL
};
static const char *const model_names[] = {
#define NET_MODEL(symbol, name, text) name,
#include "netsim/models.def"
#undef NET_MODEL
    NULL,
};

const char *const *net_models(void)
{
    return model_names;
}

const NetModel *net_model_lookup(const char *name, GError **error)
{
    size_t i = net_params_find_name("switching", name, model_names, error);
    return i < G_N_ELEMENTS(models) ? models[i] : NULL;
}
