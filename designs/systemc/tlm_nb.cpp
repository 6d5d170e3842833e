// tlm_nb: two initiators and a memory that answers later, TLM-2.0 non-blocking
// ---------------------------------------------------------------------------
// What it models
//   Each initiator sends a request by nb_transport_fw (BEGIN_REQ), goes on with
//   other work, and then waits for the response.  The memory queues the requests
//   of both, serves one at a time, and sends the response by nb_transport_bw
//   (BEGIN_RESP), which the initiator completes at once.  Each initiator writes a
//   word and reads it back, twice.
//
// What must always be true
//   Each request gets its response and each word is read as it was written: for any
//   order of the processes and any delays.  The response sets a flag, which stays
//   until the initiator has seen it.
//
// Seeded bugs
//   1  the initiator waits for the event of the response without a look at the flag.
//      If the response comes while it is still at its other work, then it waits for
//      ever.  At the delays as written by order only: at 108 ns initiator 1 ends its
//      work just when its response comes.  Else also by timing.
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
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

constexpr int INITIATORS = 2, REQUESTS = 4;   // write, read, write, read

// Delays in ns
constexpr int LATENCY = 8;
constexpr int THINK[INITIATORS][REQUESTS] = {{10, 12, 14, 20}, {10, 15, 19, 24}};
constexpr int OTHER_WORK[INITIATORS][REQUESTS] = {{3, 5, 4, 3}, {4, 3, 5, 8}};

SC_MODULE(Memory) {
    tlm_utils::simple_target_socket_tagged<Memory> port0, port1;
    tlm_generic_payload* queue[INITIATORS * REQUESTS] = {};
    int                  from[INITIATORS * REQUESTS] = {}, head = 0, tail = 0;
    sc_event             queued;
    uint32_t             word[INITIATORS] = {};

    tlm_sync_enum nb_transport_fw(int id, tlm_generic_payload& trans, tlm_phase& phase, sc_time&) {
        if (phase != tlm::BEGIN_REQ) SC_REPORT_ERROR("memory", "unexpected phase");
        queue[tail] = &trans;
        from[tail++] = id;
        queued.notify();
        return tlm::TLM_ACCEPTED;
    }

    void serve() {
        while (head < INITIATORS * REQUESTS) {
            while (head == tail) wait(queued);
            tlm_generic_payload& trans = *queue[head];
            int                  id = from[head++];
            wait(LATENCY, SC_NS);

            uint32_t& cell = word[trans.get_address() / 4];
            uint32_t& data = *reinterpret_cast<uint32_t*>(trans.get_data_ptr());
            (trans.is_write() ? cell : data) = trans.is_write() ? data : cell;
            trans.set_response_status(tlm::TLM_OK_RESPONSE);
            tlm_phase phase = tlm::BEGIN_RESP;
            sc_time   delay = SC_ZERO_TIME;
            auto&     port = id == 0 ? port0 : port1;
            if (port->nb_transport_bw(trans, phase, delay) != tlm::TLM_COMPLETED)
                SC_REPORT_ERROR("memory", "response not completed");
        }
    }

    SC_CTOR(Memory) : port0("port0"), port1("port1") {
        port0.register_nb_transport_fw(this, &Memory::nb_transport_fw, 0);
        port1.register_nb_transport_fw(this, &Memory::nb_transport_fw, 1);
        SC_THREAD(serve);
    }
};

SC_MODULE(Initiator) {
    tlm_utils::simple_initiator_socket<Initiator> socket;
    const int id;
    bool      responded = false;
    sc_event  response;
    int       done = 0;

    tlm_sync_enum nb_transport_bw(tlm_generic_payload& trans, tlm_phase& phase, sc_time&) {
        if (phase != tlm::BEGIN_RESP || trans.is_response_error())
            SC_REPORT_ERROR("initiator", "unexpected phase or error response");
        responded = true;
        response.notify();
        return tlm::TLM_COMPLETED;
    }

    void run() {
        uint32_t written = 0;
        for (int i = 0; i < REQUESTS; ++i) {
            wait(THINK[id][i], SC_NS);
            bool                is_write = i % 2 == 0;
            uint32_t            data = is_write ? 100 * (id + 1) + i : 0;
            tlm_generic_payload trans;
            trans.set_command(is_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
            trans.set_address(4 * id);
            trans.set_data_ptr(reinterpret_cast<unsigned char*>(&data));
            trans.set_data_length(4);
            trans.set_streaming_width(4);
            tlm_phase phase = tlm::BEGIN_REQ;
            sc_time   delay = SC_ZERO_TIME;
            responded = false;
            socket->nb_transport_fw(trans, phase, delay);

            wait(OTHER_WORK[id][i], SC_NS);
#if BUG == 1
            wait(response);
#else
            while (!responded) wait(response);
#endif
            if (is_write) written = data;
            else if (data != written) SC_REPORT_ERROR("initiator", "wrong data read");
            ++done;
        }
    }

    SC_HAS_PROCESS(Initiator);
    Initiator(sc_module_name name, int id) : sc_module(name), socket("socket"), id(id) {
        socket.register_nb_transport_bw(this, &Initiator::nb_transport_bw);
        SC_THREAD(run);
    }
};

int sc_main(int, char*[]) {
    Initiator initiator0("initiator0", 0), initiator1("initiator1", 1);
    Memory    memory("memory");
    initiator0.socket.bind(memory.port0);
    initiator1.socket.bind(memory.port1);
    sc_start();
    if (initiator0.done != REQUESTS || initiator1.done != REQUESTS)
        SC_REPORT_ERROR("tlm_nb", "an initiator waits for ever");
    std::cout << "tlm_nb: " << INITIATORS * REQUESTS << " requests answered, data right\n";
    return 0;
}
