/* index.c - the names of a unit and their places, for editors.
 *
 * The parser keeps what it met (front/uses.c), in places of the preprocessed text. Here these become entities and
 * occurrences in the user's files. The unit stays alive, so that texts about types are made only when asked for.
 */
#include "compiler/compiler.h"
#include "compiler/front/front.h"
#include "compiler/pipeline.h"
#include "compiler/report/report.h"
#include "compiler/syntax/syntax.h"
#include "compiler/tree/tree.h"

#include <string.h>

typedef struct Item {   /* what an entity is made of */
    const CcType *type; /* of a tag or a symbol or a member; NULL: a label */
    CcLoc loc;          /* in the preprocessed text */
    const CcSymbol *symbol;
} Item;

struct CcIndex {
    char *text;
    CcUnit *unit;
    CcUses *uses;
    GArray *entities, *items; /* CcEntity, Item: side by side */
    GHashTable *numbers;      /* object -> entity + 1 */
    GArray *occurrences;      /* CcOccurrence, sorted by place */
    CcProbe probe;
};

/* -- entities ---------------------------------------------------------------------------------- */

static uint32_t number_of(const CcIndex *index, const void *object)
{
    guint number = object ? GPOINTER_TO_UINT(g_hash_table_lookup(index->numbers, object)) : 0;
    return number ? number - 1 : CC_NO_ENTITY;
}

static bool is_system(const CcIndex *index, uint32_t file)
{
    const CcSeen *seen = index->unit->seen;
    return file < seen->system->len && seen->system->data[file];
}

static uint32_t add_entity(CcIndex *index, const void *object, CcEntity entity, Item item)
{
    if (!entity.name)
        entity.name = "";
    entity.system = is_system(index, item.loc.file);
    entity.place = (CcFilePlace){item.loc.file, item.loc.line, item.loc.column, (unsigned)strlen(entity.name)};
    g_array_append_val(index->entities, entity);
    g_array_append_val(index->items, item);
    g_hash_table_insert(index->numbers, (gpointer)object, GUINT_TO_POINTER(index->entities->len));
    return index->entities->len - 1;
}

static uint32_t add_symbol(CcIndex *index, const CcSymbol *symbol, const CcSymbol *function)
{
    static const CcEntityKind kinds[] = {[CC_SYM_VARIABLE] = CC_ENTITY_VARIABLE,
                                         [CC_SYM_FUNCTION] = CC_ENTITY_FUNCTION,
                                         [CC_SYM_TYPEDEF] = CC_ENTITY_TYPEDEF,
                                         [CC_SYM_ENUMERATOR] = CC_ENTITY_ENUMERATOR};
    uint32_t known = number_of(index, symbol);
    if (known != CC_NO_ENTITY)
        return known;
    bool local = symbol->kind != CC_SYM_FUNCTION && !symbol->file_scope && function && function != symbol;
    uint32_t container = local ? add_symbol(index, function, NULL) : CC_NO_ENTITY;
    CcEntity entity = {.kind = symbol->parameter ? CC_ENTITY_PARAMETER : kinds[symbol->kind],
                       .name = symbol->name,
                       .container = container,
                       .file_scope = !local,
                       .is_static = symbol->storage == CC_STATIC,
                       .is_constant = symbol->type->qualifiers & CC_CONST,
                       .deprecated = symbol->deprecated,
                       .linkage = symbol->file_scope && symbol->storage != CC_STATIC,
                       .defined = symbol->defined || symbol->tentative,
                       .unknown = symbol->assumed,
                       .value = symbol->value,
                       .size = symbol->type->size};
    return add_entity(index, symbol, entity, (Item){symbol->type, symbol->loc, symbol});
}

static void add_members(CcIndex *index, const CcTag *tag, uint32_t container)
{
    for (uint32_t i = 0; i < tag->n_members; i++) {
        const CcMember *member = &tag->members[i];
        CcEntity entity = {.kind = CC_ENTITY_MEMBER,
                           .name = member->name,
                           .container = container,
                           .defined = true,
                           .size = member->type->size,
                           .offset = member->offset};
        add_entity(index, member, entity, (Item){member->type, member->loc, NULL});
    }
    for (uint32_t i = 0; i < tag->n_enumerators; i++) {
        uint32_t number = add_symbol(index, tag->enumerators[i], NULL);
        CcEntity *entity = &g_array_index(index->entities, CcEntity, number);
        entity->container = container;
    }
}

