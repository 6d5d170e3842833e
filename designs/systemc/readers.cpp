// readers: one writer, N readers, no order among them
// ---------------------------------------------------------------------------
// What it models
//   The writer sets x; reader i copies x into r[i].  All are ready at time 0,
//   in one evaluation phase.  A standard measure for partial-order reduction:
//   (N+1)! schedules, but a reader only differs by coming before or after the
//   writer, so there are 2^N classes, each with its own outcome.
//
// Macro
//   N    number of readers (default 5)
//
// Outcome: the values read, r[0] first.  No outcome is an error.
// ---------------------------------------------------------------------------
#ifndef N
#define N 5
#endif
constexpr int READERS = N;
#undef N   // the SystemC headers use this name themselves

#define SC_INCLUDE_DYNAMIC_PROCESSES   // sc_spawn
#include <systemc>

using namespace sc_core;

SC_MODULE(Readers) {
    int x = 0;
    int r[READERS] = {};

    void writer() { x = 1; }
    void reader(int i) { r[i] = x; }

    SC_CTOR(Readers) {
        sc_spawn([this] { writer(); }, "writer");
        for (int i = 0; i < READERS; ++i)
            sc_spawn([this, i] { reader(i); }, ("reader" + std::to_string(i)).c_str());
    }
};

int sc_main(int, char*[]) {
    Readers top("top");
    sc_start();
    std::cout << "readers: ";
    for (int value : top.r) std::cout << value;
    std::cout << "\n";
    return 0;
}
