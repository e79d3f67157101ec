// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <cstdint>
#include <optional>

#include "base/address.h"
#include "bridge/literals.h"
#include "heap/segment.h"

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

/// The figures of a part of the heap: the program's objects and the free blocks between them, kept apart.
struct HeapFigures {
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;
  std::uint64_t freeObjects = 0;
  std::uint64_t freeBytes = 0;
};
HeapFigures heapFigures(const engine::ObjectTotals& totals);

/// "gen0" … "frozen", as queries and the command line have them.
QString generationText(engine::Generation generation);
/// "?" where it is not known.
QString generationText(const std::optional<engine::Generation>& generation);
/// "gen0" … "frozen", or "ephemeral".
QString segmentKindText(engine::SegmentKind kind);

/// A share from 0 to 1 with the care of percentText(): never "100%" for less.
QString shareText(double share);

}  // namespace heapscape::gui
