#!/usr/bin/env python3
"""Calls every MPI function with one bad argument at a time and holds the error class against the standard's.

The prototypes in mpi.h say which parameters there are; the tables below say what is good for each and what is bad. All
calls are in one program on one rank, under MPI_ERRORS_RETURN: a call that does not refuse its argument, answers another
class, or ends the program is a failure.

    run_bad_arguments.py --orrery build/release/bin/orrery [--print]
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

TESTS = os.path.dirname(os.path.abspath(__file__))

# Not for one rank, not for error handlers, or without arguments that could be bad.
SKIPPED = re.compile("Init$|Init_thread|Finalize|Initialized|Finalized|Abort|Wtime|Wtick|Pcontrol|Aint_|.*_(c2f|f2c|c2f08|"
                     "f082c|f2f08|f082f)$|Get_address|Address|Free_mem|(Comm|Session|Win)_call_errhandler|Info_create_env|Mrecv|Imrecv|"
                     "Grequest_complete|T_(init_thread|finalize)$|T_event_(read|copy|get_(timestamp|source))$|File_.*_(begin|end)(_c)?$|File_close|File_call_errhandler|Pready|Parrived|Query_thread|Is_thread_main|.*keyval_free$")

# What is good: the first pattern that matches "function: parameter".
GOOD = [
    # the tool interface
    (r"^T_.*: MPI_T_enum enumtype$", "names"),
    (r"^T_.*: MPI_T_cvar_handle handle$", "setting"),
    (r"^T_.*: MPI_T_pvar_session pe_session$", "measures"),
    (r"^T_.*: MPI_T_pvar_handle handle$", "measure"),
    (r"^T_.*: MPI_T_event_registration event_registration$", "registration"),
    (r"^T_cvar_get_index: const char \*name$", '"mpi.eager-limit"'),
    (r"^T_pvar_get_index: const char \*name$", '"calls"'),
    (r"^T_event_get_index: const char \*name$", '"message_sent"'),
    (r"^T_category_get_index: const char \*name$", '"machine"'),
    (r"^T_pvar_get_index: int var_class$", "MPI_T_PVAR_CLASS_COUNTER"),
    (r"^T_.*: MPI_T_cb_safety", "MPI_T_CB_REQUIRE_NONE"),
    (r"^T_.*: MPI_T_event_\w+_function", "NULL"),
    (r"^T_.*: MPI_T_\w+ \*\w+$", "(void *)&out_handle"),
    (r"^T_cvar_write: const void \*buf$", "&limit"),
    (r"^T_cvar_read: void \*buf$", "&limit"),
    (r"^T_pvar_\w+: (const )?void \*buf$", "&limit"),
    (r"^T_.*: void \*(obj_handle|user_data)$", "NULL"),
    (r"^T_.*: int pvar_index$", "calls"),
    (r"^T_.*: int \w+_index$", "0"),
    (r"^T_.*: MPI_(Datatype|T_enum|Info) \*\w+$", "NULL"),
    (r"^T_.*: int len$", "4"),
    (r"^T_.*: MPI_Datatype \w+\[\]$", "made"),
    # processes and sessions
    (r"Comm_spawn: char \*argv\[\]$", "MPI_ARGV_NULL"),
    (r"Comm_spawn_multiple: char \*\*array_of_argv\[\]$", "MPI_ARGVS_NULL"),
    (r"Comm_spawn_multiple: char \*array_of_commands\[\]$", "commands"),
    (r"Comm_spawn_multiple: const MPI_Info array_of_info\[\]$", "infos"),
    (r"Comm_spawn_multiple: const int array_of_maxprocs\[\]$", "ones"),
    (r": MPI_Session session$", "session"),
    (r": MPI_Session \*session$", "&session"),
    (r": MPI_Group (local|remote)_group$", "group"),
    (r"(Neighbor|Ineighbor|Cart_(?!create|map)|Cartdim).*: MPI_Comm comm$", "cart"),
    (r"Graph(dims)?_(?!create|map).*: MPI_Comm comm$", "graph"),
    (r"Dist_graph_neigh.*: MPI_Comm comm$", "dist"),
    (r": MPI_Comm (comm|comm_old|local_comm|peer_comm|comm1|comm2|intercomm)$", "self"),
    (r"Type_(size|get_extent|get_true|extent|lb|ub|get_(name|envelope)|dup|set_name|.*attr).*: MPI_Datatype", "derived"),
    (r"Type_get_contents.*: MPI_Datatype", "derived"),
    (r"Win_(attach|detach): MPI_Win win$", "dynamic"),
    (r"Win_(lock|lock_all|start|post|fence|sync|.*attr|.*info|.*name|.*errhandler|get_group): MPI_Win win$", "idle"),
    (r": MPI_Win win$", "locked"),
    (r": MPI_Win \*win$", "&out_win"),
    (r": (const )?void \*base$", "out"),
    (r": const void \*(origin|compare)_addr$", "in"),
    (r": void \*(result|origin)_addr$", "out"),
    (r": int lock_type$", "MPI_LOCK_SHARED"),
    (r": int (assert|target_rank)$", "0"),
    (r": MPI_Aint target_disp$", "0"),
    (r": MPI_File \*fh$", "&out_fh"),
    (r": MPI_File \w+$", "file"),
    (r": MPI_Offset \*\w+$", "(void *)&large_result"),
    (r": MPI_Offset \w+$", "0"),
    (r": int whence$", "MPI_SEEK_SET"),
    (r": int amode$", "MPI_MODE_RDWR | MPI_MODE_CREATE"),
    (r"File_.*: const char \*datarep$", '"native"'),
    (r"Register_datarep.*: MPI_Datarep_conversion", "NULL"),
    (r"Register_datarep.*: MPI_Datarep_extent", "(void *)callback"),
    (r": MPI_Datatype (value_type|index_type)$", "MPI_INT"),
    (r": MPI_Datatype \w+$", "MPI_INT"),
    (r": MPI_Datatype \*datatype$", "&type"),
    (r": MPI_(Datatype|Comm|Group|Op|Request|Info|Errhandler|Message) \*(?P<kind>\w+)$", "&out_%s"),
    (r": MPI_Op op$", "MPI_SUM"),
    (r"^Info_(?!create).*: MPI_Info info$", "info"),
    (r": MPI_Info info$", "MPI_INFO_NULL"),
    (r": MPI_Group group\d?$", "group"),
    (r": MPI_Errhandler errhandler$", "MPI_ERRORS_RETURN"),
    (r": MPI_Request request$", "MPI_REQUEST_NULL"),
    (r": (const )?MPI_Request array_of_requests\[\]$", "requests"),
    (r": MPI_Status \*status$", "&status"),
    (r": (const )?MPI_Status \*\w+$", "&status"),
    (r": MPI_Status array_of_statuses\[\]$", "statuses"),
    (r": (const )?MPI_F08_status \*", "&f08_status"),
    (r": const void \*(sendbuf|buf|inbuf|location)$", "in"),
    (r": void \*(recvbuf|buf|buffer|outbuf|inoutbuf|attribute_val|buffer_addr|baseptr|extra_state)$", "out"),
    (r": const MPI_Datatype \w+\[\]$", "types"),
    (r"Alltoallw.*|Neighbor_alltoallw.*", None),
    (r": const MPI_Count array_of_(sub)?sizes\[\]$", "large_ones"),
    (r": const MPI_Count array_of_(gsizes|blocklengths)\[\]$", "large_ones"),
    (r": const MPI_Count array_of_(displacements|starts)\[\]$", "large_zeros"),
    (r": const MPI_Count \w*counts\[\]$", "large_ones"),
    (r": const MPI_Aint \w+\[\]$", "places"),
    (r": const int array_of_distribs\[\]$", "distributions"),
    (r": const int array_of_dargs\[\]$", "standard_arguments"),
    (r"Graph_(create|map): const int edges\[\]$", "zeros"),
    (r": const int (\w*counts|array_of_blocklengths|array_of_\w*sizes|dims|degrees|index)\[\]$", "ones"),
    (r": const int \w+\[\]$", "zeros"),
    (r": int ranges\[\]\[3\]$", "ranges"),
    (r": int dims\[\]$", "dims"),
    (r": int \w+\[\]$", "results"),
    (r": MPI_(Aint|Count) \w+\[\]$", "large_results"),
    (r": MPI_Datatype array_of_datatypes\[\]$", "made"),
    (r": int \*position$", "&zero"),
    (r": MPI_(Count|Aint) \*position$", "&large_zero"),
    (r": int \*\w+$", "&result"),
    (r": MPI_(Aint|Count) \*\w+$", "&large_result"),
    (r": const char datarep\[\]$", '"external32"'),
    (r": const char \*key$", '"key"'),
    (r": const char \*\w+$", '"text"'),
    (r": char \*\w+$", "text"),
    (r": int (comm_|type_|win_|)keyval$", "key_%s"),
    (r": MPI_\w+_function \*copy_fn", "MPI_NULL_COPY_FN"),
    (r": MPI_\w+_function \*\w*copy_attr_fn", "(void *)MPI_NULL_COPY_FN"),
    (r": MPI_\w+_function \*\w*delete(_attr)?_fn", "(void *)MPI_NULL_DELETE_FN"),
    (r": MPI_\w+_function(_c)? \*\w+", "(void *)callback"),
    (r"Error_(class|string).*: int errorcode", "MPI_ERR_ARG"),
    (r": int (errorcode|errorclass)", "code"),
    (r"Type_create_darray.*: int size$", "1"),
    (r": (int|MPI_Count|MPI_Aint) (outsize|insize|size)$", "64"),
    (r": int order$", "MPI_ORDER_C"),
    (r": int split_type$", "MPI_COMM_TYPE_SHARED"),
    (r"match_size: int typeclass$", "MPI_TYPECLASS_INTEGER"),
    (r": int (p|r)$", "4"),
    (r": int max\w+$", "16"),
    (r": MPI_Count max\w+$", "16"),
    (r": int (root|dest|source|rank|local_leader|remote_leader|direction|color|key|high|reorder)$", "0"),
    (r": MPI_(Count|Aint) (lb|disp)$", "0"),
    (r"Dist_graph_create: int n$", "1"),
    (r"nthkey: int n$", "0"),
    (r": (int|MPI_Count|MPI_Aint) \w+$", "1"),
]

COUNT, TYPE, COMM, ARG = "MPI_ERR_COUNT", "MPI_ERR_TYPE", "MPI_ERR_COMM", "MPI_ERR_ARG"
NOWHERE = [ARG, "MPI_ERR_BUFFER", "MPI_ERR_INFO_KEY", "MPI_ERR_INFO_VALUE", "MPI_ERR_REQUEST", COUNT, TYPE, "MPI_ERR_RANK",
           "MPI_ERR_DIMS", "MPI_ERR_BASE", "MPI_ERR_RMA_ATTACH"]
# What is bad, and the classes that may say so.
BAD = [
    # the tool interface: it has classes of its own, and null pointers where a result must be are MPI_T_ERR_INVALID
    (r"^T_.*: int (cvar|pvar|event|source|cat)_index$", "-1", ["MPI_T_ERR_INVALID_INDEX"]),
    (r"^T_.*: int (cvar|pvar|event|source|cat)_index$", "123456", ["MPI_T_ERR_INVALID_INDEX"]),
    (r"^T_enum_get_item: int indx$", "-1", ["MPI_T_ERR_INVALID_INDEX", "MPI_T_ERR_INVALID_ITEM"]),
    (r"^T_enum_get_item: int indx$", "99", ["MPI_T_ERR_INVALID_INDEX", "MPI_T_ERR_INVALID_ITEM"]),
    (r"^T_.*: MPI_T_pvar_session pe_session$", "(MPI_T_pvar_session)0x1234", ["MPI_T_ERR_INVALID_SESSION"]),
    (r"^T_.*: MPI_T_pvar_session pe_session$", "(MPI_T_pvar_session)measure", ["MPI_T_ERR_INVALID_SESSION"]),
    (r"^T_pvar_session_free: MPI_T_pvar_session \*pe_session$", "&no_measures", ["MPI_T_ERR_INVALID_SESSION"]),
    (r"^T_.*: MPI_T_(enum|cvar_handle|pvar_handle|event_registration) \w+$", "(void *)0x1234", ["MPI_T_ERR_INVALID_HANDLE"]),
    (r"^T_.*: MPI_T_(cvar_handle|pvar_handle|event_registration) \w+$", "(void *)names", ["MPI_T_ERR_INVALID_HANDLE"]),
    (r"^T_.*_handle_free: MPI_T_\w+ \*handle$", "(void *)&no_measures", ["MPI_T_ERR_INVALID_HANDLE"]),
    (r"^T_\w+_get_index: const char \*name$", '"nothing"', ["MPI_T_ERR_INVALID_NAME"]),
    (r"^T_pvar_get_index: int var_class$", "MPI_T_PVAR_CLASS_STATE", ["MPI_T_ERR_INVALID_NAME"]),
    (r"^T_.*: MPI_T_cb_safety", "(MPI_T_cb_safety)77", ["MPI_T_ERR_INVALID"]),
    (r"^T_.*: MPI_Info info$", "(MPI_Info)0x1234", ["MPI_T_ERR_INVALID"]),
    (r"^T_category_get_\w+: int len$", "-1", ["MPI_T_ERR_INVALID"]),
    (r"^T_.*: (const )?\w+ \*(num_\w+|cvar_index|pvar_index|event_index|cat_index|handle|pe_session|event_registration|buf|timestamp|info_used|update_number|name)$",
     "(void *)0x1234", ["MPI_T_ERR_INVALID"]),
    # processes and sessions
    (r"Comm_spawn: int maxprocs$", "-1", [ARG]),
    (r"Comm_spawn_multiple: const int array_of_maxprocs\[\]$", "minus", [ARG]),
    (r": MPI_Session session$", "MPI_SESSION_NULL", ["MPI_ERR_SESSION"]),
    (r": MPI_Session session$", "(MPI_Session)0x1234", ["MPI_ERR_SESSION"]),
    (r"Session_finalize: MPI_Session \*session$", "&no_session", ["MPI_ERR_SESSION"]),
    (r": MPI_Group local_group$", "MPI_GROUP_NULL", ["MPI_ERR_GROUP"]),
    (r": MPI_Group remote_group$", "MPI_GROUP_NULL", ["MPI_ERR_GROUP"]),
    (r"Intercomm_create_from_groups: int (local|remote)_leader$", "7", ["MPI_ERR_RANK"]),
    (r"Session_get_nth_pset: int n$", "9", [ARG]),
    (r"(Comm_(accept|connect)|Close_port): const char \*port_name$", '"nowhere"', ["MPI_ERR_PORT"]),
    (r"Unpublish_name: const char \*service_name$", '"nothing"', ["MPI_ERR_SERVICE"]),
    (r"Lookup_name: const char \*service_name$", '"nothing"', ["MPI_ERR_NAME"]),
    (r"Comm_join: int fd$", "-1", [ARG]),
    (r"Intercomm_create: MPI_Comm peer_comm$", "MPI_COMM_NULL", [COMM]),
    (r": MPI_Comm \w+$", "MPI_COMM_NULL", [COMM]),
    (r": MPI_Comm \w+$", "(MPI_Comm)0x1234", [COMM]),
    (r"(Intercomm_merge|Comm_remote_\w+): MPI_Comm \w+$", "self", [COMM]),
    (r"(Cart_(?!create|map)|Cartdim|Graph_(?!create|map)|Graphdims|Neighbor|Ineighbor|Dist_graph_n).*: MPI_Comm comm$", "self",
     ["MPI_ERR_TOPOLOGY"]),
    (r"(?!Type_match).*: MPI_Datatype \w+$", "MPI_DATATYPE_NULL", [TYPE]),
    (r"(?!Type_match).*: MPI_Datatype \w+$", "(MPI_Datatype)0x1234", [TYPE]),
    (r"(I?[A-Z]?(send|recv)|Bcast|Gather|Reduce$|Allreduce|Scan|Pack|Unpack).*: MPI_Datatype \w+$", "loose", [TYPE, "MPI_ERR_OP"]),
    (r"Type_(commit|free): MPI_Datatype \*datatype$", "&no_type", [TYPE]),
    (r"Type_free: MPI_Datatype \*datatype$", "&predefined", [TYPE]),
    (r": const MPI_Datatype \w+types\[\]$", "no_types", [TYPE]),
    (r": MPI_Op op$", "MPI_OP_NULL", ["MPI_ERR_OP"]),
    (r"^(?!Op_commutative).*: MPI_Op op$", "MPI_MINLOC", ["MPI_ERR_OP"]),
    (r"^(?!Op_commutative|R?[Gg]et_accumulate|R?[Aa]ccumulate|Fetch).*: MPI_Op op$", "MPI_REPLACE", ["MPI_ERR_OP"]),
    (r"^R?[Aa]ccumulate.*: MPI_Op op$", "MPI_NO_OP", ["MPI_ERR_OP"]),
    (r": MPI_Win win$", "MPI_WIN_NULL", ["MPI_ERR_WIN"]),
    (r": MPI_Win win$", "(MPI_Win)0x1234", ["MPI_ERR_WIN"]),
    (r"Win_free: MPI_Win \*win$", "&no_win", ["MPI_ERR_WIN"]),
    (r"Win_free: MPI_Win \*win$", "&locked", ["MPI_ERR_RMA_SYNC"]),
    (r"Win_(attach|detach): MPI_Win win$", "idle", ["MPI_ERR_RMA_FLAVOR"]),
    (r"Win_shared_query.*: MPI_Win win$", "dynamic", ["MPI_ERR_RMA_FLAVOR"]),
    (r"^(R?[Gg]et|R?[Pp]ut|R?[Aa]cc|Fetch|Compare|Win_(complete|wait|test|flush.*|unlock.*))\w*: MPI_Win win$", "idle",
     ["MPI_ERR_RMA_SYNC"]),
    (r": int target_rank$", "1", ["MPI_ERR_RANK"]),
    (r": int target_rank$", "-77", ["MPI_ERR_RANK"]),
    (r": MPI_Aint target_disp$", "-1", ["MPI_ERR_DISP"]),
    (r": MPI_Aint target_disp$", "1000", ["MPI_ERR_RMA_RANGE"]),
    (r"Win_(create|allocate).*: (int|MPI_Aint) disp_unit$", "0", ["MPI_ERR_DISP"]),
    (r"Win_(create|allocate|attach).*: MPI_Aint size$", "-1", ["MPI_ERR_SIZE"]),
    (r"Win_create.*: MPI_Aint size$", "(MPI_Aint)1 << 50", ["MPI_ERR_SIZE"]),
    (r"Win_allocate(_c)?: MPI_Aint size$", "(MPI_Aint)1 << 50", ["MPI_ERR_NO_MEM"]),
    (r": int lock_type$", "99", ["MPI_ERR_LOCKTYPE"]),
    (r": int assert$", "7", ["MPI_ERR_ASSERT"]),
    (r": (int|MPI_Count) (origin|target|result)_count$", "-1", [COUNT]),
    (r"^R?([Gg]et|[Aa]cc)\w*: (int|MPI_Count) target_count$", "2", [COUNT, "MPI_ERR_TRUNCATE"]),
    (r"Op_free: MPI_Op \*op$", "&no_op", ["MPI_ERR_OP"]),
    (r"Op_free: MPI_Op \*op$", "&sum", ["MPI_ERR_OP"]),
    (r"^(?!File_[sg]et_errhandler).*: MPI_File \w+$", "MPI_FILE_NULL", ["MPI_ERR_FILE"]),
    (r"^(?!File_[sg]et_errhandler).*: MPI_File \w+$", "(MPI_File)0x1234", ["MPI_ERR_FILE"]),
    (r": int amode$", "MPI_MODE_RDONLY | MPI_MODE_WRONLY", ["MPI_ERR_AMODE"]),
    (r": int whence$", "99", [ARG]),
    (r"File_(?!get_byte|set_view).*: MPI_Offset \w+$", "-1", [ARG]),
    (r"File_set_view: MPI_Offset disp$", "-1", [ARG]),
    (r"File_.*: const char \*datarep$", '"native64"', ["MPI_ERR_UNSUPPORTED_DATAREP"]),
    (r": MPI_Info info$", "(MPI_Info)0x1234", ["MPI_ERR_INFO"]),
    (r"^Info_(?!create).*: MPI_Info info$", "MPI_INFO_NULL", ["MPI_ERR_INFO"]),
    (r": MPI_Group group\d?$", "MPI_GROUP_NULL", ["MPI_ERR_GROUP"]),
    (r"Group_free: MPI_Group \*group$", "&no_group", ["MPI_ERR_GROUP"]),
    (r"Comm_(free|disconnect): MPI_Comm \*comm$", "&no_comm", [COMM]),
    (r"Comm_free: MPI_Comm \*comm$", "&world", [COMM]),
    (r"set.*: MPI_Errhandler errhandler$", "MPI_ERRHANDLER_NULL", [ARG, "MPI_ERR_ERRHANDLER"]),
    (r": MPI_Request request$", "(MPI_Request)0x1234", ["MPI_ERR_REQUEST"]),
    (r"(Start|Request_free|Cancel|Wait|Test): MPI_Request \*request$", "&bad_request", ["MPI_ERR_REQUEST"]),
    (r"(Start|Request_free|Cancel): MPI_Request \*request$", "&no_request", ["MPI_ERR_REQUEST"]),
    (r": (const )?MPI_Request array_of_requests\[\]$", "bad_requests", ["MPI_ERR_REQUEST", "MPI_ERR_IN_STATUS"]),
    (r"(?!Status_).*: (const )?\w+( \*|.*\[\]$)(?!.*datarep)", "NULL", NOWHERE),
    (r"(?!Status_).*: (const )?\w+( \*|.*\[\]$)(?!.*datarep)", "(void *)0x1234", NOWHERE),
    (r"(Send|Isend|Recv|Irecv|Bcast|Reduce|Allreduce|Gather|Alltoall|Pack).*: const void \*(sendbuf|buf|inbuf)$", "NULL",
     ["MPI_ERR_BUFFER"]),
    (r": (int|MPI_Count) (count|sendcount|recvcount|incount|outcount)$", "-1", [COUNT]),
    (r": const int \w*counts\[\]$", "minus", [COUNT]),
    (r": const MPI_Count \w*counts\[\]$", "large_minus", [COUNT]),
    (r"Type.*: (int|MPI_Count) blocklength$", "-1", [COUNT, ARG]),
    (r"Type.*: const int array_of_blocklengths\[\]$", "minus", [COUNT, ARG]),
    (r"Type.*: const MPI_Count array_of_blocklengths\[\]$", "large_minus", [COUNT, ARG]),
    (r": int (dest)$", "1", ["MPI_ERR_RANK"]),
    (r": int (dest)$", "MPI_ANY_SOURCE", ["MPI_ERR_RANK"]),
    (r"^(?!Status).*: int (dest|source|rank)$", "-77", ["MPI_ERR_RANK", ARG]),
    (r"^(?!Status).*: int source$", "1", ["MPI_ERR_RANK"]),
    (r": int root$", "1", ["MPI_ERR_ROOT"]),
    (r": int root$", "-3", ["MPI_ERR_ROOT"]),
    (r"^(I?[A-Z]?send|P?send_init|[SBR]?send_init|Comm_create_group).*: int (tag|sendtag)$", "MPI_ANY_TAG", ["MPI_ERR_TAG"]),
    (r"^(?!Status).*: int (tag|sendtag|recvtag)$", "-77", ["MPI_ERR_TAG"]),
    (r": int (comm_|type_|win_|)keyval$", "MPI_KEYVAL_INVALID", ["MPI_ERR_KEYVAL"]),
    (r": int (comm_|type_|win_|)keyval$", "987654", ["MPI_ERR_KEYVAL"]),
    (r": int win_keyval$", "key_comm_", ["MPI_ERR_KEYVAL"]),
    (r"free_keyval: int \*\w+$", "&no_key", ["MPI_ERR_KEYVAL"]),
    (r": int order$", "99", [ARG]),
    (r": int ndims$", "-1", ["MPI_ERR_DIMS", ARG]),
    (r": int direction$", "5", ["MPI_ERR_DIMS", ARG]),
    (r"Group_.*: const int ranks1?\[\]$", "outside", ["MPI_ERR_RANK"]),
    (r"Group_.*: int n$", "-1", [ARG, COUNT]),
    (r"Group_.*: int ranges\[\]\[3\]$", "no_ranges", [ARG, "MPI_ERR_RANK"]),
    (r": int (typeclass|split_type)$", "99", [ARG]),
    (r"Comm_split: int color$", "-5", [ARG]),
    (r"Info_get_nthkey: int n$", "9", [ARG]),
    (r"Error_(class|string).*: int errorcode$", "123456789", [ARG]),
    (r"(Add_error_string|Remove_error.*): int error(code|class)$", "MPI_ERR_RANK", [ARG]),
    (r": const char datarep\[\]$", '"native64"', [ARG, "MPI_ERR_UNSUPPORTED_DATAREP"]),
    (r"Cart_(create|map): const int dims\[\]$", "minus", ["MPI_ERR_DIMS", ARG]),
    (r"Dist_graph_create.*: const int (sources|destinations)\[\]$", "outside", ["MPI_ERR_RANK", ARG]),
    (r"Graph_(create|map): const int edges\[\]$", "outside", [ARG, "MPI_ERR_RANK", "MPI_ERR_TOPOLOGY"]),
    (r"Graph_(create|map): int nnodes$", "-1", [ARG]),
]

# NULL is allowed, or what it means is not told by an error.
NULL_ALLOWED = re.compile(
    r".*: (void \*(attribute_val|extra_state|baseptr)|MPI_Status \*\w+|MPI_Status array_of_statuses\[\]|const char \*string|"
    r"MPI_\w+_function(_c)? \*(?!function|user_fn)\w+|const void \*location|char \*value|int sourceweights\[\]|"
    r"int destweights\[\]|const int (source|dest|)weights\[\])$|Barrier.*|(Buffer_detach|Get_address).*|"
    r"Comm_set_attr.*|.*Alltoallw.*types|Waitall.*statuses|Dims_create.*|.*set_attr.*|Attr_put.*|"
    r"(Intercomm_merge|Comm_remote_\w+):.*|"
    r".*: (int array_of_errcodes\[\]|char \*argv\[\]|char \*\*array_of_argv\[\]|char \*pset_name)$|"
    r"(Waitsome|Testsome|Request_get_status_some): int array_of_indices.*|" # no request is active: none is written
    r"I?[Ee]xscan(_init)?(_c)?: void \*recvbuf")  # rank 0 has no result

DECLARATIONS = """
#include <mpi.h>
#include <stdio.h>
#include <string.h>
static MPI_Comm self = MPI_COMM_SELF, cart, graph, dist, no_comm = MPI_COMM_NULL, world = MPI_COMM_WORLD;
static MPI_Comm %s;
static MPI_Datatype derived, loose, type, no_type = MPI_DATATYPE_NULL, predefined = MPI_INT, types[4], made[16];
static MPI_Datatype no_types[4];
static MPI_Datatype out_newtype, out_pair_type, out_etype, out_filetype;
static MPI_Group group, no_group = MPI_GROUP_NULL, out_group, out_newgroup;
static MPI_Op sum = MPI_SUM, no_op = MPI_OP_NULL, out_op;
static MPI_Info info, out_info, out_newinfo, out_info_used;
static MPI_Win idle, locked, dynamic, no_win = MPI_WIN_NULL, out_win;
static MPI_Errhandler out_errhandler;
static MPI_Message out_message;
static MPI_Request requests[4], bad_requests[4], bad_request = (MPI_Request)0x1234, no_request = MPI_REQUEST_NULL, out_request;
static MPI_Status status, statuses[4];
static MPI_File file, out_fh;
static MPI_F08_status f08_status;
static int in[64], out[64], ones[4] = {1, 1, 1, 1}, zeros[4], minus[4] = {-1, -1, -1, -1}, outside[4] = {7, 7, 7, 7}, results[64];
static int ranges[1][3] = {{0, 0, 1}}, no_ranges[1][3] = {{0, 0, 0}}, dims[4], zero, result, code, no_key = MPI_KEYVAL_INVALID;
static int distributions[4], standard_arguments[4], key_comm_, key_type_, key_win_, key_;
static MPI_Count large_ones[4] = {1, 1, 1, 1}, large_zeros[4], large_minus[4] = {-1, -1, -1, -1}, large_zero, large_results[64], large_result;
static MPI_Aint places[4];
static char text[1024], *commands[4] = {"text"};
static MPI_Session session, no_session = MPI_SESSION_NULL, out_session;
static MPI_Info infos[4];
static MPI_T_enum names;
static MPI_T_cvar_handle setting;
static MPI_T_pvar_session measures, no_measures;
static MPI_T_pvar_handle measure;
static MPI_T_event_registration registration;
static void *out_handle;
static unsigned long long limit;
static int calls;
static void callback(void) {}

