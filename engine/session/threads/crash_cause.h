// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "base/enum_names.h"
#include "memory/elf/elf_core.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// "SIGSEGV"; "SIGRTMIN+3"; "signal 70" for a number that Linux has not.
std::string signalName(std::int32_t number);

/// Whether a process that does nothing about it dies of it with a core dump (signal(7)).
bool endsInCore(std::int32_t number);
/// Whether it comes of an instruction: SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP.
bool isFault(std::int32_t number);

/// Returns what a signal's code says of a fault: "no memory is mapped there", "a division by zero"; empty where there
/// is nothing to say.
std::string faultText(const CoreSignal& signal);

enum class CrashKind : std::uint8_t {
  None,                // it lived, or nothing tells what it died of
  UnhandledException,  // that nobody caught, or that nobody can catch: an AccessViolationException
  StackOverflow,
  FailFast,     // Environment.FailFast, an assertion, or an error of the runtime itself that it does not survive
  OutOfMemory,  // an OutOfMemoryException that nobody caught
  Signal,       // of native code, or that somebody sent
};

template <>
inline constexpr auto kEnumNames<CrashKind> =
    std::to_array<EnumName<CrashKind>>({{CrashKind::None, "none"},
                                        {CrashKind::UnhandledException, "unhandledException"},
                                        {CrashKind::StackOverflow, "stackOverflow"},
                                        {CrashKind::FailFast, "failFast"},
                                        {CrashKind::OutOfMemory, "outOfMemory"},
                                        {CrashKind::Signal, "signal"}});

/// Whether the process was still alive when it was dumped.
enum class ProcessState : std::uint8_t {
  Living,   // dumped from outside, in peace
  Died,     // the dump is of its end
  Unknown,  // the dump does not tell
};

template <>
inline constexpr auto kEnumNames<ProcessState> = std::to_array<EnumName<ProcessState>>(
    {{ProcessState::Living, "living"}, {ProcessState::Died, "died"}, {ProcessState::Unknown, "unknown"}});

/// Cause of a process's end, as far as its notes and the state of its threads show, without any stack.
struct CrashCause {
  CrashKind kind = CrashKind::None;
  ProcessState state = ProcessState::Unknown;
  std::optional<CoreSignal> signal = {};  // the deadly one; none if the dump does not tell it
  std::uint32_t osId = 0;                 // of the thread that died; 0 if there is none
  Address thread = {};                    // the runtime's Thread of it; 0 for a thread of native code
  Address exception = {};  // that it died of; of FailFast what the runtime reports, not what is behind it
  std::string exceptionType = {};
  /// Address that could not be read or written: of SIGSEGV, of a null reference or an access violation.
  std::optional<Address> faultAddress = {};
};

/// Read once for a dump.
const CrashCause& crashCauseOf(const Snapshot& snapshot);

/// Returns what the thread that died did, in words: "died of System.DivideByZeroException", "overflowed its stack",
/// "received SIGSEGV". Empty for a process that lived.
std::string dyingWords(const CrashCause& cause);

}  // namespace heapscape::engine
