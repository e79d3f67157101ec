// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "base/address.h"
#include "base/result.h"

namespace CLI {
class App;
}

namespace heapscape::cli {

/// Adds a required argument ADDRESS behind INPUT: hexadecimal, with or without 0x.
void addAddressArgument(CLI::App& app, engine::Address& address, const std::string& description);
/// The same, but it may be left out.
void addOptionalAddressArgument(CLI::App& app, std::optional<engine::Address>& address, const std::string& description);

/// Adds an option NAME ADDRESS that may be left out.
void addAddressOption(CLI::App& app, const std::string& name, engine::Address& address, const std::string& description);

/// What a verb answers where no object holds the address.
engine::Error noObjectAt(engine::Address address);

}  // namespace heapscape::cli
