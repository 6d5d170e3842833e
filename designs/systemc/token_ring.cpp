// token_ring: stations that pass a token, and a watchdog that replaces a lost one
// ---------------------------------------------------------------------------
// What it models
//   Four stations in a ring.  A station that has the token holds it for a while
//   (it may send), then passes it on.  Once, station 2 fails and drops the token.
//   A watchdog looks at station 0 at regular dates: if the token has not been there
//   since it looked last, it puts a new one in.  The run ends after three laps.
//
// What must always be true
//   At most one station holds a token (assert), and the ring completes its laps
//   with one token lost and one replaced: under any order of the processes, and
//   with all delays changed by up to 50 %, since the watchdog's period is four laps
//   (at worst two, against a lap of one and a half).
//
// Seeded bugs
//   1  impatient watchdog: its period is one lap, so it looks at just the dates at
//      which the token comes to station 0.  If the station comes first at one such
//      date, and the watchdog at the next, then there was no visit in between for
//      the watchdog, and it puts in a second token.  By order (the kernel keeps to
//      one order, and shows nothing) or by timing.
// ---------------------------------------------------------------------------
#include <systemc>

#ifndef BUG
#define BUG 0
#endif

using namespace sc_core;

constexpr int STATIONS = 4, LAPS = 3;
constexpr int HOLD[STATIONS] = {9, 14, 6, 11};   // ns
constexpr int LAP = 9 + 14 + 6 + 11;
constexpr int PERIOD = BUG == 1 ? LAP : 4 * LAP;

SC_MODULE(Ring) {
    int      tokens[STATIONS] = {};   // tokens that have come to this station
    sc_event arrived[STATIONS];
    bool     visited = false;         // the token has been at station 0
    bool     finished = false;
    int      holders = 0, laps = 0, lost = 0, replaced = 0;

    void pass_to(int station) {
        ++tokens[station];
        arrived[station].notify();
    }

    void station(int id) {
        int visits = 0;
        while (true) {
            while (tokens[id] == 0 && !finished) wait(arrived[id]);
            if (finished) return;
            --tokens[id];
            if (id == 0) visited = true;
            ++visits;

            ++holders;
            sc_assert(holders == 1);
            wait(HOLD[id], SC_NS);
            --holders;

            if (id == 2 && visits == 2) {
                ++lost;
            } else if (id == STATIONS - 1 && ++laps == LAPS) {
                finished = true;
                for (auto& event : arrived) event.notify();
            } else {
                pass_to((id + 1) % STATIONS);
            }
        }
    }

    void watchdog() {
        while (!finished) {
            wait(PERIOD, SC_NS);
            if (!visited && !finished) {
                ++replaced;
                pass_to(0);
            }
            visited = false;
        }
    }

    void station0() { station(0); }
    void station1() { station(1); }
    void station2() { station(2); }
    void station3() { station(3); }

    SC_CTOR(Ring) {
        tokens[0] = 1;
        SC_THREAD(station0);
        SC_THREAD(station1);
        SC_THREAD(station2);
        SC_THREAD(station3);
        SC_THREAD(watchdog);
    }
};

int sc_main(int, char*[]) {
    Ring ring("ring");
    sc_start();
    if (ring.laps != LAPS) SC_REPORT_ERROR("token_ring", "the token is gone");
    if (ring.lost != 1 || ring.replaced != 1)
        SC_REPORT_ERROR("token_ring", "a token replaced that was not lost");
    std::cout << "token_ring: " << ring.laps << " laps, one token lost and replaced\n";
    return 0;
}
