/* netdb.h - POSIX; a simulated rank asks no name server, so a call of the functions ends the run */
#ifndef _NETDB_H
#define _NETDB_H

#include <netinet/in.h>

struct hostent {
    char *h_name, **h_aliases;
    int h_addrtype, h_length;
    char **h_addr_list;
};
#define h_addr h_addr_list[0]
struct protoent {
    char *p_name, **p_aliases;
    int p_proto;
};
struct servent {
    char *s_name, **s_aliases;
    int s_port;
    char *s_proto;
};
struct addrinfo {
    int ai_flags, ai_family, ai_socktype, ai_protocol;
    socklen_t ai_addrlen;
    struct sockaddr *ai_addr;
    char *ai_canonname;
    struct addrinfo *ai_next;
};
#define AI_PASSIVE     1
#define AI_CANONNAME   2
#define AI_NUMERICHOST 4
#define AI_NUMERICSERV 1024
#define NI_NUMERICHOST 1
#define NI_NUMERICSERV 2
#define NI_MAXHOST     1025
#define NI_MAXSERV     32
#define EAI_NONAME     (-2)
#define EAI_AGAIN      (-3)
#define EAI_FAIL       (-4)
#define HOST_NOT_FOUND 1
#define TRY_AGAIN      2
#define NO_RECOVERY    3
#define NO_DATA        4

struct hostent *gethostbyname(const char *name);
struct hostent *gethostbyaddr(const void *address, socklen_t size, int family);
struct protoent *getprotobyname(const char *name);
struct servent *getservbyname(const char *name, const char *protocol);
int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result);
void freeaddrinfo(struct addrinfo *list);
int getnameinfo(const struct sockaddr *address, socklen_t size, char *host, socklen_t host_size, char *service,
                socklen_t service_size, int flags);
const char *gai_strerror(int error);
const char *hstrerror(int error);
void herror(const char *text);
int *__h_errno_location(void);
#define h_errno (*__h_errno_location())

#endif
