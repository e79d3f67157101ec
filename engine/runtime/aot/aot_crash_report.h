// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// Why a program compiled ahead of time ended itself (RhFailFastReason, in CrashInfo.cs).
enum class CrashReason : std::uint8_t { Unknown, UnhandledException, EnvironmentFailFast, InternalFailFast };

/// What the runtime of such a program writes into a buffer for debuggers before it has itself dumped
/// (src/coreclr/nativeaot/System.Private.CoreLib/src/System/CrashInfo.cs): JSON of its version 1.
struct CrashReport {
  CrashReason reason = CrashReason::Unknown;
  std::uint32_t osThreadId = 0;
  std::string message;
  struct Frame {
    Address instruction;
    std::uint32_t offset = 0;  // in the method's code
    std::string method;        // "Zoo.Program.Main(String[] args)"; empty where the program has no names
  };
  struct Exception {
    Address object;
    std::int32_t hresult = 0;
    std::string message;
    std::string type;
    std::vector<Frame> stack;  // the innermost first
  };
  std::optional<Exception> exception = {};
};

/// Nothing if there is none: the process lived, died in native code, or runs on CoreCLR.
std::optional<CrashReport> readCrashReport(const ClrRuntime& runtime);

}  // namespace heapscape::engine