static void report(const char *call, const char *parameter, const char *bad, int error)
{
    int error_class;
    MPI_Error_class(error, &error_class);
    char name[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Error_string(error_class, name, &length);
    *strchr(name, ':') = '\\0';
    printf("%%s|%%s|%%s|%%s\\n", call, parameter, bad, name);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    int one = 1, none = 0, edge = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Cart_create(self, 1, &one, &one, 0, &cart);
    MPI_Graph_create(self, 1, &one, &edge, 0, &graph);
    MPI_Dist_graph_create_adjacent(self, 1, &none, MPI_UNWEIGHTED, 1, &none, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &dist);
    MPI_File_open(self, "bad_arguments.dat", MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
    MPI_Comm_group(self, &group);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Type_contiguous(2, MPI_INT, &derived);
    MPI_Type_commit(&derived);
    MPI_Type_contiguous(2, MPI_INT, &loose);
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "value");
    MPI_Add_error_class(&code);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key_comm_, NULL);
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &key_type_, NULL);
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &key_win_, NULL);
    key_ = key_comm_;
    MPI_Win_create(out, sizeof out, 4, MPI_INFO_NULL, self, &idle);
    MPI_Win_create(out, sizeof out, 4, MPI_INFO_NULL, self, &locked);
    MPI_Win_create_dynamic(MPI_INFO_NULL, self, &dynamic);
    MPI_Win_set_errhandler(idle, MPI_ERRORS_RETURN);
    MPI_Win_set_errhandler(locked, MPI_ERRORS_RETURN);
    MPI_Win_set_errhandler(dynamic, MPI_ERRORS_RETURN);
    MPI_Win_lock_all(0, locked);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &result);
    MPI_T_pvar_get_index("thread_level", MPI_T_PVAR_CLASS_STATE, &result);
    MPI_T_pvar_get_info(result, NULL, NULL, NULL, NULL, NULL, &names, NULL, NULL, NULL, NULL, NULL, NULL);
    MPI_T_cvar_get_index("mpi.eager-limit", &result);
    MPI_T_cvar_handle_alloc(result, NULL, &setting, &result);
    MPI_T_cvar_read(setting, &limit);
    MPI_T_pvar_session_create(&measures);
    MPI_T_pvar_get_index("calls", MPI_T_PVAR_CLASS_COUNTER, &calls);
    MPI_T_pvar_handle_alloc(measures, calls, NULL, &measure, &result);
    MPI_T_event_handle_alloc(0, NULL, MPI_INFO_NULL, &registration);
    for (int i = 0; i < 4; i++) {
        types[i] = MPI_INT;
        no_types[i] = MPI_DATATYPE_NULL;
        infos[i] = MPI_INFO_NULL;
        bad_requests[i] = bad_request;
        requests[i] = MPI_REQUEST_NULL;
        distributions[i] = MPI_DISTRIBUTE_BLOCK;
        standard_arguments[i] = MPI_DISTRIBUTE_DFLT_DARG;
    }
