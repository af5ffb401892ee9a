/* error.c - the error domain of the VM. */
#include "vm/vm.h"

GQuark vm_error_quark(void)
{
    return g_quark_from_static_string("orrery-vm-error");
}
