// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// What an async method leaves behind that the runtime itself suspends: the place at which it goes on, and its locals
/// (System.Runtime.CompilerServices.Continuation, AsyncHelpers.CoreCLR.cs; .NET 11). Each call has one, and refers to
/// that of its caller. The innermost may have one in front that waits for a task or the source of a value task.
struct Continuation {
  Address next;             // that of the caller; 0 for the outermost
  Address resumeInfo;       // what the runtime notes of the place
  std::int32_t number = 0;  // of the place among those of the method
};

/// Reads continuations by the runtime's own offsets. Safe from any thread.
class ContinuationReader {
 public:
  explicit ContinuationReader(const ClrRuntime& runtime) : m_runtime(runtime) {}

  /// Nothing where the runtime has none, or if the dump does not hold it.
  std::optional<Continuation> read(Address object) const;
  /// What the runtime itself keeps in a continuation beside the locals, and where: bytes from its address.
  struct Part {
    enum class Kind : std::uint8_t { ExecutionContext, Context, Exception, Result };
    Kind kind;
    std::uint64_t offset = 0;
  };
  std::vector<Part> partsOf(Address object) const;
  /// What all continuations begin with, from the object's address; the locals follow.
  std::uint64_t headBytes() const { return m_runtime.contract().sizeOf("ContinuationObject"); }

 private:
  const ClrRuntime& m_runtime;
};

/// "execution context", "synchronization context or scheduler", "exception", "result".
const char* toString(ContinuationReader::Part::Kind kind);

/// Whether a type is that of tasks which end with a method that the runtime itself suspends:
/// AsyncHelpers.RuntimeAsyncTask<T>. They refer to the innermost continuation while they wait.
bool isRuntimeAsyncTaskName(std::string_view typeName);
/// The field of such a task that does so.
inline constexpr std::string_view kFirstContinuationField = "m_stateObject";

/// The field of a continuation that waits in front of the others, which refers to what is awaited; empty for other
/// types.
std::string_view awaitedFieldOf(std::string_view typeName);

}  // namespace heapscape::engine
