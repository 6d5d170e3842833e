// Loose delays for SystemC models: `lwait(d, delta)` waits any time from d - delta to d + delta.
//
// `entail explore` chooses the times, so that every order of events that some choice allows is seen.
// Without it the model still builds and runs, and every wait takes its nominal time: the function that
// chooses is a weak symbol.
#ifndef ENTAIL_SYSTEMC_H
#define ENTAIL_SYSTEMC_H
#include <systemc>

extern "C" __attribute__((weak)) void entail_loose_wait(const sc_core::sc_time *nominal,
                                                         const sc_core::sc_time *delta);

// Always inlined, so that each call is a place of its own: `--shared-delays` goes by places.
__attribute__((always_inline)) inline void lwait(const sc_core::sc_time &nominal, const sc_core::sc_time &delta) {
    if (entail_loose_wait)
        entail_loose_wait(&nominal, &delta);
    else
        sc_core::wait(nominal);
}

__attribute__((always_inline)) inline void lwait(double nominal, double delta,
                                                 sc_core::sc_time_unit unit = sc_core::SC_NS) {
    lwait(sc_core::sc_time(nominal, unit), sc_core::sc_time(delta, unit));
}
#endif
