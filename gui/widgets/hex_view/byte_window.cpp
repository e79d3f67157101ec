// SPDX-License-Identifier: MIT
#include "widgets/hex_view/byte_window.h"

#include <algorithm>

#include "widgets/layout_diagram/layout_item_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/value_text.h"

namespace heapscape::gui {

namespace {

constexpr std::int64_t kBeforeObject = 8;
constexpr std::int64_t kAround = 8192;
constexpr std::int64_t kAlignment = 16;

}  // namespace

ByteWindow::ByteWindow(engine::ObjectBytes bytes) : m_bytes(std::move(bytes)) {
  const std::int64_t begin = static_cast<std::int64_t>(m_bytes.skipped) - kBeforeObject;
  m_read = {begin, begin + static_cast<std::int64_t>(m_bytes.bytes.size())};
  m_whole = {-kBeforeObject, static_cast<std::int64_t>(m_bytes.totalBytes) - kBeforeObject};
}

std::optional<std::uint8_t> ByteWindow::byteAt(std::int64_t offset) const {
  const engine::ByteRun* run = m_read.contains(offset) ? runAt(offset) : nullptr;
  if (!run || run->owner == engine::ByteOwner::Missing) return std::nullopt;
  return m_bytes.bytes[static_cast<std::size_t>(offset - m_read.begin)];
}

const engine::ByteRun* ByteWindow::runAt(std::int64_t offset) const {
  const auto behind = std::ranges::upper_bound(m_bytes.runs, offset, {}, &engine::ByteRun::offset);
  if (behind == m_bytes.runs.begin()) return nullptr;
  const engine::ByteRun& run = *std::prev(behind);
  return spanOf(run).contains(offset) ? &run : nullptr;
}

ByteSpan spanOf(const engine::ByteRun& run) {
  return {run.offset, run.offset + run.sizeBytes};
}

ByteSpan windowAround(const ByteSpan& wanted, const ByteSpan& whole) {
  std::int64_t begin = std::max(whole.begin, wanted.begin - kAround);
  begin -= (begin - whole.begin) % kAlignment;
  return {begin, std::min(whole.end, wanted.end + kAround)};
}

namespace {

using engine::ByteOwner;

QString ownerName(ByteOwner owner) {
  switch (owner) {
    case ByteOwner::Alignment:
      return u"alignment"_s;
    case ByteOwner::Header:
      return u"object header"_s;
    case ByteOwner::MethodTable:
      return u"method table"_s;
    case ByteOwner::Length:
      return u"length"_s;
    case ByteOwner::Bounds:
      return u"bounds"_s;
    case ByteOwner::Field:
      return u"field"_s;
    case ByteOwner::Element:
      return u"element"_s;
    case ByteOwner::Terminator:
      return u"terminator"_s;
    case ByteOwner::Padding:
      return u"padding"_s;
    case ByteOwner::Missing:
      break;
  }
  return u"missing"_s;
}

QString ownerFact(ByteOwner owner) {
  switch (owner) {
    case ByteOwner::Alignment:
      return u"Unused: keeps what follows at a multiple of its size"_s;
    case ByteOwner::Header:
      return u"Lock, hash code or sync block"_s;
    case ByteOwner::MethodTable:
      return u"Points at the type's method table"_s;
    case ByteOwner::Terminator:
      return u"The zero behind a string's last character"_s;
    case ByteOwner::Padding:
      return u"No field uses it"_s;
    case ByteOwner::Missing:
      return u"The dump does not hold these bytes"_s;
    default:
      return {};
  }
}

bool hasOwnName(ByteOwner owner) {
  return owner == ByteOwner::Field || owner == ByteOwner::Element || owner == ByteOwner::Bounds ||
         owner == ByteOwner::Length;
}

}  // namespace

QString runName(const engine::ByteRun& run) {
  return hasOwnName(run.owner) && !run.name.empty() ? fieldNameText(run.name) : ownerName(run.owner);
}

QStringList runFacts(const engine::ByteRun& run) {
  QStringList facts;
  if (!run.typeName.empty()) facts << fromEngine(run.typeName);
  if (const QString fact = ownerFact(run.owner); !fact.isEmpty()) facts << fact;
  facts << u"offset %1, %2"_s.arg(offsetText(run.offset), exactBytesText(run.sizeBytes));
  return facts;
}

QString bytesAsText(const ByteWindow& window, const ByteSpan& span) {
  QStringList bytes;
  for (std::int64_t offset = span.begin; offset < span.end && window.read().contains(offset); ++offset) {
    const auto byte = window.byteAt(offset);
    bytes << (byte ? u"%1"_s.arg(*byte, 2, 16, QLatin1Char('0')) : u"??"_s);
  }
  return bytes.join(QLatin1Char(' '));
}

}  // namespace heapscape::gui
