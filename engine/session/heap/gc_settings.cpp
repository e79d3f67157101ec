// SPDX-License-Identifier: MIT
#include "session/heap/gc_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "base/ascii.h"
#include "memory/process_arguments.h"
#include "runtime/managed_objects.h"
#include "session/roots/statics_query.h"
#include "session/snapshot/contents.h"
#include "values/collections/collection.h"
#include "values/collections/kinds/collection_makers.h"

namespace heapscape::engine {

GcHeaps gcHeaps(const Snapshot& snapshot) {
  const auto& gc = snapshot.contents().gc;
  if (!gc) return {};
  return {static_cast<std::uint32_t>(gc->heaps.size()), gc->heapsCreated, gc->adaptation};
}

std::string describe(const GcHeaps& heaps) {
  const std::string noun = heaps.created == 1 ? "heap" : "heaps";
  const std::string count = heaps.active == heaps.created
                                ? fmt::format("{} {}", heaps.created, noun)
                                : fmt::format("{} of {} {} active", heaps.active, heaps.created, noun);
  switch (heaps.adaptation) {
    case DynamicAdaptation::None:
      break;
    case DynamicAdaptation::Off:
      return count + ", DATAS off";
    case DynamicAdaptation::On:
      return count + ", DATAS on";
    case DynamicAdaptation::Unknown:
      return count + ", DATAS unknown";
  }
  return count;
}

namespace {

constexpr std::size_t kMostProperties = 10'000;
constexpr std::size_t kLongestValue = 1024;
constexpr std::string_view kProperty = "System.GC.";

/// Where the name of a property is not "System.GC." and what follows the GC's own name behind "GC" (gcconfig.h).
struct Name {
  std::string_view setting;
  std::string_view property;
};
constexpr std::array kNames{
    Name{"gcServer", "Server"},
    Name{"gcConcurrent", "Concurrent"},
    Name{"GCHighMemPercent", "HighMemoryPercent"},
    Name{"GCgen0size", "Gen0Size"},
    Name{"GCgen0MaxBudget", "Gen0MaxBudget"},
    Name{"GCgen1size", "Gen1Size"},
};

std::string settingOf(std::string_view property) {
  for (const Name& name : kNames)
    if (equalsIgnoringCase(property, name.property)) return std::string(name.setting);
  return "GC" + std::string(property);
}

std::optional<std::uint64_t> numberOf(std::string_view text, int base) {
  if (equalsIgnoringCase(text, "true")) return 1;
  if (equalsIgnoringCase(text, "false")) return 0;
  if (startsIgnoringCase(text, "0x")) {
    text.remove_prefix(2);
    base = 16;
  }
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return number;
}

void addEnvironment(const Contents& contents, GcSettingList& list) {
  const auto arguments = readProcessArguments(*contents.core, *contents.memory);
  if (!arguments) {
    list.environmentMissing = arguments.error().what;
    return;
  }
  for (const std::string_view entry : arguments->environment) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view key = entry.substr(0, equals);
    for (const std::string_view prefix : {"DOTNET_", "COMPlus_"}) {
      if (!key.starts_with(prefix)) continue;
      const std::string_view name = key.substr(prefix.size());
      if (!startsIgnoringCase(name, "gc") && !equalsIgnoringCase(name, "PROCESSOR_COUNT")) continue;
      const std::string_view value = entry.substr(equals + 1);
      list.settings.push_back({.name = std::string(name),
                               .value = std::string(value),
                               .number = numberOf(value, 16),
                               .source = GcSettingSource::Environment,
                               .key = std::string(key)});
    }
  }
}

Result<void> addConfiguration(const Contents& contents, const std::stop_token& stop, GcSettingList& list) {
  const RuntimeReaders& readers = *contents.readers;
  const AddressSpace& memory = readers.runtime.memory();
  HEAPSCAPE_TRY(const Address store, readLibraryStatic(readers, "System.AppContext", "s_dataStore"));
  if (!store) return {};  // the host gave no properties
  const TypeShapes shapes(readers);
  const InstanceSources sources{readers, shapes};
  HEAPSCAPE_TRY(const Instance instance, Instance::at(sources, store));
  HEAPSCAPE_TRY(const auto dictionary, makeDictionary(instance));
  const auto textAt = [&](Address slot) -> std::string {
    const auto object = memory.readPointer(slot);
    const auto text = object && *object ? readManagedString(readers.runtime, *object, kLongestValue)
                                        : failure(ErrorCode::NotFound, {});
    return text ? *text : std::string();
  };
  std::size_t seen = 0;
  ItemCollector collector(
      [&](const ItemPlace& place) {
        const std::string key = textAt(place.key);
        if (key.starts_with(kProperty)) {
          const std::string value = textAt(place.value);
          list.settings.push_back({.name = settingOf(std::string_view(key).substr(kProperty.size())),
                                   .value = value,
                                   .number = numberOf(value, 10),
                                   .source = GcSettingSource::Configuration,
                                   .key = key});
        }
        return ++seen < kMostProperties;
      },
      stop);
  const std::string damage = dictionary->collect(collector);
  if (!damage.empty()) return failure(ErrorCode::Damaged, damage);
  return {};
}

}  // namespace

GcSettingList listGcSettings(const Snapshot& snapshot, std::stop_token stop) {
  GcSettingList list;
  addEnvironment(snapshot.contents(), list);
  if (const auto read = addConfiguration(snapshot.contents(), stop, list); !read)
    list.configurationMissing = read.error().what;
  std::ranges::stable_sort(list.settings, [](const GcSetting& left, const GcSetting& right) {
    const std::string leftName = lowerCase(left.name), rightName = lowerCase(right.name);
    return std::tie(leftName, left.source) < std::tie(rightName, right.source);
  });
  for (std::size_t i = 1; i < list.settings.size(); ++i)
    list.settings[i].isOverruled = equalsIgnoringCase(list.settings[i].name, list.settings[i - 1].name);
  return list;
}

}  // namespace heapscape::engine