"""


def prototypes(header):
    with open(header, encoding="utf-8") as file:
        text = file.read()
    for name, parameters in re.findall(r"^int MPI_(\w+)\((?!.*ORRERY_ABSENT)(.*)\);$", text, re.M):
        if parameters != "void" and not SKIPPED.match(name):
            yield name, parameters.split(", ")


def good(name, parameter):
    for pattern, value in GOOD:
        if value and re.search(pattern, name + ": " + parameter):
            if "%s" not in value:
                return value
            word = re.search(r"(\w+)$", parameter).group(1)
            return value % (word[:-len("keyval")] if word.endswith("keyval") else word)
    sys.exit("nothing is good for %s: %s" % (name, parameter))


def bad(name, parameter):
    for pattern, value, classes in BAD:
        if name.startswith("T_") != pattern.startswith("^T_"): # the tool interface has classes of its own
            continue
        if re.search(pattern, name + ": " + parameter):
            if value == "(void *)0x1234" and "_function" in parameter: # told when it is called
                continue
            if value in ("NULL", "(void *)0x1234") and NULL_ALLOWED.match(name + ": " + parameter):
                continue
            yield value, classes


def cases(header):
    for name, parameters in prototypes(header):
        values = [good(name, parameter) for parameter in parameters]
        for i, parameter in enumerate(parameters):
            for value, classes in bad(name, parameter):
                if value != values[i]:
                    yield name, parameter, value, values[:i] + [value] + values[i + 1:], classes


def program(all_cases):
    made = {value[1:] for _, _, _, values, _ in all_cases for value in values if value.startswith("&out_")}
    comms = sorted(name for name in made if "comm" in name or name == "out_parent")
    lines = [DECLARATIONS % ", ".join(comms or ["out_comm"])]
    for name, parameter, value, values, _ in all_cases:
        lines.append("    zero = 0; large_zero = 0; type = loose;\n    report(\"%s\", \"%s\", \"%s\", MPI_%s(%s));" %
                     (name, parameter, value.replace('"', "'"), name, ", ".join(values)))
    return "\n".join(lines) + "\n    MPI_Barrier(self);\n    printf(\"goes on\\n\");\n    MPI_Finalize();\n    return 0;\n}\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--orrery", required=True)
    parser.add_argument("--print", action="store_true", help="print the program")
    options = parser.parse_args()
    share = os.path.join(os.path.dirname(os.path.abspath(options.orrery)), "..", "share", "orrery")
    all_cases = list(cases(os.path.join(share, "include", "mpi.h")))
    source = program(all_cases)
    if options.print:
        print(source)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "bad_arguments.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        compiled = os.path.join(folder, "bad_arguments")
        subprocess.run([os.path.abspath(options.orrery), "cc", "-w", "-o", compiled, path], check=True)
        run = subprocess.run([os.path.abspath(options.orrery), "run", compiled], cwd=os.path.dirname(compiled), capture_output=True, text=True, check=False)
    lines, failures = run.stdout.splitlines(), 0
    for line, (name, parameter, value, _, classes) in zip(lines, all_cases):
        answer = line.split("|")[-1]
        if answer not in classes:
            failures += 1
            print("MPI_%s: %s = %s answers %s instead of %s" % (name, parameter, value, answer, " or ".join(classes)))
    if run.returncode != 0 or len(lines) != len(all_cases) + 1:
        failures += 1
        print("the program ended after %d of %d calls with status %d:\n%s" % (len(lines), len(all_cases), run.returncode,
                                                                           run.stderr))
    print("%d calls of %d functions, %d failures" % (len(all_cases), len({case[0] for case in all_cases}), failures))
    sys.exit(1 if failures else 0)


main()
