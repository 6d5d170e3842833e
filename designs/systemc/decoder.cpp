// decoder: an MPEG-like decoder system
// ---------------------------------------------------------------------------
// What it models
//   The system of the case study in Helmstetter, Maraninchi and Maillet-Contoz,
//   "Test Coverage for Loose Timing Annotations" (FMICS 2006), in small: a master,
//   a decoder, a display, a memory and a bus.  Bus and memory are passive: they
//   run in the process that calls them.  Four processes:
//     master.run           loads the coded images, programs the two devices
//     decoder.fetch        reads a coded block from memory into a latch
//     decoder.reconstruct  takes it from the latch, writes the pixels to memory
//     display.scan         copies a decoded frame, row by row, to the screen
//   Two stream buffers and two frame buffers: while image n is decoded, image n+1
//   is loaded and image n-1 is shown.  The test stops after the third image.
//   A run is 164 process transitions in the kernel's order, 159 to 165 in others.
//
// What must always be true
//   The screen shows the three pictures that were coded, pixel by pixel, under any
//   order of the processes and with every delay changed by up to 50 %.  Every event
//   goes with a flag that stays set until it is seen.
//
// Where the order matters, at the delays as written (7 places, 2 orders each, so
// 128 classes): five intra blocks take just as long to fetch as a block takes to
// reconstruct; and twice the blanking of the display ends when a frame is handed
// to it.  The good design gives the same pictures in all of them.
//
// Seeded bugs
//   1  lost notification: the display waits for its event without looking at the
//      flag.  It sleeps for ever if the master hands over a frame before it waits:
//      at the delays as written by order only (master before display at 534 or
//      714 ns), else also by timing.
//   2  register changed too early: the master sets the decoder's destination for
//      the next image when the next stream is loaded, and not after the decoder is
//      done.  Nominally the decoder reads it last 141 ns after its start, and the
//      master writes it after 174 ns; delays must be off by more than 10 % (33 of
//      315 ns) for the last block to go to the wrong frame.  No order shows it.
// ---------------------------------------------------------------------------
#include <systemc>

#ifndef BUG
#define BUG 0
#endif

using namespace sc_core;

constexpr int IMAGES = 3, BLOCKS = 8, BLOCK_PIXELS = 4, ROW_PIXELS = 2;
constexpr int PIXELS = BLOCKS * BLOCK_PIXELS, ROWS = PIXELS / ROW_PIXELS;

// Delays in ns
constexpr int BURST = 87;                          // master: load half a stream
constexpr int PROGRAM = 6;                         // master: driver software
constexpr int HEADER = 2, INTRA = 15, INTER = 3;   // fetch: header, then the payload
constexpr int COMPUTE = 17;                        // reconstruct: one block
constexpr int ROW = 10, BLANK = 20;                // display: 16 rows, then blanking

// Address map, in words
constexpr unsigned MEMORY = 0x0000, DECODER = 0x1000, DISPLAY = 0x2000, WINDOW = 0x1000;
constexpr unsigned stream_buffer(int image) { return MEMORY + 0x100 * (image % 2); }
constexpr unsigned frame_buffer(int image) { return MEMORY + 0x400 + 0x100 * (image % 2); }
enum DecoderRegister { SRC, DST, START, DONE };
enum DisplayRegister { FRAME, SHOW };

// The pictures, and how they are coded: a header and a payload for each block.
// An intra block has its four pixels as they are, an inter block a start and a step.
unsigned picture(int image, int pixel) {
    int block = pixel / BLOCK_PIXELS, k = pixel % BLOCK_PIXELS;
    return 40 * image + 7 * block + (image + block % 3 + 1) * k;
}
bool is_intra(int image, int block) {
    return block == 4 || (image == 1 && block == 6) || (image == 2 && block == 7);
}
unsigned coded_header(int image, int block) {
    return is_intra(image, block) << 8 | picture(image, block * BLOCK_PIXELS);
}
unsigned coded_payload(int image, int block) {
    unsigned p[BLOCK_PIXELS];
    for (int k = 0; k < BLOCK_PIXELS; ++k) p[k] = picture(image, block * BLOCK_PIXELS + k);
    return is_intra(image, block) ? p[0] | p[1] << 8 | p[2] << 16 | p[3] << 24 : p[1] - p[0];
}

struct TransportIf : sc_interface {
    virtual void     write(unsigned address, unsigned data) = 0;
    virtual unsigned read(unsigned address) = 0;
};

SC_MODULE(Memory), TransportIf {
    unsigned words[0x800] = {};
    void     write(unsigned address, unsigned data) override { words[address] = data; }
    unsigned read(unsigned address) override { return words[address]; }
    SC_CTOR(Memory) {}
};

SC_MODULE(Bus), TransportIf {
    sc_port<TransportIf> slave[3];   // memory, decoder, display
    TransportIf& select(unsigned address) {
        if (address >= 3 * WINDOW) SC_REPORT_ERROR("bus", "no such address");
        return *slave[address / WINDOW].operator->();
    }
    void write(unsigned address, unsigned data) override {
        select(address).write(address % WINDOW, data);
    }
    unsigned read(unsigned address) override { return select(address).read(address % WINDOW); }
    SC_CTOR(Bus) {}
};

