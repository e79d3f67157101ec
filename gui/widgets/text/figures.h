// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <cstdint>

#include "base/address.h"
#include "bridge/literals.h"

namespace heapscape::gui {

/// Before a number below zero: as wide as a digit, unlike a hyphen.
inline constexpr QChar kMinus{0x2212};

/// "1.43 MB", "512 B": three significant digits, steps of 1024.
QString bytesText(std::uint64_t bytes);
/// "1,500,000 bytes", for tooltips.
QString exactBytesText(std::uint64_t bytes);
/// "1.43 MB", "−512 B": bytes won back, negative where there would be more.
QString savedBytesText(std::int64_t bytes);
/// "24,052" with the locale's separators.
QString countText(std::uint64_t count);
/// "12.3%"; "0%" and "100%" only where exact, else "<0.1%" and ">99.9%".
QString percentText(std::uint64_t part, std::uint64_t whole);
QString addressText(engine::Address address);
/// The name in menus of the way to the memory at an address.
QString memoryLinkText(engine::Address address);
/// Characters that two addresses, as they are written, begin with.
int commonPrefix(const QString& left, const QString& right);
QString fromEngine(const std::string& text);
/// fromEngine() for text that has lines.
QString linesFromEngine(const std::string& text);

/// "1 object", "24,052 objects". Without `several`, the noun takes an s where there is not exactly one.
QString countedText(std::uint64_t count, const QString& one, const QString& several = {});

}  // namespace heapscape::gui
