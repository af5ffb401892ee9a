/* mpi.h - MPI as simulated programs see it: MPI 3.1, the functions of mpi/functions.def and what they need.
 *
 * Every program parses this file, so it is self-contained and small: no other header, no code. Handles are pointers to
 * structs that do not exist, so that mixing them up is a compile-time error; constants repeat mpi/handles.def,
 * mpi/errors.def and mpi/internal.h, to which a unit test holds them. Functions that are missing here are missing
 * altogether: a program that uses one is refused by the compiler, with its name. Types and constants of their chapters
 * are here, so that programs may mention them.
 */
#ifndef ORRERY_MPI_H
#define ORRERY_MPI_H

#define MPI_VERSION    3
#define MPI_SUBVERSION 1

/* Handles, and integers that hold addresses, file offsets and counts. */
typedef struct orrery_comm *MPI_Comm;
typedef struct orrery_group *MPI_Group;
typedef struct orrery_datatype *MPI_Datatype;
typedef struct orrery_op *MPI_Op;
typedef struct orrery_request *MPI_Request;
typedef struct orrery_errhandler *MPI_Errhandler;
typedef struct orrery_info *MPI_Info;
typedef struct orrery_message *MPI_Message;
typedef long MPI_Aint;
typedef long long MPI_Offset;
typedef long long MPI_Count;
typedef int MPI_Fint;

typedef struct MPI_Status {
    int MPI_SOURCE;
    int MPI_TAG;
    int MPI_ERROR;
    int orrery_cancelled;
    unsigned long orrery_bytes;
} MPI_Status;

/* The same as Fortran programs see it, and what stands for no status there. */
typedef MPI_Status MPI_F08_status;
#define MPI_F_STATUS_SIZE       6
#define MPI_F_SOURCE            0
#define MPI_F_TAG               1
#define MPI_F_ERROR             2
#define MPI_F_STATUS_IGNORE     ((MPI_Fint *)1)
#define MPI_F_STATUSES_IGNORE   ((MPI_Fint *)1)
#define MPI_F08_STATUS_IGNORE   ((MPI_F08_status *)1)
#define MPI_F08_STATUSES_IGNORE ((MPI_F08_status *)1)

/* Functions that programs hand to MPI. */
typedef void(MPI_User_function)(void *invec, void *inoutvec, int *len, MPI_Datatype *datatype);
typedef void(MPI_User_function_c)(void *invec, void *inoutvec, MPI_Count *len, MPI_Datatype *datatype);
typedef int(MPI_Copy_function)(MPI_Comm oldcomm, int keyval, void *extra_state, void *attribute_val_in,
                               void *attribute_val_out, int *flag);
typedef int(MPI_Delete_function)(MPI_Comm comm, int keyval, void *attribute_val, void *extra_state);
typedef MPI_Copy_function MPI_Comm_copy_attr_function;
typedef MPI_Delete_function MPI_Comm_delete_attr_function;
typedef int(MPI_Grequest_query_function)(void *extra_state, MPI_Status *status);
typedef int(MPI_Grequest_free_function)(void *extra_state);
typedef int(MPI_Grequest_cancel_function)(void *extra_state, int complete);
typedef void(MPI_Handler_function)(MPI_Comm *comm, int *error_code, ...);
typedef MPI_Handler_function MPI_Comm_errhandler_function;
typedef MPI_Handler_function MPI_Comm_errhandler_fn;

typedef int(MPI_Type_copy_attr_function)(MPI_Datatype oldtype, int type_keyval, void *extra_state,
                                         void *attribute_val_in, void *attribute_val_out, int *flag);
typedef int(MPI_Type_delete_attr_function)(MPI_Datatype datatype, int type_keyval, void *attribute_val,
                                           void *extra_state);

/* Handles of windows, files and sessions, and functions for them. */
typedef struct orrery_window *MPI_Win;
typedef struct orrery_file *MPI_File;
typedef struct orrery_session *MPI_Session;
typedef int(MPI_Win_copy_attr_function)(MPI_Win oldwin, int win_keyval, void *extra_state, void *attribute_val_in,
                                        void *attribute_val_out, int *flag);
typedef int(MPI_Win_delete_attr_function)(MPI_Win win, int win_keyval, void *attribute_val, void *extra_state);
typedef void(MPI_Win_errhandler_function)(MPI_Win *win, int *error_code, ...);
typedef void(MPI_File_errhandler_function)(MPI_File *file, int *error_code, ...);
typedef void(MPI_Session_errhandler_function)(MPI_Session *session, int *error_code, ...);
typedef MPI_Win_errhandler_function MPI_Win_errhandler_fn;
typedef MPI_File_errhandler_function MPI_File_errhandler_fn;
typedef int(MPI_Datarep_extent_function)(MPI_Datatype datatype, MPI_Aint *extent, void *extra_state);
typedef int(MPI_Datarep_conversion_function)(void *userbuf, MPI_Datatype datatype, int count, void *filebuf,
                                             MPI_Offset position, void *extra_state);
typedef int(MPI_Datarep_conversion_function_c)(void *userbuf, MPI_Datatype datatype, MPI_Count count, void *filebuf,
                                               MPI_Offset position, void *extra_state);

/* Communicators and groups. */
#define MPI_COMM_NULL   ((MPI_Comm)0x100000000)
#define MPI_COMM_WORLD  ((MPI_Comm)0x100000001)
#define MPI_COMM_SELF   ((MPI_Comm)0x100000002)
#define MPI_GROUP_NULL  ((MPI_Group)0x200000000)
#define MPI_GROUP_EMPTY ((MPI_Group)0x200000001)

#define MPI_IDENT     0
#define MPI_CONGRUENT 1
#define MPI_SIMILAR   2
#define MPI_UNEQUAL   3

#define MPI_COMM_TYPE_SHARED      1
#define MPI_COMM_TYPE_HW_GUIDED   2
#define MPI_COMM_TYPE_HW_UNGUIDED 3

#define MPI_GRAPH      1
#define MPI_CART       2
#define MPI_DIST_GRAPH 3

#define MPI_UNWEIGHTED    ((int *)2)
#define MPI_WEIGHTS_EMPTY ((int *)3)

/* Ranks, tags, buffers. */
#define MPI_PROC_NULL       (-1)
#define MPI_ANY_SOURCE      (-2)
#define MPI_ROOT            (-3)
#define MPI_ANY_TAG         (-1)
#define MPI_UNDEFINED       (-32766)
#define MPI_BOTTOM          ((void *)0)
#define MPI_IN_PLACE        ((void *)-1)
#define MPI_STATUS_IGNORE   ((MPI_Status *)1)
#define MPI_STATUSES_IGNORE ((MPI_Status *)1)
#define MPI_REQUEST_NULL    ((MPI_Request)0x500000000)
#define MPI_MESSAGE_NULL    ((MPI_Message)0xa00000000)
#define MPI_MESSAGE_NO_PROC ((MPI_Message)0xa00000001)
#define MPI_BSEND_OVERHEAD  96

/* Info objects. */
#define MPI_INFO_NULL    ((MPI_Info)0x700000000)
#define MPI_INFO_ENV     ((MPI_Info)0x700000001)
#define MPI_MAX_INFO_KEY 256
#define MPI_MAX_INFO_VAL 1024

/* Attributes. */
#define MPI_KEYVAL_INVALID  (-1)
#define MPI_TAG_UB          1
#define MPI_HOST            2
#define MPI_IO              3
#define MPI_WTIME_IS_GLOBAL 4
#define MPI_UNIVERSE_SIZE   5
#define MPI_LASTUSEDCODE    6
#define MPI_APPNUM          7

/* Levels of thread support. */
#define MPI_THREAD_SINGLE     0
#define MPI_THREAD_FUNNELED   1
#define MPI_THREAD_SERIALIZED 2
#define MPI_THREAD_MULTIPLE   3

/* Lengths of strings, the terminating zero included. */
#define MPI_MAX_PROCESSOR_NAME         256
#define MPI_MAX_ERROR_STRING           512
#define MPI_MAX_OBJECT_NAME            128
#define MPI_MAX_LIBRARY_VERSION_STRING 256
#define MPI_MAX_PORT_NAME              256
#define MPI_MAX_DATAREP_STRING         128
#define MPI_MAX_STRINGTAG_LEN          256
#define MPI_MAX_PSET_NAME_LEN          256

#define MPI_ORDER_C       56
#define MPI_ORDER_FORTRAN 57

