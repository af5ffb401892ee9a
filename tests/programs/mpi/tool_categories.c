/* Categories are a tree in which every variable and event type has one place; wild arguments are answered with
 * MPI_T_ERR_ classes, whatever error handlers there are (MPI-4.1 sections 15.3.9 and 15.3.10). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int cvars, pvars, events, deepest;

static void expect(const char *what, int result, int wanted)
{
    if (result != wanted)
        printf("%s: %d instead of %d\n", what, result, wanted);
}

static void walk(int category, int depth)
{
    char name[64], description[128];
    int length = sizeof name, description_length = sizeof description, n_cvars, n_pvars, n_categories, n_events, index;
    expect("info", MPI_T_category_get_info(category, name, &length, description, &description_length, &n_cvars,
                                           &n_pvars, &n_categories), MPI_SUCCESS);
    expect("num_events", MPI_T_category_get_num_events(category, &n_events), MPI_SUCCESS);
    expect("index", MPI_T_category_get_index(name, &index), MPI_SUCCESS);
    expect("same", index, category);
    if (n_pvars || n_events)
        printf("%*s%s: %d performance variables, %d events\n", 2 * depth, "", name, n_pvars, n_events);
    int *members = malloc((n_cvars + n_pvars + n_events + n_categories + 1) * sizeof *members);
    expect("cvars", MPI_T_category_get_cvars(category, n_cvars, members), MPI_SUCCESS);
    expect("pvars", MPI_T_category_get_pvars(category, n_pvars, members), MPI_SUCCESS);
    expect("events", MPI_T_category_get_events(category, n_events, members), MPI_SUCCESS);
    expect("categories", MPI_T_category_get_categories(category, n_categories, members), MPI_SUCCESS);
    cvars += n_cvars;
    pvars += n_pvars;
    events += n_events;
    deepest = depth > deepest ? depth : deepest;
    for (int i = 0; i < n_categories; i++)
        walk(members[i], depth + 1);
    free(members);
}

int main(int argc, char **argv)
{
    int provided, n, stamp, again, roots[] = {-1, -1, -1};
    char text[64];
    void *wild = (void *)0x1234;
    MPI_Info info;
    MPI_T_event_registration registration;
    MPI_T_pvar_session session;
    MPI_T_pvar_handle pvar;
    MPI_T_cvar_handle cvar;
    MPI_Init(&argc, &argv);
    expect("init with no place", MPI_T_init_thread(MPI_THREAD_SINGLE, NULL), MPI_T_ERR_INVALID);
    expect("init with a bad level", MPI_T_init_thread(99, &provided), MPI_T_ERR_INVALID);
    MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided);
    expect("provided", provided, MPI_THREAD_MULTIPLE);
    MPI_T_category_changed(&stamp);
    MPI_T_category_get_index("machine", &roots[0]);
    MPI_T_category_get_index("performance", &roots[1]);
    MPI_T_category_get_index("events", &roots[2]);
    for (int i = 0; i < 3; i++)
        walk(roots[i], 0);
    MPI_T_category_changed(&again);
    expect("nothing has changed", again, stamp);
    MPI_T_cvar_get_num(&n);
    expect("all control variables", cvars, n);
    MPI_T_pvar_get_num(&n);
    expect("all performance variables", pvars, n);
    MPI_T_event_get_num(&n);
    expect("all events", events, n);
    expect("depth", deepest, 1);
    MPI_T_category_get_num(&n);
    expect("no category", MPI_T_category_get_num_events(n, &n), MPI_T_ERR_INVALID_INDEX);
    expect("no category", MPI_T_category_get_index("none", &n), MPI_T_ERR_INVALID_NAME);
    expect("room below 0", MPI_T_category_get_cvars(roots[0], -1, &n), MPI_T_ERR_INVALID);

    /* Info objects of events. */
    MPI_T_event_get_index("call_blocked", &n);
    MPI_T_event_handle_alloc(n, NULL, MPI_INFO_NULL, &registration);
    MPI_Info_create(&info);
    MPI_Info_set(info, "orrery_records", "5");
    expect("set_info", MPI_T_event_handle_set_info(registration, info), MPI_SUCCESS);
    expect("callback_set_info", MPI_T_event_callback_set_info(registration, MPI_T_CB_REQUIRE_NONE, info), MPI_SUCCESS);
    expect("bad safety", MPI_T_event_callback_set_info(registration, 7, info), MPI_T_ERR_INVALID);
    MPI_Info_free(&info);
    MPI_T_event_callback_get_info(registration, MPI_T_CB_REQUIRE_NONE, &info);
    MPI_Info_get_nkeys(info, &n);
    expect("keys", n, 1);
    MPI_Info_free(&info);
    expect("bad info", MPI_T_event_handle_set_info(registration, wild), MPI_T_ERR_INVALID);

    /* Wild arguments. */
    MPI_T_pvar_session_create(&session);
    n = sizeof text;
    expect("text nowhere", MPI_T_cvar_get_info(0, wild, &n, NULL, NULL, NULL, NULL, NULL, NULL, NULL), MPI_T_ERR_INVALID);
    expect("length nowhere", MPI_T_pvar_get_info(0, text, wild, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL), MPI_T_ERR_INVALID);
    expect("number nowhere", MPI_T_pvar_get_num(NULL), MPI_T_ERR_INVALID);
    expect("number nowhere", MPI_T_event_get_num(wild), MPI_T_ERR_INVALID);
    expect("name nowhere", MPI_T_cvar_get_index(NULL, &n), MPI_T_ERR_INVALID);
    expect("handle nowhere", MPI_T_cvar_handle_alloc(0, NULL, NULL, &n), MPI_T_ERR_INVALID);
    expect("no handle", MPI_T_cvar_read(wild, &n), MPI_T_ERR_INVALID_HANDLE);
    expect("no handle", MPI_T_cvar_handle_free(wild), MPI_T_ERR_INVALID);
    expect("session nowhere", MPI_T_pvar_session_create(wild), MPI_T_ERR_INVALID);
    expect("no session", MPI_T_pvar_start(wild, wild), MPI_T_ERR_INVALID_SESSION);
    expect("no handle", MPI_T_pvar_start(session, wild), MPI_T_ERR_INVALID_HANDLE);
    expect("no variable", MPI_T_pvar_handle_alloc(session, -1, NULL, &pvar, &n), MPI_T_ERR_INVALID_INDEX);
    MPI_T_pvar_get_index("calls", MPI_T_PVAR_CLASS_COUNTER, &n);
    expect("another class", MPI_T_pvar_get_index("calls", MPI_T_PVAR_CLASS_LEVEL, &n), MPI_T_ERR_INVALID_NAME);
    MPI_T_pvar_handle_alloc(session, n, NULL, &pvar, &again);
    expect("value nowhere", MPI_T_pvar_read(session, pvar, NULL), MPI_T_ERR_INVALID);
    expect("value nowhere", MPI_T_pvar_write(session, pvar, wild), MPI_T_ERR_INVALID);
    expect("no enumeration", MPI_T_enum_get_info(wild, &n, NULL, NULL), MPI_T_ERR_INVALID_HANDLE);
    expect("no instance", MPI_T_event_copy(wild, text), MPI_T_ERR_INVALID_HANDLE);
    expect("no source", MPI_T_source_get_timestamp(1, NULL), MPI_T_ERR_INVALID_INDEX);
    MPI_T_cvar_get_index("mpi.eager-limit", &n);
    MPI_T_cvar_handle_alloc(n, NULL, &cvar, NULL);
    expect("value nowhere", MPI_T_cvar_write(cvar, wild), MPI_T_ERR_INVALID);
    MPI_Finalize();
    long long limit = 1;
    expect("too late", MPI_T_cvar_write(cvar, &limit), MPI_T_ERR_CVAR_SET_NOT_NOW);
    MPI_T_finalize();
    expect("gone", MPI_T_cvar_handle_free(&cvar), MPI_T_ERR_NOT_INITIALIZED);
    printf("done\n");
    return 0;
}
