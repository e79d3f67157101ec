// SPDX-License-Identifier: MIT
#include "fuzz_target.h"
#include "lists/budgets.h"

using namespace heapscape;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  (void)engine::parseBudgets({reinterpret_cast<const char*>(data), size});
  return 0;
}

namespace heapscape::fuzz {

std::vector<test::FileBytes> seeds() {
  std::vector<test::FileBytes> made;
  for (const char* text :
       {R"({"budgets": [{"of": "types", "query": "own and padding > 10% and bytes > 1 MB", "max": 0}]})",
        R"([{"of": "generations", "sum": "bytes", "maxGrowth": "5%", "against": "shop.core", "name": "growth"}])",
        R"([{"of": "objects", "min": 1, "max": "200 MB"} /* all */])", R"(["System.String <= 200 MB"])",
        R"([{"type": "Shop.Order", "maxCount": 10000}])"})
    made.push_back(test::bytesOfText(text));
  made.push_back(test::bytesOfText(std::string(4000, '[')));
  return made;
}

}  // namespace heapscape::fuzz
