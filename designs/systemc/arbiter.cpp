// arbiter: three masters share a bus
// ---------------------------------------------------------------------------
// What it models
//   Each master asks for the bus, waits for its grant, uses the bus and releases
//   it, three times.  Requests and grants are signals.  The arbiter is a method
//   sensitive to the requests.  It serves the masters in the order of their
//   arrival: a master that asks writes its number into the arrival queue, and
//   raises its request in the same step, so the arbiter, which runs one delta cycle
//   later, finds both.  A grant stays until the request falls.  One transfer takes
//   several delta cycles: request, grant, release, end of the grant.
//
// What must always be true (asserts)
//   At most one master uses the bus.  While a master waits, less than three grants
//   go to others.  All transfers get done.  This holds for any order of the
//   processes and any delays; who is first of two that ask at once may differ.
//
// Seeded bugs
//   1  two methods in one phase: `pick` writes the owner, an ordinary variable,
//      and `drive` makes the grants of it, both on a change of a request.  If drive
//      runs first, it repeats the old grant: a master that has left finds the bus
//      still granted when it comes back, and two use it.  By order only; the kernel
//      happens to run pick first.
//   2  mixed policies: when the bus is idle, the lowest number that asks is granted,
//      but the head of the queue removed.  That is the same unless two ask at once,
//      the higher number first: then its entry is gone, it starves.  By order only:
//      at 95 ns (master 1 before master 0); with other delays, where two ask at once.
// ---------------------------------------------------------------------------
#include <systemc>

#ifndef BUG
#define BUG 0
#endif

using namespace sc_core;

constexpr int MASTERS = 3, TRANSFERS = 3, NONE = -1;
constexpr int THINK[MASTERS][TRANSFERS] = {{10, 25, 46}, {12, 30, 30}, {20, 16, 6}};   // ns
constexpr int USE[MASTERS] = {7, 9, 5};                                                 // ns

SC_MODULE(System) {
    sc_signal<bool> request[MASTERS], grant[MASTERS];
    int queue[MASTERS * TRANSFERS], head = 0, tail = 0;   // numbers in order of arrival
    int owner = NONE;
    int passed_over[MASTERS] = {};                        // for the check of fairness
    int users = 0, transfers[MASTERS] = {};

    void master(int id) {
        for (int think : THINK[id]) {
            wait(think, SC_NS);
            queue[tail++] = id;
            request[id].write(true);
            while (!grant[id].read()) wait(grant[id].posedge_event());

            ++users;
            sc_assert(users == 1);
            wait(USE[id], SC_NS);
            --users;
            ++transfers[id];
            request[id].write(false);
        }
    }

    void pick() {
        bool idle = owner == NONE;
        if (owner != NONE && !request[owner].read()) owner = NONE;
        if (owner != NONE || head == tail) return;
        int next = queue[head];
        if (BUG == 2 && idle)
            for (next = 0; next < MASTERS - 1 && !request[next].read();) ++next;
        if (!request[next].read()) return;   // it has just arrived; wait for its request
        owner = next;
        ++head;
        passed_over[owner] = 0;
        for (int id = 0; id < MASTERS; ++id) {
            if (id != owner && request[id].read()) ++passed_over[id];
            sc_assert(passed_over[id] < MASTERS);
        }
    }

    void drive() {
        for (int id = 0; id < MASTERS; ++id) grant[id].write(id == owner);
    }

    void arbitrate() {
        pick();
        drive();
    }

    void master0() { master(0); }
    void master1() { master(1); }
    void master2() { master(2); }

    SC_CTOR(System) {
        SC_THREAD(master0);
        SC_THREAD(master1);
        SC_THREAD(master2);
#if BUG == 1
        SC_METHOD(drive);
        for (auto& line : request) sensitive << line;
        dont_initialize();
        SC_METHOD(pick);
#else
        SC_METHOD(arbitrate);
#endif
        for (auto& line : request) sensitive << line;
        dont_initialize();
    }
};

int sc_main(int, char*[]) {
    System system("system");
    sc_start();
    for (int id = 0; id < MASTERS; ++id)
        if (system.transfers[id] != TRANSFERS)
            SC_REPORT_ERROR("arbiter", ("master " + std::to_string(id) +
                                        " waits for ever").c_str());
    std::cout << "arbiter: " << TRANSFERS << " transfers of each of " << MASTERS
              << " masters\n";
    return 0;
}