#define MPI_DISTRIBUTE_NONE      1
#define MPI_DISTRIBUTE_BLOCK     2
#define MPI_DISTRIBUTE_CYCLIC    3
#define MPI_DISTRIBUTE_DFLT_DARG (-32765)

#define MPI_TYPECLASS_REAL    1
#define MPI_TYPECLASS_INTEGER 2
#define MPI_TYPECLASS_COMPLEX 3

#define MPI_COMBINER_NAMED            1
#define MPI_COMBINER_DUP              2
#define MPI_COMBINER_CONTIGUOUS       3
#define MPI_COMBINER_VECTOR           4
#define MPI_COMBINER_HVECTOR_INTEGER  5
#define MPI_COMBINER_HVECTOR          6
#define MPI_COMBINER_INDEXED          7
#define MPI_COMBINER_HINDEXED_INTEGER 8
#define MPI_COMBINER_HINDEXED         9
#define MPI_COMBINER_INDEXED_BLOCK    10
#define MPI_COMBINER_HINDEXED_BLOCK   11
#define MPI_COMBINER_STRUCT_INTEGER   12
#define MPI_COMBINER_STRUCT           13
#define MPI_COMBINER_SUBARRAY         14
#define MPI_COMBINER_DARRAY           15
#define MPI_COMBINER_F90_REAL         16
#define MPI_COMBINER_F90_COMPLEX      17
#define MPI_COMBINER_F90_INTEGER      18
#define MPI_COMBINER_RESIZED          19

/* Datatypes. MPI_DATATYPE_NULL + n is row n of mpi/primitives.def. */
#define MPI_DATATYPE_NULL           ((MPI_Datatype)0x300000000)
#define MPI_CHAR                    ((MPI_Datatype)0x300000001)
#define MPI_SIGNED_CHAR             ((MPI_Datatype)0x300000002)
#define MPI_UNSIGNED_CHAR           ((MPI_Datatype)0x300000003)
#define MPI_BYTE                    ((MPI_Datatype)0x300000004)
#define MPI_WCHAR                   ((MPI_Datatype)0x300000005)
#define MPI_SHORT                   ((MPI_Datatype)0x300000006)
#define MPI_UNSIGNED_SHORT          ((MPI_Datatype)0x300000007)
#define MPI_INT                     ((MPI_Datatype)0x300000008)
#define MPI_UNSIGNED                ((MPI_Datatype)0x300000009)
#define MPI_LONG                    ((MPI_Datatype)0x30000000a)
#define MPI_UNSIGNED_LONG           ((MPI_Datatype)0x30000000b)
#define MPI_LONG_LONG_INT           ((MPI_Datatype)0x30000000c)
#define MPI_UNSIGNED_LONG_LONG      ((MPI_Datatype)0x30000000d)
#define MPI_FLOAT                   ((MPI_Datatype)0x30000000e)
#define MPI_DOUBLE                  ((MPI_Datatype)0x30000000f)
#define MPI_LONG_DOUBLE             ((MPI_Datatype)0x300000010)
#define MPI_C_BOOL                  ((MPI_Datatype)0x300000011)
#define MPI_INT8_T                  ((MPI_Datatype)0x300000012)
#define MPI_INT16_T                 ((MPI_Datatype)0x300000013)
#define MPI_INT32_T                 ((MPI_Datatype)0x300000014)
#define MPI_INT64_T                 ((MPI_Datatype)0x300000015)
#define MPI_UINT8_T                 ((MPI_Datatype)0x300000016)
#define MPI_UINT16_T                ((MPI_Datatype)0x300000017)
#define MPI_UINT32_T                ((MPI_Datatype)0x300000018)
#define MPI_UINT64_T                ((MPI_Datatype)0x300000019)
#define MPI_AINT                    ((MPI_Datatype)0x30000001a)
#define MPI_OFFSET                  ((MPI_Datatype)0x30000001b)
#define MPI_COUNT                   ((MPI_Datatype)0x30000001c)
#define MPI_C_COMPLEX               ((MPI_Datatype)0x30000001d)
#define MPI_C_DOUBLE_COMPLEX        ((MPI_Datatype)0x30000001e)
#define MPI_C_LONG_DOUBLE_COMPLEX   ((MPI_Datatype)0x30000001f)
#define MPI_CXX_BOOL                ((MPI_Datatype)0x300000020)
#define MPI_CXX_FLOAT_COMPLEX       ((MPI_Datatype)0x300000021)
#define MPI_CXX_DOUBLE_COMPLEX      ((MPI_Datatype)0x300000022)
#define MPI_CXX_LONG_DOUBLE_COMPLEX ((MPI_Datatype)0x300000023)
#define MPI_PACKED                  ((MPI_Datatype)0x300000024)
#define MPI_CHARACTER               ((MPI_Datatype)0x300000025)
#define MPI_LOGICAL                 ((MPI_Datatype)0x300000026)
#define MPI_INTEGER                 ((MPI_Datatype)0x300000027)
#define MPI_REAL                    ((MPI_Datatype)0x300000028)
#define MPI_DOUBLE_PRECISION        ((MPI_Datatype)0x300000029)
#define MPI_COMPLEX                 ((MPI_Datatype)0x30000002a)
#define MPI_DOUBLE_COMPLEX          ((MPI_Datatype)0x30000002b)
#define MPI_INTEGER1                ((MPI_Datatype)0x30000002c)
#define MPI_INTEGER2                ((MPI_Datatype)0x30000002d)
#define MPI_INTEGER4                ((MPI_Datatype)0x30000002e)
#define MPI_INTEGER8                ((MPI_Datatype)0x30000002f)
#define MPI_REAL4                   ((MPI_Datatype)0x300000030)
#define MPI_REAL8                   ((MPI_Datatype)0x300000031)
#define MPI_COMPLEX8                ((MPI_Datatype)0x300000032)
#define MPI_COMPLEX16               ((MPI_Datatype)0x300000033)
#define MPI_FLOAT_INT               ((MPI_Datatype)0x300000034)
#define MPI_DOUBLE_INT              ((MPI_Datatype)0x300000035)
#define MPI_LONG_INT                ((MPI_Datatype)0x300000036)
#define MPI_SHORT_INT               ((MPI_Datatype)0x300000037)
#define MPI_2INT                    ((MPI_Datatype)0x300000038)
#define MPI_LONG_DOUBLE_INT         ((MPI_Datatype)0x300000039)
#define MPI_2REAL                   ((MPI_Datatype)0x30000003a)
#define MPI_2DOUBLE_PRECISION       ((MPI_Datatype)0x30000003b)
#define MPI_2INTEGER                ((MPI_Datatype)0x30000003c)
#define MPI_LB                      ((MPI_Datatype)0x30000003d)
#define MPI_UB                      ((MPI_Datatype)0x30000003e)
#define MPI_LONG_LONG               ((MPI_Datatype)0x30000000c)
#define MPI_INTEGER16               MPI_DATATYPE_NULL /* Fortran kinds that do not exist here */
#define MPI_REAL2                   MPI_DATATYPE_NULL
#define MPI_REAL16                  MPI_DATATYPE_NULL
#define MPI_COMPLEX4                MPI_DATATYPE_NULL
#define MPI_COMPLEX32               MPI_DATATYPE_NULL
#define MPI_C_FLOAT_COMPLEX         ((MPI_Datatype)0x30000001d)

/* Reduction operators. */
#define MPI_OP_NULL ((MPI_Op)0x400000000)
#define MPI_MAX     ((MPI_Op)0x400000001)
#define MPI_MIN     ((MPI_Op)0x400000002)
#define MPI_SUM     ((MPI_Op)0x400000003)
#define MPI_PROD    ((MPI_Op)0x400000004)
#define MPI_LAND    ((MPI_Op)0x400000005)
#define MPI_BAND    ((MPI_Op)0x400000006)
#define MPI_LOR     ((MPI_Op)0x400000007)
#define MPI_BOR     ((MPI_Op)0x400000008)
#define MPI_LXOR    ((MPI_Op)0x400000009)
#define MPI_BXOR    ((MPI_Op)0x40000000a)
#define MPI_MINLOC  ((MPI_Op)0x40000000b)
#define MPI_MAXLOC  ((MPI_Op)0x40000000c)
#define MPI_REPLACE ((MPI_Op)0x40000000d) /* these two are for one-sided communication alone */
#define MPI_NO_OP   ((MPI_Op)0x40000000e)

