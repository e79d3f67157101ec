// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/enum_names.h"

namespace heapscape::engine {

/// Where the offsets that the runtime was read with came from: the shipped file alone, or corrected by the runtime's
/// own descriptor out of the dump's memory or out of a libcoreclr.so with the dump's build-id.
enum class ContractSource : std::uint8_t { Dump, File, Shipped };
template <>
inline constexpr auto kEnumNames<ContractSource> = std::to_array<EnumName<ContractSource>>(
    {{ContractSource::Dump, "dump"}, {ContractSource::File, "file"}, {ContractSource::Shipped, "shipped"}});

}  // namespace heapscape::engine
