/* target, teams and distribute on the host; limits of threads; private copies that have to be made in time; exit()
 * in the middle of a team. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    int sum, most;
};
static void join(struct pair *into, const struct pair *from)
{
    into->sum += from->sum;
    into->most = from->most > into->most ? from->most : into->most;
}
#pragma omp declare reduction(join : struct pair : join(&omp_out, &omp_in)) initializer(omp_priv = omp_orig)

static void limits(void)
{
    int league = 0, seen = 0, inner = 0;
#pragma omp target map(tofrom : league, seen, inner)
#pragma omp teams num_teams(3) thread_limit(2)
    {
        league += omp_get_num_teams() * 10 + omp_get_team_num();
#pragma omp parallel num_threads(4) reduction(+ : seen)
        seen += omp_get_num_threads() * 10 + (omp_get_team_num() == 2 && omp_get_thread_limit() == 2);
#pragma omp parallel if (0)
#pragma omp target map(tofrom : inner)
        inner += omp_get_num_teams() + omp_get_level() * 100 + (omp_get_thread_limit() == 2) * 1000;
    }
    printf("league %d, threads %d, inside %d, outside %d %d\n", league, seen, inner, omp_get_num_teams(),
           omp_get_team_num());
}

static void in_a_team(void)
{
    int levels = 0, copied = 7;
#pragma omp parallel num_threads(3) reduction(+ : levels)
    {
        omp_set_num_threads(5);
#pragma omp target map(tofrom : levels)
        {
            levels += omp_get_level() * 100 + omp_get_num_threads() * 10 + (omp_get_max_threads() == 4);
            copied = 0;
        }
    }
    printf("levels %d, copied %d\n", levels, copied);
}

static void distributed(int n, int from, int to)
{
    int teams[20], sum = 0, last = -1, vla[n];
    memset(teams, 0, sizeof teams);
    for (int i = 0; i < n; i++)
        vla[i] = i;
#pragma omp target teams distribute parallel for num_teams(4) dist_schedule(static, 3) firstprivate(from, to, vla)             \
    map(tofrom : teams) reduction(+ : sum) lastprivate(last)
    for (int i = from; i < to; i++) {
        teams[i] = omp_get_team_num() + 1;
        sum += vla[i];
        last = i;
    }
    for (int i = 0; i < 20; i++)
        printf("%d%s", teams[i], i < 19 ? " " : "");
    printf(", sum %d, last %d\n", sum, last);
}

static void copies(void)
{
    struct pair all = {1, 5};
    int cube[2][3][4] = {{{0}}}, x = 3, begin = 2, k, down = 0;
#pragma omp parallel num_threads(4) reduction(join : all)
    all.sum += 10 + (all.sum != 1); /* every copy begins with the original's value */
#pragma omp parallel for reduction(+ : cube [1:1] [1:2][:]) num_threads(3)
    for (int i = 0; i < 24; i++)
        cube[1][1 + i % 2][i % 4] += i;
#pragma omp parallel num_threads(3)
#pragma omp single
#pragma omp taskloop firstprivate(x) lastprivate(x, k) num_tasks(4)
    for (k = begin; k < 10; k++)
        x = x == 3 ? k : x;
#pragma omp parallel for firstprivate(begin) reduction(+ : down)
    for (int i = 9; i != begin; i--)
        down += i;
    printf("%d %d, %d %d %d, x %d k %d, down %d\n", all.sum, all.most, cube[1][1][0], cube[1][2][3], cube[0][1][1], x,
           k, down);
}

int main(void)
{
    limits();
    in_a_team();
    distributed(20, 2, 17);
    copies();
    fflush(stdout);
#pragma omp parallel num_threads(4)
    if (omp_get_thread_num() == 2)
        exit(9);
    return 0;
}
