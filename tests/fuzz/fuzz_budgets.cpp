// SPDX-License-Identifier: MIT
#include "fuzz_target.h"
#include "insight/budgets/budgets.h"

using namespace heapscape;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)engine::parseBudgets(text);
  (void)engine::parseBudgetSentence(text);
  (void)engine::parseQuantity(text);
  return 0;
}

namespace heapscape::fuzz {

std::vector<test::FileBytes> seeds() {
  std::vector<test::FileBytes> made;
  for (const char* text :
       {"System.String <= 200 MB", "no type over 10% padding", "no growth over 5% against shop.core",
        "no own type above 1 MB over 10% padding", "1.5 GB", "1000 objects",
        R"({"budgets": ["heap <= 1 GB", {"type": "Shop.Order", "maxCount": 10000, "optional": true}]})",
        R"([{"anyType": true, "own": true, "leastBytes": "1 MB", "maxPaddingPercent": 10, "except": ["Shop.*"]},
            {"insight": "duplicateStrings", "maxBytes": "1 MB"}, {"memory": "jitCode", "maxBytes": 4096} /* all */])"})
    made.push_back(test::bytesOfText(text));
  made.push_back(test::bytesOfText(std::string(4000, '[')));
  return made;
}

}  // namespace heapscape::fuzz
