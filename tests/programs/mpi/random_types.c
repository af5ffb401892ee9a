/* Property test: random datatypes of every constructor against their type maps as lists: bounds, what is sent and
 * received in which order, that gaps stay as they were, counts of partial messages, and types made again from their
 * envelopes (MPI-3.1 section 4.1). The argument is the seed. */
#include "random_types.h"

#include <stdio.h>

enum { TYPES = 60, ROOM = 1 << 15, MIDDLE = ROOM / 2, MOST_COUNT = 3, PACKED = MOST_COUNT * MAP_MOST * 8 };

static unsigned char memory[ROOM], model[ROOM];
static int failures, step;

static void fail(const char *what, long has, long expected)
{
    if (failures++ < 5)
        printf("type %d: %s: %ld instead of %ld\n", step, what, has, expected);
}

static void expect(const char *what, long has, long expected)
{
    if (has != expected)
        fail(what, has, expected);
}

static int wire_bytes(const Map *map)
{
    int bytes = 0;
    for (int i = 0; i < map->n; i++)
        bytes += bytes_of[map->entries[i].kind];
    return bytes;
}

static void check_bounds(const Type *type)
{
    MPI_Aint lb, extent, true_lb, true_extent;
    long from, to;
    int size;
    MPI_Type_size(type->handle, &size);
    MPI_Type_get_extent(type->handle, &lb, &extent);
    MPI_Type_get_true_extent(type->handle, &true_lb, &true_extent);
    true_bounds(&type->map, &from, &to);
    expect("size", size, wire_bytes(&type->map));
    expect("extent", extent, extent_of(&type->map));
    if (type->map.n == 0)
        return;
    expect("lower bound", lb, type->map.lb);
    expect("true lower bound", true_lb, from);
    expect("true extent", true_extent, to - from);
}

/* The type again, from what it says of itself. */
static MPI_Datatype rebuild(MPI_Datatype type)
{
    int n_integers, n_addresses, n_types, combiner, n;
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_get_envelope(type, &n_integers, &n_addresses, &n_types, &combiner);
    if (combiner == MPI_COMBINER_NAMED)
        return type;
    int *i = malloc((n_integers + 1) * sizeof *i);
    MPI_Aint *a = malloc((n_addresses + 1) * sizeof *a);
    MPI_Datatype *t = malloc((n_types + 1) * sizeof *t), *old = malloc((n_types + 1) * sizeof *t);
    MPI_Type_get_contents(type, n_integers, n_addresses, n_types, i, a, t);
    for (int k = 0; k < n_types; k++)
        old[k] = rebuild(t[k]);
    n = n_integers ? i[0] : 0;
    if (combiner == MPI_COMBINER_DUP)
        MPI_Type_dup(old[0], &made);
    else if (combiner == MPI_COMBINER_CONTIGUOUS)
        MPI_Type_contiguous(n, old[0], &made);
    else if (combiner == MPI_COMBINER_VECTOR)
        MPI_Type_vector(n, i[1], i[2], old[0], &made);
    else if (combiner == MPI_COMBINER_HVECTOR)
        MPI_Type_create_hvector(n, i[1], a[0], old[0], &made);
    else if (combiner == MPI_COMBINER_INDEXED)
        MPI_Type_indexed(n, i + 1, i + 1 + n, old[0], &made);
    else if (combiner == MPI_COMBINER_HINDEXED)
        MPI_Type_create_hindexed(n, i + 1, a, old[0], &made);
    else if (combiner == MPI_COMBINER_INDEXED_BLOCK)
        MPI_Type_create_indexed_block(n, i[1], i + 2, old[0], &made);
    else if (combiner == MPI_COMBINER_HINDEXED_BLOCK)
        MPI_Type_create_hindexed_block(n, i[1], a, old[0], &made);
    else if (combiner == MPI_COMBINER_STRUCT)
        MPI_Type_create_struct(n, i + 1, a, old, &made);
    else if (combiner == MPI_COMBINER_SUBARRAY)
        MPI_Type_create_subarray(n, i + 1, i + 1 + n, i + 1 + 2 * n, i[1 + 3 * n], old[0], &made);
    else if (combiner == MPI_COMBINER_DARRAY)
        MPI_Type_create_darray(i[0], i[1], i[2], i + 3, i + 3 + i[2], i + 3 + 2 * i[2], i + 3 + 3 * i[2],
                               i[3 + 4 * i[2]], old[0], &made);
    else if (combiner == MPI_COMBINER_RESIZED)
        MPI_Type_create_resized(old[0], a[0], a[1], &made);
    else
        fail("combiner", combiner, 0);
    for (int k = 0; k < n_types; k++) {
        int named[3], what;
        MPI_Type_get_envelope(t[k], &named[0], &named[1], &named[2], &what);
        if (what != MPI_COMBINER_NAMED) {
            MPI_Type_free(&t[k]);
            MPI_Type_free(&old[k]);
        }
    }
    free(i);
    free(a);
    free(t);
    free(old);
    return made;
}

