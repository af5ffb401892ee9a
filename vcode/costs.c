/* costs.c - the rows of costs.def as a table. */
#include "vcode/vcode.h"

const VcodeCostInfo vcode_cost_info[VCODE_COST_COUNT] = {
#define COST_CLASS(name, key, cycles_q8, help) {#name, key, cycles_q8, help},
#include "vcode/costs.def"
};