/* Error handlers, error classes. */
#define MPI_ERRHANDLER_NULL  ((MPI_Errhandler)0x600000000)
#define MPI_ERRORS_ARE_FATAL ((MPI_Errhandler)0x600000001)
#define MPI_ERRORS_RETURN    ((MPI_Errhandler)0x600000002)
#define MPI_ERRORS_ABORT     ((MPI_Errhandler)0x600000003)
#define MPI_SUCCESS                   0
#define MPI_ERR_BUFFER                1
#define MPI_ERR_COUNT                 2
#define MPI_ERR_TYPE                  3
#define MPI_ERR_TAG                   4
#define MPI_ERR_COMM                  5
#define MPI_ERR_RANK                  6
#define MPI_ERR_ROOT                  7
#define MPI_ERR_GROUP                 8
#define MPI_ERR_OP                    9
#define MPI_ERR_TOPOLOGY              10
#define MPI_ERR_DIMS                  11
#define MPI_ERR_ARG                   12
#define MPI_ERR_UNKNOWN               13
#define MPI_ERR_TRUNCATE              14
#define MPI_ERR_OTHER                 15
#define MPI_ERR_INTERN                16
#define MPI_ERR_IN_STATUS             17
#define MPI_ERR_PENDING               18
#define MPI_ERR_REQUEST               19
#define MPI_ERR_ACCESS                20
#define MPI_ERR_AMODE                 21
#define MPI_ERR_BAD_FILE              22
#define MPI_ERR_CONVERSION            23
#define MPI_ERR_DUP_DATAREP           24
#define MPI_ERR_FILE_EXISTS           25
#define MPI_ERR_FILE_IN_USE           26
#define MPI_ERR_FILE                  27
#define MPI_ERR_INFO                  28
#define MPI_ERR_INFO_KEY              29
#define MPI_ERR_INFO_VALUE            30
#define MPI_ERR_INFO_NOKEY            31
#define MPI_ERR_IO                    32
#define MPI_ERR_NAME                  33
#define MPI_ERR_NO_MEM                34
#define MPI_ERR_NOT_SAME              35
#define MPI_ERR_NO_SPACE              36
#define MPI_ERR_NO_SUCH_FILE          37
#define MPI_ERR_PORT                  38
#define MPI_ERR_QUOTA                 39
#define MPI_ERR_READ_ONLY             40
#define MPI_ERR_SERVICE               41
#define MPI_ERR_SPAWN                 42
#define MPI_ERR_UNSUPPORTED_DATAREP   43
#define MPI_ERR_UNSUPPORTED_OPERATION 44
#define MPI_ERR_WIN                   45
#define MPI_ERR_BASE                  46
#define MPI_ERR_LOCKTYPE              47
#define MPI_ERR_KEYVAL                48
#define MPI_ERR_RMA_CONFLICT          49
#define MPI_ERR_RMA_SYNC              50
#define MPI_ERR_SIZE                  51
#define MPI_ERR_DISP                  52
#define MPI_ERR_ASSERT                53
#define MPI_ERR_RMA_RANGE             55
#define MPI_ERR_RMA_ATTACH            56
#define MPI_ERR_RMA_SHARED            57
#define MPI_ERR_RMA_FLAVOR            58
#define MPI_ERR_SESSION               59
#define MPI_ERR_PROC_ABORTED          60
#define MPI_ERR_VALUE_TOO_LARGE       61
#define MPI_ERR_ERRHANDLER            62
#define MPI_ERR_LASTCODE              0x3fffffff

/* One-sided communication. */
#define MPI_WIN_NULL            ((MPI_Win)0x800000000)
#define MPI_WIN_NULL_COPY_FN    ((MPI_Win_copy_attr_function *)MPI_NULL_COPY_FN)
#define MPI_WIN_DUP_FN          ((MPI_Win_copy_attr_function *)MPI_DUP_FN)
#define MPI_WIN_NULL_DELETE_FN  ((MPI_Win_delete_attr_function *)MPI_NULL_DELETE_FN)
#define MPI_WIN_BASE            8
#define MPI_WIN_SIZE            9
#define MPI_WIN_DISP_UNIT       10
#define MPI_WIN_CREATE_FLAVOR   11
#define MPI_WIN_MODEL           12
#define MPI_WIN_FLAVOR_CREATE   1
#define MPI_WIN_FLAVOR_ALLOCATE 2
#define MPI_WIN_FLAVOR_DYNAMIC  3
#define MPI_WIN_FLAVOR_SHARED   4
#define MPI_WIN_SEPARATE        1
#define MPI_WIN_UNIFIED         2
#define MPI_LOCK_SHARED         1
#define MPI_LOCK_EXCLUSIVE      2
#define MPI_MODE_NOCHECK        1024
#define MPI_MODE_NOSTORE        2048
#define MPI_MODE_NOPUT          4096
#define MPI_MODE_NOPRECEDE      8192
#define MPI_MODE_NOSUCCEED      16384

/* Files. */
#define MPI_FILE_NULL            ((MPI_File)0x900000000)
#define MPI_MODE_CREATE          1
#define MPI_MODE_RDONLY          2
#define MPI_MODE_WRONLY          4
#define MPI_MODE_RDWR            8
#define MPI_MODE_DELETE_ON_CLOSE 16
#define MPI_MODE_UNIQUE_OPEN     32
#define MPI_MODE_EXCL            64
#define MPI_MODE_APPEND          128
#define MPI_MODE_SEQUENTIAL      256
#define MPI_SEEK_SET             600
#define MPI_SEEK_CUR             602
#define MPI_SEEK_END             604
#define MPI_DISPLACEMENT_CURRENT (-54278278)
#define MPI_CONVERSION_FN_NULL   ((MPI_Datarep_conversion_function *)0)
#define MPI_CONVERSION_FN_NULL_C ((MPI_Datarep_conversion_function_c *)0)

/* Dynamic processes, sessions. */
#define MPI_ARGV_NULL       ((char **)0)
#define MPI_ARGVS_NULL      ((char ***)0)
#define MPI_ERRCODES_IGNORE ((int *)0)
#define MPI_SESSION_NULL    ((MPI_Session)0xb00000000)

/* Every function has two names: a profiling library defines MPI_Send and calls PMPI_Send (MPI-3.1 section 14.2). */
#define ORRERY_MPI_FUNCTION(result, name, parameters) result MPI_##name parameters; result PMPI_##name parameters
#define ORRERY_MPI(name, parameters) ORRERY_MPI_FUNCTION(int, name, parameters);

#ifdef __cplusplus
extern "C" {
#endif

/* Environment. */
ORRERY_MPI(Init, (int *argc, char ***argv))
ORRERY_MPI(Init_thread, (int *argc, char ***argv, int required, int *provided))
ORRERY_MPI(Finalize, (void))
ORRERY_MPI(Initialized, (int *flag))
ORRERY_MPI(Finalized, (int *flag))
ORRERY_MPI(Abort, (MPI_Comm comm, int errorcode))
ORRERY_MPI(Query_thread, (int *provided))
ORRERY_MPI(Is_thread_main, (int *flag))
ORRERY_MPI_FUNCTION(double, Wtime, (void));
ORRERY_MPI_FUNCTION(double, Wtick, (void));
ORRERY_MPI(Get_processor_name, (char *name, int *resultlen))
ORRERY_MPI(Get_version, (int *version, int *subversion))
ORRERY_MPI(Get_library_version, (char *version, int *resultlen))
ORRERY_MPI(Alloc_mem, (MPI_Aint size, MPI_Info info, void *baseptr))
ORRERY_MPI(Free_mem, (void *base))
ORRERY_MPI(Pcontrol, (const int level, ...))

/* Info objects. */
ORRERY_MPI(Info_create, (MPI_Info *info))
ORRERY_MPI(Info_create_env, (int argc, char *argv[], MPI_Info *info))
ORRERY_MPI(Info_delete, (MPI_Info info, const char *key))
ORRERY_MPI(Info_dup, (MPI_Info info, MPI_Info *newinfo))
ORRERY_MPI(Info_free, (MPI_Info *info))
ORRERY_MPI(Info_get, (MPI_Info info, const char *key, int valuelen, char *value, int *flag))
ORRERY_MPI(Info_get_nkeys, (MPI_Info info, int *nkeys))
ORRERY_MPI(Info_get_nthkey, (MPI_Info info, int n, char *key))
ORRERY_MPI(Info_get_string, (MPI_Info info, const char *key, int *buflen, char *value, int *flag))
ORRERY_MPI(Info_get_valuelen, (MPI_Info info, const char *key, int *valuelen, int *flag))
ORRERY_MPI(Info_set, (MPI_Info info, const char *key, const char *value))
ORRERY_MPI(Comm_set_info, (MPI_Comm comm, MPI_Info info))
ORRERY_MPI(Comm_get_info, (MPI_Comm comm, MPI_Info *info_used))

/* Errors. */
ORRERY_MPI(Add_error_class, (int *errorclass))
ORRERY_MPI(Add_error_code, (int errorclass, int *errorcode))
ORRERY_MPI(Add_error_string, (int errorcode, const char *string))
ORRERY_MPI(Remove_error_class, (int errorclass))
ORRERY_MPI(Remove_error_code, (int errorcode))
ORRERY_MPI(Remove_error_string, (int errorcode))
ORRERY_MPI(Error_class, (int errorcode, int *errorclass))
ORRERY_MPI(Error_string, (int errorcode, char *string, int *resultlen))
ORRERY_MPI(Errhandler_create, (MPI_Handler_function *function, MPI_Errhandler *errhandler))
ORRERY_MPI(Errhandler_set, (MPI_Comm comm, MPI_Errhandler errhandler))
ORRERY_MPI(Errhandler_get, (MPI_Comm comm, MPI_Errhandler *errhandler))
ORRERY_MPI(Errhandler_free, (MPI_Errhandler *errhandler))
ORRERY_MPI(Comm_create_errhandler, (MPI_Comm_errhandler_function *function, MPI_Errhandler *errhandler))
ORRERY_MPI(Comm_set_errhandler, (MPI_Comm comm, MPI_Errhandler errhandler))
ORRERY_MPI(Comm_get_errhandler, (MPI_Comm comm, MPI_Errhandler *errhandler))
ORRERY_MPI(Comm_call_errhandler, (MPI_Comm comm, int errorcode))

/* Point to point. */
ORRERY_MPI(Send, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm))
ORRERY_MPI(Ssend, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm))
ORRERY_MPI(Bsend, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm))
ORRERY_MPI(Rsend, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm))
ORRERY_MPI(Recv, (void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status
           *status))
