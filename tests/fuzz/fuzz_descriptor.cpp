// SPDX-License-Identifier: MIT
#include <string_view>

#include "fuzz_target.h"
#include "runtime/contract/contract.h"

using namespace heapscape;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const engine::Contract& shipped : engine::Contract::shipped()) {
    engine::Contract contract = shipped;
    (void)contract.applyDescriptor(text);
  }
  (void)engine::Contract::parse(text);
  return 0;
}

namespace heapscape::fuzz {

std::vector<test::FileBytes> seeds() {
  std::vector<test::FileBytes> made;
  for (
      const std::string_view text : {
          R"({"version":0,"baseline":"empty","types":{"Thread":{"Id":[16,"uint32"],"OSId":296,"LinkNext":[112,"pointer"]},
               "MethodTable":{"!":64,"MTFlags":[0,"uint32"],"BaseSize":4,"Module":24}},
               "globals":{"FEATURE_EH_FUNCLETS":[["0x1"],"uint8"]},"contracts":{"Thread":1}})",
          R"({"schema":1,"runtime":"9.0","verifiedOn":["9.0.18"],"globalTables":[{"entryCount":158,"index":{"ThreadStore":16}}],
               "types":{"Thread":{"Id":16}},"constants":{"CanonMTBit":1}})",
          "{}"}) {
    made.push_back(test::bytesOfText(text));
  }
  for (const std::string_view text : engine::kShippedContracts) made.push_back(test::bytesOfText(text));
  return made;
}

}  // namespace heapscape::fuzz
