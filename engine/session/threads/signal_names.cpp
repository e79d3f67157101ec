// SPDX-License-Identifier: MIT
#include "session/threads/signal_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <string_view>

namespace heapscape::engine {
namespace {

// The kernel's numbers (include/uapi/asm-generic/signal.h), which are those of every dump; the C library takes two of
// the real-time signals for itself.
constexpr std::array<std::string_view, 32> kSignalNames{
    "",          "SIGHUP",  "SIGINT",    "SIGQUIT", "SIGILL",   "SIGTRAP", "SIGABRT", "SIGBUS",
    "SIGFPE",    "SIGKILL", "SIGUSR1",   "SIGSEGV", "SIGUSR2",  "SIGPIPE", "SIGALRM", "SIGTERM",
    "SIGSTKFLT", "SIGCHLD", "SIGCONT",   "SIGSTOP", "SIGTSTP",  "SIGTTIN", "SIGTTOU", "SIGURG",
    "SIGXCPU",   "SIGXFSZ", "SIGVTALRM", "SIGPROF", "SIGWINCH", "SIGIO",   "SIGPWR",  "SIGSYS"};
constexpr std::int32_t kFirstRealTime = 34;
constexpr std::int32_t kLastSignal = 64;

struct FaultCode {
  std::int32_t signal, code;
  std::string_view text;
};
constexpr std::array kFaultCodes{
    FaultCode{SIGSEGV, SEGV_MAPERR, "no memory is mapped there"},
    FaultCode{SIGSEGV, SEGV_ACCERR, "the memory there may not be used in that way"},
    FaultCode{SIGBUS, BUS_ADRALN, "the address is not aligned"},
    FaultCode{SIGBUS, BUS_ADRERR, "no memory is behind the address, as beyond the end of a mapped file"},
    FaultCode{SIGBUS, BUS_OBJERR, "the memory there is broken"},
    FaultCode{SIGILL, ILL_ILLOPC, "an instruction that there is not"},
    FaultCode{SIGILL, ILL_ILLOPN, "an instruction that there is not"},
    FaultCode{SIGILL, ILL_PRVOPC, "an instruction of the kernel's"},
    FaultCode{SIGFPE, FPE_INTDIV, "a division by zero"},
    FaultCode{SIGFPE, FPE_INTOVF, "an overflow of a whole number"},
    FaultCode{SIGFPE, FPE_FLTDIV, "a division by zero"},
    FaultCode{SIGTRAP, TRAP_BRKPT, "a breakpoint"},
};

}  // namespace

std::string signalName(std::int32_t number) {
  if (number > 0 && static_cast<std::size_t>(number) < kSignalNames.size())
    return std::string(kSignalNames[static_cast<std::size_t>(number)]);
  if (number < kFirstRealTime || number > kLastSignal) return fmt::format("signal {}", number);
  return number == kFirstRealTime ? std::string("SIGRTMIN") : fmt::format("SIGRTMIN+{}", number - kFirstRealTime);
}

bool endsInCore(std::int32_t number) {
  constexpr std::array kOthers{SIGABRT, SIGQUIT, SIGSYS, SIGXCPU, SIGXFSZ};
  return isFault(number) || std::ranges::find(kOthers, number) != kOthers.end();
}

bool isFault(std::int32_t number) {
  return number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE || number == SIGTRAP;
}

std::string faultText(const CoreSignal& signal) {
  for (const FaultCode& known : kFaultCodes)
    if (known.signal == signal.number && known.code == signal.code) return std::string(known.text);
  return {};
}

}  // namespace heapscape::engine
