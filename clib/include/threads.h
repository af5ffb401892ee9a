/* threads.h - C11 7.26 is optional; this implementation does not have it */
#error "<threads.h> is not supported (C11 6.10.8.3: __STDC_NO_THREADS__ is 1): a simulated rank has one thread; use more ranks"
