/* internet.c - <arpa/inet.h>: internet addresses as numbers and text. There are no sockets to use them with. */
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t(htonl)(uint32_t value)
{
    return htonl(value);
}

uint16_t(htons)(uint16_t value)
{
    return htons(value);
}

uint32_t(ntohl)(uint32_t value)
{
    return ntohl(value);
}

uint16_t(ntohs)(uint16_t value)
{
    return ntohs(value);
}

/* Parses "a.b.c.d", "a.b.c", "a.b" or "a", each part decimal, octal or hexadecimal (POSIX inet_addr). */
int inet_aton(const char *text, struct in_addr *address)
{
    unsigned long parts[4], limit = 0xffffffffUL, value = 0;
    int count = 0;
    for (;; text++) {
        char *end;
        if (*text < '0' || *text > '9' || count == 4)
            return 0;
        parts[count++] = strtoul(text, &end, 0);
        text = end;
        if (*text != '.')
            break;
    }
    if (*text && *text != ' ' && *text != '\t' && *text != '\n')
        return 0;
    for (int i = 0; i < count - 1; i++) {
        if (parts[i] > 255)
            return 0;
        value |= parts[i] << (24 - 8 * i);
        limit >>= 8;
    }
    if (parts[count - 1] > limit)
        return 0;
    if (address)
        address->s_addr = htonl((uint32_t)(value | parts[count - 1]));
    return 1;
}

in_addr_t inet_addr(const char *text)
{
    struct in_addr address;
    return inet_aton(text, &address) ? address.s_addr : INADDR_NONE;
}

char *inet_ntoa(struct in_addr address)
{
    static char text[INET_ADDRSTRLEN];
    return (char *)inet_ntop(AF_INET, &address, text, sizeof text);
}

static void write6(const unsigned char *bytes, char *text)
{
    unsigned words[8];
    int best = -1, best_length = 1;
    for (int i = 0; i < 8; i++)
        words[i] = (unsigned)bytes[2 * i] << 8 | bytes[2 * i + 1];
    for (int i = 0; i < 8; i++) { /* the longest run of zeros becomes "::" */
        int length = 0;
        while (i + length < 8 && words[i + length] == 0)
            length++;
        if (length > best_length) {
            best = i;
            best_length = length;
        }
    }
    int mapped = best == 0 && (best_length == 6 || (best_length == 5 && words[5] == 0xffff));
    for (int i = 0; i < 8; i++) {
        if (i == best) {
            text += sprintf(text, i + best_length == 8 ? "::" : ":");
            i += best_length - 1;
            continue;
        }
        if (i == 6 && mapped) {
            sprintf(text, ":%d.%d.%d.%d", bytes[12], bytes[13], bytes[14], bytes[15]);
            return;
        }
        text += sprintf(text, i ? ":%x" : "%x", words[i]);
    }
}

const char *inet_ntop(int family, const void *address, char *text, socklen_t size)
{
    const unsigned char *bytes = address;
    char local[INET6_ADDRSTRLEN];
    if (family != AF_INET && family != AF_INET6) {
        errno = EAFNOSUPPORT;
        return 0;
    }
    if (family == AF_INET)
        sprintf(local, "%d.%d.%d.%d", bytes[0], bytes[1], bytes[2], bytes[3]);
    else
        write6(bytes, local);
    if (strlen(local) >= size) {
        errno = ENOSPC;
        return 0;
    }
    return strcpy(text, local);
}

static int read4(const char *text, unsigned char bytes[4])
{
    for (int i = 0; i < 4; i++) {
        int value = 0, digits = 0;
        for (; *text >= '0' && *text <= '9' && digits < 3; digits++)
            value = value * 10 + (*text++ - '0');
        if (digits == 0 || value > 255 || (digits > 1 && text[-digits] == '0') || *text++ != (i < 3 ? '.' : '\0'))
            return 0;
        bytes[i] = (unsigned char)value;
    }
    return 1;
}

static int read6(const char *text, unsigned char bytes[16])
{
    unsigned char found[16] = {0};
    int count = 0, gap = -1;
    if (text[0] == ':' && *++text != ':')
        return 0;
    while (*text) {
        if (*text == ':') {
            if (gap >= 0)
                return 0;
            gap = count;
            text++;
            continue;
        }
        if (strspn(text, "0123456789") < strcspn(text, ":") && strchr(text, '.') && !strchr(text, ':')) {
            if (count > 12 || !read4(text, found + count))
                return 0;
            count += 4;
            break;
        }
        char *end;
        unsigned long value = strtoul(text, &end, 16);
        if (end == text || end - text > 4 || count > 14 || (*end && *end != ':') || (end[0] == ':' && !end[1]))
            return 0;
        found[count++] = (unsigned char)(value >> 8);
        found[count++] = (unsigned char)value;
        text = *end ? end + 1 : end;
    }
    if (gap < 0 ? count != 16 : count > 14)
        return 0;
    memset(bytes, 0, 16);
    memcpy(bytes, found, gap < 0 ? 16 : (size_t)gap);
    if (gap >= 0)
        memcpy(bytes + 16 - (count - gap), found + gap, (size_t)(count - gap));
    return 1;
}

int inet_pton(int family, const char *text, void *address)
{
    unsigned char bytes[16];
    if (family != AF_INET && family != AF_INET6) {
        errno = EAFNOSUPPORT;
        return -1;
    }
    int good = family == AF_INET ? read4(text, bytes) : read6(text, bytes);
    if (good)
        memcpy(address, bytes, family == AF_INET ? 4 : 16);
    return good;
}
