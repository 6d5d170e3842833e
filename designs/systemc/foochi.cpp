// foochi: foo with loose delays
// ---------------------------------------------------------------------------
// What it models
//   The teaching example `foochi` of Helmstetter, Maraninchi and Maillet-Contoz,
//   "Test Coverage for Loose Timing Annotations" (FMICS 2006), figure 4.
//   As foo, but each delay is loose: lwait(d, delta) takes any time from
//   d - delta to d + delta.
//
// Macros
//   D2   delta of P's second delay, t2 = 40 +- D2 ns   (default 10)
//   D4   delta of Q's second delay, t4 = 24 +- D4 ns   (default 6)
//
// What may happen
//   Ok          the nominal delays, and most others
//   for ever    t1 >= t3, e.g. t1 = t3 = 4 ns and Q first: e comes before P waits
//   Ko          t2 <= t4, e.g. t2 = t4 = 30 ns and P first: x is read too early.
//               Possible with the default D2, D4 only: with -DD2=2 -DD4=2 there
//               are two outcomes, Ok and for ever.
//   At the nominal delays no order of the processes shows anything but Ok.
// ---------------------------------------------------------------------------
#include <systemc>
#include "entail_systemc.h"

#ifndef D2
#define D2 10
#endif
#ifndef D4
#define D4 6
#endif

using namespace sc_core;

SC_MODULE(Foochi) {
    sc_event    e;
    int         x = 0;
    const char* outcome = "P waits for ever";

    void P() {
        lwait(3, 2);     // t1
        wait(e);
        lwait(40, D2);   // t2
        outcome = x ? "Ok" : "Ko";
        std::cout << outcome << "\n";
    }

    void Q() {
        lwait(6, 2);     // t3
        e.notify();
        x = 0;
        lwait(24, D4);   // t4
        x = 1;
    }

    SC_CTOR(Foochi) {
        SC_THREAD(P);
        SC_THREAD(Q);
    }
};

int sc_main(int, char*[]) {
    Foochi foochi("foochi");
    sc_start();
    std::cout << "foochi: " << foochi.outcome << "\n";
    return 0;
}
