/* The environment before, within and after MPI: what may be called when, levels of threads, names and versions, memory,
 * predefined attributes (MPI-3.1 sections 8.1, 8.2, 8.6 to 8.7, 12.4.3). */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int wrong;

static void expect(const char *what, long has, long expected)
{
    if (has != expected && ++wrong)
        printf("%s: %ld instead of %ld\n", what, has, expected);
}

static void expect_states(const char *when, int initialized, int finalized)
{
    int flag = -1;
    MPI_Initialized(&flag);
    expect(when, flag, initialized);
    MPI_Finalized(&flag);
    expect(when, flag, finalized);
}

/* What may be asked at any time. */
static void check_versions(void)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int version, subversion, length;
    MPI_Get_version(&version, &subversion);
    expect("version", version, MPI_VERSION);
    expect("subversion", subversion, MPI_SUBVERSION);
    memset(library, 'x', sizeof library);
    MPI_Get_library_version(library, &length);
    expect("length of the library's version", length, (long)strlen(library));
    int major, minor, patch; /* other libraries have other texts */
    bool ours = !strncmp(library, "Orrery", 6);
    expect("ours has a number", ours ? sscanf(library, "Orrery %d.%d.%d,", &major, &minor, &patch) : 3, 3);
}

static void check_threads(int provided)
{
    int level = -1, main_thread = -1;
    MPI_Query_thread(&level);
    expect("level of threads", level, provided);
    MPI_Is_thread_main(&main_thread);
    expect("main thread", main_thread, 1);
    expect("levels are in order",
           MPI_THREAD_SINGLE < MPI_THREAD_FUNNELED && MPI_THREAD_FUNNELED < MPI_THREAD_SERIALIZED &&
               MPI_THREAD_SERIALIZED < MPI_THREAD_MULTIPLE,
           1);
}

static void check_clock(void)
{
    double first = MPI_Wtime(), tick = MPI_Wtick(), last = first;
    for (int i = 0; i < 100; i++) {
        double now = MPI_Wtime();
        expect("time goes on", now >= last, 1);
        last = now;
    }
    expect("a tick is something, and small", tick > 0 && tick < 0.1, 1);
}

static void check_memory(void)
{
    int error_class;
    double *memory = NULL;
    MPI_Alloc_mem(1000 * sizeof *memory, MPI_INFO_NULL, &memory);
    memory[0] = memory[999] = 1;
    expect("aligned", (long)memory % 8, 0);
    MPI_Free_mem(memory);
    MPI_Error_class(MPI_Alloc_mem(-1, MPI_INFO_NULL, &memory), &error_class);
    expect("a negative size", error_class, MPI_ERR_ARG);
}

static void *attribute(int key)
{
    void *value = NULL;
    int flag = 0;
    MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &flag);
    return flag ? value : NULL;
}

static void check_attributes(int size)
{
    int *bound = attribute(MPI_TAG_UB), *host = attribute(MPI_HOST), *io = attribute(MPI_IO);
    int *global = attribute(MPI_WTIME_IS_GLOBAL), *number = attribute(MPI_APPNUM), *last = attribute(MPI_LASTUSEDCODE);
    expect("upper bound of tags", bound && *bound >= 32767, 1);
    expect("host", host && (*host == MPI_PROC_NULL || (*host >= 0 && *host < size)), 1);
    expect("who does input and output", io && (*io == MPI_ANY_SOURCE || (*io >= 0 && *io < size)), 1);
    expect("global time", !global || *global == 0 || *global == 1, 1);
    expect("number of the program", number && *number == 0, 1);
    expect("last code", last && *last >= MPI_ERR_LASTCODE, 1);
}

int main(void)
{
    char name[MPI_MAX_PROCESSOR_NAME];
    int provided = -1, rank, size, length;
    expect_states("before", 0, 0);
    check_versions();
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    expect("what was asked for", provided, MPI_THREAD_FUNNELED);
    expect_states("within", 1, 0);
    check_versions();
    check_threads(provided);
    check_clock();
    check_memory();
    check_attributes(size);
    memset(name, 'x', sizeof name);
    MPI_Get_processor_name(name, &length);
    expect("length of the processor's name", length, (long)strlen(name));
    expect("it has one", length > 0, 1);
    MPI_Pcontrol(0);
    MPI_Pcontrol(2, "anything", 3, 4.0);
    if (rank == 0)
        printf("wrong: %d\n", wrong);
    fflush(stdout);
    MPI_Finalize();
    expect_states("after", 1, 1);
    check_versions();
    return wrong != 0;
}