// The registers of a device; a write to one of them, the command, tells the device.
template <unsigned COMMAND>
struct Registers : TransportIf {
    unsigned reg[4] = {};
    sc_event commanded;
    void write(unsigned address, unsigned data) override {
        reg[address] = data;
        if (address == COMMAND) commanded.notify();
    }
    unsigned read(unsigned address) override { return reg[address]; }
};

SC_MODULE(Decoder), Registers<START> {
    sc_port<TransportIf> bus;
    sc_event irq;
    bool     full = false;           // the latch between the two processes
    unsigned header = 0, payload = 0;
    sc_event filled, emptied;

    void fetch() {
        for (int image = 0; image < IMAGES; ++image) {
            while (!reg[START]) wait(commanded);
            reg[START] = 0;
            for (int block = 0; block < BLOCKS; ++block) {
                unsigned from = reg[SRC] + 2 * block;
                wait(HEADER, SC_NS);
                unsigned h = bus->read(from);
                wait(h >> 8 ? INTRA : INTER, SC_NS);
                unsigned p = bus->read(from + 1);
                while (full) wait(emptied);
                header = h, payload = p, full = true;
                filled.notify();
            }
        }
    }

    void reconstruct() {
        for (int image = 0; image < IMAGES; ++image) {
            for (int block = 0; block < BLOCKS; ++block) {
                while (!full) wait(filled);
                unsigned h = header, p = payload;
                full = false;
                emptied.notify();
                wait(COMPUTE, SC_NS);
                for (int k = 0; k < BLOCK_PIXELS; ++k)
                    bus->write(reg[DST] + block * BLOCK_PIXELS + k,
                               h >> 8 ? p >> (8 * k) & 0xff : (h & 0xff) + k * p);
            }
            reg[DONE] = 1;
            irq.notify();
        }
    }

    SC_CTOR(Decoder) {
        SC_THREAD(fetch);
        SC_THREAD(reconstruct);
    }
};

SC_MODULE(Display), Registers<SHOW> {   // SHOW stays set until the frame is on the screen
    sc_port<TransportIf> bus;
    sc_event idle;
    unsigned screen[IMAGES][PIXELS] = {};
    int      shown = 0;

    void scan() {
        for (shown = 0; shown < IMAGES;) {
#if BUG == 1
            wait(commanded);
#else
            while (!reg[SHOW]) wait(commanded);
#endif
            for (int row = 0; row < ROWS; ++row) {
                wait(ROW, SC_NS);
                for (int i = row * ROW_PIXELS; i < (row + 1) * ROW_PIXELS; ++i)
                    screen[shown][i] = bus->read(reg[FRAME] + i);
            }
            ++shown;
            reg[SHOW] = 0;
            idle.notify();
            wait(BLANK, SC_NS);
        }
    }

    SC_CTOR(Display) { SC_THREAD(scan); }
};

SC_MODULE(Master) {
    sc_port<TransportIf> bus;
    sc_event &decoder_irq, &display_idle;

    void load(int image) {           // two bursts of half a stream each
        for (int block = 0; block < BLOCKS; ++block) {
            if (block % (BLOCKS / 2) == 0) wait(BURST, SC_NS);
            bus->write(stream_buffer(image) + 2 * block, coded_header(image, block));
            bus->write(stream_buffer(image) + 2 * block + 1, coded_payload(image, block));
        }
    }

    void run() {
        load(0);
        bus->write(DECODER + DST, frame_buffer(0));
        for (int image = 0; image < IMAGES; ++image) {
            bus->write(DECODER + SRC, stream_buffer(image));
            bus->write(DECODER + START, 1);
            load(image + 1);
            if (BUG == 2) bus->write(DECODER + DST, frame_buffer(image + 1));
            wait(PROGRAM, SC_NS);
            while (!bus->read(DECODER + DONE)) wait(decoder_irq);
            bus->write(DECODER + DONE, 0);
            if (BUG != 2) bus->write(DECODER + DST, frame_buffer(image + 1));
            while (bus->read(DISPLAY + SHOW)) wait(display_idle);
            bus->write(DISPLAY + FRAME, frame_buffer(image));
            bus->write(DISPLAY + SHOW, 1);
        }
    }

    SC_HAS_PROCESS(Master);
    Master(sc_module_name name, sc_event& irq, sc_event& idle)
        : sc_module(name), decoder_irq(irq), display_idle(idle) {
        SC_THREAD(run);
    }
};

int sc_main(int, char*[]) {
    Memory  memory("memory");
    Bus     bus("bus");
    Decoder decoder("decoder");
    Display display("display");
    Master  master("master", decoder.irq, display.idle);
    bus.slave[0](memory), bus.slave[1](decoder), bus.slave[2](display);
    decoder.bus(bus), display.bus(bus), master.bus(bus);
    sc_start();

    // The oracle
    if (display.shown != IMAGES) SC_REPORT_ERROR("oracle", "an image was never shown");
    int wrong = 0;
    for (int image = 0; image < IMAGES; ++image)
        for (int i = 0; i < PIXELS; ++i)
            if (display.screen[image][i] != picture(image, i)) ++wrong;
    if (wrong) SC_REPORT_ERROR("oracle", (std::to_string(wrong) + " wrong pixels").c_str());
    std::cout << "decoder: " << display.shown << " images shown, all pixels right\n";
    return 0;
}
