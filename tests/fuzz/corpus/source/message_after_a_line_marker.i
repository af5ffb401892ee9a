struct P { int x, y; const char *name; };
struct Q { struct P p[2]; int n; union { int i; double d; } u; char tag[8]; };
static int total(const int *v, int n)
{
    int sum = 0;
    while (n--)
        sum += *v++;
    return     0                               > 0 && 
 #                                                 line               15                    f text, more, exa            : "?") 