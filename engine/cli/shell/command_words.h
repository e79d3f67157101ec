// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace heapscape::cli {

/// A line of the shell, taken apart.
struct CommandWords {
  std::vector<std::string> words;  // without quotes
  std::string pipe = {};           // what the answer is piped to, as it was typed; empty for nothing
  std::string file = {};           // that the answer goes to; empty for none
};

/// Blanks part words, "…" and '…' hold them together; a word that is nothing but > or | says where the answer goes, so
/// that List<int> needs no quotes. Empty for an empty line and for a comment, which begins with #. Fails with BadQuery.
engine::Result<CommandWords> splitCommand(std::string_view line);

}  // namespace heapscape::cli
