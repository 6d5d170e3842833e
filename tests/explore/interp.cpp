// An interpreter of small concurrent programs on the real SystemC kernel.
//
// It reads a program text (see program.rs for the grammar) from the file named by argv[1], or by the
// environment variable ENTAIL_PROGRAM, builds one thread or method process per section, simulates until
// nothing is left to do and prints one line with the whole final state. The same line is predicted by the
// reference interpreter of oracle.rs.
//
// Build: g++ -std=c++17 interp.cpp -lsystemc        (with -DENTAIL where entail_systemc.h declares lwait)
//
// The program is meant to be compiled with memory-access instrumentation, so what processes share must show
// as memory accesses to that thing alone: shared variables are plain ints, the state of a process lives in an
// object of its own, and the tables are only read once the simulation has started.
#ifndef SC_INCLUDE_DYNAMIC_PROCESSES
#define SC_INCLUDE_DYNAMIC_PROCESSES
#endif
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <systemc>
#include <utility>
#include <vector>
#ifdef ENTAIL
#include "entail_systemc.h"
#endif

using namespace sc_core;

enum Code {
    SET, ADD, READ, KEEP,
    NOTIFY, NOTIFY0, NOTIFYT, CANCEL,
    WAIT, WAITOR, WAITAND, DELAY, DELTA, WAITFOR, LOOSE,
    SIGWRITE, SIGREAD, SIGWAIT,
    PUT, GET, TRYPUT, TRYGET,
    LOCK, UNLOCK, TRYLOCK, ACQUIRE, POST, TRYACQUIRE,
    NEXT, NEXTT, NEXTFOR,
    SUSPEND, RESUME, DISABLE, ENABLE, KILL, RESET, FORK
};

static const char *const names[] = {
    "set", "add", "read", "keep",
    "notify", "notify0", "notifyt", "cancel",
    "wait", "waitor", "waitand", "delay", "delta", "waitfor", "loose",
    "sigwrite", "sigread", "sigwait",
    "put", "get", "tryput", "tryget",
    "lock", "unlock", "trylock", "acquire", "post", "tryacquire",
    "next", "nextt", "nextfor",
    "suspend", "resume", "disable", "enable", "kill", "reset", "fork"
};

struct Op {
    Code code;
    int a, b;
    int number; // among all of the program
};

// What a section of the text says about one process.
struct Section {
    bool method = false;
    bool child = false;        // a thread that another one makes
    int rounds = 1;            // thread: how often the list runs; method: activations that do something
    bool initialize = true;    // methods only
    char sense = '-';          // methods only: 'e' event, 's' signal, '-' nothing
    int sense_index = 0;
    std::vector<Op> ops;
};

// Two processes may write one signal in one evaluation phase: the last write wins. SC_MANY_WRITERS would
// report that as an error.
using Signal = sc_signal<int, SC_UNCHECKED_WRITERS>;

// Everything the processes share. The vectors are filled before the simulation and only read afterwards.
struct Shared {
    int x[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    int vars = 0;
    std::vector<std::unique_ptr<sc_event>> events;
    std::vector<std::unique_ptr<Signal>> signals;
    std::vector<std::unique_ptr<sc_fifo<int>>> fifos;
    std::vector<std::unique_ptr<sc_mutex>> mutexes;
    std::vector<std::unique_ptr<sc_semaphore>> semaphores;
    std::vector<sc_process_handle> handles;
    std::vector<struct Process *> processes;
};

#ifdef ENTAIL
// A wait of its own for each operation: delays are shared by all that go through one.
using LooseWait = void (*)(int, int);
template <int K> static __attribute__((noinline)) void loose_wait(int d, int slack) {
    asm volatile("" ::"i"(K)); // or all would be the same function
    lwait(d, slack, SC_NS);
}
template <int... K> static LooseWait loose_table(int k, std::integer_sequence<int, K...>) {
    static constexpr LooseWait all[] = {loose_wait<K>...};
    return all[k % sizeof...(K)];
}
static LooseWait loose_waits(int k) { return loose_table(k, std::make_integer_sequence<int, 64>()); }
#endif

struct Process : sc_module {
    SC_HAS_PROCESS(Process);

    const Section &section;
    Shared &shared;
    // The state of this process, touched by no other.
    int h = 1;
    int pc = 0;
    int round = 0;
    bool ended = false; // children only: nobody keeps a handle, so that they go when they end

    Process(sc_module_name name, const Section &s, Shared &sh) : sc_module(name), section(s), shared(sh) {
        if (s.method) {
            SC_METHOD(method);
            if (s.sense == 'e')
                sensitive << *sh.events[s.sense_index];
            if (s.sense == 's')
                sensitive << *sh.signals[s.sense_index];
            if (!s.initialize)
                dont_initialize();
        } else if (!s.child) {
            SC_THREAD(thread);
        }
        sh.handles.push_back(s.child ? sc_process_handle() : sc_get_last_created_process_handle());
        sh.processes.push_back(this);
    }

