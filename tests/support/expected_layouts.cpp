// SPDX-License-Identifier: MIT
#include "support/expected_layouts.h"

#include <filesystem>

#include "support/zstandard.h"

namespace heapscape::test {

nlohmann::json expectedLayouts(const std::string& set, std::uint32_t runtime) {
  const std::string name = set + '-' + std::to_string(runtime) + ".json.zst";
  return nlohmann::json::parse(unpackedFile(std::filesystem::path(HEAPSCAPE_TEST_DATA) / "layout" / name));
}

}  // namespace heapscape::test
