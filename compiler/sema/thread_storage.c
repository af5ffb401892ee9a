/* thread_storage.c - objects of which each thread has a copy: _Thread_local, __thread, threadprivate of OpenMP.
 *
 * The object itself is the copy of the thread that runs main(). Others get theirs when they first use it. A use of the
 * object x is *(type *)__orrery_tls_address(&x.tls), where x.tls is a record (clib/runtime/tls.c):
 *
 *      { size, alignment, address of the initial value or 0, address of x, a number that the runtime gives it }
 *
 * All units share the record of an object with external linkage: it is weak. x.init is what x begins with.
 */
#include "compiler/arena/arena.h"
#include "compiler/front/front.h"
#include "compiler/sema/declarations.h"
#include "compiler/sema/expressions.h"
#include "compiler/sema/sema.h"
#include "compiler/tree/tree.h"

#include <string.h>

enum { RECORD_WORDS = 5 };

/* An object and its record, to be completed at the end of the unit. */
typedef struct CcThreadObject {
    struct CcThreadObject *next;
    CcSymbol *symbol, *record;
} CcThreadObject;

static CcSymbol *companion(CcParser *p, const CcSymbol *symbol, const char *suffix, CcType *type)
{
    g_autofree char *name = g_strconcat(symbol->link_name ? symbol->link_name : symbol->name, suffix, NULL);
    CcSymbol *made =
        cc_scope_new_symbol(p, CC_SYM_VARIABLE, cc_arena_strdup(p->arena, name, strlen(name)), type, symbol->loc);
    made->region = NULL;
    made->used = made->addressed = made->file_scope = true;
    g_ptr_array_add(p->unit->symbols, made);
    return made;
}

static CcSymbol *record_of(CcParser *p, CcSymbol *symbol)
{
    for (CcThreadObject *object = p->thread_objects; object; object = object->next)
        if (object->symbol == symbol)
            return object->record;
    CcThreadObject *object = CC_NEW(p->arena, CcThreadObject);
    object->symbol = symbol;
    object->record = companion(p, symbol, ".tls", cc_type_array_of(p, p->basic[CC_ULONG], RECORD_WORDS));
    object->record->storage = symbol->storage == CC_STATIC ? CC_STATIC : CC_EXTERN;
    object->next = p->thread_objects;
    p->thread_objects = object;
    return object->record;
}

CcExpr *cc_thread_object(CcParser *p, CcSymbol *symbol, CcLoc loc)
{
    CcSymbol *record = record_of(p, symbol);
    CcSymbol *function = cc_library_runtime_function(p, "__orrery_tls_address", "pp", (CcLoc){0});
    CcExpr *argument = cc_sema_address(p, cc_sema_variable(p, record, loc), loc);
    CcExprList *arguments = cc_sema_expr_list(p, NULL, cc_sema_cast_expr(p, p->void_pointer, argument, loc));
    CcExpr *address = cc_sema_call(p, cc_sema_variable(p, function, loc), arguments, loc);
    address = cc_sema_cast_expr(p, cc_type_pointer_to(p, symbol->type), address, loc);
    return cc_sema_dereference(p, address, loc);
}

static void add_word(CcParser *p, CcSymbol *record, unsigned index, CcExpr *value)
{
    CcInit *init = CC_NEW(p->arena, CcInit);
    init->offset = (uint64_t)index * 8;
    init->type = p->basic[CC_ULONG];
    init->value = value;
    CcInit **last = &record->init;
    while (*last)
        last = &(*last)->next;
    *last = init;
}

static void add_address(CcParser *p, CcSymbol *record, unsigned index, CcSymbol *symbol)
{
    CcExpr *address = cc_sema_expr_new(p, CC_ADDRESS_CONSTANT, p->void_pointer, symbol->loc, NULL, NULL);
    address->symbol = symbol;
    symbol->used = symbol->addressed = true;
    add_word(p, record, index, address);
}

static void complete(CcParser *p, CcThreadObject *object)
{
    CcSymbol *symbol = object->symbol, *record = object->record;
    if (!symbol->defined && !symbol->tentative)
        return; /* another unit has the object and its record */
    if (record->storage != CC_STATIC) {
        record->storage = CC_GLOBAL;
        record->weak = true;
    }
    record->defined = record->initialised = true;
    uint32_t align = MAX(symbol->align, symbol->type->align);
    add_word(p, record, 0, cc_sema_integer(p, p->basic[CC_ULONG], symbol->type->size, symbol->loc));
    add_word(p, record, 1, cc_sema_integer(p, p->basic[CC_ULONG], align, symbol->loc));
    if (symbol->init) {
        CcSymbol *image = companion(p, symbol, ".init", cc_type_qualified(p, symbol->type, CC_CONST));
        image->storage = CC_STATIC;
        image->defined = image->initialised = true;
        image->init = symbol->init;
        image->align = symbol->align;
        add_address(p, record, 2, image);
    }
    add_address(p, record, 3, symbol);
}

/* An object that the unit defines has its record there, also if only other units use it. */
static void add_defined(CcParser *p)
{
    for (guint i = 0, n = p->unit->symbols->len; i < n; i++) {
        CcSymbol *symbol = g_ptr_array_index(p->unit->symbols, i);
        if (symbol->thread && symbol->storage == CC_GLOBAL && (symbol->defined || symbol->tentative))
            (void)record_of(p, symbol);
    }
}

void cc_thread_objects_complete(CcParser *p)
{
    add_defined(p);
    for (CcThreadObject *object = p->thread_objects; object; object = object->next)
        complete(p, object);
}
