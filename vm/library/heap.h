/* heap.h - the heap of a program, as its misuse and its fullness decide (heap.c).
 *
 * This is the plain heap: where blocks lie without --check, and what is kept beside the program's blocks under it
 * (memory.c, which others call by vm_library_allocate() and vm_library_release()). Addresses are the program's; a
 * function that answers false has raised a fault of the rank. All take constant time but vm_heap_nearest().
 */
#ifndef ORRERY_VM_HEAP_H
#define ORRERY_VM_HEAP_H

#include "vm/library/calls.h"

/* Every block begins at a multiple of this many bytes. */
enum { VM_HEAP_UNIT = 16 };
/* Requests of more bytes are refused without a look. */
#define VM_HEAP_MAX_REQUEST (UINT64_C(1) << 46)

/* The rank's heap, begun at first need. */
CHeap *vm_heap_of(VmRank *rank);

/* A block of `size` bytes at a multiple of `alignment`, a power of two. *address is 0, with errno set, where the heap
 * is full. */
bool vm_heap_take(VmRank *rank, uint64_t alignment, uint64_t size, uint64_t *address);
/* Frees the block that begins at `address`. */
bool vm_heap_give_back(VmRank *rank, uint64_t address);
/* realloc() to more than 0 bytes. Charges for what must move; under --check, where the bytes lie elsewhere, moves none.
 */
bool vm_heap_resize(VmRank *rank, uint64_t old, uint64_t size, uint64_t *address);
/* What was asked for of the block in use that begins at `address`. */
bool vm_heap_size(VmRank *rank, uint64_t address, uint64_t *size);
/* Copies between two blocks of the program; nothing where one of them cannot be reached. */
void vm_heap_copy(VmRank *rank, uint64_t to, uint64_t from, uint64_t size);

/* Where memory begins that the program never had; it reads as 0. */
uint64_t vm_heap_fresh(VmRank *rank);

#endif
