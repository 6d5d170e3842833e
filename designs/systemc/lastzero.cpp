// lastzero: searching an array for its last zero while others fill it
// ---------------------------------------------------------------------------
// What it models
//   a[0..N] starts as all zeros.  Thread j = 1..N reads a[j-1] and later writes
//   a[j] = a[j-1] + 1.  Thread 0 goes from a[N] downwards to the first zero it
//   meets; a[0] stays zero, so it always ends.  Every access comes after a delay
//   of 1 to 199 ns, so any order of the accesses is possible.  A standard measure
//   for partial-order reduction: 2^(N-2) * (N+3) classes.
//
// Macro
//   N    number of writing threads (default 4)
//
// Outcome: the index found, and the array at the end.  No outcome is an error.
// ---------------------------------------------------------------------------
#ifndef N
#define N 4
#endif
constexpr int LAST = N;
#undef N   // the SystemC headers use this name themselves

#define SC_INCLUDE_DYNAMIC_PROCESSES   // sc_spawn
#include <systemc>
#include "entail_systemc.h"

using namespace sc_core;

SC_MODULE(LastZero) {
    int a[LAST + 1] = {};
    int found = -1;

    void search() {
        for (int i = LAST; i >= 0; --i) {
            lwait(100, 99);
            if (a[i] == 0) {
                found = i;
                return;
            }
        }
    }

    void fill(int j) {
        lwait(100, 99);
        int before = a[j - 1];
        lwait(100, 99);
        a[j] = before + 1;
    }

    SC_CTOR(LastZero) {
        sc_spawn([this] { search(); }, "search");
        for (int j = 1; j <= LAST; ++j)
            sc_spawn([this, j] { fill(j); }, ("fill" + std::to_string(j)).c_str());
    }
};

int sc_main(int, char*[]) {
    LastZero top("top");
    sc_start();
    std::cout << "lastzero: found " << top.found << " in ";
    for (int value : top.a) std::cout << value;
    std::cout << "\n";
    return 0;
}
