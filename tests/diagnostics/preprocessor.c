/* What the preprocessor finds. */
/* options: -Wall -Wundef -Wunused-macros */
#define UNUSED_MACRO 1
#if NO_SUCH_MACRO
#endif
#warning "look here"
/* a comment /* within */
int x; // goes on \
   still a comment
char *s = "??=";
