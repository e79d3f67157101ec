// SPDX-License-Identifier: MIT
#include "fuzz_target.h"
#include "metadata/names/generated_names.h"
#include "metadata/names/parsed_type_name.h"

using namespace heapscape;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view name(reinterpret_cast<const char*>(data), size);
  (void)engine::parseTypeName(name);
  (void)engine::asyncMethodName(name);
  return 0;
}

namespace heapscape::fuzz {

std::vector<test::FileBytes> seeds() {
  std::vector<test::FileBytes> made;
  for (const char* name : {"Shop.Order", "Shop.Outer<System.Int32>+Inner<Shop.Order, System.Byte[]>[,]",
                           "System.Collections.Generic.Dictionary`2<System.String,System.Object[]>",
                           "System.Void (System.Int32*, System.Byte&)", "fnptr System.Int32(System.String)",
                           "Shop.P+<>c__DisplayClass1_0<X>+<<Run>b__0>d", "Shop.P+<<Main>g__Wait|6_1>d<System.Int32>"})
    made.push_back(test::bytesOfText(name));
  made.push_back(test::bytesOfText(std::string(4000, '<')));
  made.push_back(test::bytesOfText(std::string(4000, '[')));
  return made;
}

}  // namespace heapscape::fuzz
