// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/enum_names.h"

namespace heapscape::engine {

/// Use of the 4 bytes in front of an object's address (src/coreclr/vm/syncblk.h).
enum class HeaderKind : std::uint8_t { None, ThinLock, HashCode, SyncBlock };
template <>
inline constexpr auto kEnumNames<HeaderKind> = std::to_array<EnumName<HeaderKind>>({{HeaderKind::None, "none"},
                                                                                    {HeaderKind::ThinLock, "thinLock"},
                                                                                    {HeaderKind::HashCode, "hashCode"},
                                                                                    {HeaderKind::SyncBlock,
                                                                                     "syncBlock"}});

/// Some bits of the header that have one meaning; the parts cover all 32, highest first.
struct HeaderBits {
  std::uint8_t first = 0;  // lowest bit
  std::uint8_t count = 0;
  std::string name;  // "unused31", "finalizerRun", "gcReserve", "spinLock", "hashOrSyncBlock", "isHashCode",
                     // "hashCode", "syncBlockIndex", "appDomain", "recursion", "threadId", "unused"
  std::uint32_t value = 0;
  std::string meaning;  // a sentence for people
};

struct ObjectHeader {
  std::uint32_t value = 0;
  HeaderKind kind = HeaderKind::None;
  std::uint32_t threadId = 0;        // ThinLock: managed id of the owner
  std::uint32_t recursion = 0;       // ThinLock: times the owner has entered again, so one less than enters
  std::uint32_t hashCode = 0;        // HashCode
  std::uint32_t syncBlockIndex = 0;  // SyncBlock
  std::vector<std::string> flags;    // "finalizerRun", "gcReserve", "spinLock", "unused31": those that are set
  std::vector<HeaderBits> bits;
};

}  // namespace heapscape::engine
