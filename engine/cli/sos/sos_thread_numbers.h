// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "cli/sos/sos_command.h"
#include "memory/elf/elf_core.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::cli {

// Debuggers number the threads of a process from 0 on, in the order of the dump.

/// Nothing for a thread that the dump does not have.
std::optional<std::uint32_t> numberOfThread(const engine::Snapshot& snapshot, std::uint32_t osId);
/// The current thread. Fails with NotFound if the dump has no such thread.
engine::Result<engine::CoreThread> currentThread(const SosRun& run, const engine::Snapshot& snapshot);

}  // namespace heapscape::cli
