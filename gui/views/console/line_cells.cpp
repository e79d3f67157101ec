// SPDX-License-Identifier: MIT
#include "views/console/line_cells.h"

#include <QChar>
#include <algorithm>

#include "bridge/literals.h"

namespace heapscape::gui {

namespace {

constexpr int kTabCells = 8;
constexpr char16_t kControlPictures = u'\u2400';
constexpr char16_t kDeletePicture = u'\u2421';

// Ranges of East Asian wide characters and of emoji (UAX #11), as far as strings of programs hold them.
bool isWide(char32_t c) {
  return (c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c <= 0xa4cf && c != 0x303f) || (c >= 0xac00 && c <= 0xd7a3) ||
         (c >= 0xf900 && c <= 0xfaff) || (c >= 0xfe30 && c <= 0xfe6f) || (c >= 0xff00 && c <= 0xff60) ||
         (c >= 0xffe0 && c <= 0xffe6) || (c >= 0x1f300 && c <= 0x1faff) || (c >= 0x20000 && c <= 0x3fffd);
}

bool isMark(char32_t c) {
  const QChar::Category category = QChar::category(c);
  return category == QChar::Mark_NonSpacing || category == QChar::Mark_Enclosing || category == QChar::Other_Format;
}

bool isHexDigit(QChar c) {
  return (c >= u'0' && c <= u'9') || (c >= u'a' && c <= u'f') || (c >= u'A' && c <= u'F');
}

bool isWordPart(QChar c) {
  return c.isLetterOrNumber() || c == u'_' || c == u'`';
}

}  // namespace

LineCells::LineCells(const TranscriptLine& line) : m_text(QString::fromUtf8(line.text)), m_isPlain(line.isPlain) {
  if (m_isPlain) return;
  m_starts.reserve(static_cast<std::size_t>(m_text.size()) + 1);
  for (qsizetype at = 0; at < m_text.size();) {
    QChar& first = m_text[at];
    const bool isPair = first.isHighSurrogate() && at + 1 < m_text.size() && m_text[at + 1].isLowSurrogate();
    const char32_t c = isPair ? QChar::surrogateToUcs4(first, m_text[at + 1]) : first.unicode();
    const qsizetype next = at + (isPair ? 2 : 1);
    int cells = 1;
    if (c == u'\t') {
      cells = kTabCells - static_cast<int>(m_starts.size()) % kTabCells;
    } else if (c < 0x20) {
      first = QChar(static_cast<char16_t>(kControlPictures + c));
    } else if (c == 0x7f) {
      first = kDeletePicture;
    } else if (isMark(c) && !m_starts.empty()) {
      cells = 0;
    } else if (isWide(c)) {
      cells = 2;
    }
    if (cells > 0) m_starts.push_back(at);
    for (int cell = 1; cell < cells; ++cell) m_starts.push_back(next);
    at = next;
  }
  m_starts.push_back(m_text.size());
}

QString LineCells::text(int from, int to) const {
  from = std::clamp(from, 0, count());
  to = std::clamp(to, from, count());
  if (m_isPlain) return m_text.mid(from, to - from);
  const qsizetype begin = m_starts[static_cast<std::size_t>(from)];
  return m_text.mid(begin, m_starts[static_cast<std::size_t>(to)] - begin);
}

int LineCells::cellOf(qsizetype place) const {
  if (m_isPlain) return static_cast<int>(std::min(place, m_text.size()));
  // Of the cells that begin there the last one: those before it are the rest of something wide.
  const auto behind = std::ranges::upper_bound(m_starts, place);
  return static_cast<int>(behind - m_starts.begin()) - 1;
}

int LineCells::nextCell(int cell) const {
  int next = cell + 1;
  while (!m_isPlain && next < count() &&
         m_starts[static_cast<std::size_t>(next)] == m_starts[static_cast<std::size_t>(next) + 1])
    ++next;
  return std::min(next, count());
}

// Addresses of user space have 12 digits at most; SOS writes 16 with leading zeros, or 12, and a figure of as many
// digits would be of terabytes.
std::vector<AddressWord> addressWordsOf(const LineCells& line) {
  constexpr qsizetype kFewestDigits = 8;
  constexpr qsizetype kFewestOfFigure = 11;  // of a word that has no letter
  constexpr qsizetype kMostDigits = 16;
  constexpr qsizetype kFewestBehindPrefix = 4;
  const QString text = line.text();
  std::vector<AddressWord> words;
  for (qsizetype at = 0; at < text.size();) {
    if (!isWordPart(text[at])) {
      ++at;
      continue;
    }
    qsizetype end = at;
    while (end < text.size() && isWordPart(text[end])) ++end;
    const bool hasPrefix = end - at > 2 && text[at] == u'0' && (text[at + 1] == u'x' || text[at + 1] == u'X');
    const QStringView digits = QStringView(text).mid(hasPrefix ? at + 2 : at, end - at - (hasPrefix ? 2 : 0));
    const bool isFigure = std::ranges::all_of(digits, [](QChar c) { return c.isDigit(); });
    const qsizetype fewest = hasPrefix ? kFewestBehindPrefix : isFigure ? kFewestOfFigure : kFewestDigits;
    if (digits.size() >= fewest && digits.size() <= kMostDigits && std::ranges::all_of(digits, isHexDigit)) {
      bool isNumber = false;
      const std::uint64_t value = digits.toULongLong(&isNumber, 16);
      if (isNumber && value != 0) words.push_back({line.cellOf(at), line.cellOf(end), {value}});
    }
    at = end;
  }
  return words;
}

}  // namespace heapscape::gui
