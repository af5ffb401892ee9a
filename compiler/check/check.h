/* check.h - the checks of checks.def.
 *
 * Checks only look: they change nothing, and lowering does not depend on them. What they report goes through
 * cc_report() with the warning's option, which drops it if it is off.
 */
#ifndef ORRERY_COMPILER_CHECK_H
#define ORRERY_COMPILER_CHECK_H

#include "compiler/tree/tree.h"

#define CC_CHECK(function, warning)      void function(CcUnit *unit, CcSymbol *symbol);
#define CC_UNIT_CHECK(function, warning) void function(CcUnit *unit);
#include "compiler/check/checks.def"

#endif
