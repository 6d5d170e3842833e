// Writes to signals whose code lies in the SystemC library. This file includes nothing of SystemC: the
// functions have the names of the library's, which a compiler that knew the classes would object to.
#include <cstdint>
#include <cstdio>
#include <dlfcn.h>
#include <unistd.h>

extern "C" void entail_wrote_bool(void *signal, uint64_t policy, uintptr_t place);
extern "C" void entail_wrote_logic(void *signal, uint64_t policy, uintptr_t place);
extern "C" void entail_wrote_resolved(void *signal, uint64_t policy, uintptr_t place);

typedef void (*Write)(void *, const void *);
static Write real(const char *symbol) {
    Write f = (Write)dlsym(RTLD_NEXT, symbol);
    if (!f) {
        fprintf(stderr, "entail: this SystemC library has no %s\n", symbol);
        _exit(98);
    }
    return f;
}

// `write` is reached directly, and through ports by a second entry for the interface, eight bytes on.
#define SIGNAL_WRITE(wrote, policy, symbol)                                                           \
    extern "C" __attribute__((visibility("default"))) void _ZN##symbol(char *s, const void *v) {      \
        static Write f = real("_ZN" #symbol);                                                         \
        wrote(s, policy, (uintptr_t)__builtin_return_address(0));                                     \
        f(s, v);                                                                                      \
    }                                                                                                 \
    extern "C" __attribute__((visibility("default"))) void _ZThn8_N##symbol(char *s, const void *v) { \
        static Write f = real("_ZN" #symbol);                                                         \
        wrote(s - 8, policy, (uintptr_t)__builtin_return_address(0));                                 \
        f(s - 8, v);                                                                                  \
    }
SIGNAL_WRITE(entail_wrote_bool, 0, 7sc_core11sc_signal_tIbLNS_16sc_writer_policyE0EE5writeERKb)
SIGNAL_WRITE(entail_wrote_bool, 1, 7sc_core11sc_signal_tIbLNS_16sc_writer_policyE1EE5writeERKb)
SIGNAL_WRITE(entail_wrote_bool, 3, 7sc_core11sc_signal_tIbLNS_16sc_writer_policyE3EE5writeERKb)
SIGNAL_WRITE(entail_wrote_logic, 0, 7sc_core11sc_signal_tIN5sc_dt8sc_logicELNS_16sc_writer_policyE0EE5writeERKS2_)
SIGNAL_WRITE(entail_wrote_logic, 1, 7sc_core11sc_signal_tIN5sc_dt8sc_logicELNS_16sc_writer_policyE1EE5writeERKS2_)
SIGNAL_WRITE(entail_wrote_logic, 3, 7sc_core11sc_signal_tIN5sc_dt8sc_logicELNS_16sc_writer_policyE3EE5writeERKS2_)
// A resolved signal keeps a value for each writer; what comes of them is reckoned in its update.
SIGNAL_WRITE(entail_wrote_resolved, 0, 7sc_core18sc_signal_resolved5writeERKN5sc_dt8sc_logicE)