ORRERY_MPI(Isend, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request
           *request))
ORRERY_MPI(Issend, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request
           *request))
ORRERY_MPI(Ibsend, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request
           *request))
ORRERY_MPI(Irsend, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request
           *request))
ORRERY_MPI(Irecv, (void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request
           *request))
ORRERY_MPI(Sendrecv, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf,
           int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status *status))
ORRERY_MPI(Sendrecv_replace, (void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int
           recvtag, MPI_Comm comm, MPI_Status *status))
ORRERY_MPI(Probe, (int source, int tag, MPI_Comm comm, MPI_Status *status))
ORRERY_MPI(Iprobe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status))
ORRERY_MPI(Mprobe, (int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status))
ORRERY_MPI(Improbe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status))
ORRERY_MPI(Mrecv, (void *buf, int count, MPI_Datatype datatype, MPI_Message *message, MPI_Status *status))
ORRERY_MPI(Imrecv, (void *buf, int count, MPI_Datatype datatype, MPI_Message *message, MPI_Request *request))
ORRERY_MPI(Buffer_attach, (void *buffer, int size))
ORRERY_MPI(Buffer_detach, (void *buffer_addr, int *size))
ORRERY_MPI(Get_count, (const MPI_Status *status, MPI_Datatype datatype, int *count))
ORRERY_MPI(Get_elements, (const MPI_Status *status, MPI_Datatype datatype, int *count))
ORRERY_MPI(Get_count_c, (const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count))
ORRERY_MPI(Get_elements_c, (const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count))
ORRERY_MPI(Get_elements_x, (const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count))
ORRERY_MPI(Status_set_elements, (MPI_Status *status, MPI_Datatype datatype, int count))
ORRERY_MPI(Status_set_elements_c, (MPI_Status *status, MPI_Datatype datatype, MPI_Count count))
ORRERY_MPI(Status_set_elements_x, (MPI_Status *status, MPI_Datatype datatype, MPI_Count count))
ORRERY_MPI(Status_set_cancelled, (MPI_Status *status, int flag))
ORRERY_MPI(Status_get_source, (const MPI_Status *status, int *source))
ORRERY_MPI(Status_get_tag, (const MPI_Status *status, int *tag))
ORRERY_MPI(Status_get_error, (const MPI_Status *status, int *error))
ORRERY_MPI(Status_set_source, (MPI_Status *status, int source))
ORRERY_MPI(Status_set_tag, (MPI_Status *status, int tag))
ORRERY_MPI(Status_set_error, (MPI_Status *status, int error))

/* Requests. */
ORRERY_MPI(Wait, (MPI_Request *request, MPI_Status *status))
ORRERY_MPI(Waitall, (int count, MPI_Request array_of_requests[], MPI_Status array_of_statuses[]))
ORRERY_MPI(Waitany, (int count, MPI_Request array_of_requests[], int *index, MPI_Status *status))
ORRERY_MPI(Waitsome, (int incount, MPI_Request array_of_requests[], int *outcount, int array_of_indices[], MPI_Status
           array_of_statuses[]))
ORRERY_MPI(Test, (MPI_Request *request, int *flag, MPI_Status *status))
ORRERY_MPI(Testall, (int count, MPI_Request array_of_requests[], int *flag, MPI_Status array_of_statuses[]))
ORRERY_MPI(Testany, (int count, MPI_Request array_of_requests[], int *index, int *flag, MPI_Status *status))
ORRERY_MPI(Testsome, (int incount, MPI_Request array_of_requests[], int *outcount, int array_of_indices[], MPI_Status
           array_of_statuses[]))
ORRERY_MPI(Request_free, (MPI_Request *request))
ORRERY_MPI(Request_get_status, (MPI_Request request, int *flag, MPI_Status *status))
ORRERY_MPI(Request_get_status_all, (int count, const MPI_Request array_of_requests[], int *flag, MPI_Status
           array_of_statuses[]))
ORRERY_MPI(Request_get_status_any, (int count, const MPI_Request array_of_requests[], int *index, int *flag, MPI_Status
           *status))
ORRERY_MPI(Request_get_status_some, (int incount, const MPI_Request array_of_requests[], int *outcount, int
           array_of_indices[], MPI_Status array_of_statuses[]))
ORRERY_MPI(Grequest_start, (MPI_Grequest_query_function *query_fn, MPI_Grequest_free_function *free_fn,
           MPI_Grequest_cancel_function *cancel_fn, void *extra_state, MPI_Request *request))
ORRERY_MPI(Grequest_complete, (MPI_Request request))
ORRERY_MPI(Cancel, (MPI_Request *request))
ORRERY_MPI(Test_cancelled, (const MPI_Status *status, int *flag))
ORRERY_MPI(Send_init, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
           MPI_Request *request))
ORRERY_MPI(Ssend_init, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
           MPI_Request *request))
ORRERY_MPI(Bsend_init, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
           MPI_Request *request))
ORRERY_MPI(Rsend_init, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
           MPI_Request *request))
ORRERY_MPI(Recv_init, (void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request
           *request))
ORRERY_MPI(Start, (MPI_Request *request))
ORRERY_MPI(Startall, (int count, MPI_Request array_of_requests[]))

/* Collectives. */
ORRERY_MPI(Barrier, (MPI_Comm comm))
ORRERY_MPI(Bcast, (void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm))
ORRERY_MPI(Reduce, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
           MPI_Comm comm))
ORRERY_MPI(Allreduce, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm
           comm))
ORRERY_MPI(Gather, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
           MPI_Datatype recvtype, int root, MPI_Comm comm))
ORRERY_MPI(Gatherv, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
           const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm))
ORRERY_MPI(Scatter, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
           MPI_Datatype recvtype, int root, MPI_Comm comm))
ORRERY_MPI(Scatterv, (const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void
           *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm))
ORRERY_MPI(Allgather, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
           MPI_Datatype recvtype, MPI_Comm comm))
ORRERY_MPI(Allgatherv, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int
           recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm))
ORRERY_MPI(Alltoall, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
           MPI_Datatype recvtype, MPI_Comm comm))
ORRERY_MPI(Alltoallv, (const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void
           *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm))
ORRERY_MPI(Reduce_scatter, (const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op
           op, MPI_Comm comm))
ORRERY_MPI(Reduce_scatter_block, (const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
           MPI_Comm comm))
ORRERY_MPI(Scan, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm))
ORRERY_MPI(Exscan, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm))