    void thread() {
        // A reset starts the body again: the accumulator survives it, the position does not.
        for (round = 0; round < section.rounds; round++)
            pass();
    }

    void method() {
        if (round == section.rounds)
            return;
        round++;
        pass();
    }

    void pass() {
        const int n = static_cast<int>(section.ops.size());
        for (pc = 0; pc < n; pc++)
            step(section.ops[pc]);
    }

    // Unsigned, so that wrapping is defined.
    void fold(int v) { h = static_cast<int>(static_cast<unsigned>(h) * 7u + static_cast<unsigned>(v)); }

    void loose(int d, int slack, int number) {
#ifdef ENTAIL
        loose_waits(number)(d, slack);
#else
        (void)slack, (void)number;
        wait(d, SC_NS);
#endif
    }

    void fork(Process *a, Process *b) {
        sc_join join;
        auto make = [&](Process *p) { join.add_process(sc_spawn([p] { p->thread(), p->ended = true; })); };
        make(a);
        if (b != a)
            make(b);
        join.wait();
    }

    void step(const Op &o) {
        Shared &s = shared;
        switch (o.code) {
        case SET: s.x[o.a] = o.b; break;
        case ADD:
            s.x[o.a] = static_cast<int>(static_cast<unsigned>(s.x[o.a]) + static_cast<unsigned>(s.x[o.b]) + 1u);
            break;
        case READ: fold(s.x[o.a]); break;
        case KEEP: s.x[o.a] = h, h = 1; break;
        case NOTIFY: s.events[o.a]->notify(); break;
        case NOTIFY0: s.events[o.a]->notify(SC_ZERO_TIME); break;
        case NOTIFYT: s.events[o.a]->notify(o.b, SC_NS); break;
        case CANCEL: s.events[o.a]->cancel(); break;
        case WAIT: wait(*s.events[o.a]); break;
        case WAITOR: wait(*s.events[o.a] | *s.events[o.b]); break;
        case WAITAND: wait(*s.events[o.a] & *s.events[o.b]); break;
        case DELAY: wait(o.a, SC_NS); break;
        case DELTA: wait(SC_ZERO_TIME); break;
        case WAITFOR:
            wait(o.b, SC_NS, *s.events[o.a]);
            fold(timed_out() ? 1 : 0);
            break;
        case LOOSE: loose(o.a, o.b, o.number); break;
        case SIGWRITE: s.signals[o.a]->write(o.b); break;
        case SIGREAD: fold(s.signals[o.a]->read()); break;
        case SIGWAIT: wait(s.signals[o.a]->value_changed_event()); break;
        case PUT: s.fifos[o.a]->write(o.b); break;
        case GET: fold(s.fifos[o.a]->read()); break;
        case TRYPUT: fold(s.fifos[o.a]->nb_write(o.b) ? 1 : 0); break;
        case TRYGET: {
            int v = 0;
            bool ok = s.fifos[o.a]->nb_read(v);
            fold(ok ? v : -1);
            break;
        }
        case LOCK: s.mutexes[o.a]->lock(); break;
        case UNLOCK: s.mutexes[o.a]->unlock(); break;
        case TRYLOCK: fold(s.mutexes[o.a]->trylock() == 0 ? 1 : 0); break;
        case ACQUIRE: s.semaphores[o.a]->wait(); break;
        case POST: s.semaphores[o.a]->post(); break;
        case TRYACQUIRE: fold(s.semaphores[o.a]->trywait() == 0 ? 1 : 0); break;
        case NEXT: next_trigger(*s.events[o.a]); break;
        case NEXTT: next_trigger(o.a, SC_NS); break;
        case NEXTFOR: next_trigger(o.b, SC_NS, *s.events[o.a]); break;
        case SUSPEND: s.handles[o.a].suspend(); break;
        case RESUME: s.handles[o.a].resume(); break;
        case DISABLE: s.handles[o.a].disable(); break;
        case ENABLE: s.handles[o.a].enable(); break;
        case KILL: s.handles[o.a].kill(); break;
        case RESET: s.handles[o.a].reset(); break;
        case FORK: fork(s.processes[o.a], s.processes[o.b]); break;
        }
    }
};

[[noreturn]] static void fail(const std::string &what) {
    std::fprintf(stderr, "interp: %s\n", what.c_str());
    std::exit(2);
}

static void build(const char *path, Shared &shared, std::vector<Section> &sections) {
    int number = 0;
    std::map<std::string, Code> codes;
    for (int i = 0; i <= FORK; i++)
        codes[names[i]] = static_cast<Code>(i);
    std::ifstream in(path);
    if (!in)
        fail(std::string("cannot read ") + path);
    std::string line;
    while (std::getline(in, line)) {
        std::istringstream words(line);
        std::string word;
        int n = 0;
        if (!(words >> word) || word[0] == '#' || word == "seed")
            continue;
        if (word == "vars") {
            words >> shared.vars;
            if (shared.vars > 8)
                fail("too many variables");
        } else if (word == "events") {
            words >> n;
            for (int i = 0; i < n; i++)
                shared.events.emplace_back(new sc_event(("e" + std::to_string(i)).c_str()));
        } else if (word == "signals") {
            words >> n;
            for (int i = 0; i < n; i++) {
                shared.signals.emplace_back(new Signal(("s" + std::to_string(i)).c_str(), 0));
                // The kernel makes this event on first use: use it now, before any process runs.
                shared.signals.back()->value_changed_event();
            }
        } else if (word == "fifos") {
            for (int i = 0; words >> n; i++)
                shared.fifos.emplace_back(new sc_fifo<int>(("f" + std::to_string(i)).c_str(), n));
        } else if (word == "mutexes") {
            words >> n;
            for (int i = 0; i < n; i++)
                shared.mutexes.emplace_back(new sc_mutex(("m" + std::to_string(i)).c_str()));
        } else if (word == "semaphores") {
            for (int i = 0; words >> n; i++)
                shared.semaphores.emplace_back(new sc_semaphore(("k" + std::to_string(i)).c_str(), n));
        } else if (word == "thread" || word == "child") {
            Section s;
            s.child = word == "child";
            words >> s.rounds;
            sections.push_back(s);
        } else if (word == "method") {
            Section s;
            std::string init, sense;
            words >> s.rounds >> init >> sense;
            s.method = true;
            s.initialize = init == "init";
            s.sense = sense.empty() ? '-' : sense[0];
            s.sense_index = sense.size() > 1 ? std::atoi(sense.c_str() + 1) : 0;
            sections.push_back(s);
        } else {
            auto it = codes.find(word);
            if (it == codes.end() || sections.empty())
                fail("unexpected line: " + line);
            Op o{it->second, 0, 0, number++};
            words >> o.a >> o.b;
            sections.back().ops.push_back(o);
        }
    }
}

// The kernel has no view of a mutex's owner; from outside all processes, trylock succeeds when it is free.
static void print(Shared &s, const std::vector<std::unique_ptr<Process>> &processes) {
    std::ostringstream out;
    out << "x=";
    for (int i = 0; i < s.vars; i++)
        out << (i ? "," : "") << s.x[i];
    out << " s=";
    for (size_t i = 0; i < s.signals.size(); i++)
        out << (i ? "," : "") << s.signals[i]->read();
    out << " f=";
    for (auto &f : s.fifos) {
        out << "[";
        int v = 0;
        for (bool first = true; f->nb_read(v); first = false)
            out << (first ? "" : ",") << v;
        out << "]";
    }
    out << " m=";
    for (size_t i = 0; i < s.mutexes.size(); i++)
        out << (i ? "," : "") << (s.mutexes[i]->trylock() == 0 ? 0 : 1);
    out << " k=";
    for (size_t i = 0; i < s.semaphores.size(); i++)
        out << (i ? "," : "") << s.semaphores[i]->get_value();
    for (size_t i = 0; i < processes.size(); i++) {
        const Process &p = *processes[i];
        out << " | h=" << p.h << " pc=" << p.pc << " round=" << p.round << " end=" << (p.section.child ? p.ended : s.handles[i].terminated());
    }
    std::printf("%s\n", out.str().c_str());
    std::fflush(stdout);
}

int sc_main(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : std::getenv("ENTAIL_PROGRAM");
    if (!path)
        fail("no program: give a file, or set ENTAIL_PROGRAM");
#ifndef FINE // delays that are shared need parts of a ns
    sc_set_time_resolution(1, SC_NS);
#endif
    // Warnings (a process that notifies itself, for one) would go to the standard output.
    sc_report_handler::set_actions(SC_INFO, SC_DO_NOTHING);
    sc_report_handler::set_actions(SC_WARNING, SC_DO_NOTHING);
    // Not on this stack, on which methods run too: what they share must not look like their own locals.
    auto owner = std::make_unique<Shared>();
    Shared &shared = *owner;
    std::vector<Section> sections;
    build(path, shared, sections);
    std::vector<std::unique_ptr<Process>> processes;
    for (size_t i = 0; i < sections.size(); i++)
        processes.emplace_back(new Process(("p" + std::to_string(i)).c_str(), sections[i], shared));
    sc_start();
    print(shared, processes);
    return 0;
}
