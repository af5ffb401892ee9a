/* error.c - the error domain of vCode files. */
#include "vcode/vcode.h"

GQuark vcode_error_quark(void)
{
    return g_quark_from_static_string("orrery-vcode-error");
}
