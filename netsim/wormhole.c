#include "netsim/wormhole.h"
