// SPDX-License-Identifier: MIT
#include "views/console/transcript.h"

#include <algorithm>
#include <utility>

namespace heapscape::gui {

namespace {

bool isPlainText(const QByteArray& text) {
  return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7f; });
}

qsizetype mostCellsOf(const QByteArray& text, bool isPlain) {
  constexpr qsizetype kMoreOfTab = 7;
  return text.size() + (isPlain ? 0 : kMoreOfTab * text.count('\t'));
}

}  // namespace

void Transcript::add(QByteArray text, LineKind kind, bool goesOn) {
  m_bytes += static_cast<std::size_t>(text.size());
  const bool isPlain = isPlainText(text);
  m_mostCells = std::max(m_mostCells, mostCellsOf(text, isPlain));
  m_lines.push_back({std::move(text), kind, goesOn, isPlain});
  while (m_lines.size() > 1 && (m_bytes > kMostBytes || m_lines.size() > kMostLines)) {
    m_bytes -= static_cast<std::size_t>(m_lines.front().text.size());
    m_lines.pop_front();
    ++m_begin;
    ++m_gone;
  }
}

void Transcript::clear() {
  m_begin = end();
  m_lines.clear();
  m_gone = 0;
  m_bytes = 0;
  m_mostCells = 0;
}

std::optional<std::uint64_t> Transcript::commandOf(std::uint64_t number) const {
  if (number >= m_begin && number < end() && line(number).kind == LineKind::Command) return number;
  return commandBeside(number, -1);
}

std::optional<std::uint64_t> Transcript::commandBeside(std::uint64_t number, int step) const {
  if (m_lines.empty()) return std::nullopt;
  const auto isCommand = [this](std::uint64_t at) { return line(at).kind == LineKind::Command; };
  if (step < 0) {
    for (std::uint64_t at = std::min(number, end()); at > m_begin; --at) {
      if (isCommand(at - 1)) return at - 1;
    }
  } else {
    for (std::uint64_t at = std::max(number + 1, m_begin); at < end(); ++at) {
      if (isCommand(at)) return at;
    }
  }
  return std::nullopt;
}

std::vector<TranscriptLine> Transcript::copy(std::uint64_t from, std::uint64_t to) const {
  std::vector<TranscriptLine> lines;
  from = std::clamp(from, m_begin, end());
  to = std::clamp(to, from, end());
  lines.reserve(static_cast<std::size_t>(to - from));
  for (std::uint64_t at = from; at < to; ++at) lines.push_back(line(at));
  return lines;
}

QByteArray textOf(const std::vector<TranscriptLine>& lines) {
  QByteArray text;
  for (const TranscriptLine& line : lines) {
    if (line.kind == LineKind::Command) text += "> ";
    text += line.text;
    if (!line.goesOn) text += '\n';
  }
  return text;
}

}  // namespace heapscape::gui
