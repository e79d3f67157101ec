// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "bridge/console_shell.h"

namespace heapscape::gui {

enum class LineKind : std::uint8_t {
  Command,  // as it was typed
  Answer,
  Message,  // of heapscape-cli: what went wrong, or a note
  Note,     // of the window
};

struct TranscriptLine {
  QByteArray text;  // UTF-8
  LineKind kind = LineKind::Answer;
  bool goesOn = false;   // see ShellLine
  bool isPlain = false;  // nothing but ASCII that is printed: a character is a byte and a cell
};

/// Commands and their answers, line by line, the newest of them: what came first goes once there is too much. Lines are
/// told by their number from the first one ever on, which stays theirs.
class Transcript {
 public:
  static constexpr std::size_t kMostBytes = 10 * 1024 * 1024;
  static constexpr std::size_t kMostLines = 250'000;

  void add(QByteArray text, LineKind kind, bool goesOn = false);
  void clear();

  bool isEmpty() const { return m_lines.empty(); }
  std::size_t size() const { return m_lines.size(); }
  /// Number of the first line that is kept, and the one behind the last.
  std::uint64_t begin() const { return m_begin; }
  std::uint64_t end() const { return m_begin + m_lines.size(); }
  /// One that is kept.
  const TranscriptLine& line(std::uint64_t number) const { return m_lines[static_cast<std::size_t>(number - m_begin)]; }
  /// How many lines went since it was cleared.
  std::uint64_t gone() const { return m_gone; }
  /// No line ever had more cells (line_cells.h).
  qsizetype mostCells() const { return m_mostCells; }

  /// The command whose answer a line is in; nothing if it has gone.
  std::optional<std::uint64_t> commandOf(std::uint64_t number) const;
  /// The next command in front of a line or behind it.
  std::optional<std::uint64_t> commandBeside(std::uint64_t number, int step) const;

  /// A copy of some lines, for another thread. Half open.
  std::vector<TranscriptLine> copy(std::uint64_t from, std::uint64_t to) const;

 private:
  std::deque<TranscriptLine> m_lines;
  std::uint64_t m_begin = 0;
  std::uint64_t m_gone = 0;
  std::size_t m_bytes = 0;
  qsizetype m_mostCells = 0;
};

/// As a file or the clipboard has them: commands behind "> ", lines that were taken apart whole again.
QByteArray textOf(const std::vector<TranscriptLine>& lines);

}  // namespace heapscape::gui
