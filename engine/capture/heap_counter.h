// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "base/result.h"
#include "capture/diagnostic_socket.h"
#include "capture/nettrace_reader.h"

namespace heapscape::engine {

/// The bytes that an event says the heap has; nullopt for an event about something else.
std::optional<std::uint64_t> heapBytesOf(const NettraceEvent& event);

/// The size of the managed heap as the runtime counts it: GC.GetTotalMemory to the byte, as the counter gc-heap-size of
/// System.Runtime has it (checked on .NET 8 to 11). It comes a second after it is asked for, so that others who listen
/// get theirs no more often than they wanted. Fails with FileUnreadable if it does not come in time. Whatever happens,
/// the runtime is told to stop.
Outcome<std::uint64_t> askHeapBytes(const std::filesystem::path& socket, std::uint32_t pid, const Patience& patience);

}  // namespace heapscape::engine