static void add_tags(CcIndex *index)
{
    for (guint i = 0; i < index->uses->tags->len; i++) {
        const CcType *type = g_ptr_array_index(index->uses->tags, i);
        const CcTag *tag = type->tag;
        const CcSymbol *function = g_ptr_array_index(index->uses->functions, i);
        uint32_t around = function ? add_symbol(index, function, NULL) : CC_NO_ENTITY;
        CcEntity entity = {.kind = type->kind == CC_STRUCT  ? CC_ENTITY_STRUCT
                                   : type->kind == CC_UNION ? CC_ENTITY_UNION
                                                            : CC_ENTITY_ENUM,
                           .name = tag->name,
                           .container = around,
                           .file_scope = !function,
                           .defined = tag->complete,
                           .size = tag->size};
        add_members(index, tag, add_entity(index, tag, entity, (Item){type, tag->loc, NULL}));
    }
}

static uint32_t entity_of(CcIndex *index, const CcUse *use)
{
    if (use->what == CC_USE_OF_SYMBOL)
        return add_symbol(index, use->object, use->function);
    uint32_t number = number_of(index, use->object);
    if (number != CC_NO_ENTITY || use->what != CC_USE_OF_LABEL)
        return number;
    const CcLabel *label = use->object;
    CcEntity entity = {.kind = CC_ENTITY_LABEL,
                       .name = label->name,
                       .container = number_of(index, use->function),
                       .defined = label->statement};
    return add_entity(index, label, entity, (Item){NULL, label->loc, NULL});
}

/* -- occurrences ------------------------------------------------------------------------------- */

static int compare_places(const CcFilePlace *a, const CcFilePlace *b)
{
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return (a->column > b->column) - (a->column < b->column);
}

static int compare_occurrences(const void *a, const void *b)
{
    const CcOccurrence *x = a, *y = b;
    int order = compare_places(&x->place, &y->place);
    return order ? order : (int)y->role - (int)x->role;
}

static void add_occurrence(CcIndex *index, uint32_t number, CcLoc loc, CcRole role)
{
    const CcEntity *entity = &g_array_index(index->entities, CcEntity, number);
    if (!*entity->name || !loc.line || (is_system(index, loc.file) && role == CC_ROLE_USE))
        return;
    CcOccurrence one = {{loc.file, loc.line, loc.column, (unsigned)strlen(entity->name)}, number, role};
    g_array_append_val(index->occurrences, one);
}

static bool same_loc(CcLoc a, CcLoc b)
{
    return a.file == b.file && a.line == b.line && a.column == b.column;
}

/* Moves occurrences from the preprocessed text to the files, and drops those that came out of macros. */
static void place_occurrences(CcIndex *index)
{
    guint kept = 0;
    GArray *all = index->occurrences;
    g_array_sort(all, compare_occurrences);
    for (guint i = 0; i < all->len; i++) {
        CcOccurrence one = g_array_index(all, CcOccurrence, i);
        CcLoc loc = {one.place.file, one.place.line, (uint16_t)one.place.column, (uint16_t)one.place.length};
        CcEntity *entity = &g_array_index(index->entities, CcEntity, one.entity);
        const Item *item = &g_array_index(index->items, Item, one.entity);
        bool own = same_loc(loc, item->loc);
        if (!cc_report_find_word(index->unit, &loc, entity->name))
            continue;
        one.place.column = loc.column;
        if (own)
            entity->place = one.place;
        g_array_index(all, CcOccurrence, kept++) = one;
    }
    g_array_set_size(all, kept);
    g_array_sort(all, compare_occurrences);
    for (guint i = 1, last = 0; all->len && i <= all->len; i++) { /* a macro may use its argument several times */
        if (i == all->len) {
            g_array_set_size(all, last + 1);
            break;
        }
        const CcOccurrence *one = &g_array_index(all, CcOccurrence, i);
        if (compare_places(&one->place, &g_array_index(all, CcOccurrence, last).place) != 0)
            g_array_index(all, CcOccurrence, ++last) = *one;
    }
}

static void gather(CcIndex *index)
{
    add_tags(index);
    for (guint i = 0; i < index->uses->uses->len; i++) {
        const CcUse *use = &g_array_index(index->uses->uses, CcUse, i);
        uint32_t number = entity_of(index, use);
        bool label = use->what == CC_USE_OF_LABEL && same_loc(use->loc, ((const CcLabel *)use->object)->loc);
        bool tag = use->what == CC_USE_OF_TAG && same_loc(use->loc, ((const CcTag *)use->object)->loc);
        CcRole role = label || (tag && ((const CcTag *)use->object)->complete) ? CC_ROLE_DEFINITION : (CcRole)use->role;
        if (number != CC_NO_ENTITY)
            add_occurrence(index, number, use->loc, role);
    }
    for (guint i = 0; i < index->entities->len; i++) {
        const CcEntity *entity = &g_array_index(index->entities, CcEntity, i);
        if (entity->kind == CC_ENTITY_MEMBER)
            add_occurrence(index, i, g_array_index(index->items, Item, i).loc, CC_ROLE_DEFINITION);
    }
    place_occurrences(index);
}

