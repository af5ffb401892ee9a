/* features.h - old programs include it for the macros that say which library this is */
#ifndef _FEATURES_H
#define _FEATURES_H

#include <orrery_features.h>

#ifdef __ORRERY_MISC
#define __USE_MISC 1
#endif
#ifdef __ORRERY_POSIX
#define __USE_POSIX 1
#endif
#ifdef __ORRERY_GNU
#define __USE_GNU 1
#endif
#ifndef __BEGIN_DECLS
#define __BEGIN_DECLS
#define __END_DECLS
#endif
#ifndef __THROW
#define __THROW
#endif

#endif
