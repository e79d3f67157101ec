// SPDX-License-Identifier: MIT
#include "support/details.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "support/truth.h"
#include "support/zstandard.h"

namespace heapscape::test {

nlohmann::json detailsOf(const std::string& dump) {
  auto path = dumpPath(dump).parent_path() / (dump + ".details.json.zst");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path.string() + " cannot be read");
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  return nlohmann::json::parse(decompressed(std::as_bytes(std::span(bytes))));
}

engine::Address addressIn(const nlohmann::json& row, const char* member) {
  engine::Address address;
  if (row.contains(member)) engine::tryParseAddress(row[member].get<std::string>(), address);
  return address;
}

}  // namespace heapscape::test