/* -- the probe --------------------------------------------------------------------------------- */

static void add_name(CcIndex *index, uint32_t number)
{
    if (number != CC_NO_ENTITY)
        g_array_append_val(index->probe.names, number);
}

static void gather_probe(CcIndex *index)
{
    const CcUses *uses = index->uses;
    if (uses->probed < 0)
        return;
    add_tags(index);
    if (uses->members) {
        index->probe.kind = CC_PROBE_MEMBER;
        cc_index_members(index, number_of(index, uses->members), index->probe.names);
        return;
    }
    index->probe.kind = cc_syntax_is_member_sign(uses->probed) ? CC_PROBE_MEMBER : CC_PROBE_NAME;
    if (index->probe.kind == CC_PROBE_MEMBER)
        return; /* of something that has none */
    if (cc_syntax_is_tag_word(uses->probed)) {
        index->probe.kind = CC_PROBE_TAG;
        for (guint i = 0; i < uses->visible_tags->len; i++)
            add_name(index, number_of(index, g_ptr_array_index(uses->visible_tags, i)));
        return;
    }
    for (guint i = uses->visible->len; i-- > 0;) {
        const CcSymbol *symbol = g_ptr_array_index(uses->visible, i);
        if (symbol->loc.line && !symbol->assumed)
            add_name(index, add_symbol(index, symbol, symbol->file_scope ? NULL : uses->within));
    }
}

/* -- making and freeing ------------------------------------------------------------------------ */

static void *run(void *data)
{
    CcIndex *index = data;
    CcUnit *unit = index->unit;
    unsigned before = cc_diagnostics_mistakes(unit->diagnostics);
    bool read = cc_syntax_read(unit), good = read && cc_diagnostics_mistakes(unit->diagnostics) == before;
    if (index->uses->probe) {
        gather_probe(index);
        return NULL;
    }
    if (good) {
        cc_checks_run(unit);
        vcode_module_free(cc_unit_generate(unit)); /* it has errors of its own to report */
    } else if (read)
        cc_checks_run_local(unit);
    gather(index);
    cc_diagnostics_flush(unit->diagnostics);
    return NULL;
}

CcIndex *cc_index_new(char *text, size_t size, const char *name, const CcOptions *options, CcDiagnostics *diagnostics,
                      const char *probe, GError **error)
{
    CcIndex *index = g_new0(CcIndex, 1);
    index->text = text;
    index->unit = cc_unit_new(text, size, name, options, diagnostics);
    index->uses = index->unit->uses = cc_uses_new(probe);
    index->entities = g_array_new(FALSE, FALSE, sizeof(CcEntity));
    index->items = g_array_new(FALSE, FALSE, sizeof(Item));
    index->numbers = g_hash_table_new(NULL, NULL);
    index->occurrences = g_array_new(FALSE, FALSE, sizeof(CcOccurrence));
    index->probe.names = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    bool small = size <= INT32_MAX - 2; /* the scanner counts offsets in 31 bits */
    if (!small)
        g_set_error(error, CC_ERROR, CC_ERROR_SOURCE, "%s: the preprocessed source is larger than 2 GiB", name);
    if (small && cc_compile_on_large_stack(run, index, error))
        return index;
    cc_index_free(index);
    return NULL;
}

void cc_index_free(CcIndex *index)
{
    if (!index)
        return;
    g_array_free(index->entities, TRUE);
    g_array_free(index->items, TRUE);
    g_hash_table_destroy(index->numbers);
    g_array_free(index->occurrences, TRUE);
    g_array_free(index->probe.names, TRUE);
    cc_unit_free(index->unit);
    g_free(index->text);
    g_free(index);
}

/* -- questions --------------------------------------------------------------------------------- */

const char *const *cc_index_files(const CcIndex *index, size_t *n)
{
    *n = index->unit->files->len;
    return (const char *const *)index->unit->files->pdata;
}

bool cc_index_is_system(const CcIndex *index, uint32_t file)
{
    return is_system(index, file);
}

const CcEntity *cc_index_entities(const CcIndex *index, size_t *n)
{
    *n = index->entities->len;
    return (const CcEntity *)(const void *)index->entities->data;
}

static guint first_of(const CcIndex *index, uint32_t file)
{
    guint low = 0, high = index->occurrences->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(index->occurrences, CcOccurrence, middle).place.file < file)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const CcOccurrence *cc_index_occurrences(const CcIndex *index, uint32_t file, size_t *n)
{
    guint first = first_of(index, file);
    *n = first_of(index, file + 1) - first;
    return (const CcOccurrence *)(const void *)index->occurrences->data + first;
}

