/* tls.h - the copies that a thread has of objects with thread storage. */
#ifndef ORRERY_TLS_H
#define ORRERY_TLS_H

struct __orrery_tls_object;
/* Returns the calling thread's copy. Compiled code calls it at each use of such an object. */
void *__orrery_tls_address(struct __orrery_tls_object *object);
/* Frees the copies of the calling thread, which ends. */
void __orrery_tls_end(void);

#endif
