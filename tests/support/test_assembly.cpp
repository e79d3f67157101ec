// SPDX-License-Identifier: MIT
#include "support/test_assembly.h"
#include "support/dump_path.h"

#include <fstream>

#include "support/truth.h"
#include "support/zstandard.h"

namespace heapscape::test {

TestAssembly::TestAssembly(const std::string& name) : m_path(m_folder / (name + ".dll")) {
  const auto packed = packedDumpPath("shop-10").parent_path() / "layout" / (name + ".dll.zst");
  const std::string bytes = unpackedFile(packed);
  std::ofstream(m_path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace heapscape::test
