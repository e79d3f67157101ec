// SPDX-License-Identifier: MIT
#include "cli/address_argument.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <functional>

namespace heapscape::cli {

namespace {

constexpr const char* kArgument = "ADDRESS";

CLI::Option* addAddress(CLI::App& app, const std::string& name, const std::string& description,
                        const std::function<void(engine::Address)>& take) {
  const auto parse = [take](const std::string& text) {
    engine::Address address;
    if (engine::tryParseAddress(text, address)) return take(address);
    throw CLI::ValidationError("'" + text + "' is no address, it needs hexadecimal digits as in 0x7f0000000000",
                               CLI::ExitCodes::ValidationError);
  };
  return app.add_option_function<std::string>(name, parse, description);
}

}  // namespace

void addAddressArgument(CLI::App& app, engine::Address& address, const std::string& description) {
  addAddress(app, kArgument, description, [&address](engine::Address given) { address = given; })->required();
}

void addOptionalAddressArgument(CLI::App& app, std::optional<engine::Address>& address,
                                const std::string& description) {
  addAddress(app, kArgument, description, [&address](engine::Address given) { address = given; });
}

void addAddressOption(CLI::App& app, const std::string& name, engine::Address& address,
                      const std::string& description) {
  addAddress(app, name, description, [&address](engine::Address given) { address = given; })->type_name("ADDRESS");
}

engine::Error noObjectAt(engine::Address address) {
  return {engine::ErrorCode::NotFound, fmt::format("There is no object at {}.", toString(address)),
          "heapscape-cli objects INPUT lists their addresses."};
}

}  // namespace heapscape::cli
