// SPDX-License-Identifier: MIT
#include "cli/address_argument.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

namespace heapscape::cli {

void addAddressArgument(CLI::App& app, engine::Address& address, const std::string& description) {
  const auto take = [&address](const std::string& text) {
    if (engine::tryParseAddress(text, address)) return;
    throw CLI::ValidationError("'" + text + "' is no address, it needs hexadecimal digits as in 0x7f0000000000",
                               CLI::ExitCodes::ValidationError);
  };
  app.add_option_function<std::string>("ADDRESS", take, description)->required();
}

engine::Error noObjectAt(engine::Address address) {
  return {engine::ErrorCode::NotFound, fmt::format("There is no object at {}.", toString(address)),
          "heapscape-cli objects INPUT lists their addresses."};
}

}  // namespace heapscape::cli