/* Collectives in other forms: non-blocking, persistent, with large counts. */
ORRERY_MPI(Ibarrier, (MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Barrier_init, (MPI_Comm comm, MPI_Info info, MPI_Request *request))
ORRERY_MPI(Ibcast, (void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Bcast_init, (void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info,
           MPI_Request *request))
ORRERY_MPI(Bcast_c, (void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm))
ORRERY_MPI(Ibcast_c, (void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request
           *request))
ORRERY_MPI(Bcast_init_c, (void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info,
           MPI_Request *request))
ORRERY_MPI(Igather, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
           MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Gather_init, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
           MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request))
ORRERY_MPI(Gather_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count
           recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm))
ORRERY_MPI(Igather_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count
           recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Gather_init_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count
           recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request))
ORRERY_MPI(Igatherv, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
           const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Gatherv_init, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int
           recvcounts[], const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request
           *request))
ORRERY_MPI(Gatherv_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, const MPI_Count
           recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, int root, MPI_Comm comm))
ORRERY_MPI(Igatherv_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, const MPI_Count
           recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request
           *request))
ORRERY_MPI(Gatherv_init_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, const
           MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info
           info, MPI_Request *request))
ORRERY_MPI(Iscatter, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
           MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Scatter_init, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
           MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request))
ORRERY_MPI(Scatter_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count
           recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm))
ORRERY_MPI(Iscatter_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count
           recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Scatter_init_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count
           recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request))
ORRERY_MPI(Iscatterv, (const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void
           *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Scatterv_init, (const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void
           *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request
           *request))
ORRERY_MPI(Scatterv_c, (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[], MPI_Datatype
           sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm))
ORRERY_MPI(Iscatterv_c, (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[], MPI_Datatype
           sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request
           *request))
ORRERY_MPI(Scatterv_init_c, (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[], MPI_Datatype
           sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
           MPI_Request *request))
ORRERY_MPI(Iallgather, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
           MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Allgather_init, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
           MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request))
ORRERY_MPI(Allgather_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count
           recvcount, MPI_Datatype recvtype, MPI_Comm comm))
ORRERY_MPI(Iallgather_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count
           recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Allgather_init_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count
           recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request))
ORRERY_MPI(Iallgatherv, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int
           recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Allgatherv_init, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int
           recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request
           *request))
ORRERY_MPI(Allgatherv_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, const
           MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm))
ORRERY_MPI(Iallgatherv_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, const
           MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request
           *request))
ORRERY_MPI(Allgatherv_init_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, const
           MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
           MPI_Request *request))
ORRERY_MPI(Ialltoall, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
           MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Alltoall_init, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
           MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request))
ORRERY_MPI(Alltoall_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count
           recvcount, MPI_Datatype recvtype, MPI_Comm comm))
ORRERY_MPI(Ialltoall_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count
           recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Alltoall_init_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count
           recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request))
ORRERY_MPI(Ialltoallv, (const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void
           *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request
           *request))
ORRERY_MPI(Alltoallv_init, (const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
           void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info
           info, MPI_Request *request))
ORRERY_MPI(Alltoallv_c, (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], MPI_Datatype
           sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype,
           MPI_Comm comm))
ORRERY_MPI(Ialltoallv_c, (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], MPI_Datatype
           sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype,
           MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Alltoallv_init_c, (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], MPI_Datatype
           sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype,
           MPI_Comm comm, MPI_Info info, MPI_Request *request))
ORRERY_MPI(Alltoallw, (const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype
           sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[],
           MPI_Comm comm))
ORRERY_MPI(Ialltoallw, (const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype
           sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[],
           MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Alltoallw_init, (const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype
           sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[],
           MPI_Comm comm, MPI_Info info, MPI_Request *request))
ORRERY_MPI(Alltoallw_c, (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], const
           MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], const
           MPI_Datatype recvtypes[], MPI_Comm comm))
ORRERY_MPI(Ialltoallw_c, (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], const
           MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], const
           MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Alltoallw_init_c, (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], const
           MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], const
           MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info, MPI_Request *request))
ORRERY_MPI(Ireduce, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
           MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Reduce_init, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
           MPI_Comm comm, MPI_Info info, MPI_Request *request))
ORRERY_MPI(Reduce_c, (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root,
           MPI_Comm comm))
ORRERY_MPI(Ireduce_c, (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root,
           MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Reduce_init_c, (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int
           root, MPI_Comm comm, MPI_Info info, MPI_Request *request))
ORRERY_MPI(Iallreduce, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
           MPI_Request *request))
ORRERY_MPI(Allreduce_init, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm
           comm, MPI_Info info, MPI_Request *request))
ORRERY_MPI(Allreduce_c, (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
           MPI_Comm comm))
ORRERY_MPI(Iallreduce_c, (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
           MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Allreduce_init_c, (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
           MPI_Comm comm, MPI_Info info, MPI_Request *request))
ORRERY_MPI(Ireduce_scatter, (const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op
           op, MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Reduce_scatter_init, (const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype,
           MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request))
ORRERY_MPI(Reduce_scatter_c, (const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[], MPI_Datatype datatype,
           MPI_Op op, MPI_Comm comm))
ORRERY_MPI(Ireduce_scatter_c, (const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[], MPI_Datatype datatype,
           MPI_Op op, MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Reduce_scatter_init_c, (const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[], MPI_Datatype
           datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request))
ORRERY_MPI(Ireduce_scatter_block, (const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
           MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Reduce_scatter_block_init, (const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op
           op, MPI_Comm comm, MPI_Info info, MPI_Request *request))
ORRERY_MPI(Reduce_scatter_block_c, (const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype,
           MPI_Op op, MPI_Comm comm))
ORRERY_MPI(Ireduce_scatter_block_c, (const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype,
           MPI_Op op, MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Reduce_scatter_block_init_c, (const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype
           datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request))
ORRERY_MPI(Iscan, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
           MPI_Request *request))
ORRERY_MPI(Scan_init, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
           MPI_Info info, MPI_Request *request))
ORRERY_MPI(Scan_c, (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm
           comm))
ORRERY_MPI(Iscan_c, (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm
           comm, MPI_Request *request))
ORRERY_MPI(Scan_init_c, (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
           MPI_Comm comm, MPI_Info info, MPI_Request *request))
ORRERY_MPI(Iexscan, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
           MPI_Request *request))
ORRERY_MPI(Exscan_init, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm
           comm, MPI_Info info, MPI_Request *request))
ORRERY_MPI(Exscan_c, (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm
           comm))
ORRERY_MPI(Iexscan_c, (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm
           comm, MPI_Request *request))
ORRERY_MPI(Exscan_init_c, (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
           MPI_Comm comm, MPI_Info info, MPI_Request *request))

/* Neighbourhood collectives. */
ORRERY_MPI(Neighbor_allgather, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int
           recvcount, MPI_Datatype recvtype, MPI_Comm comm))
ORRERY_MPI(Ineighbor_allgather, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int
           recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Neighbor_allgather_init, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int
           recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request))
ORRERY_MPI(Neighbor_allgather_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
           MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm))
ORRERY_MPI(Ineighbor_allgather_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
           MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Neighbor_allgather_init_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
           MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request))
ORRERY_MPI(Neighbor_allgatherv, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int
           recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm))
ORRERY_MPI(Ineighbor_allgatherv, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int
           recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Neighbor_allgatherv_init, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const
           int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request
           *request))
ORRERY_MPI(Neighbor_allgatherv_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
           const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm))
ORRERY_MPI(Ineighbor_allgatherv_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
           const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request
           *request))
ORRERY_MPI(Neighbor_allgatherv_init_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
           const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
           MPI_Request *request))
ORRERY_MPI(Neighbor_alltoall, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
           MPI_Datatype recvtype, MPI_Comm comm))
ORRERY_MPI(Ineighbor_alltoall, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int
           recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Neighbor_alltoall_init, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int
           recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request))
ORRERY_MPI(Neighbor_alltoall_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
           MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm))
ORRERY_MPI(Ineighbor_alltoall_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
           MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Neighbor_alltoall_init_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
           MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request))
ORRERY_MPI(Neighbor_alltoallv, (const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype
           sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm))
ORRERY_MPI(Ineighbor_alltoallv, (const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype
           sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
           MPI_Request *request))
ORRERY_MPI(Neighbor_alltoallv_init, (const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype
           sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
           MPI_Info info, MPI_Request *request))
