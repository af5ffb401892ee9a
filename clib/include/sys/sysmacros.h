/* sys/sysmacros.h - numbers of devices */
#ifndef _SYS_SYSMACROS_H
#define _SYS_SYSMACROS_H

#define major(device)         ((unsigned)((device) >> 8 & 0xfff))
#define minor(device)         ((unsigned)((device)&0xff))
#define makedev(major, minor) ((unsigned long)(major) << 8 | (minor))

#endif
