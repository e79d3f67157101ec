// SPDX-License-Identifier: MIT
#include "fuzz_target.h"
#include "metadata/signature.h"

using namespace heapscape;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  (void)engine::decodeFieldSignature(fuzz::bytesOf(data, size));
  (void)engine::decodeTypeSpec(fuzz::bytesOf(data, size));
  (void)engine::decodeMethodSignature(fuzz::bytesOf(data, size));
  return 0;
}

namespace heapscape::fuzz {

std::vector<test::FileBytes> seeds() {
  return {
      bytes({6, 8}),                                               // int
      bytes({6, 0x1d, 0x0e}),                                      // string[]
      bytes({6, 0x15, 0x12, 0x81, 0x05, 2, 0x0e, 0x1c}),           // Dictionary<string, object>
      bytes({6, 0x14, 8, 2, 1, 3, 1, 0}),                          // int[,] with a size and a lower bound
      bytes({6, 0x0f, 0x0f, 1}),                                   // void**
      bytes({6, 0x1b, 0, 2, 8, 0x0e, 0x1c}),                       // delegate*<string, object, int>
      bytes({6, 0x1f, 9, 0x20, 0x42, 0x11, 0xc0, 0, 1, 0}),        // modreq modopt value type
      bytes({0x15, 0x11, 8, 1, 0x13, 0}),                          // Nullable<T>
      bytes({0x30, 1, 2, 0x1e, 0, 8, 0x15, 0x12, 8, 1, 0x13, 0}),  // T Map<T>(int, List<U>)
      test::FileBytes(4000, std::byte{0x1d}),
  };
}

}  // namespace heapscape::fuzz