ORRERY_MPI(Neighbor_alltoallv_c, (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
           MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype
           recvtype, MPI_Comm comm))
ORRERY_MPI(Ineighbor_alltoallv_c, (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
           MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype
           recvtype, MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Neighbor_alltoallv_init_c, (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
           MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype
           recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request))
ORRERY_MPI(Neighbor_alltoallw, (const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[], const
           MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[], const
           MPI_Datatype recvtypes[], MPI_Comm comm))
ORRERY_MPI(Ineighbor_alltoallw, (const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[], const
           MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[], const
           MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Neighbor_alltoallw_init, (const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[], const
           MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[], const
           MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info, MPI_Request *request))
ORRERY_MPI(Neighbor_alltoallw_c, (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], const
           MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], const
           MPI_Datatype recvtypes[], MPI_Comm comm))
ORRERY_MPI(Ineighbor_alltoallw_c, (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], const
           MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], const
           MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Neighbor_alltoallw_init_c, (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
           const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], const
           MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info, MPI_Request *request))

/* Messages with large counts, and exchanges in the background. */
ORRERY_MPI(Send_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm))
ORRERY_MPI(Bsend_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm))
ORRERY_MPI(Ssend_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm))
ORRERY_MPI(Rsend_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm))
ORRERY_MPI(Recv_c, (void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status
           *status))
ORRERY_MPI(Isend_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
           MPI_Request *request))
ORRERY_MPI(Ibsend_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
           MPI_Request *request))
ORRERY_MPI(Issend_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
           MPI_Request *request))
ORRERY_MPI(Irsend_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
           MPI_Request *request))
ORRERY_MPI(Irecv_c, (void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request
           *request))
ORRERY_MPI(Send_init_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
           MPI_Request *request))
ORRERY_MPI(Bsend_init_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
           MPI_Request *request))
ORRERY_MPI(Ssend_init_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
           MPI_Request *request))
ORRERY_MPI(Rsend_init_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
           MPI_Request *request))
ORRERY_MPI(Recv_init_c, (void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
           MPI_Request *request))
ORRERY_MPI(Sendrecv_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag, void
           *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status
           *status))
ORRERY_MPI(Sendrecv_replace_c, (void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag, int source,
           int recvtag, MPI_Comm comm, MPI_Status *status))
ORRERY_MPI(Isendrecv, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf,
           int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Isendrecv_replace, (void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int
           recvtag, MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Mrecv_c, (void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Message *message, MPI_Status *status))
ORRERY_MPI(Imrecv_c, (void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Message *message, MPI_Request *request))
ORRERY_MPI(Isendrecv_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag, void
           *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Request
           *request))
ORRERY_MPI(Isendrecv_replace_c, (void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag, int source,
           int recvtag, MPI_Comm comm, MPI_Request *request))
ORRERY_MPI(Buffer_attach_c, (void *buffer, MPI_Count size))
ORRERY_MPI(Buffer_detach_c, (void *buffer_addr, MPI_Count *size))

/* Partitioned communication. */
ORRERY_MPI(Psend_init, (const void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
           MPI_Comm comm, MPI_Info info, MPI_Request *request))
ORRERY_MPI(Precv_init, (void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int source, int tag,
           MPI_Comm comm, MPI_Info info, MPI_Request *request))
ORRERY_MPI(Pready, (int partition, MPI_Request request))
ORRERY_MPI(Pready_range, (int partition_low, int partition_high, MPI_Request request))
ORRERY_MPI(Pready_list, (int length, const int array_of_partitions[], MPI_Request request))
ORRERY_MPI(Parrived, (MPI_Request request, int partition, int *flag))

/* Operators. */
ORRERY_MPI(Op_create, (MPI_User_function *user_fn, int commute, MPI_Op *op))
ORRERY_MPI(Op_free, (MPI_Op *op))
ORRERY_MPI(Op_commutative, (MPI_Op op, int *commute))

/* Operators, one step and large counts. */
ORRERY_MPI(Reduce_local, (const void *inbuf, void *inoutbuf, int count, MPI_Datatype datatype, MPI_Op op))
ORRERY_MPI(Reduce_local_c, (const void *inbuf, void *inoutbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op))
ORRERY_MPI(Op_create_c, (MPI_User_function_c *user_fn, int commute, MPI_Op *op))

/* Datatypes. */
ORRERY_MPI(Type_contiguous, (int count, MPI_Datatype oldtype, MPI_Datatype *newtype))
ORRERY_MPI(Type_contiguous_c, (MPI_Count count, MPI_Datatype oldtype, MPI_Datatype *newtype))
ORRERY_MPI(Type_vector, (int count, int blocklength, int stride, MPI_Datatype oldtype, MPI_Datatype *newtype))
ORRERY_MPI(Type_vector_c, (MPI_Count count, MPI_Count blocklength, MPI_Count stride, MPI_Datatype oldtype,
           MPI_Datatype *newtype))
ORRERY_MPI(Type_hvector, (int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype *newtype))
ORRERY_MPI(Type_create_hvector, (int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype
           *newtype))
ORRERY_MPI(Type_create_hvector_c, (MPI_Count count, MPI_Count blocklength, MPI_Count stride, MPI_Datatype oldtype,
           MPI_Datatype *newtype))
ORRERY_MPI(Type_indexed, (int count, const int array_of_blocklengths[], const int array_of_displacements[],
           MPI_Datatype oldtype, MPI_Datatype *newtype))
ORRERY_MPI(Type_indexed_c, (MPI_Count count, const MPI_Count array_of_blocklengths[], const MPI_Count
           array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype))
ORRERY_MPI(Type_hindexed, (int count, const int array_of_blocklengths[], const MPI_Aint array_of_displacements[],
           MPI_Datatype oldtype, MPI_Datatype *newtype))
ORRERY_MPI(Type_create_hindexed, (int count, const int array_of_blocklengths[], const MPI_Aint
           array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype))
ORRERY_MPI(Type_create_hindexed_c, (MPI_Count count, const MPI_Count array_of_blocklengths[], const MPI_Count
           array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype))
ORRERY_MPI(Type_create_indexed_block, (int count, int blocklength, const int array_of_displacements[], MPI_Datatype
           oldtype, MPI_Datatype *newtype))
ORRERY_MPI(Type_create_indexed_block_c, (MPI_Count count, MPI_Count blocklength, const MPI_Count
           array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype))
ORRERY_MPI(Type_create_hindexed_block, (int count, int blocklength, const MPI_Aint array_of_displacements[],
           MPI_Datatype oldtype, MPI_Datatype *newtype))
ORRERY_MPI(Type_create_hindexed_block_c, (MPI_Count count, MPI_Count blocklength, const MPI_Count
           array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype))
ORRERY_MPI(Type_struct, (int count, const int array_of_blocklengths[], const MPI_Aint array_of_displacements[], const
           MPI_Datatype array_of_types[], MPI_Datatype *newtype))
ORRERY_MPI(Type_create_struct, (int count, const int array_of_blocklengths[], const MPI_Aint array_of_displacements[],
           const MPI_Datatype array_of_types[], MPI_Datatype *newtype))
ORRERY_MPI(Type_create_struct_c, (MPI_Count count, const MPI_Count array_of_blocklengths[], const MPI_Count
           array_of_displacements[], const MPI_Datatype array_of_types[], MPI_Datatype *newtype))
ORRERY_MPI(Type_create_resized, (MPI_Datatype oldtype, MPI_Aint lb, MPI_Aint extent, MPI_Datatype *newtype))
ORRERY_MPI(Type_create_resized_c, (MPI_Datatype oldtype, MPI_Count lb, MPI_Count extent, MPI_Datatype *newtype))
ORRERY_MPI(Type_create_subarray, (int ndims, const int array_of_sizes[], const int array_of_subsizes[], const int
           array_of_starts[], int order, MPI_Datatype oldtype, MPI_Datatype *newtype))
ORRERY_MPI(Type_create_subarray_c, (int ndims, const MPI_Count array_of_sizes[], const MPI_Count array_of_subsizes[],
           const MPI_Count array_of_starts[], int order, MPI_Datatype oldtype, MPI_Datatype *newtype))
ORRERY_MPI(Type_create_darray, (int size, int rank, int ndims, const int array_of_gsizes[], const int
           array_of_distribs[], const int array_of_dargs[], const int array_of_psizes[], int order, MPI_Datatype
           oldtype, MPI_Datatype *newtype))
