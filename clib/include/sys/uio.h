/* sys/uio.h - POSIX */
#ifndef _SYS_UIO_H
#define _SYS_UIO_H

#include <sys/types.h>

struct iovec {
    void *iov_base;
    size_t iov_len;
};
#define UIO_MAXIOV 1024

ssize_t readv(int descriptor, const struct iovec *blocks, int count);
ssize_t writev(int descriptor, const struct iovec *blocks, int count);

#endif
