/* shadow_threads.c - what --check knows of each thread of a rank: shades of its registers and the objects on its stack.
 *
 * An address keeps its object when another thread gets it, as the threads of a parallel region get those of their
 * master's variables. So the objects on all stacks are looked through for a tag. The serial in it is the rank's, and so
 * the same tag is never of objects of two threads.
 */
#include "vm/check/shadow.h"

static void clear(void *thread)
{
    VmShadowThread *t = thread;
    g_free(t->shades);
    g_free(t->instances);
    g_free(t->frames);
    *t = (VmShadowThread){0};
}

void vm_shadow_threads_free(VmShadow *shadow)
{
    clear(&shadow->thread);
    g_clear_pointer(&shadow->threads, g_array_unref);
}

static VmShadowThread *thread_of(VmShadow *s, uint32_t thread)
{
    if (!s->threads) {
        s->threads = g_array_new(FALSE, TRUE, sizeof(VmShadowThread));
        g_array_set_clear_func(s->threads, clear);
    }
    if (thread >= s->threads->len)
        g_array_set_size(s->threads, thread + 1);
    return &g_array_index(s->threads, VmShadowThread, thread);
}

void vm_shadow_selected(VmRank *rank, uint32_t from, uint32_t to)
{
    VmShadow *s = rank->shadow;
    if (to == VM_NO_THREAD) {
        clear(thread_of(s, from));
        return;
    }
    VmShadowThread *kept = thread_of(s, MAX(from, to)); /* both are there now */
    kept = thread_of(s, from);
    *kept = s->thread;
    kept->sp = vm_thread_sp(rank, from);
    kept = thread_of(s, to);
    s->thread = *kept;
    *kept = (VmShadowThread){0};
}

static const VmInstance *find(const VmInstance *instances, uint32_t n, uint64_t sp, uint64_t tag)
{
    uint32_t slot = vm_tag_slot(tag);
    return slot < n && instances[slot].serial == (uint32_t)tag && instances[slot].low >= sp ? &instances[slot] : NULL;
}

const VmInstance *vm_shadow_instance(const VmRank *rank, uint64_t tag)
{
    const VmShadow *s = rank->shadow;
    const VmInstance *found = find(s->instances, s->n_instances, rank->sp, tag);
    for (guint i = 0; !found && s->threads && i < s->threads->len; i++) {
        const VmShadowThread *other = &g_array_index(s->threads, VmShadowThread, i);
        found = find(other->instances, other->n_instances, other->sp, tag);
    }
    return found;
}