ORRERY_MPI(Type_create_darray_c, (int size, int rank, int ndims, const MPI_Count array_of_gsizes[], const int
           array_of_distribs[], const int array_of_dargs[], const int array_of_psizes[], int order, MPI_Datatype
           oldtype, MPI_Datatype *newtype))
ORRERY_MPI(Type_match_size, (int typeclass, int size, MPI_Datatype *datatype))
ORRERY_MPI(Type_get_value_index, (MPI_Datatype value_type, MPI_Datatype index_type, MPI_Datatype *pair_type))
ORRERY_MPI(Type_create_f90_integer, (int r, MPI_Datatype *newtype))
ORRERY_MPI(Type_create_f90_real, (int p, int r, MPI_Datatype *newtype))
ORRERY_MPI(Type_create_f90_complex, (int p, int r, MPI_Datatype *newtype))
ORRERY_MPI(Type_get_envelope, (MPI_Datatype datatype, int *num_integers, int *num_addresses, int *num_datatypes, int
           *combiner))
ORRERY_MPI(Type_get_envelope_c, (MPI_Datatype datatype, MPI_Count *num_integers, MPI_Count *num_addresses, MPI_Count
           *num_large_counts, MPI_Count *num_datatypes, int *combiner))
ORRERY_MPI(Type_get_contents, (MPI_Datatype datatype, int max_integers, int max_addresses, int max_datatypes, int
           array_of_integers[], MPI_Aint array_of_addresses[], MPI_Datatype array_of_datatypes[]))
ORRERY_MPI(Type_get_contents_c, (MPI_Datatype datatype, MPI_Count max_integers, MPI_Count max_addresses, MPI_Count
           max_large_counts, MPI_Count max_datatypes, int array_of_integers[], MPI_Aint array_of_addresses[],
           MPI_Count array_of_large_counts[], MPI_Datatype array_of_datatypes[]))
ORRERY_MPI(Type_dup, (MPI_Datatype oldtype, MPI_Datatype *newtype))
ORRERY_MPI(Type_commit, (MPI_Datatype *datatype))
ORRERY_MPI(Type_free, (MPI_Datatype *datatype))
ORRERY_MPI(Type_size, (MPI_Datatype datatype, int *size))
ORRERY_MPI(Type_size_c, (MPI_Datatype datatype, MPI_Count *size))
ORRERY_MPI(Type_size_x, (MPI_Datatype datatype, MPI_Count *size))
ORRERY_MPI(Type_extent, (MPI_Datatype datatype, MPI_Aint *extent))
ORRERY_MPI(Type_get_extent, (MPI_Datatype datatype, MPI_Aint *lb, MPI_Aint *extent))
ORRERY_MPI(Type_get_extent_c, (MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent))
ORRERY_MPI(Type_get_extent_x, (MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent))
ORRERY_MPI(Type_get_true_extent, (MPI_Datatype datatype, MPI_Aint *true_lb, MPI_Aint *true_extent))
ORRERY_MPI(Type_get_true_extent_c, (MPI_Datatype datatype, MPI_Count *true_lb, MPI_Count *true_extent))
ORRERY_MPI(Type_get_true_extent_x, (MPI_Datatype datatype, MPI_Count *true_lb, MPI_Count *true_extent))
ORRERY_MPI(Type_lb, (MPI_Datatype datatype, MPI_Aint *displacement))
ORRERY_MPI(Type_ub, (MPI_Datatype datatype, MPI_Aint *displacement))
ORRERY_MPI(Type_get_name, (MPI_Datatype datatype, char *type_name, int *resultlen))
ORRERY_MPI(Type_set_name, (MPI_Datatype datatype, const char *type_name))
ORRERY_MPI(Address, (const void *location, MPI_Aint *address))
ORRERY_MPI(Get_address, (const void *location, MPI_Aint *address))
ORRERY_MPI_FUNCTION(MPI_Aint, Aint_add, (MPI_Aint base, MPI_Aint disp));
ORRERY_MPI_FUNCTION(MPI_Aint, Aint_diff, (MPI_Aint addr1, MPI_Aint addr2));

/* Packing. */
ORRERY_MPI(Pack, (const void *inbuf, int incount, MPI_Datatype datatype, void *outbuf, int outsize, int *position,
           MPI_Comm comm))
ORRERY_MPI(Pack_c, (const void *inbuf, MPI_Count incount, MPI_Datatype datatype, void *outbuf, MPI_Count outsize,
           MPI_Count *position, MPI_Comm comm))
ORRERY_MPI(Unpack, (const void *inbuf, int insize, int *position, void *outbuf, int outcount, MPI_Datatype datatype,
           MPI_Comm comm))
ORRERY_MPI(Unpack_c, (const void *inbuf, MPI_Count insize, MPI_Count *position, void *outbuf, MPI_Count outcount,
           MPI_Datatype datatype, MPI_Comm comm))
ORRERY_MPI(Pack_size, (int incount, MPI_Datatype datatype, MPI_Comm comm, int *size))
ORRERY_MPI(Pack_size_c, (MPI_Count incount, MPI_Datatype datatype, MPI_Comm comm, MPI_Count *size))
ORRERY_MPI(Pack_external, (const char datarep[], const void *inbuf, int incount, MPI_Datatype datatype, void *outbuf,
           MPI_Aint outsize, MPI_Aint *position))
ORRERY_MPI(Pack_external_c, (const char datarep[], const void *inbuf, MPI_Count incount, MPI_Datatype datatype, void
           *outbuf, MPI_Count outsize, MPI_Count *position))
ORRERY_MPI(Unpack_external, (const char datarep[], const void *inbuf, MPI_Aint insize, MPI_Aint *position, void
           *outbuf, int outcount, MPI_Datatype datatype))
ORRERY_MPI(Unpack_external_c, (const char datarep[], const void *inbuf, MPI_Count insize, MPI_Count *position, void
           *outbuf, MPI_Count outcount, MPI_Datatype datatype))
ORRERY_MPI(Pack_external_size, (const char datarep[], int incount, MPI_Datatype datatype, MPI_Aint *size))
ORRERY_MPI(Pack_external_size_c, (const char datarep[], MPI_Count incount, MPI_Datatype datatype, MPI_Count *size))

/* Fortran's handles and statuses. */
ORRERY_MPI_FUNCTION(MPI_Fint, Comm_c2f, (MPI_Comm comm));
ORRERY_MPI_FUNCTION(MPI_Comm, Comm_f2c, (MPI_Fint comm));
ORRERY_MPI_FUNCTION(MPI_Fint, Errhandler_c2f, (MPI_Errhandler errhandler));
ORRERY_MPI_FUNCTION(MPI_Errhandler, Errhandler_f2c, (MPI_Fint errhandler));
ORRERY_MPI_FUNCTION(MPI_Fint, Group_c2f, (MPI_Group group));
ORRERY_MPI_FUNCTION(MPI_Group, Group_f2c, (MPI_Fint group));
ORRERY_MPI_FUNCTION(MPI_Fint, Info_c2f, (MPI_Info info));
ORRERY_MPI_FUNCTION(MPI_Info, Info_f2c, (MPI_Fint info));
ORRERY_MPI_FUNCTION(MPI_Fint, Message_c2f, (MPI_Message message));
ORRERY_MPI_FUNCTION(MPI_Message, Message_f2c, (MPI_Fint message));
ORRERY_MPI_FUNCTION(MPI_Fint, Op_c2f, (MPI_Op op));
ORRERY_MPI_FUNCTION(MPI_Op, Op_f2c, (MPI_Fint op));
ORRERY_MPI_FUNCTION(MPI_Fint, Request_c2f, (MPI_Request request));
ORRERY_MPI_FUNCTION(MPI_Request, Request_f2c, (MPI_Fint request));
ORRERY_MPI_FUNCTION(MPI_Fint, Type_c2f, (MPI_Datatype datatype));
ORRERY_MPI_FUNCTION(MPI_Datatype, Type_f2c, (MPI_Fint datatype));
ORRERY_MPI(Status_c2f, (const MPI_Status *c_status, MPI_Fint *f_status))
ORRERY_MPI(Status_f2c, (const MPI_Fint *f_status, MPI_Status *c_status))
ORRERY_MPI(Status_c2f08, (const MPI_Status *c_status, MPI_F08_status *f08_status))
ORRERY_MPI(Status_f082c, (const MPI_F08_status *f08_status, MPI_Status *c_status))
ORRERY_MPI(Status_f2f08, (const MPI_Fint *f_status, MPI_F08_status *f08_status))
ORRERY_MPI(Status_f082f, (const MPI_F08_status *f08_status, MPI_Fint *f_status))

