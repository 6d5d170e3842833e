// A producer and two consumers over one fifo: which consumer gets which item depends on the schedule, their sum
// does not.
#include <systemc.h>

SC_MODULE(Top) {
    sc_fifo<int> fifo;
    int sum = 0;

    SC_CTOR(Top) : fifo(1) {
        SC_THREAD(produce);
        SC_THREAD(consume_left);
        SC_THREAD(consume_right);
    }

    void produce() {
        for (int i = 1; i <= 2; i++) fifo.write(i);
    }
    void consume_left() { sum += fifo.read(); }
    void consume_right() { sum += fifo.read(); }
};

int sc_main(int, char**) {
    Top top("top");
    sc_start();
    std::cout << "sum " << top.sum << std::endl;
    return 0;
}