/* Copies between `count` of the map's memory and their bytes in order. */
static int copy(const Map *map, int count, unsigned char *at, unsigned char *wire, int out)
{
    int place = 0;
    for (int c = 0; c < count; c++)
        for (int i = 0; i < map->n; i++) {
            const Entry *e = &map->entries[i];
            unsigned char *element = at + c * extent_of(map) + e->at;
            memcpy(out ? wire + place : element, out ? element : wire + place, bytes_of[e->kind]);
            place += bytes_of[e->kind];
        }
    return place;
}

static void fill(unsigned char *at, int n, int salt)
{
    for (int i = 0; i < n; i++)
        at[i] = (unsigned char)(i * 7 + salt + (i >> 8));
}

/* The same elements one by one, in places of 8 bytes: another type of the same signature. */
static MPI_Datatype flat(const Map *map, int count, int *elements)
{
    static MPI_Datatype types[MOST_COUNT * MAP_MOST];
    static MPI_Aint places[MOST_COUNT * MAP_MOST];
    static int ones[MOST_COUNT * MAP_MOST];
    MPI_Datatype made;
    *elements = count * map->n;
    for (int i = 0; i < *elements; i++) {
        ones[i] = 1;
        places[i] = 8 * i;
        types[i] = basic(map->entries[i % map->n].kind);
    }
    MPI_Type_create_struct(*elements, ones, places, types, &made);
    MPI_Type_commit(&made);
    return made;
}

static int rank, size;

