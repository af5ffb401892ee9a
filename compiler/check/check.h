/* check.h - the checks of checks.def.
 *
 * Checks only read the tree: they change nothing, and lowering does not depend on them. They report through cc_report()
 * with the option of the warning. cc_report() drops the report if that warning is off.
 */
#ifndef ORRERY_COMPILER_CHECK_H
#define ORRERY_COMPILER_CHECK_H

#include "compiler/tree/tree.h"

#define CC_CHECK(function, warning)      void function(CcUnit *unit, CcSymbol *symbol);
#define CC_UNIT_CHECK(function, warning) void function(CcUnit *unit);
#include "compiler/check/checks.def"

#endif
