// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/address.h"

namespace heapscape::cli {

// Forms of numbers in SOS's output.

/// 16 digits, "00007FE6B6CA3F16": its older commands print most addresses so.
std::string upperAddress(engine::Address address);
/// The same in lower case.
std::string lowerAddress(engine::Address address);
/// At least 12 digits, "7fda5d00a170": its newer commands.
std::string shortAddress(engine::Address address);
/// "451,397".
std::string grouped(std::uint64_t number);
/// "0x22220 (139808)"; empty for 0.
std::string hexAndDecimal(std::uint64_t number);
/// "72(0x48)".
std::string decimalAndHex(std::uint64_t number);

/// A text cut to its last `width` characters, of which the first three are dots, as columns of types are.
std::string cutInFront(std::string_view text, std::size_t width);

}  // namespace heapscape::cli
