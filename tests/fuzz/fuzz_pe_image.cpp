// SPDX-License-Identifier: MIT
#include <cstdlib>

#include "fuzz_target.h"
#include "metadata/image/pe_image.h"
#include "metadata/image/portable_pdb.h"
#include "support/test_assembly.h"

#include <fstream>
#include <iterator>

using namespace heapscape;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const engine::Bytes bytes = fuzz::bytesOf(data, size);
  const engine::PeReader read = [&](std::uint64_t offset, std::span<std::byte> target) {
    if (offset > bytes.size() || target.size() > bytes.size() - offset) return false;
    std::ranges::copy(bytes.subspan(offset, target.size()), target.begin());
    return true;
  };
  for (const bool isMapped : {false, true}) {
    (void)engine::locateMetadata(read, isMapped);
    (void)engine::locateDebugDirectory(read, isMapped);
    for (const std::uint32_t rva : {0u, 0x2000u, 0x2008u, 0xfffffff0u}) (void)engine::locateRva(read, isMapped, rva);
    (void)engine::readDebugDirectory(read, isMapped);
  }
  return 0;
}

namespace heapscape::fuzz {

std::vector<test::FileBytes> seeds() {
  constexpr std::size_t kHeaders = 8192;  // that say where everything is; the rest is metadata and code
  std::vector<test::FileBytes> made;
  for (const char* name : {"LayoutZoo1", "LayoutZoo1R2R"}) {
    const test::TestAssembly assembly(name);
    std::ifstream file(assembly.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    made.push_back(test::bytesOfText(text.substr(0, kHeaders)));
  }
  return made;
}

}  // namespace heapscape::fuzz
