/* error.c - the domain of the VM's errors. */
#include "vm/vm.h"

GQuark vm_error_quark(void)
{
    return g_quark_from_static_string("orrery-vm-error");
}
