#include "shared_cores.c"
