// foo: two processes, one event, one shared variable
// ---------------------------------------------------------------------------
// What it models
//   The teaching example `foo` of Helmstetter, Maraninchi and Maillet-Contoz,
//   "Test Coverage for Loose Timing Annotations" (FMICS 2006), figure 2.
//   P waits for the event e, then 20 ns, and prints Ok if x is set, else Ko.
//   Q notifies e, clears x, waits 20 ns and sets x.
//   With -DBAR it is `foobar` of figure 3: a third process R only waits 20 ns.
//
// What may happen: three outcomes, all by the order inside evaluation phases
//   Ok          0 ns: P before Q;   20 ns: Q before P.  The kernel's own order.
//   Ko          0 ns: P before Q;   20 ns: P before Q.  x is read too early.
//   for ever    0 ns: Q before P.   e is notified when nobody waits: P sleeps.
//
// Number of schedules: foo has 3.  foobar has 30, but still 3 classes: R touches
// nothing shared, so its place does not matter.
// ---------------------------------------------------------------------------
#include <systemc>

using namespace sc_core;

SC_MODULE(Foo) {
    sc_event    e;
    int         x = 0;
    const char* outcome = "P waits for ever";

    void P() {
        wait(e);
        wait(20, SC_NS);
        outcome = x ? "Ok" : "Ko";
        std::cout << outcome << "\n";
    }

    void Q() {
        e.notify();
        x = 0;
        wait(20, SC_NS);
        x = 1;
    }

#ifdef BAR
    void R() { wait(20, SC_NS); }
#endif

    SC_CTOR(Foo) {
        SC_THREAD(P);
        SC_THREAD(Q);
#ifdef BAR
        SC_THREAD(R);
#endif
    }
};

int sc_main(int, char*[]) {
    Foo foo("foo");
    sc_start();
    std::cout << "foo: " << foo.outcome << "\n";
    return 0;
}
