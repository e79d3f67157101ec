// SPDX-License-Identifier: MIT
#include "widgets/text/figures.h"

#include <QLocale>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "base/figures.h"
#include "base/unicode.h"

namespace heapscape::gui {
namespace {

// The C locale groups no digits; figures of nine digits need it everywhere.
const QLocale& figureLocale() {
  static const QLocale locale = [] {
    QLocale own;
    if (own.language() == QLocale::C) own = QLocale(QLocale::English, QLocale::UnitedStates);
    own.setNumberOptions(own.numberOptions() & ~QLocale::OmitGroupSeparator);
    return own;
  }();
  return locale;
}

}  // namespace

QString bytesText(std::uint64_t bytes) {
  const engine::RoundedBytes rounded = engine::roundBytes(bytes);
  return figureLocale().toString(rounded.value, 'f', rounded.decimals) + QLatin1Char(' ') + QLatin1String(rounded.unit);
}

QString savedBytesText(std::int64_t bytes) {
  if (bytes >= 0) return bytesText(static_cast<std::uint64_t>(bytes));
  return kMinus + bytesText(-static_cast<std::uint64_t>(bytes));
}

QString exactBytesText(std::uint64_t bytes) {
  return bytes == 1 ? u"1 byte"_s : countText(bytes) + u" bytes"_s;
}

QString countText(std::uint64_t count) {
  return figureLocale().toString(static_cast<qulonglong>(count));
}

QString percentText(std::uint64_t part, std::uint64_t whole) {
  const engine::RoundedPercent percent = engine::roundPercent(part, whole);
  const QString bound = percent.bound ? QString(QLatin1Char(percent.bound)) : QString();
  return bound + figureLocale().toString(percent.value, 'f', percent.decimals) + QLatin1Char('%');
}

QString addressText(engine::Address address) {
  return u"0x"_s + QString::number(static_cast<qulonglong>(address.value), 16);
}

QString memoryLinkText(engine::Address address) {
  return u"Show memory at %1"_s.arg(addressText(address));
}

int commonPrefix(const QString& left, const QString& right) {
  if (left.size() != right.size()) return 2;  // "0x"
  const auto [differs, other] = std::mismatch(left.begin(), left.end(), right.begin());
  return static_cast<int>(differs - left.begin());
}

// Names come from a file nobody vouches for: what would break a line, turn the reading direction or stay invisible is
// spelled out instead.
QString fromEngine(const std::string& text) {
  const QString plain = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
  QString shown;
  shown.reserve(plain.size());
  for (const QChar character : plain) {
    const std::string escape = engine::escapeOf(character.unicode());
    if (escape.empty()) {
      shown += character;
    } else {
      shown += QLatin1String(escape.data(), static_cast<qsizetype>(escape.size()));
    }
  }
  return shown;
}

QString linesFromEngine(const std::string& text) {
  QStringList lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines << fromEngine(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines.join(QLatin1Char('\n'));
}

QString countedText(std::uint64_t count, const QString& one, const QString& several) {
  const QString plural = several.isEmpty() ? one + QLatin1Char('s') : several;
  return countText(count) + QLatin1Char(' ') + (count == 1 ? one : plural);
}

HeapFigures heapFigures(const engine::ObjectTotals& totals) {
  return {.objects = totals.objects - std::min(totals.objects, totals.freeObjects),
          .bytes = totals.bytes - std::min(totals.bytes, totals.freeBytes),
          .freeObjects = totals.freeObjects,
          .freeBytes = totals.freeBytes};
}

QString generationText(engine::Generation generation) {
  return QString::fromLatin1(engine::toString(generation));
}

QString generationText(const std::optional<engine::Generation>& generation) {
  return generation ? generationText(*generation) : u"?"_s;
}

QString segmentKindText(engine::SegmentKind kind) {
  return QString::fromLatin1(engine::toString(kind));
}

QString shareText(double share) {
  constexpr std::uint64_t kWhole = 1'000'000'000;
  const auto part = static_cast<std::uint64_t>(std::floor(std::clamp(share, 0.0, 1.0) * static_cast<double>(kWhole)));
  return percentText(part, kWhole);
}

}  // namespace heapscape::gui
