// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heapscape::cli {

/// Reads lines from a terminal, with editing, a history that outlives the program, and completion of words.
class LineEditor {
 public:
  /// Returns words that the last word of a line may become, in the order to show.
  using Completer = std::function<std::vector<std::string>(std::string_view lineUpToCursor)>;

  /// `historyFile`: to keep the history in, need not be there; empty for none.
  LineEditor(std::string prompt, std::filesystem::path historyFile, Completer completer);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  /// Waits for a line; nothing at the end of the input (Ctrl+D). Ctrl+C empties the line.
  std::optional<std::string> read();

 private:
  struct Parts;
  std::unique_ptr<Parts> m_parts;
};

}  // namespace heapscape::cli
