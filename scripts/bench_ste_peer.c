/* Builds the diagrams of a combinational AIGER file with BuDDy, or with CUDD if CUDD is defined.
 *
 * Variables are ordered as the inputs are. Every gate is built in the order of the file and let go after its last use.
 * Prints "constant SECONDS NODES" if the output is 0 always, "open SECONDS NODES" if not; the seconds are those of the
 * building alone, the nodes those that were made (BuDDy) or alive at most (CUDD).
 * Usage: peer FILE.aig MOST_NODES
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef CUDD
#include <cudd.h>
typedef DdNode *node;
static DdManager *dd;

static void begin(int inputs, long most) {
    dd = Cudd_Init(inputs, 0, CUDD_UNIQUE_SLOTS, CUDD_CACHE_SLOTS, 0);
    Cudd_SetMaxLive(dd, most);
    Cudd_AutodynDisable(dd);
}
static node variable(int i) { return Cudd_bddIthVar(dd, i); }
static node keep(node n) {
    if (!n) {
        puts("full");
        exit(2);
    }
    Cudd_Ref(n);
    return n;
}
static void drop(node n) { Cudd_RecursiveDeref(dd, n); }
static node conjunction(node a, int not_a, node b, int not_b) {
    return Cudd_bddAnd(dd, Cudd_NotCond(a, not_a), Cudd_NotCond(b, not_b));
}
static node zero(void) { return Cudd_ReadLogicZero(dd); }
static int constant(node n, int not_n) { return Cudd_NotCond(n, not_n) == Cudd_ReadLogicZero(dd); }
static long made(void) { return Cudd_ReadPeakNodeCount(dd); }
#else
#include <bdd.h>
typedef BDD node;

static void full(int code) {
    printf("full: %s\n", bdd_errstring(code));
    exit(2);
}
static void silent(int before, bddGbcStat *stat) {
    (void)before;
    (void)stat;
}
static void begin(int inputs, long most) {
    bdd_init(1 << 18, 1 << 16);
    bdd_error_hook(full);
    bdd_gbc_hook(silent);
    bdd_setmaxnodenum(most);
    bdd_setmaxincrease(1 << 22); /* the table doubles until then */
    bdd_setcacheratio(4);
    if (inputs > 0) bdd_setvarnum(inputs);
}
static node variable(int i) { return bdd_ithvar(i); }
static node keep(node n) { return bdd_addref(n); }
static void drop(node n) { bdd_delref(n); }
/* There are no complemented edges, so each kind of gate has its own operation. */
static node conjunction(node a, int not_a, node b, int not_b) {
    return bdd_apply(a, b, not_a ? (not_b ? bddop_nor : bddop_less) : (not_b ? bddop_diff : bddop_and));
}
static node zero(void) { return bddfalse; }
static int constant(node n, int not_n) { return n == (not_n ? bddtrue : bddfalse); }
static long made(void) {
    bddStat s;
    bdd_stats(&s);
    return s.produced;
}
#endif

static unsigned delta(FILE *f) {
    unsigned x = 0, shift = 0;
    int c;
    while ((c = getc(f)) != EOF && (c & 0x80)) {
        x |= (unsigned)(c & 0x7f) << shift;
        shift += 7;
    }
    return x | ((unsigned)c << shift);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
    FILE *f = argc > 2 ? fopen(argv[1], "rb") : NULL;
    unsigned last, inputs, latches, outputs, gates, output;
    if (!f || fscanf(f, "aig %u %u %u %u %u", &last, &inputs, &latches, &outputs, &gates) != 5 || latches != 0 ||
        outputs != 1 || fscanf(f, "%u", &output) != 1 || last != inputs + gates) {
        puts("no combinational AIGER file with one output");
        return 2;
    }
    while (getc(f) != '\n') {
    }
    unsigned(*in)[2] = malloc((gates + 1) * sizeof *in);
    unsigned *uses = calloc(last + 1, sizeof *uses);
    node *all = malloc((last + 1) * sizeof *all);
    for (unsigned i = 0; i < gates; i++) {
        in[i][0] = 2 * (inputs + i + 1) - delta(f);
        in[i][1] = in[i][0] - delta(f);
        uses[in[i][0] >> 1]++;
        uses[in[i][1] >> 1]++;
    }
    uses[output >> 1]++;
    begin(inputs, atol(argv[2]));
    double start = now();
    all[0] = keep(zero());
    for (unsigned i = 0; i < inputs; i++) all[i + 1] = keep(variable(i));
    for (unsigned i = 0; i < gates; i++) {
        unsigned a = in[i][0], b = in[i][1];
        all[inputs + i + 1] = keep(conjunction(all[a >> 1], a & 1, all[b >> 1], b & 1));
        if (--uses[a >> 1] == 0) drop(all[a >> 1]);
        if (--uses[b >> 1] == 0) drop(all[b >> 1]);
    }
    double end = now();
    printf("%s %.6f %ld\n", constant(all[output >> 1], output & 1) ? "constant" : "open", end - start, made());
    return 0;
}
