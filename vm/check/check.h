/* check.h - what --check knows of a rank's memory: which block of the heap every byte belongs to, who asked for it and
 * who gave it back. heap.c keeps that, access.c holds every access against it.
 */
#ifndef ORRERY_VM_CHECK_H
#define ORRERY_VM_CHECK_H

#include "vm/rank/rank.h"

typedef struct VmCheck VmCheck; /* what is known of a rank's heap */

/* Where a block was allocated or freed: the function of the library and the calls that led to it, innermost first. */
enum { VM_SITE_CALLS = 8 };
typedef struct VmSite {
    const char *function; /* of the simulator: "malloc" */
    uint32_t n;
    uint32_t pcs[VM_SITE_CALLS];
} VmSite;

/* A place for blocks: [address, address + capacity) never changes, what is in it does. */
typedef struct VmSlot {
    uint64_t address;
    uint64_t capacity;
    uint64_t size;      /* of the block that is or was last in it */
    uint64_t plain;     /* where the same block lies without --check */
    uint32_t allocated; /* site */
    uint32_t freed;     /* 1 + site; 0: never */
    uint32_t serial;    /* of the block, among those that were in it */
    uint32_t next;      /* in the queue of freed blocks, or in the list of empty slots of this capacity; 0: the last */
    bool live;          /* the block is in use */
    bool own;           /* the simulator's: the program need not free it */
    bool marked;        /* while looking for leaks */
} VmSlot;

/* Chooses where the heap of a rank that starts under --check lies, and watches the rank. */
void vm_check_start(VmRank *rank);
void vm_check_free(VmRank *rank);

/* What vm_rank_sbrk() does then, for the heap that there would be without --check. */
uint64_t vm_check_sbrk(VmRank *rank, int64_t bytes);
/* Where the heap would end without --check. */
uint64_t vm_check_plain_end(const VmRank *rank);

/* The address that a byte of a block has without --check. */
uint64_t vm_check_plain_address(VmRank *rank, uint64_t address);
/* Places a block that lies at `plain` without --check. 0: no room. */
uint64_t vm_check_allocate(VmRank *rank, uint64_t alignment, uint64_t size, uint64_t plain);
/* Whether the block's memory was never used before and reads as 0. */
bool vm_check_is_fresh(VmRank *rank, uint64_t address);
/* The live block at exactly this address. NULL after a fault that says what is wrong with freeing it. */
VmSlot *vm_check_find(VmRank *rank, uint64_t address);
void vm_check_release(VmRank *rank, VmSlot *slot);

/* The last slot that begins at or before an address of the heap; NULL: there is none. */
VmSlot *vm_check_slot(VmRank *rank, uint64_t address);
/* The slot behind, or NULL. */
VmSlot *vm_check_next_slot(VmRank *rank, const VmSlot *slot);
/* The slot of a tag, and the tag of what is in a slot (shadow.h). */
VmSlot *vm_check_numbered(VmRank *rank, uint32_t number);
uint64_t vm_check_tag(VmRank *rank, const VmSlot *slot);
/* Sites are numbered from 0. */
uint32_t vm_check_sites(const VmRank *rank);
const VmSite *vm_check_site(const VmRank *rank, uint32_t site);
/* "malloc in main at a.c:15" */
void vm_check_append_site(VmRank *rank, uint32_t site, GString *out);

/* The process has ended by itself: notes for vm_check_leaks() what it has not freed. */
void vm_check_end(VmRank *rank);
/* Appends a VmLeak for each place that has left blocks behind; those to which no pointer is left come first. */
void vm_check_find_leaks(VmRank *rank, GArray *leaks);

/* Holds an access against the blocks of the heap and the stack's end. False, with a fault raised, where it cannot be.
 */
bool vm_check_access(VmRank *rank, uint64_t address, uint64_t size, bool write);
/* "memcpy: reads 8 bytes at address 0x..., " and what. False. */
bool vm_check_refuse(VmRank *rank, VmChecks check, VmFaultKind kind, uint64_t address, uint64_t size, bool write,
                     const char *what);

/* -- values (shadow.h) ------------------------------------------------------------------------- */

/* Shades begin when the rank has its image, and end with it. */
void vm_shadow_start(VmRank *rank, uint32_t checks);
void vm_shadow_free(VmRank *rank);
/* Before an instruction of the careful loop, with the rank's state saved. False: a fault has been raised. */
bool vm_shadow_step(VmRank *rank, const VmInstr *ip, const uint64_t *registers);
/* The library uses what stands there; of the first row where two blocks differ it is only that. */
void vm_shadow_used(VmRank *rank, uint64_t address, uint64_t size);
/* It sets or copies values of memory that is the rank's. */
void vm_shadow_define(VmRank *rank, uint64_t address, uint64_t size);
void vm_shadow_copy(VmRank *rank, uint64_t to, uint64_t from, uint64_t size);
/* For VmAbove: a call of an extern has ended with this result, in the register at an offset from the rank's first; a
 * function is entered from outside; the library or the layer above is about to access memory for the program. */
void vm_shadow_returned(VmRank *rank, uint64_t at, uint64_t value);
void vm_shadow_entered(VmRank *rank, uint32_t function, uint32_t window);
bool vm_shadow_access(VmRank *rank, uint64_t address, uint64_t size, bool write);

#endif
