// SPDX-License-Identifier: MIT
#include "support/details.h"
#include "support/dump_path.h"

#include "support/truth.h"
#include "support/zstandard.h"

namespace heapscape::test {

nlohmann::json detailsOf(const std::string& dump) {
  return nlohmann::json::parse(unpackedFile(packedDumpPath(dump).parent_path() / (dump + ".details.json.zst")));
}

engine::Address addressIn(const nlohmann::json& row, const char* member) {
  engine::Address address;
  if (row.contains(member)) engine::tryParseAddress(row[member].get<std::string>(), address);
  return address;
}

}  // namespace heapscape::test
