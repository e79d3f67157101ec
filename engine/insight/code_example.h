// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "insight/insight_kind.h"

namespace heapscape::engine {

/// C# as a program has it that wastes memory in this way, and as it would do better. Lines are parted by \n.
struct CodeExample {
  std::string before;
  std::string after;
};

/// The change that an insight of this kind asks for; nullopt where it is none of code, or where other places show the
/// program's own declaration (padding). `typeName`: what the insight is about, in the words of C#; may be empty.
std::optional<CodeExample> codeExampleOf(InsightKind kind, std::string_view typeName);

}  // namespace heapscape::engine
