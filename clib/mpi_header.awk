# mpi_header.awk - makes mpi.h of tables and of include/mpi.h.in: awk -f mpi_header.awk TABLE.def... include/mpi.h.in > mpi.h
#
# A function that absent.def lists is declared with a warning, which the compiler gives where the program uses it.
#
# Lines that begin with // are left out, and what is no prototype of an MPI function is copied. Of a prototype are made
# those of all forms that are named behind it, each on one line, so that diagnostics can show it whole:
#
#   I      non-blocking: MPI_Ibcast, with one more parameter, the request
#   init   persistent: MPI_Bcast_init, with an info object and the request
#   _c     all of these again with large counts: MPI_Bcast_c, MPI_Ibcast_c, MPI_Bcast_init_c
#
# COUNT, DISPLACEMENT and ADDRESS are the types that differ in the last (MPI-4.0 section 2.5.8). The line @PROFILING@
# becomes all prototypes again with names that begin with PMPI_ (MPI-3.1 section 14.2); the lines @DATATYPES@,
# @COMBINERS@ and @ERRORS@ become the rows of mpi/type/primitives.def, mpi/type/combiners.def and mpi/errors.def.
#
# With -v short=1 it makes the mpi.h that the preprocessor reads instead (compiler/preprocess/short_header.c): the same,
# with the same numbers of lines, but the lines of prototypes are empty, and a pragma asks for them at the end. If a word
# of them is a macro where it is included, it includes the other one instead.

function typed(parameters, count, displacement, address)
{
    gsub(/COUNT/, count, parameters)
    gsub(/DISPLACEMENT/, displacement, parameters)
    gsub(/ADDRESS/, address, parameters)
    return parameters
}

# Notes the words of a line of which the preprocessor sees nothing.
function note_words(line,    word)
{
    while (match(line, /[A-Za-z_][A-Za-z0-9_]*/)) {
        word = substr(line, RSTART, RLENGTH)
        if (!(word in noted))
            condition = condition " || defined " word
        noted[word] = 1
        line = substr(line, RSTART + RLENGTH)
    }
}

# Returns the line of a prototype as this file has it.
function prototype(result, name, parameters, shown,    line)
{
    line = result " " name "(" parameters
    if (shown in absent)
        return line ") ORRERY_ABSENT(" absent[shown] ");\n"
    line = line ");\n"
    if (short)
        note_words(line)
    return short ? "\n" : line
}

function put(text)
{
    if (short)
        body = body text
    else
        printf "%s", text
}

function declare(result, name, parameters)
{
    put(prototype(result, "MPI_" name, parameters, name))
    profiling = profiling prototype(result, "PMPI_" name, parameters, name)
}

function declare_forms(result, name, parameters, forms, suffix)
{
    declare(result, name suffix, parameters)
    if (forms ~ / I( |$)/)
        declare(result, "I" tolower(substr(name, 1, 1)) substr(name, 2) suffix, parameters ", MPI_Request *request")
    if (forms ~ / init( |$)/)
        declare(result, name "_init" suffix, parameters ", MPI_Info info, MPI_Request *request")
}

# A prototype in one line, with the forms behind it.
function expand(row,    open, end, result, name, parameters, forms)
{
    gsub(/  +/, " ", row)
    open = index(row, "(")
    end = index(row, ");")
    parameters = substr(row, open + 1, end - open - 1)
    forms = substr(row, end + 2)
    result = name = substr(row, 1, open - 1)
    sub(/ MPI_.*/, "", result)
    sub(/.* MPI_/, "", name)
    declare_forms(result, name, typed(parameters, "int", "int", "MPI_Aint"), forms, "")
    if (forms ~ / _c$/)
        declare_forms(result, name, typed(parameters, "MPI_Count", "MPI_Aint", "MPI_Count"), forms, "_c")
}

FILENAME ~ /[.]def$/ {
    if (split($0, part, /[(,)] */) < 3)
        next
    if (part[1] == "MPI_ABSENT")
        absent[part[2]] = part[3]
    if (part[1] == "MPI_PRIMITIVE")
        table["@DATATYPES@"] = table["@DATATYPES@"] sprintf("#define MPI_%-23s ((MPI_Datatype)0x3%08x)\n", part[2], ++types)
    if (part[1] == "MPI_COMBINER")
        table["@COMBINERS@"] = table["@COMBINERS@"] sprintf("#define MPI_COMBINER_%-16s %s\n", part[2], part[3])
    if (part[1] == "MPI_ERROR_CLASS")
        table["@ERRORS@"] = table["@ERRORS@"] sprintf("#define MPI_%-25s %s\n", part[2], part[3])
    next
}
/^\/\// { next }
row != "" || /^[A-Za-z_]+ MPI_[A-Za-z0-9_]+\(/ {
    row = row $0
    if (row ~ /\);/) {
        expand(row)
        row = ""
    }
    next
}
$0 in table { put(table[$0]); next }
$0 == "@PROFILING@" { put(profiling); if (short) put("#pragma orrery prototypes\n"); next }
{ put($0 "\n") }
END {
    if (short)
        printf "#if !defined __ORRERY__%s\n#include_next <mpi.h>\n#else\n#line 1\n%s#endif\n", condition, body
}
