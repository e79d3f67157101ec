// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <vector>

#include "base/address.h"
#include "views/console/transcript.h"

namespace heapscape::gui {

/// A line as a terminal has it: cells of one width, so that columns stand below each other. A tab goes on to the next
/// eighth cell, wide characters take two, control characters show as their symbols.
class LineCells {
 public:
  explicit LineCells(const TranscriptLine& line);

  int count() const { return static_cast<int>(m_isPlain ? m_text.size() : m_starts.size() - 1); }
  /// Of cells from `from` to `to`, half open; both are put within the line.
  QString text(int from, int to) const;
  QString text() const { return text(0, count()); }
  /// Where a place in the text is.
  int cellOf(qsizetype place) const;
  /// Whether each cell has one character of ASCII.
  bool isPlain() const { return m_isPlain; }
  /// The cell behind what stands in this one.
  int nextCell(int cell) const;

 private:
  QString m_text;
  bool m_isPlain;
  /// By cell, where its text begins; of the later cells of a wide one, where it ends. Empty if it is plain.
  std::vector<qsizetype> m_starts;
};

/// A word of a line that may be an address.
struct AddressWord {
  int fromCell = 0;
  int toCell = 0;  // behind it
  engine::Address address;
  bool operator==(const AddressWord&) const = default;
};

/// Hexadecimal words: 0x and digits, or so many digits that they are hardly a figure.
std::vector<AddressWord> addressWordsOf(const LineCells& line);

}  // namespace heapscape::gui
