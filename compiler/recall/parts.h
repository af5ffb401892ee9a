/* parts.h - what the files of this room share. */
#ifndef ORRERY_COMPILER_RECALL_PARTS_H
#define ORRERY_COMPILER_RECALL_PARTS_H

#include "compiler/recall/recall.h"

struct CcRecall {
    CcParser *p;
    const VcodeModule *module;
    CcType **types; /* by index; NULL: not recalled yet */
    unsigned depth;
};

#endif
