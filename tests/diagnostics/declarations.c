/* What older or stricter C wants of declarations. */
/* options: -std=c90 -Wold-style-definition -Wstrict-prototypes -Wmissing-prototypes -Wmissing-declarations -Wvla -Wlong-long -Wdeclaration-after-statement -Wwrite-strings -Wmain -Wimplicit-int -Wpedantic */
int old(a) int a; { return a; }
int none();
long long wide;
int vla(int n) { n++; int a[n]; return sizeof a; }
char *text = "abc";
const char *good = "abc";
static int fine(void) { return 1; }
void unnamed(int) { }
double main(int argc) { return fine(); }
implicit(x) { return x; }