/* Groups. */
ORRERY_MPI(Comm_group, (MPI_Comm comm, MPI_Group *group))
ORRERY_MPI(Group_size, (MPI_Group group, int *size))
ORRERY_MPI(Group_rank, (MPI_Group group, int *rank))
ORRERY_MPI(Group_translate_ranks, (MPI_Group group1, int n, const int ranks1[], MPI_Group group2, int ranks2[]))
ORRERY_MPI(Group_compare, (MPI_Group group1, MPI_Group group2, int *result))
ORRERY_MPI(Group_union, (MPI_Group group1, MPI_Group group2, MPI_Group *newgroup))
ORRERY_MPI(Group_intersection, (MPI_Group group1, MPI_Group group2, MPI_Group *newgroup))
ORRERY_MPI(Group_difference, (MPI_Group group1, MPI_Group group2, MPI_Group *newgroup))
ORRERY_MPI(Group_incl, (MPI_Group group, int n, const int ranks[], MPI_Group *newgroup))
ORRERY_MPI(Group_excl, (MPI_Group group, int n, const int ranks[], MPI_Group *newgroup))
ORRERY_MPI(Group_range_incl, (MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup))
ORRERY_MPI(Group_range_excl, (MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup))
ORRERY_MPI(Group_free, (MPI_Group *group))

/* Communicators. */
ORRERY_MPI(Comm_rank, (MPI_Comm comm, int *rank))
ORRERY_MPI(Comm_size, (MPI_Comm comm, int *size))
ORRERY_MPI(Comm_compare, (MPI_Comm comm1, MPI_Comm comm2, int *result))
ORRERY_MPI(Comm_test_inter, (MPI_Comm comm, int *flag))
ORRERY_MPI(Comm_get_name, (MPI_Comm comm, char *comm_name, int *resultlen))
ORRERY_MPI(Comm_set_name, (MPI_Comm comm, const char *comm_name))
ORRERY_MPI(Comm_dup, (MPI_Comm comm, MPI_Comm *newcomm))
ORRERY_MPI(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm))
ORRERY_MPI(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm))
ORRERY_MPI(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *newcomm))
ORRERY_MPI(Intercomm_create, (MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader, int tag,
           MPI_Comm *newintercomm))
ORRERY_MPI(Intercomm_merge, (MPI_Comm intercomm, int high, MPI_Comm *newintracomm))
ORRERY_MPI(Comm_get_parent, (MPI_Comm *parent))
ORRERY_MPI(Comm_remote_size, (MPI_Comm comm, int *size))
ORRERY_MPI(Comm_remote_group, (MPI_Comm comm, MPI_Group *group))
ORRERY_MPI(Comm_split_type, (MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm))
ORRERY_MPI(Comm_free, (MPI_Comm *comm))

/* Communicators, by a group or in the background. */
ORRERY_MPI(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm))
ORRERY_MPI(Comm_idup, (MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request))
ORRERY_MPI(Comm_idup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request))
ORRERY_MPI(Comm_disconnect, (MPI_Comm *comm))

/* Attributes. */
ORRERY_MPI(Keyval_create, (MPI_Copy_function *copy_fn, MPI_Delete_function *delete_fn, int *keyval, void
           *extra_state))
ORRERY_MPI(Keyval_free, (int *keyval))
ORRERY_MPI(Comm_create_keyval, (MPI_Comm_copy_attr_function *comm_copy_attr_fn, MPI_Comm_delete_attr_function
           *comm_delete_attr_fn, int *comm_keyval, void *extra_state))
ORRERY_MPI(Comm_free_keyval, (int *comm_keyval))
ORRERY_MPI(Attr_get, (MPI_Comm comm, int keyval, void *attribute_val, int *flag))
ORRERY_MPI(Comm_get_attr, (MPI_Comm comm, int comm_keyval, void *attribute_val, int *flag))
ORRERY_MPI(Attr_put, (MPI_Comm comm, int keyval, void *attribute_val))
ORRERY_MPI(Comm_set_attr, (MPI_Comm comm, int comm_keyval, void *attribute_val))
ORRERY_MPI(Attr_delete, (MPI_Comm comm, int keyval))
ORRERY_MPI(Comm_delete_attr, (MPI_Comm comm, int comm_keyval))
ORRERY_MPI(Type_create_keyval, (MPI_Type_copy_attr_function *type_copy_attr_fn, MPI_Type_delete_attr_function
           *type_delete_attr_fn, int *type_keyval, void *extra_state))
ORRERY_MPI(Type_free_keyval, (int *type_keyval))
ORRERY_MPI(Type_get_attr, (MPI_Datatype datatype, int type_keyval, void *attribute_val, int *flag))
ORRERY_MPI(Type_set_attr, (MPI_Datatype datatype, int type_keyval, void *attribute_val))
ORRERY_MPI(Type_delete_attr, (MPI_Datatype datatype, int type_keyval))

/* Predefined attribute callbacks (compiler/runtime/mpi.c): they may be called like any other. */
MPI_Copy_function MPI_NULL_COPY_FN, MPI_DUP_FN, MPI_COMM_NULL_COPY_FN, MPI_COMM_DUP_FN;
MPI_Delete_function MPI_NULL_DELETE_FN, MPI_COMM_NULL_DELETE_FN;
MPI_Type_copy_attr_function MPI_TYPE_NULL_COPY_FN, MPI_TYPE_DUP_FN;
MPI_Type_delete_attr_function MPI_TYPE_NULL_DELETE_FN;

/* Topologies. */
ORRERY_MPI(Dims_create, (int nnodes, int ndims, int dims[]))
ORRERY_MPI(Cart_create, (MPI_Comm comm_old, int ndims, const int dims[], const int periods[], int reorder, MPI_Comm
           *comm_cart))
ORRERY_MPI(Cart_sub, (MPI_Comm comm, const int remain_dims[], MPI_Comm *newcomm))
ORRERY_MPI(Cartdim_get, (MPI_Comm comm, int *ndims))
ORRERY_MPI(Cart_get, (MPI_Comm comm, int maxdims, int dims[], int periods[], int coords[]))
ORRERY_MPI(Cart_rank, (MPI_Comm comm, const int coords[], int *rank))
ORRERY_MPI(Cart_coords, (MPI_Comm comm, int rank, int maxdims, int coords[]))
ORRERY_MPI(Cart_shift, (MPI_Comm comm, int direction, int disp, int *rank_source, int *rank_dest))
ORRERY_MPI(Cart_map, (MPI_Comm comm, int ndims, const int dims[], const int periods[], int *newrank))
ORRERY_MPI(Topo_test, (MPI_Comm comm, int *status))
ORRERY_MPI(Graph_create, (MPI_Comm comm_old, int nnodes, const int index[], const int edges[], int reorder, MPI_Comm
           *comm_graph))
ORRERY_MPI(Graph_map, (MPI_Comm comm, int nnodes, const int index[], const int edges[], int *newrank))
ORRERY_MPI(Graphdims_get, (MPI_Comm comm, int *nnodes, int *nedges))
ORRERY_MPI(Graph_get, (MPI_Comm comm, int maxindex, int maxedges, int index[], int edges[]))
ORRERY_MPI(Graph_neighbors_count, (MPI_Comm comm, int rank, int *nneighbors))
ORRERY_MPI(Graph_neighbors, (MPI_Comm comm, int rank, int maxneighbors, int neighbors[]))
ORRERY_MPI(Dist_graph_create_adjacent, (MPI_Comm comm_old, int indegree, const int sources[], const int
           sourceweights[], int outdegree, const int destinations[], const int destweights[], MPI_Info info, int
           reorder, MPI_Comm *comm_dist_graph))
ORRERY_MPI(Dist_graph_create, (MPI_Comm comm_old, int n, const int sources[], const int degrees[], const int
           destinations[], const int weights[], MPI_Info info, int reorder, MPI_Comm *comm_dist_graph))
ORRERY_MPI(Dist_graph_neighbors_count, (MPI_Comm comm, int *indegree, int *outdegree, int *weighted))
ORRERY_MPI(Dist_graph_neighbors, (MPI_Comm comm, int maxindegree, int sources[], int sourceweights[], int
           maxoutdegree, int destinations[], int destweights[]))

#ifdef __cplusplus
}
#endif

#undef ORRERY_MPI
#undef ORRERY_MPI_FUNCTION

#endif
