// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>
#include <unordered_set>

#include "fuzz_target.h"
#include "runtime/gc/handles.h"
#include "runtime/types/loaded_types.h"
#include "support/builders/handle_tables_in_memory.h"

using namespace heapscape;

namespace {

using Tables = test::HandleTablesInMemory;

constexpr std::size_t kSegmentPart = 0x800;  // of an input
constexpr std::size_t kMostSegments = 8;

void require(bool isTrue) {
  if (!isTrue) std::abort();
}

// The secondary that a handle has on its own is the one that it has in the list.
void checkSecondary(const engine::ClrRuntime& runtime, const engine::GcHandle& handle) {
  const auto place = engine::secondaryOfDependentHandle(runtime, handle.address);
  if (handle.kind != engine::HandleKind::Dependent) {
    require(!place && !handle.dependent);
    return;
  }
  engine::Address secondary;
  if (place) (void)runtime.memory().tryRead(*place, secondary);
  require(secondary == handle.dependent);
}

void check(const engine::ClrRuntime& runtime) {
  engine::FindingList findings;
  const auto all = engine::readHandles(runtime, true, findings);
  const auto filled = engine::readHandles(runtime, false, findings);
  const auto segments = engine::readHandleSegments(runtime, findings);
  require(static_cast<std::size_t>(std::ranges::count_if(
              all, [](const engine::GcHandle& handle) { return bool(handle.object); })) == filled.size());
  std::unordered_set<engine::Address> seen;
  for (const engine::GcHandle& handle : all) {
    require(seen.insert(handle.address).second);
    require(std::ranges::any_of(segments,
                                [&](const engine::AddressRange& segment) { return segment.contains(handle.address); }));
    checkSecondary(runtime, handle);
  }
  (void)engine::readHandleHashTable(runtime, Tables::moduleOf(runtime), "AvailableTypeParams");
}

}  // namespace

// The input is a version, the GC's variables and tables, and a few segments of handles.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size <= Tables::kTablesBytes) return 0;
  engine::Bytes bytes = fuzz::bytesOf(data, size).subspan(1);
  Tables memory;
  memory.tables.assign(bytes.begin(), bytes.begin() + Tables::kTablesBytes);
  bytes = bytes.subspan(Tables::kTablesBytes);
  while (!bytes.empty() && memory.segments.size() < kMostSegments) {
    const engine::Bytes part = bytes.first(std::min(bytes.size(), kSegmentPart));
    memory.segments.emplace_back(part.begin(), part.end());
    bytes = bytes.subspan(part.size());
  }
  check(memory.runtime(8 + data[0] % 3u));
  return 0;
}

namespace heapscape::fuzz {

std::vector<test::FileBytes> seeds() {
  std::vector<test::FileBytes> made;
  for (unsigned version = 8; version <= 10; ++version) {
    for (const bool isServer : {false, true}) {
      const Tables memory = Tables::healthy(version, isServer);
      test::FileBytes seed{static_cast<std::byte>(version - 8)};
      seed.insert(seed.end(), memory.tables.begin(), memory.tables.end());
      for (const test::FileBytes& segment : memory.segments) seed.insert(seed.end(), segment.begin(), segment.end());
      made.push_back(std::move(seed));
    }
  }
  return made;
}

}  // namespace heapscape::fuzz
