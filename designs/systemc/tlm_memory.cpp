// tlm_memory: two initiators share a counter block in memory, TLM-2.0
// ---------------------------------------------------------------------------
// What it models
//   Two loosely-timed initiators reach two memories over an interconnect by
//   b_transport; each access adds to its annotated delay, which the initiator then
//   spends by wait(delay).  Memory 0 has a semaphore word, memory 1 a block of
//   data.  Each initiator, three times: takes the semaphore, reads the block word
//   by word, works, writes back each word plus one, and releases the semaphore.
//   The semaphore has two addresses: a read at TEST_AND_SET gives the old value and
//   sets it to one, in the same transport call; PLAIN is an ordinary word.
//
// What must always be true
//   At most one initiator is inside (assert), so that no update is lost: at the end
//   each word of the block is six.  For any order of the processes and any delays.
//
// Seeded bugs
//   1  test and set in two transports: a PLAIN read, and then, after the time of
//      that read, a PLAIN write.  Two initiators may both read zero.  At the delays
//      as written by order only: at 14 ns initiator 0 writes just when
//      initiator 1 reads.  Else also by timing.
// ---------------------------------------------------------------------------
#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#ifndef BUG
#define BUG 0
#endif

using namespace sc_core;
using tlm::tlm_generic_payload;

constexpr int INITIATORS = 2, MEMORIES = 2, ROUNDS = 3, WORDS = 3;

// Byte addresses; each memory has a window
constexpr uint64_t WINDOW = 0x1000, PLAIN = 0x0, TEST_AND_SET = 0x100, BLOCK = WINDOW;

// Delays in ns
constexpr int ROUTE = 1, ACCESS[MEMORIES] = {3, 4};
constexpr int THINK[INITIATORS][ROUNDS] = {{7, 35, 48}, {11, 30, 57}};
constexpr int ISSUE = 3, WORK = 5, RETRY = 12;

SC_MODULE(Memory) {
    tlm_utils::simple_target_socket<Memory> socket;
    const int access;
    uint32_t  word[16] = {};

    void b_transport(tlm_generic_payload& trans, sc_time& delay) {
        uint64_t  address = trans.get_address();
        uint32_t* data = reinterpret_cast<uint32_t*>(trans.get_data_ptr());
        if (trans.get_data_length() != 4 || address % 4 || address % TEST_AND_SET >= sizeof word) {
            trans.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
            return;
        }
        uint32_t& cell = word[address % TEST_AND_SET / 4];
        if (trans.is_write()) {
            cell = *data;
        } else {
            *data = cell;
            if (address >= TEST_AND_SET) cell = 1;
        }
        delay += sc_time(access, SC_NS);
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }

    SC_HAS_PROCESS(Memory);
    Memory(sc_module_name name, int access) : sc_module(name), socket("socket"), access(access) {
        socket.register_b_transport(this, &Memory::b_transport);
    }
};

SC_MODULE(Interconnect) {
    tlm_utils::simple_target_socket<Interconnect>    from0, from1;
    tlm_utils::simple_initiator_socket<Interconnect> to0, to1;

    void b_transport(tlm_generic_payload& trans, sc_time& delay) {
        uint64_t address = trans.get_address();
        trans.set_address(address % WINDOW);
        delay += sc_time(ROUTE, SC_NS);
        if (address < WINDOW) to0->b_transport(trans, delay);
        else                  to1->b_transport(trans, delay);
        trans.set_address(address);
    }

    SC_CTOR(Interconnect) : from0("from0"), from1("from1"), to0("to0"), to1("to1") {
        from0.register_b_transport(this, &Interconnect::b_transport);
        from1.register_b_transport(this, &Interconnect::b_transport);
    }
};

int inside = 0;   // initiators that have the semaphore, for the check

SC_MODULE(Initiator) {
    tlm_utils::simple_initiator_socket<Initiator> socket;
    const int id;
    int       rounds = 0;

    uint32_t transport(tlm::tlm_command command, uint64_t address, uint32_t value = 0) {
        tlm_generic_payload trans;
        sc_time             delay = SC_ZERO_TIME;
        trans.set_command(command);
        trans.set_address(address);
        trans.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
        trans.set_data_length(4);
        trans.set_streaming_width(4);
        socket->b_transport(trans, delay);
        if (trans.is_response_error()) SC_REPORT_ERROR("initiator", "bus error");
        wait(delay);
        return value;
    }
    uint32_t read(uint64_t address) { return transport(tlm::TLM_READ_COMMAND, address); }
    void     write(uint64_t address, uint32_t v) { transport(tlm::TLM_WRITE_COMMAND, address, v); }

    bool take() {
#if BUG == 1
        if (read(PLAIN) != 0) return false;
        write(PLAIN, 1);
        return true;
#else
        return read(TEST_AND_SET) == 0;
#endif
    }

    void run() {
        for (rounds = 0; rounds < ROUNDS; ++rounds) {
            wait(THINK[id][rounds], SC_NS);
            wait(ISSUE, SC_NS);
            while (!take()) wait(RETRY, SC_NS);
            ++inside;
            sc_assert(inside == 1);
            uint32_t copy[WORDS];
            for (int i = 0; i < WORDS; ++i) copy[i] = read(BLOCK + 4 * i);
            wait(WORK, SC_NS);
            for (int i = 0; i < WORDS; ++i) write(BLOCK + 4 * i, copy[i] + 1);
            --inside;
            write(PLAIN, 0);
        }
    }

    SC_HAS_PROCESS(Initiator);
    Initiator(sc_module_name name, int id) : sc_module(name), socket("socket"), id(id) {
        SC_THREAD(run);
    }
};

int sc_main(int, char*[]) {
    Initiator    initiator0("initiator0", 0), initiator1("initiator1", 1);
    Interconnect interconnect("interconnect");
    Memory       memory0("memory0", ACCESS[0]), memory1("memory1", ACCESS[1]);
    initiator0.socket.bind(interconnect.from0);
    initiator1.socket.bind(interconnect.from1);
    interconnect.to0.bind(memory0.socket);
    interconnect.to1.bind(memory1.socket);
    sc_start();

    if (initiator0.rounds != ROUNDS || initiator1.rounds != ROUNDS)
        SC_REPORT_ERROR("tlm_memory", "an initiator did not finish");
    for (int i = 0; i < WORDS; ++i)
        if (memory1.word[i] != INITIATORS * ROUNDS) SC_REPORT_ERROR("tlm_memory", "lost update");
    std::cout << "tlm_memory: " << WORDS << " words, each updated " << memory1.word[0]
              << " times\n";
    return 0;
}
