// SPDX-License-Identifier: MIT
#include "cli/address_file.h"

#include <fmt/format.h>

#include <fstream>

namespace heapscape::cli {

engine::Result<std::vector<engine::Address>> readAddressFile(const std::string& path, const std::string& what) {
  const auto unusable = [&](const std::string& why) {
    return engine::failure(engine::ErrorCode::FileUnreadable, fmt::format("The {} {} {}.", what, path, why));
  };
  std::ifstream file(path);
  if (!file) return unusable("cannot be read");
  std::vector<engine::Address> addresses;
  for (std::string line; std::getline(file, line);) {
    engine::Address address;
    if (line.empty()) continue;
    if (!engine::tryParseAddress(line, address)) return unusable("holds '" + line + "', which is no address");
    addresses.push_back(address);
  }
  return addresses;
}

}  // namespace heapscape::cli
