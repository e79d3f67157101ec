// SPDX-License-Identifier: MIT
#include "widgets/text/figures.h"

#include <QLocale>
#include <QStringList>
#include <algorithm>
#include <array>

#include "base/unseen_characters.h"

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

// 9.996 has to come out as "10.0", so the number of decimals follows from the rounded value.
QString threeDigits(double value) {
  if (value < 9.995) return figureLocale().toString(value, 'f', 2);
  if (value < 99.95) return figureLocale().toString(value, 'f', 1);
  return figureLocale().toString(value, 'f', 0);
}

}  // namespace

QString bytesText(std::uint64_t bytes) {
  constexpr std::array<const char*, 6> kUnits{"KB", "MB", "GB", "TB", "PB", "EB"};
  if (bytes < 1024) return countText(bytes) + QStringLiteral(" B");
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (value >= 1023.5 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  return threeDigits(value) + QLatin1Char(' ') + QLatin1String(kUnits[unit]);
}

QString savedBytesText(std::int64_t bytes) {
  if (bytes >= 0) return bytesText(static_cast<std::uint64_t>(bytes));
  return QStringLiteral("−") + bytesText(-static_cast<std::uint64_t>(bytes));
}

QString exactBytesText(std::uint64_t bytes) {
  return bytes == 1 ? QStringLiteral("1 byte") : countText(bytes) + QStringLiteral(" bytes");
}

QString countText(std::uint64_t count) {
  return figureLocale().toString(static_cast<qulonglong>(count));
}

QString percentText(std::uint64_t part, std::uint64_t whole) {
  if (part == 0) return QStringLiteral("0%");
  if (part == whole) return QStringLiteral("100%");
  const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  if (percent < 0.05) return QStringLiteral("<") + figureLocale().toString(0.1, 'f', 1) + QLatin1Char('%');
  if (part < whole && percent >= 99.95) {
    return QStringLiteral(">") + figureLocale().toString(99.9, 'f', 1) + QLatin1Char('%');
  }
  return figureLocale().toString(percent, 'f', 1) + QLatin1Char('%');
}

QString addressText(engine::Address address) {
  return QStringLiteral("0x") + QString::number(static_cast<qulonglong>(address.value), 16);
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

}  // namespace heapscape::gui
