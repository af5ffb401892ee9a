/* check.h - what --check knows of a rank's memory: which heap block each byte belongs to, who allocated the block and
 * who freed it. heap.c keeps these records; access.c checks every access against them. */
#ifndef ORRERY_VM_CHECK_H
#define ORRERY_VM_CHECK_H

#include "vm/rank/rank.h"

typedef struct VmCheck VmCheck; /* records of one rank's heap */

/* Where a block was allocated or freed: the library function and the calls that led to it, innermost first. */
enum { VM_SITE_CALLS = 8 };
typedef struct VmSite {
    const char *function; /* name of the library function, such as "malloc" */
    uint32_t n;
    uint32_t pcs[VM_SITE_CALLS];
} VmSite;

/* A slot for heap blocks. [address, address + capacity) never changes; the blocks in it do. */
typedef struct VmSlot {
    uint64_t address;
    uint64_t capacity;
    uint64_t size;      /* bytes of the block that is in the slot, or was last in it */
    uint64_t plain;     /* address of the same block without --check */
    uint32_t allocated; /* index of the site that allocated the block */
    uint32_t freed;     /* 1 + index of the site that freed it; 0: not freed */
    uint32_t serial;    /* number of the block among those that were in the slot */
    uint32_t next;      /* number of the next slot in the queue of freed blocks, or in the list of empty slots of this
                           capacity; 0: the last */
    bool live;          /* the block is in use */
    bool own;           /* the block is the simulator's; the program need not free it */
    bool marked;        /* used while looking for leaks: the block has been reached */
} VmSlot;

/* Chooses where the heap of a rank that starts under --check lies, and starts to watch the rank. */
void vm_check_start(VmRank *rank);
void vm_check_free(VmRank *rank);

/* vm_rank_sbrk() under --check: works on the heap that there would be without --check. */
uint64_t vm_check_sbrk(VmRank *rank, int64_t bytes);
/* Returns where the heap would end without --check. */
uint64_t vm_check_plain_end(const VmRank *rank);

/* Returns the address that a byte of a block has without --check. */
uint64_t vm_check_plain_address(VmRank *rank, uint64_t address);
/* Finds a slot for a block that lies at `plain` without --check. Returns its address; 0: no room. */
uint64_t vm_check_allocate(VmRank *rank, uint64_t alignment, uint64_t size, uint64_t plain);
/* Whether the block's memory was never used before and reads as 0. */
bool vm_check_is_fresh(VmRank *rank, uint64_t address);
/* Returns the slot of the live block at exactly this address. NULL after a fault that says why it cannot be freed. */
VmSlot *vm_check_find(VmRank *rank, uint64_t address);
void vm_check_release(VmRank *rank, VmSlot *slot);

/* Returns the last slot that begins at or before an address of the heap; NULL: none does. */
VmSlot *vm_check_slot(VmRank *rank, uint64_t address);
/* Returns the slot after `slot`, or NULL. */
VmSlot *vm_check_next_slot(VmRank *rank, const VmSlot *slot);
/* vm_check_numbered() returns the slot of this number, as in tags. vm_check_tag() returns the tag of the block in a
 * slot (shadow.h). */
VmSlot *vm_check_numbered(VmRank *rank, uint32_t number);
uint64_t vm_check_tag(VmRank *rank, const VmSlot *slot);
/* Sites of allocations and frees, numbered from 0. */
uint32_t vm_check_sites(const VmRank *rank);
const VmSite *vm_check_site(const VmRank *rank, uint32_t site);
/* Appends a site: "malloc in main at a.c:15" */
void vm_check_append_site(VmRank *rank, uint32_t site, GString *out);

/* Records for vm_check_leaks() what a process that has ended by itself has not freed. */
void vm_check_end(VmRank *rank);
/* Appends a VmLeak for each site that has left blocks behind. Blocks to which no pointer is left come first. */
void vm_check_find_leaks(VmRank *rank, GArray *leaks);

/* Checks an access against the blocks of the heap and the stack's end. Returns false, with a fault raised, if it is not
 * allowed. */
bool vm_check_access(VmRank *rank, uint64_t address, uint64_t size, bool write);
/* Raises the fault of an access and returns false. The message is "memcpy: reads 8 bytes at address 0x..., " followed
 * by `what`. */
bool vm_check_refuse(VmRank *rank, VmChecks check, VmFaultKind kind, uint64_t address, uint64_t size, bool write,
                     const char *what);

/* -- values (shadow.h) ------------------------------------------------------------------------- */

/* Makes and frees the shades of a rank. They begin when the rank has its image, and end with it. */
void vm_shadow_start(VmRank *rank, uint32_t checks);
void vm_shadow_free(VmRank *rank);
/* Checks an instruction before the careful loop executes it, with the rank's state saved. Returns false if a fault has
 * been raised. */
bool vm_shadow_step(VmRank *rank, const VmInstr *ip, const uint64_t *registers);
/* Tells that the library uses the values in a block. For functions that use only part of what they access, such as
 * memcmp(), which stops at the first difference. */
void vm_shadow_used(VmRank *rank, uint64_t address, uint64_t size);
/* Tell that the library sets or copies values in memory that belongs to the rank. */
void vm_shadow_define(VmRank *rank, uint64_t address, uint64_t size);
void vm_shadow_copy(VmRank *rank, uint64_t to, uint64_t from, uint64_t size);
/* For VmAbove. vm_shadow_returned(): a call of an extern has returned `value`, into the register at offset `at` from
 * the rank's first. vm_shadow_entered(): a function is entered from outside. vm_shadow_selected(): another
 * thread is selected, or one has ended. vm_shadow_access(): the library or the layer above is about to access memory
 * for the program. */
void vm_shadow_returned(VmRank *rank, uint64_t at, uint64_t value);
void vm_shadow_entered(VmRank *rank, uint32_t function, uint32_t window);
void vm_shadow_selected(VmRank *rank, uint32_t from, uint32_t to);
bool vm_shadow_access(VmRank *rank, uint64_t address, uint64_t size, bool write);

#endif
