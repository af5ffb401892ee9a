/* sys/sysinfo.h - Linux */
#ifndef _SYS_SYSINFO_H
#define _SYS_SYSINFO_H

struct sysinfo {
    long uptime;
    unsigned long loads[3], totalram, freeram, sharedram, bufferram, totalswap, freeswap;
    unsigned short procs;
    unsigned long totalhigh, freehigh;
    unsigned mem_unit;
};
int sysinfo(struct sysinfo *information);
int get_nprocs(void);
int get_nprocs_conf(void);
long get_phys_pages(void);
long get_avphys_pages(void);

#endif
