/* Arguments about groups, communicators, attributes and error handlers that cannot be (MPI-3.1 chapters 6 and 8). */
#include "invalid_arguments.h"

#define W MPI_COMM_WORLD

int main(int argc, char **argv)
{
    int rank, size, n, flag, key, twice[2] = {0, 0}, beyond[2] = {0, 99}, ranges[2][3] = {{0, 0, 0}, {0, 1, 1}};
    MPI_Group group, all, freed, handle;
    MPI_Comm comm, gone, copy;
    MPI_Errhandler handler;
    MPI_Info info, lost;
    void *value;
    char text[MPI_MAX_INFO_VAL + 1];

    start(&argc, &argv);
    MPI_Comm_rank(W, &rank);
    MPI_Comm_size(W, &size);
    MPI_Comm_group(W, &all);
    MPI_Comm_group(W, &freed);
    handle = freed;
    MPI_Group_free(&handle);
    MPI_Comm_dup(W, &gone);
    copy = gone;
    MPI_Comm_free(&copy);

    FAILS(MPI_ERR_GROUP, MPI_Group_size(MPI_GROUP_NULL, &n));
    FAILS(MPI_ERR_GROUP, MPI_Group_size(freed, &n));
    FAILS(MPI_ERR_GROUP, MPI_Group_size((MPI_Group)W, &n));
    FAILS(MPI_ERR_ARG, MPI_Group_rank(all, NULL));
    FAILS(MPI_ERR_RANK, MPI_Group_incl(all, 2, twice, &group));
    FAILS(MPI_ERR_RANK, MPI_Group_incl(all, 2, beyond, &group));
    FAILS(MPI_ERR_COUNT, MPI_Group_incl(all, -1, twice, &group));
    FAILS(MPI_ERR_RANK, MPI_Group_excl(all, 2, beyond, &group));
    FAILS(MPI_ERR_RANK, MPI_Group_excl(all, 2, twice, &group));
    FAILS(MPI_ERR_ARG, MPI_Group_range_incl(all, 1, ranges, &group));
    ranges[0][2] = 1;
    FAILS(MPI_ERR_RANK, MPI_Group_range_incl(all, 2, ranges, &group));
    FAILS(MPI_ERR_RANK, MPI_Group_translate_ranks(all, 2, beyond, all, twice));
    FAILS(MPI_ERR_GROUP, MPI_Group_union(all, MPI_GROUP_NULL, &group));
    FAILS(MPI_ERR_GROUP, MPI_Group_free(&freed));

    FAILS(MPI_ERR_COMM, MPI_Comm_size(MPI_COMM_NULL, &n));
    FAILS(MPI_ERR_COMM, MPI_Comm_rank(gone, &n));
    FAILS(MPI_ERR_ARG, MPI_Comm_rank(W, NULL));
    FAILS(MPI_ERR_COMM, MPI_Comm_dup(gone, &comm));
    FAILS(MPI_ERR_ARG, MPI_Comm_dup(W, NULL));
    FAILS(MPI_ERR_GROUP, MPI_Comm_create(W, freed, &comm));
    FAILS(MPI_ERR_ARG, MPI_Comm_split(W, -5, 0, &comm));
    FAILS(MPI_ERR_COMM, MPI_Comm_free(&(MPI_Comm){W}));
    FAILS(MPI_ERR_COMM, MPI_Comm_free(&(MPI_Comm){MPI_COMM_SELF}));
    FAILS(MPI_ERR_COMM, MPI_Comm_free(&gone));
    FAILS(MPI_ERR_COMM, MPI_Comm_disconnect(&(MPI_Comm){MPI_COMM_NULL}));
    FAILS(MPI_ERR_COMM, MPI_Comm_remote_size(W, &n));
    FAILS(MPI_ERR_COMM, MPI_Comm_remote_group(W, &group));
    FAILS(MPI_ERR_COMM, MPI_Intercomm_merge(W, 0, &comm));
    FAILS(MPI_ERR_RANK, MPI_Intercomm_create(MPI_COMM_SELF, 3, W, 0, 0, &comm));
    FAILS(MPI_ERR_COMM, MPI_Comm_compare(W, MPI_COMM_NULL, &n));
    FAILS(MPI_ERR_ARG, MPI_Comm_set_name(W, NULL));
    FAILS(MPI_ERR_ARG, MPI_Comm_get_name(W, NULL, &n));
    FAILS(MPI_ERR_ARG, MPI_Comm_split_type(W, 4711, 0, MPI_INFO_NULL, &comm));
    FAILS(MPI_ERR_TAG, MPI_Comm_create_group(W, all, -1, &comm));

    FAILS(MPI_ERR_KEYVAL, MPI_Comm_set_attr(W, MPI_KEYVAL_INVALID, NULL));
    FAILS(MPI_ERR_KEYVAL, MPI_Comm_set_attr(W, MPI_TAG_UB, NULL));
    FAILS(MPI_ERR_KEYVAL, MPI_Comm_delete_attr(W, MPI_TAG_UB));
    FAILS(MPI_ERR_KEYVAL, MPI_Comm_get_attr(W, 98765, &value, &flag));
    WORKS(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &key, NULL));
    FAILS(MPI_ERR_KEYVAL, MPI_Comm_set_attr(W, key, NULL));
    WORKS(MPI_Type_free_keyval(&key));
    FAILS(MPI_ERR_KEYVAL, MPI_Comm_free_keyval(&key));

    FAILS(MPI_ERR_ARG, MPI_Comm_create_errhandler(NULL, &handler));
    FAILS(MPI_ERR_ARG, MPI_Comm_set_errhandler(W, MPI_ERRHANDLER_NULL));
    FAILS(MPI_ERR_ARG, MPI_Errhandler_free(&(MPI_Errhandler){MPI_ERRHANDLER_NULL}));
    FAILS(MPI_ERR_COMM, MPI_Comm_call_errhandler(MPI_COMM_NULL, MPI_ERR_OTHER));
    FAILS(MPI_ERR_ARG, MPI_Error_string(-1, text, &n));
    FAILS(MPI_ERR_ARG, MPI_Error_class(1 << 28, &n));
    FAILS(MPI_ERR_ARG, MPI_Add_error_code(1 << 28, &n));

    WORKS(MPI_Info_create(&info));
    lost = info;
    FAILS(MPI_ERR_INFO_KEY, MPI_Info_set(info, "", "value"));
    FAILS(MPI_ERR_INFO_NOKEY, MPI_Info_delete(info, "nothing"));
    FAILS(MPI_ERR_ARG, MPI_Info_get_nthkey(info, 0, text));
    FAILS(MPI_ERR_INFO, MPI_Info_set(MPI_INFO_NULL, "key", "value"));
    memset(text, 'x', MPI_MAX_INFO_VAL);
    text[MPI_MAX_INFO_VAL] = 0;
    FAILS(MPI_ERR_INFO_VALUE, MPI_Info_set(info, "key", text));
    text[MPI_MAX_INFO_KEY] = 0;
    FAILS(MPI_ERR_INFO_KEY, MPI_Info_set(info, text, "value"));
    WORKS(MPI_Info_free(&info));
    FAILS(MPI_ERR_INFO, MPI_Info_free(&lost));
    WORKS(MPI_Group_free(&all));
    return finish();
}
