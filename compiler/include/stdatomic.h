/* stdatomic.h - C11 7.17 is optional; this implementation does not have it */
#error "<stdatomic.h> is not supported (C11 6.10.8.3: __STDC_NO_ATOMICS__ is 1): a simulated rank has one thread; use plain variables"
