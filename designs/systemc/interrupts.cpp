// interrupts: an interrupt controller, three devices, a processor
// ---------------------------------------------------------------------------
// What it models
//   Each device raises an interrupt, waits until it has been served, works for a
//   while and raises the next; three times.  The controller keeps one pending bit
//   for each device and tells the processor by an event.  The processor reads the
//   pending register, then clears it by a second access over a slow bus, and then
//   serves what it read, lowest bit first.
//
// What must always be true
//   Each interrupt is served once and the run ends with all of them served: under
//   any order of the processes and any delays.  The processor looks at the register
//   before it waits, and clears only the bits that it has read.
//
// Seeded bugs
//   1  clear-all: the processor writes zero to the register, which wipes a bit that
//      was set between its read and its clear.  The device waits for ever.  At the
//      delays as written by order only: device 1 raises at 24 ns, when the register
//      is cleared.  Else also by timing.
//   2  wait without a look: the processor waits for the event even if a bit is
//      pending.  A later interrupt repairs that, but not for the last one.  At the
//      delays as written by order only: at the end, device 2 raises just when
//      the processor returns.  Else also by timing.
// ---------------------------------------------------------------------------
#include <systemc>

#ifndef BUG
#define BUG 0
#endif

using namespace sc_core;

constexpr int DEVICES = 3, INTERRUPTS = 3;

// Delays in ns
constexpr int READ_TO_CLEAR = 4, SERVICE = 6, SETTLE = 2;
constexpr int WORK[DEVICES][INTERRUPTS] = {{18, 50, 60}, {22, 45, 57}, {43, 47, 9}};

SC_MODULE(System) {
    unsigned pending = 0;             // the controller
    sc_event irq;
    bool     waiting[DEVICES] = {};   // the devices
    sc_event served[DEVICES];
    int      raised[DEVICES] = {}, count[DEVICES] = {};

    void raise(int id) {
        sc_assert(!(pending >> id & 1));
        pending |= 1u << id;
        irq.notify();
    }

    void device(int id) {
        for (int work : WORK[id]) {
            wait(work, SC_NS);
            wait(SETTLE, SC_NS);   // the interrupt line
            ++raised[id];
            waiting[id] = true;
            raise(id);
            while (waiting[id]) wait(served[id]);
        }
    }

    void serve(int id) {
        wait(SERVICE, SC_NS);
        ++count[id];
        sc_assert(count[id] == raised[id]);
        waiting[id] = false;
        served[id].notify();
    }

    void processor() {
        for (int total = 0; total < DEVICES * INTERRUPTS;) {
#if BUG == 2
            wait(irq);
#else
            while (!pending) wait(irq);
#endif
            unsigned bits = pending;
            wait(READ_TO_CLEAR, SC_NS);
            pending = BUG == 1 ? 0 : pending & ~bits;
            for (int id = 0; id < DEVICES; ++id)
                if (bits >> id & 1) serve(id), ++total;
        }
    }

    void device0() { device(0); }
    void device1() { device(1); }
    void device2() { device(2); }

    SC_CTOR(System) {
        SC_THREAD(processor);
        SC_THREAD(device0);
        SC_THREAD(device1);
        SC_THREAD(device2);
    }
};

int sc_main(int, char*[]) {
    System system("system");
    sc_start();
    for (int id = 0; id < DEVICES; ++id)
        if (system.count[id] != INTERRUPTS)
            SC_REPORT_ERROR("interrupts", ("device " + std::to_string(id) +
                                           " waits for ever").c_str());
    std::cout << "interrupts: " << INTERRUPTS << " served for each of " << DEVICES
              << " devices\n";
    return 0;
}
