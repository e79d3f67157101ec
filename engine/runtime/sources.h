// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/enum_names.h"

namespace heapscape::engine {

/// Which runtime of .NET a process runs on.
enum class RuntimeFlavor : std::uint8_t {
  CoreClr,
  NativeAot,  // compiled ahead of time, with a runtime of its own in the program
};
template <>
inline constexpr auto kEnumNames<RuntimeFlavor> = std::to_array<EnumName<RuntimeFlavor>>(
    {{RuntimeFlavor::CoreClr, "CoreClr"}, {RuntimeFlavor::NativeAot, "NativeAot"}});

/// Where the offsets that the runtime was read with came from: the shipped file alone, or corrected by the runtime's
/// own descriptor out of the dump's memory or out of a libcoreclr.so with the dump's build-id.
enum class ContractSource : std::uint8_t { Dump, File, Shipped };
template <>
inline constexpr auto kEnumNames<ContractSource> = std::to_array<EnumName<ContractSource>>(
    {{ContractSource::Dump, "dump"}, {ContractSource::File, "file"}, {ContractSource::Shipped, "shipped"}});

/// Source of the place of the runtime's table of globals: its symbol in the dump's memory, its symbol in the library's
/// file on disk, or the look of the table itself, where there are no symbols.
enum class GlobalsSource : std::uint8_t { Dump, File, Shape };
template <>
inline constexpr auto kEnumNames<GlobalsSource> = std::to_array<EnumName<GlobalsSource>>(
    {{GlobalsSource::Dump, "dump"}, {GlobalsSource::File, "file"}, {GlobalsSource::Shape, "shape"}});

/// Where a module's metadata was read from.
enum class MetadataSource : std::uint8_t { Dump, File, Missing };
template <>
inline constexpr auto kEnumNames<MetadataSource> = std::to_array<EnumName<MetadataSource>>(
    {{MetadataSource::Dump, "dump"}, {MetadataSource::File, "file"}, {MetadataSource::Missing, "missing"}});

}  // namespace heapscape::engine
