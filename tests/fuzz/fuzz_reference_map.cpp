// SPDX-License-Identifier: MIT
#include <cstdlib>

#include "fuzz_target.h"
#include "stacks/gc_info/gc_reference_map.h"

using namespace heapscape;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto entries = engine::decodeReferenceMap(fuzz::bytesOf(data, size));
  // Two bits make a token, and words come one after the other.
  if (entries && entries->size() > size * 4) std::abort();
  for (std::size_t i = 1; entries && i < entries->size(); ++i)
    if ((*entries)[i].position <= (*entries)[i - 1].position) std::abort();
  return 0;
}

namespace heapscape::fuzz {

std::vector<test::FileBytes> seeds() {
  return {
      bytes({0x00}),              // no references
      bytes({0x25}),              // reference, reference, interior
      bytes({0x83, 0x42}),        // skips words, then a reference
      bytes({0x87, 0x05}),        // the method of shared code
      bytes({0xff, 0xff, 0x7f}),  // a number without end
      test::FileBytes(4000, std::byte{0x95}),
  };
}

}  // namespace heapscape::fuzz
