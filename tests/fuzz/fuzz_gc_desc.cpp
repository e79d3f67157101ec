// SPDX-License-Identifier: MIT
#include <cstdlib>

#include "fuzz_target.h"
#include "graph/gc_desc.h"
#include "support/builders/runtime_in_memory.h"

using namespace heapscape;

namespace {

constexpr engine::Address kMemory{0x10000};
constexpr std::uint32_t kBaseSize = 256;

void check(const engine::ClrRuntime& runtime, std::uint64_t end, std::uint32_t componentSize) {
  engine::MethodTable type;
  type.address = kMemory + end;
  type.baseSize = kBaseSize;
  type.componentSize = componentSize;
  type.containsPointers = true;
  const auto desc = engine::readGcDesc(runtime, type);
  if (!desc) return;
  for (const std::uint64_t bytes : {0, 24, 256, 4096}) {
    std::uint64_t count = 0;
    desc->forEachPlace(bytes, [&](std::uint64_t offset) {
      if (offset < 8 || offset + 16 > bytes) std::abort();
      ++count;
    });
    // No place is given out more often than there are series.
    if (count > (desc->series.size() + 1) * (bytes / 8)) std::abort();
  }
}

}  // namespace

// A GCDesc lies in front of its method table: the input ends where that begins.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const engine::Bytes bytes = fuzz::bytesOf(data, size / 8 * 8);
  if (bytes.empty()) return 0;
  test::CoreBuilder builder;
  builder.dataAlignment(16).memory(kMemory.value, test::FileBytes(bytes.begin(), bytes.end()));
  const engine::ClrRuntime runtime = test::runtimeInMemory(10, builder);
  check(runtime, bytes.size(), 0);
  check(runtime, bytes.size(), 8);
  return 0;
}

namespace heapscape::fuzz {

namespace {

test::FileBytes words(std::initializer_list<std::int64_t> values) {
  test::FileBytes made;
  for (const std::int64_t value : values)
    for (unsigned i = 0; i < 8; ++i) made.push_back(static_cast<std::byte>(value >> (8 * i)));
  return made;
}

}  // namespace

std::vector<test::FileBytes> seeds() {
  return {
      words({-240, 8, 1}),                                             // one series
      words({-200, 64, -240, 8, 2}),                                   // two of them
      words({-16, 16, 1}),                                             // elements of an array
      words({(16ll << 32) | 2, (8ll << 32) | 1, 16, -2}),              // value types with two runs each
      words({0, 0, 0x7fffffffffffffff}),                               // more than there is memory for
      words({static_cast<std::int64_t>(0xfffffff800000001), 16, -1}),  // a gap as large as it can be
  };
}

}  // namespace heapscape::fuzz
