// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "memory/elf/elf_core.h"

namespace heapscape::engine {

/// "SIGSEGV"; "SIGRTMIN+3"; "signal 70" for a number that Linux has not.
std::string signalName(std::int32_t number);

/// Whether a process that does nothing about it dies of it with a core dump (signal(7)).
bool endsInCore(std::int32_t number);
/// Whether it comes of an instruction: SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP.
bool isFault(std::int32_t number);

/// What its code says of a fault: "no memory is mapped there", "a division by zero"; empty where there is nothing to
/// say.
std::string faultText(const CoreSignal& signal);

}  // namespace heapscape::engine