/* Returns the head of a function: the preprocessed text around its name, from the declaration's start to the closing
 * parenthesis, with its blanks made one. NULL: it cannot be told. */
static char *head_of(const CcIndex *index, const CcEntity *entity, CcLoc loc)
{
    enum { MOST = 2000 };
    size_t left;
    const char *name = cc_report_seen_text(index->unit, loc, &left), *start = index->text;
    const char *end = index->text + index->unit->seen->size;
    if (!name || name < start || name >= end || strncmp(name, entity->name, strlen(entity->name)) != 0)
        return NULL;
    const char *from = name, *to = name + strlen(entity->name);
    while (from > start && !strchr(";}{#", from[-1]) && name - from < MOST)
        from--;
    if (from > start && from[-1] == '#') /* a marker: the declaration begins in the next line */
        while (from < name && *from++ != '\n')
            continue;
    int depth = 0;
    for (; to < end && to - name < MOST; to++) {
        depth += (*to == '(') - (*to == ')');
        if (depth == 0 && (*to == ')' || *to == ';' || *to == '{'))
            break;
    }
    GString *out = g_string_new(NULL);
    for (; from <= to && to < end && *to == ')'; from++) {
        if (*from == '\n' && from[1] == '#')
            from += strcspn(from + 1, "\n");
        bool blank = g_ascii_isspace(*from);
        if (!blank || (out->len && out->str[out->len - 1] != ' '))
            g_string_append_c(out, blank ? ' ' : *from);
    }
    bool good = out->len && out->str[out->len - 1] == ')';
    return g_string_free(out, !good);
}

char *cc_index_declaration(const CcIndex *index, uint32_t number)
{
    const CcEntity *entity = &g_array_index(index->entities, CcEntity, number);
    const Item *item = &g_array_index(index->items, Item, number);
    if (entity->kind == CC_ENTITY_LABEL)
        return g_strdup_printf("%s:", entity->name);
    if (entity->kind == CC_ENTITY_ENUMERATOR)
        return g_strdup_printf("%s = %" G_GINT64_FORMAT, entity->name, entity->value);
    if (entity->kind >= CC_ENTITY_STRUCT && entity->kind <= CC_ENTITY_ENUM)
        return cc_type_name(item->type);
    char *head = entity->kind == CC_ENTITY_FUNCTION ? head_of(index, entity, item->loc) : NULL;
    if (head)
        return head;
    if (entity->kind != CC_ENTITY_TYPEDEF)
        return cc_type_declaration(item->type, entity->name);
    CcType plain = *item->type; /* what it stands for, not its name */
    plain.name = NULL;
    g_autofree char *text = cc_type_declaration(&plain, entity->name);
    return g_strconcat("typedef ", text, NULL);
}

uint32_t cc_index_type_of(const CcIndex *index, uint32_t number)
{
    const CcEntity *entity = &g_array_index(index->entities, CcEntity, number);
    const CcType *type = g_array_index(index->items, Item, number).type;
    bool first = entity->kind == CC_ENTITY_TYPEDEF;
    for (; type; type = type->target, first = false) {
        if (type->name && !first)
            for (guint i = 0; i < index->entities->len; i++) {
                const CcEntity *other = &g_array_index(index->entities, CcEntity, i);
                if (other->kind == CC_ENTITY_TYPEDEF && strcmp(other->name, type->name) == 0)
                    return i;
            }
        if (type->tag)
            return number_of(index, type->tag);
    }
    return CC_NO_ENTITY;
}

static const CcTag *tag_of(const CcIndex *index, uint32_t number)
{
    const CcType *type = number < index->items->len ? g_array_index(index->items, Item, number).type : NULL;
    return type ? type->tag : NULL;
}

static void append_members(const CcIndex *index, const CcTag *tag, GArray *members)
{
    for (uint32_t i = 0; i < tag->n_members; i++) {
        const CcMember *member = &tag->members[i];
        uint32_t number = number_of(index, member);
        if (!member->name && member->type->tag)
            append_members(index, member->type->tag, members);
        else if (member->name && number != CC_NO_ENTITY)
            g_array_append_val(members, number);
    }
    for (uint32_t i = 0; i < tag->n_enumerators; i++) {
        uint32_t number = number_of(index, tag->enumerators[i]);
        if (number != CC_NO_ENTITY)
            g_array_append_val(members, number);
    }
}

void cc_index_members(const CcIndex *index, uint32_t number, GArray *members)
{
    const CcTag *tag = tag_of(index, number);
    if (tag)
        append_members(index, tag, members);
}

const CcProbe *cc_index_probe(const CcIndex *index)
{
    return &index->probe;
}
