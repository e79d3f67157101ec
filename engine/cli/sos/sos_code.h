// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/runtime_readers.h"
#include "session/types/debugger_names.h"
#include "stacks/exception_handling.h"
#include "stacks/gc_info/gc_info.h"

namespace heapscape::cli {

/// What gcinfo prints behind a method's head: facts of the whole method, then what changes at offsets of its code.
struct GcInfoText {
  struct Line {
    std::uint32_t offset = 0;  // bytes from the start of the code
    std::string text;          // begins with the offset
  };
  std::vector<std::string> head;
  std::vector<Line> lines;
};

engine::Result<GcInfoText> gcInfoText(const engine::ClrRuntime& runtime, engine::Address gcInfo);

/// "TYPED catch(System.IO.IOException) ": which kind of clause it is, and what it catches.
std::string clauseWords(engine::DebuggerNames& names, const engine::Module* module,
                        const engine::ExceptionClause& clause);
/// Until .NET 9 a copy of a finally block in the method itself.
bool isClonedFinally(const engine::ExceptionClause& clause);
/// The same handler once more, for a try block inside another one.
bool isDuplicateClause(const engine::ExceptionClause& clause);

}  // namespace heapscape::cli
