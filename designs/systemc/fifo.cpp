// fifo: producers and a consumer, over a bounded buffer and an sc_fifo
// ---------------------------------------------------------------------------
// What it models
//   Two producers put numbered items into a bounded buffer of two places, made of
//   an sc_mutex and two sc_events, as a driver or a piece of embedded software
//   would do it.  Putting and getting take time, with the mutex held.  A consumer
//   gets the items, works on them, and sends them on by an sc_fifo to a collector.
//
// What must always be true
//   The buffer never holds more than two items, nor gives one when it is empty
//   (asserts); the collector gets all items, those of each producer in order.  This
//   holds for any order of the processes and any delays: who waits for a place
//   looks again after the wait, since another may have been faster.
//
// Seeded bugs
//   1  `if` for `while` around the wait in put().  At 41 ns (and at 137 ns) the
//      consumer frees a place, for which producer A waits, and unlocks the mutex,
//      for which producer B waits.  If B is faster, A puts a third item.  At the
//      delays as written by order only, else also by timing.
// ---------------------------------------------------------------------------
#include <systemc>

#ifndef BUG
#define BUG 0
#endif

using namespace sc_core;

constexpr int PLACES = 2;

// Delays in ns
constexpr int COPY = 2, CONSUME = 30, COLLECT = 3;
constexpr int PAUSE_A[] = {5, 3, 3, 3, 57, 3, 45, 3};   // before each item
constexpr int PAUSE_B[] = {40, 61};
constexpr int ITEMS_A = 8, ITEMS_B = 2, ITEMS = ITEMS_A + ITEMS_B;

class Buffer {
    sc_mutex mutex;
    sc_event not_full, not_empty;
    int      item[PLACES] = {}, first = 0, count = 0;

public:
    void put(int value) {
        mutex.lock();
#if BUG == 1
        if (count == PLACES) {
#else
        while (count == PLACES) {
#endif
            mutex.unlock();
            wait(not_full);
            mutex.lock();
        }
        wait(COPY, SC_NS);
        sc_assert(count < PLACES);
        item[(first + count) % PLACES] = value;
        ++count;
        not_empty.notify();
        mutex.unlock();
    }

    int get() {
        mutex.lock();
        while (count == 0) {
            mutex.unlock();
            wait(not_empty);
            mutex.lock();
        }
        wait(COPY, SC_NS);
        sc_assert(count > 0);
        int value = item[first];
        first = (first + 1) % PLACES;
        --count;
        not_full.notify();
        mutex.unlock();
        return value;
    }
};

SC_MODULE(System) {
    Buffer       buffer;
    sc_fifo<int> results;
    int          collected_a = 0, collected_b = 0;

    void producer_a() {
        for (int i = 0; i < ITEMS_A; ++i) {
            wait(PAUSE_A[i], SC_NS);
            buffer.put(i);
        }
    }

    void producer_b() {
        for (int i = 0; i < ITEMS_B; ++i) {
            wait(PAUSE_B[i], SC_NS);
            buffer.put(100 + i);
        }
    }

    void consumer() {
        for (int i = 0; i < ITEMS; ++i) {
            int value = buffer.get();
            wait(CONSUME, SC_NS);
            results.write(value);
        }
    }

    void collector() {
        for (int i = 0; i < ITEMS; ++i) {
            int value = results.read();
            int& next = value < 100 ? collected_a : collected_b;
            if (value % 100 != next) SC_REPORT_ERROR("fifo", "items lost or out of order");
            ++next;
            wait(COLLECT, SC_NS);
        }
    }

    SC_CTOR(System) : results("results", 2) {
        SC_THREAD(producer_a);
        SC_THREAD(producer_b);
        SC_THREAD(consumer);
        SC_THREAD(collector);
    }
};

int sc_main(int, char*[]) {
    System system("system");
    sc_start();
    if (system.collected_a != ITEMS_A || system.collected_b != ITEMS_B)
        SC_REPORT_ERROR("fifo", "items missing at the end");
    std::cout << "fifo: " << ITEMS << " items, those of each producer in order\n";
    return 0;
}
