/* Directives of OpenMP: what is wrong with each. */
/* options: -fopenmp -fmax-errors=0 -w */
int tp, fl;
#pragma omp threadprivate(tp)
int f(int n, float x) {
    int i, j, s = 0; float r; int a[10];
    #pragma omp parallel for
    for (i = 0; i < n; i++) { if (i == 3) break; }
    #pragma omp parallel for private(s) reduction(+:s)
    for (i = 0; i < n; i++) s++;
    #pragma omp for
    for (r = 0; r < 10; r++) ;
    #pragma omp for
    while (n) ;
    #pragma omp for
    for (i = 0; i != n + i; i++) ;
    #pragma omp for
    for (i = 0; i < n; i *= 2) ;
    #pragma omp for collapse(2)
    for (i = 0; i < n; i++) { s++; for (j = 0; j < n; j++) ; }
    #pragma omp for collapse(2)
    for (i = 0; i < n; i++) for (j = i; j < n; j++) ;
    #pragma omp parallel
    { return 1; }
    #pragma omp parallel
    { goto out; }
    while (n) {
    #pragma omp critical
    { break; }
    #pragma omp single
    { continue; }
    }
    #pragma omp parallel fro
    ;
    #pragma omp paralel
    ;
    #pragma omp parallel nowait
    ;
    #pragma omp parallel num_threads(x)
    ;
    #pragma omp parallel num_threads(2) num_threads(3)
    ;
    #pragma omp parallel default(none)
    { s += n; fl++; }
    #pragma omp parallel private(zz)
    ;
    #pragma omp parallel private(s
    ;
    #pragma omp for schedule(dynamic, 3.5)
    for (i = 0; i < n; i++) ;
    #pragma omp for schedule(foo)
    for (i = 0; i < n; i++) ;
    #pragma omp parallel reduction(+:a[0:]) reduction(min:x) reduction(&:x)
    ;
    #pragma omp atomic
    s = 3;
    #pragma omp atomic capture
    s = i;
    if (n)
    #pragma omp barrier
    ;
    #pragma omp for
    for (i = 0; i < n; i++) {
        #pragma omp barrier
        #pragma omp for
        for (j = 0; j < n; j++) ;
    }
    #pragma omp section
    ;
    #pragma omp cancel for
    #pragma omp cancel
    #pragma omp parallel private(tp) copyin(s)
    ;
    #pragma omp for ordered(1)
    for (i = 0; i < n; i++) {
        #pragma omp ordered depend(sink: i-1, j)
        ;
    }
    #pragma omp ordered depend(source)
    #pragma omp parallel if(task: n)
    ;
    #pragma omp task depend(a[0])
    ;
    #pragma omp task depend(in: *a)
    ;
    #pragma omp sections
    { 
    s++;
    #pragma omp section
    s++;
    s--;
    }
    switch (n) {
    #pragma omp parallel
    { case 3: ; }
    }
    #pragma omp threadprivate(s)
    #pragma omp parallel for linear(s:2
    for (i = 0; i < n; i++) ;
    #pragma omp parallel
out: ;
    return 0;
}
#pragma omp parallel
#pragma omp declare reduction(foo : int : omp_out += omp_inn)
#pragma omp barrier
int *q = &tp;
void second(int s) {
    #pragma omp sections
    { 
    s++;
    #pragma omp section
    s++;
    s--;
    }
    #pragma omp sections
    { int q; 
    #pragma omp section
    s++;
    }
    #pragma omp parallel for
    for (int i = 0; i < s; i++)
      #pragma omp single
      ;
    #pragma omp master
    #pragma omp for
    for (int i = 0; i < s; i++) ;
    #pragma omp critical (a)
    #pragma omp critical (a)
    ;
    extern struct X xx;
    #pragma omp parallel firstprivate(xx)
    ;
    #pragma omp task final(s) priority(3) untied mergeable
    return;
}
