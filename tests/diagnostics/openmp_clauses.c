/* Clauses of OpenMP and the places of directives: what the standard forbids. */
/* options: -fopenmp -fmax-errors=0 -w */
extern char open[];
struct bits { int field : 3, whole; } b;
struct pair { int x; };
#pragma omp threadprivate(open)
#pragma omp declare simd uniform(n) vectorise inbranch notinbranch
int vector(int n, int *a, const float *x);
#pragma omp declare target too(vector)
#pragma omp declare reduction(+ : int : omp_out += omp_in)
#pragma omp declare reduction(add : struct pair : omp_out.x += omp_in.x + b.whole)
#pragma omp declare reduction(add : struct pair : omp_out.x += omp_in.x) initializer(vector(omp_orig.x, 0, 0))
int vector(int n, int *a, const float *x)
{
    int i, j, s = 0, c[10];
    static int common;
    #pragma omp parallel shared(s, s) firstprivate(n) shared(n)
    {
        int mine = 0;
        #pragma omp for lastprivate(mine)
        for (i = 0; i < n; i++) mine = i;
        #pragma omp for reduction(+ : mine)
        for (i = 0; i < n; i++) mine += i;
        #pragma omp single copyprivate(common)
        common = 1;
        #pragma omp for nowait
        for (i = 0; i < n; i++) {
            #pragma omp cancel for
            #pragma omp critical
            {
                #pragma omp cancel for
            }
            #pragma omp ordered
            s++;
        }
        #pragma omp for ordered(1)
        for (i = 0; i < n; i++) {
            #pragma omp ordered
            s++;
            #pragma omp ordered depend(source) depend(sink : i - 1)
        }
    }
    #pragma omp for firstprivate(i)
    for (i = 0; i < n; i++) ;
    #pragma omp for collapse(2)
    for (i = 0; i < n; i++) for (i = 0; i < n; i++) ;
    #pragma omp for
    for (i = i + 1; i < n; i++) ;
    #pragma omp for
    for (i = 0; i != n; i += 2) ;
    #pragma omp for schedule(nonmonotonic : dynamic) ordered
    for (i = 0; i < n; i++) ;
    #pragma omp simd safelen(4) simdlen(8) aligned(s) linear(val(j) : 2)
    for (i = 0; i < n; i++) {
        #pragma omp parallel
        s++;
    }
    #pragma omp simd safelen(n) linear(j : 1.5)
    for (i = 0; i < n; i++) ;
    #pragma omp task depend(in : c[-1:2], c[2:9]) depend(out : b.field, a[0:0]) depend(sink : i)
    s++;
    #pragma omp task if(task : n) if(n)
    s++;
    #pragma omp taskloop grainsize(2) num_tasks(3) if(taskloop : n) if(taskloop : s)
    for (i = 0; i < n; i++) ;
    #pragma omp critical hint(2)
    s++;
    #pragma omp atomic read release
    n = s;
    #pragma omp atomic acquire
    s++;
    #pragma omp atomic relaxed seq_cst
    s++;
    #pragma omp critical(name) hint(n)
    s++;
    #pragma omp target firstprivate(s) map(tofrom : s) map(release : n)
    {
        #pragma omp teams num_teams(2)
        {
            #pragma omp for
            for (i = 0; i < n; i++) ;
            #pragma omp distribute firstprivate(j) lastprivate(j)
            for (i = 0; i < n; i++) ;
        }
        #pragma omp distribute
        for (i = 0; i < n; i++) ;
        #pragma omp parallel
        {
            #pragma omp teams
            s++;
        }
    }
    #pragma omp target data device(0)
    s++;
    #pragma omp target update
    #pragma omp target enter data map(from : s)
    #pragma omp target exit data map(to : s)
    #pragma omp parallel private(b.whole) num_threads(0)
    s++;
    return s;
}
