// SPDX-License-Identifier: MIT
#include <cstdlib>

#include "engine/review/sample_board.h"
#include "fuzz_target.h"
#include "review/board.h"

using namespace heapscape;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto board = engine::parseBoard({reinterpret_cast<const char*>(data), size});
  if (!board) return 0;
  // What was accepted is written as it was read.
  const std::string written = engine::writtenBoard(*board);
  const auto again = engine::parseBoard(written);
  if (!again || engine::writtenBoard(*again) != written) std::abort();
  return 0;
}

namespace heapscape::fuzz {

std::vector<test::FileBytes> seeds() {
  return {test::bytesOfText(engine::writtenBoard(engine::test::sampleBoard())),
          test::bytesOfText(engine::writtenBoard({})), test::bytesOfText(std::string(4000, '['))};
}

}  // namespace heapscape::fuzz
