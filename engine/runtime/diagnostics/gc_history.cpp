// SPDX-License-Identifier: MIT
#include "runtime/diagnostics/gc_history.h"

#include <string>
#include <string_view>
#include <unordered_map>

namespace heapscape::engine {
namespace {

enum class GcMessage { Other, Start, Promotion, Relocation };

/// By the words of its format (src/coreclr/inc/gcmsg.inl).
GcMessage gcMessageOf(std::string_view format) {
  if (format.find("BEGINGC %d") != std::string_view::npos) return GcMessage::Start;
  if (format.find("Promote: Promote GC Root *%p = %p") != std::string_view::npos) return GcMessage::Promotion;
  if (format.find("GC Root %p RELOCATED %p -> %p") != std::string_view::npos) return GcMessage::Relocation;
  return GcMessage::Other;
}

}  // namespace

std::vector<GcRecord> gcHistoryOf(const ClrRuntime& runtime, const StressLog& log) {
  constexpr std::size_t kLongestFormat = 256;
  std::unordered_map<Address, GcMessage> kinds;
  std::vector<GcRecord> records;
  GcRecord current;
  for (const StressMessage& message : log.messages) {
    const auto [kind, isNew] = kinds.try_emplace(message.format, GcMessage::Other);
    if (isNew) {
      const auto text = runtime.memory().readText(message.format, kLongestFormat);
      if (text) kind->second = gcMessageOf(*text);
    }
    const auto argument = [&message](std::size_t i) {
      return Address{i < message.arguments.size() ? message.arguments[i] : 0};
    };
    switch (kind->second) {
      case GcMessage::Other:
        break;
      case GcMessage::Promotion:
        current.promotions.push_back({argument(0), argument(1), argument(2)});
        break;
      case GcMessage::Relocation:
        current.relocations.push_back({argument(0), argument(1), argument(2), argument(3)});
        break;
      case GcMessage::Start:
        // The oldest of its collection.
        current.index = argument(0).value;
        records.push_back(std::move(current));
        current = {};
        break;
    }
  }
  return records;
}

}  // namespace heapscape::engine
