struct s { unsigned f : 5; unsigned wide : 32; signed g : 3; };
int main(void)
{
    struct s s = {3, 3, -1}, *p = &s;
    printf("%d %d %d\n", s.f > -1, s.wide > -1, s.g > -2);
    printf("%d %d\n", (0, s.f) > -1, (0, p->wide) > -1);
    printf("%d %d\n", (s.f = 7) > -1, (p->wide = 7) > -1);
    printf("%d %d %d %d\n", (s.f += 1) > -1, s.f++ > -1, --p->f > -1, (s.wide -= 1) > -1);
    printf("%u %u %d\n", s.f, s.wide, s.g);
    return 0;
}
