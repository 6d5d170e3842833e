// The C++ half of `entail explore`: linked before the SystemC library, it takes the place of some of the
// kernel's functions, chooses which process runs next, and writes down what each one does.
//
// Nothing of SystemC is written anew: every function here calls the library's own. Members that are
// not public are reached with -fno-access-control, at the places the installed headers say.
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <systemc>
#include <sysc/kernel/sc_cor.h>
#include <sysc/kernel/sc_runnable.h>

#include <algorithm>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <new>
#include <sstream>
#include <string>
#include <tuple>
#include <typeinfo>
#include <unordered_map>
#include <vector>

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio_ext.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define ENTAIL_EXPORT extern "C" __attribute__((visibility("default")))

namespace entail {
using namespace sc_core;

template <class F> static F real(const char *symbol) {
    F f = (F)dlsym(RTLD_NEXT, symbol);
    if (!f) {
        fprintf(stderr, "entail: this SystemC library has no %s\n", symbol);
        _exit(98);
    }
    return f;
}
} // namespace entail

#include "trace.inc"
#include "access.inc"
#include "process.inc"
#include "heap.inc"
#include "scheduler.inc"
#include "kernel.inc"
#include "outside.inc"
#include "state.inc"
#include "server.inc"
