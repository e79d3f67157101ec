// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "runtime/gc/gc_state.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// The heaps of the GC.
struct GcHeaps {
  std::uint32_t active = 0;   // with objects
  std::uint32_t created = 0;  // with those that are set aside
  DynamicAdaptation adaptation = DynamicAdaptation::None;
};

GcHeaps gcHeaps(const Snapshot& snapshot);
/// "1 heap", "4 heaps, DATAS off", "1 of 4 heaps active, DATAS on".
std::string describe(const GcHeaps& heaps);

/// Where a setting of the GC was made.
enum class GcSettingSource : std::uint8_t {
  Environment,    // DOTNET_… or COMPlus_…, as the process was started
  Configuration,  // runtimeconfig.json and AppContext: System.GC.…
};

template <>
inline constexpr auto kEnumNames<GcSettingSource> = std::to_array<EnumName<GcSettingSource>>(
    {{GcSettingSource::Environment, "environment"}, {GcSettingSource::Configuration, "runtimeconfig"}});

struct GcSetting {
  std::string name;                     // the GC's own, without a prefix: "GCHeapHardLimit"
  std::string value;                    // as it was written
  std::optional<std::uint64_t> number;  // what it means; the environment is read as hexadecimal
  GcSettingSource source = GcSettingSource::Environment;
  std::string key;           // "DOTNET_GCHeapHardLimit", "System.GC.HeapHardLimit"
  bool isOverruled = false;  // the environment goes before the configuration
};

/// Settings of the GC from outside. Defaults are not among them.
struct GcSettingList {
  std::vector<GcSetting> settings;   // by name, the one that counts first
  std::string environmentMissing;    // why the environment could not be read; empty if it was
  std::string configurationMissing;  // the same of AppContext's properties
};

GcSettingList listGcSettings(const Snapshot& snapshot, std::stop_token stop);

}  // namespace heapscape::engine