/* To the next, from the one before: sent as the type, received element by element. */
static void check_send(const Type *type, int count)
{
    static unsigned char wire[PACKED];
    static double elements[MOST_COUNT * MAP_MOST];
    MPI_Request request;
    int n, place = 0;
    fill(memory, ROOM, step); /* the same everywhere */
    MPI_Datatype each = flat(&type->map, count, &n);
    copy(&type->map, count, memory + MIDDLE, wire, 1);
    switch (draw(3)) {
    case 0: MPI_Isend(memory + MIDDLE, count, type->handle, (rank + 1) % size, 3, MPI_COMM_WORLD, &request); break;
    case 1: MPI_Issend(memory + MIDDLE, count, type->handle, (rank + 1) % size, 3, MPI_COMM_WORLD, &request); break;
    default:
        MPI_Send_init(memory + MIDDLE, count, type->handle, (rank + 1) % size, 3, MPI_COMM_WORLD, &request);
        MPI_Start(&request);
    }
    MPI_Recv(elements, 1, each, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (request != MPI_REQUEST_NULL)
        MPI_Request_free(&request);
    for (int i = 0; i < n; i++) {
        int bytes = bytes_of[type->map.entries[i % type->map.n].kind];
        if (memcmp(&elements[i], wire + place, bytes)) {
            fail("sent element", i, n);
            break;
        }
        place += bytes;
    }
    MPI_Type_free(&each);
}

/* Sent element by element, perhaps not all, received as the type. */
static void check_receive(const Type *type, int count)
{
    static unsigned char wire[PACKED];
    static double elements[MOST_COUNT * MAP_MOST];
    MPI_Status status;
    MPI_Request request;
    int n, part, place = 0, has;
    Map *map = (Map *)&type->map;
    MPI_Datatype each = flat(map, count, &n);
    MPI_Type_free(&each);
    part = draw(2) ? n : draw(n + 1);
    static MPI_Datatype types[MOST_COUNT * MAP_MOST];
    static MPI_Aint places[MOST_COUNT * MAP_MOST];
    static int ones[MOST_COUNT * MAP_MOST];
    fill(wire, PACKED, step + 1);
    for (int i = 0; i < part; i++) {
        ones[i] = 1;
        places[i] = 8 * i;
        types[i] = basic(map->entries[i % map->n].kind);
        memcpy(&elements[i], wire + place, bytes_of[map->entries[i % map->n].kind]);
        place += bytes_of[map->entries[i % map->n].kind];
    }
    MPI_Type_create_struct(part, ones, places, types, &each);
    MPI_Type_commit(&each);
    fill(memory, ROOM, step + 2);
    memcpy(model, memory, ROOM);
    place = 0;
    for (int i = 0; i < part; i++) {
        const Entry *e = &map->entries[i % map->n];
        memcpy(model + MIDDLE + i / map->n * extent_of(map) + e->at, wire + place, bytes_of[e->kind]);
        place += bytes_of[e->kind];
    }
    MPI_Irecv(memory + MIDDLE, count, type->handle, (rank + size - 1) % size, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    MPI_Send(elements, 1, each, (rank + 1) % size, 4, MPI_COMM_WORLD);
    MPI_Wait(&request, &status);
    if (memcmp(memory, model, ROOM))
        fail("received elements", part, n);
    MPI_Get_elements(&status, type->handle, &has);
    expect("elements", has, part);
    MPI_Get_count(&status, type->handle, &has);
    expect("count", has, part % map->n ? MPI_UNDEFINED : part / map->n);
    MPI_Type_free(&each);
}

static void check_pack(const Type *type, int count)
{
    static unsigned char wire[PACKED], packed[PACKED + 64], again[PACKED];
    MPI_Datatype made = rebuild(type->handle);
    int position = 0, most, n = copy(&type->map, count, memory + MIDDLE, wire, 1);
    MPI_Type_commit(&made);
    MPI_Pack_size(count, made, MPI_COMM_WORLD, &most);
    expect("room for packing", most >= n, 1);
    MPI_Pack(memory + MIDDLE, count, made, packed, sizeof packed, &position, MPI_COMM_WORLD);
    if (overlaps_itself(&type->map, count))
        return MPI_Type_free(&made), (void)0;
    memset(memory, 0, ROOM);
    most = position;
    position = 0;
    MPI_Unpack(packed, most, &position, memory + MIDDLE, count, type->handle, MPI_COMM_WORLD);
    copy(&type->map, count, memory + MIDDLE, again, 1);
    if (memcmp(again, wire, n))
        fail("unpacked", 0, 0);
    MPI_Type_free(&made);
}

static int fits(const Map *map, int count)
{
    long from, to, last = (count - 1) * extent_of(map);
    true_bounds(map, &from, &to);
    return from + (last < 0 ? last : 0) > -MIDDLE && to + (last > 0 ? last : 0) < MIDDLE;
}

int main(int argc, char **argv)
{
    static Type type;
    int all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    random_state = argc > 1 ? (unsigned long)atol(argv[1]) : 1;
    for (step = 0; step < TYPES; step++) {
        int count = 1 + draw(MOST_COUNT);
        make(&type, 1 + draw(4));
        MPI_Type_commit(&type.handle);
        check_bounds(&type);
        if (type.map.n && fits(&type.map, count)) {
            check_send(&type, count);
            check_pack(&type, count);
            if (!overlaps_itself(&type.map, count))
                check_receive(&type, count);
        }
        replace(&type, MPI_DATATYPE_NULL);
    }
    MPI_Reduce(&failures, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("failures: %d\n", all);
    MPI_Finalize();
    return 0;
}
