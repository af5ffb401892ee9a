/* Small functions of POSIX, BSD and System V: options in a list, old number formats, patterns, walks, addresses, bytes.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <byteswap.h>
#include <dirent.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <ftw.h>
#include <glob.h>
#include <langinfo.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

static int visited;

static int visit(const char *path, const struct stat *status, int flag, struct FTW *place)
{
    printf(" %s:%d:%d:%d", path + place->base, flag, place->level, S_ISDIR(status->st_mode));
    return visited++ > 20;
}

static int not_hidden(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

int main(void)
{
    char options[] = "size=10,verbose,unknown=3,last", *rest = options, *value;
    char *const tokens[] = {"verbose", "size", "last", NULL};
    while (*rest) {
        int token = getsubopt(&rest, tokens, &value);
        printf("%d:%s ", token, value ? value : "-");
    }
    int point, sign;
    static const double numbers[] = {3.14159, -0.00123, 1234567, 0, 999.9996, 1e-20};
    printf("\n");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char text[40];
        printf("%s ", ecvt(numbers[i], 6, &point, &sign));
        printf("%d %d ", point, sign);
        printf("%s ", fcvt(numbers[i], 3, &point, &sign));
        printf("%d %d %s\n", point, sign, gcvt(numbers[i], 5, text));
    }
    printf("%ld %s\n", a64l("zz/."), l64a(123456789));
    static const char *const patterns[][3] = {{"*.c", "x.c", ""},   {"*.c", ".c", "p"},    {"a?c", "abc", ""},
                                              {"[a-c]x", "bx", ""}, {"[!a-c]x", "bx", ""}, {"*", "a/b", "n"},
                                              {"a*b", "a/b", ""},   {"\\*", "*", ""},      {"[[:digit:]]*", "5x", ""},
                                              {"[]-]", "-", ""},    {"ABC", "abc", "i"},   {"dir", "dir/x", "l"},
                                              {"[x", "[x", ""}};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        int flags = 0;
        flags |= strchr(patterns[i][2], 'p') ? FNM_PERIOD : 0;
        flags |= strchr(patterns[i][2], 'n') ? FNM_PATHNAME : 0;
        flags |= strchr(patterns[i][2], 'i') ? FNM_CASEFOLD : 0;
        flags |= strchr(patterns[i][2], 'l') ? FNM_LEADING_DIR : 0;
        printf("%d", fnmatch(patterns[i][0], patterns[i][1], flags));
    }
    char folder[] = "odds-XXXXXX", start[PATH_MAX], now[PATH_MAX];
    printf("\n%d %d ", mkdtemp(folder) != NULL, getcwd(start, sizeof start) != NULL);
    printf("%d ", chdir(folder));
    printf("%d ", getcwd(now, sizeof now) != NULL);
    printf("%d ", strncmp(start, now, strlen(start)) == 0 && strcmp(now + strlen(start) + 1, folder) == 0);
    static const char *const names[] = {"b.txt", "a.txt", "c.dat", ".hidden", "file10", "file9"};
    for (int i = 0; i < 6; i++)
        close(open(names[i], O_CREAT | O_WRONLY, 0644));
    printf("%d\n", mkdir("sub", 0755));
    close(open("sub/inner.txt", O_CREAT | O_WRONLY, 0644));
    glob_t found;
    printf("%d ", glob("*.txt", 0, NULL, &found));
    printf("%zu:", found.gl_pathc);
    printf(" %d", glob("*/*.txt", GLOB_APPEND, NULL, &found));
    printf(" %d", glob("no*", GLOB_APPEND | GLOB_NOCHECK, NULL, &found));
    for (size_t i = 0; i < found.gl_pathc; i++)
        printf(" %s", found.gl_pathv[i]);
    globfree(&found);
    printf(" %d", glob("no*", 0, NULL, &found));
    printf(" %d", glob("s*", GLOB_MARK, NULL, &found));
    printf(" %s\n", found.gl_pathv[0]);
    globfree(&found);
    struct dirent **entries;
    int count = scandir(".", &entries, not_hidden, alphasort);
    for (int i = 0; i < count; i++) {
        printf("%s:%d ", entries[i]->d_name, entries[i]->d_type);
        free(entries[i]);
    }
    free(entries);
    count = scandir(".", &entries, not_hidden, versionsort);
    for (int i = 0; i < count; i++) {
        printf("%s ", entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    printf("\n");
    nftw("sub", visit, 5, FTW_PHYS);
    nftw("sub", visit, 5, FTW_PHYS | FTW_DEPTH);
    char *real = realpath("./sub/../sub", NULL);
    printf(" %s %d ", basename(real), realpath("nothing", NULL) == NULL);
    printf("%d\n", errno == ENOENT);
    free(real);
    printf("%d ", chdir(start));
    for (int i = 0; i < 6; i++) {
        char path[300];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    char path[300];
    snprintf(path, sizeof path, "%s/sub/inner.txt", folder);
    printf("%d ", unlink(path));
    snprintf(path, sizeof path, "%s/sub", folder);
    printf("%d ", rmdir(path));
    printf("%d\n", rmdir(folder));
    printf("%x %x %lx %x %x\n", htonl(0x01020304), htons(0x0102), (unsigned long)bswap_64(0x0102030405060708),
           htobe32(1), le16toh(7));
    struct in_addr address;
    char text[INET6_ADDRSTRLEN];
    unsigned char six[16];
    printf("%d ", inet_aton("192.168.1.10", &address));
    printf("%s ", inet_ntoa(address));
    printf("%x %d %d ", inet_addr("10.1"), inet_pton(AF_INET, "1.2.3", &address),
           inet_pton(AF_INET, "1.2.3.4", &address));
    static const char *const sixes[] = {
        "::1", "2001:db8::8:800:200c:417a", "::ffff:1.2.3.4", "1:2:3:4:5:6:7:8", "::", "1::2::3", "fe80::"};
    for (int i = 0; i < 7; i++)
        printf("%s ", inet_pton(AF_INET6, sixes[i], six) == 1 ? inet_ntop(AF_INET6, six, text, sizeof text) : "bad");
    printf("\n%s %s %s %s %s\n", nl_langinfo(RADIXCHAR), nl_langinfo(DAY_2), nl_langinfo(MON_12), nl_langinfo(D_T_FMT),
           nl_langinfo(CODESET));
    struct timeval a = {5, 900000}, b = {1, 200000}, c, d;
    timeradd(&a, &b, &c);
    timersub(&b, &a, &d);
    printf("%ld.%06ld %ld.%06ld %d\n", (long)c.tv_sec, (long)c.tv_usec, (long)d.tv_sec, (long)d.tv_usec,
           timercmp(&a, &b, >));
    printf("%d %d %d %d %d\n", MIN(3, 2), MAX(3, 2), howmany(10, 3), roundup(10, 4), powerof2(64));
    char swapped[7] = "";
    swab("badcfe", swapped, 6);
    printf("%s %d %d %d %d\n", swapped, strverscmp("a9", "a10") < 0, strverscmp("a01", "a1") < 0,
           strverscmp("1.0.9", "1.0.10") < 0, strverscmp("x", "x"));
    char path1[] = "/usr/lib/", path2[] = "plain", path3[] = "/usr/lib/";
    printf("%s %s %s\n", (basename)(path1), dirname(path2), dirname(path3));
    printf("%s %s %s\n", strsignal(11), strerror(2), strerrordesc_np(13));
    unsigned old = umask(022);
    printf("%d ", old <= 0777);
    printf("%o\n", umask((mode_t)old));
    printf("%s %d\n", secure_getenv("NO_SUCH_NAME") ? "set" : "unset", ffs(8) + ffsl(0x100000000) + ffsll(0));
    return 0;
}
