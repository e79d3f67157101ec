// SPDX-License-Identifier: MIT
#include "support/builders/handle_tables_in_memory.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "runtime/gc/handle_kind.h"
#include "support/builders/runtime_in_memory.h"
#include "support/opened_core.h"

namespace heapscape::test {
namespace {

using engine::Address;

constexpr Address kGlobals{0x8000};
constexpr std::uint64_t kBlockBytes = 512;

// Where the parts lie behind kTables; GcDacVars come first.
enum Place : std::uint64_t {
  kHeapType = 0x150,
  kGenerationOffsets = 0x158,
  kHeapOffsets = 0x170,
  kHeapCount = 0x1d0,
  kHeap = 0x1d8,
  kGenerations = 0x200,
  kMap = 0x2a0,
  kBuckets = 0x2c0,
  kBucket = 0x310,
  kSlots = 0x320,
  kFirstTable = 0x340,
  kHeaps = 0x380,
  kSecondTable = 0x3a0,
  kModuleMember = 0x3e0,
  kHashTable = 0x3e8,
  kHashBuckets = 0x400,
  kHashEntry = 0x430,
};
constexpr std::uint64_t kGenerationBytes = 32;
constexpr std::uint64_t kGenerationCount = 5;

void put(FileBytes& bytes, std::uint64_t offset, std::uint64_t value, std::size_t sizeBytes) {
  std::memcpy(bytes.data() + offset, &value, sizeBytes);
}

std::uint64_t at(Place place) {
  return HandleTablesInMemory::kTables.value + place;
}

void addGc(HandleTablesInMemory& made, const engine::Contract& contract, bool isServer) {
  const auto variable = [&](std::string_view name, std::uint64_t value) {
    made.putInTables(contract.offset("GcDacVars", name), value);
  };
  made.putInTables(kHeapType, contract.constant(isServer ? "GcHeapType.Server" : "GcHeapType.Workstation"), 4);
  variable("GenerationSize", kGenerationBytes);
  variable("TotalGenerationCount", kGenerationCount);
  variable("GenerationFieldOffsets", at(kGenerationOffsets));
  made.putInTables(kGenerationOffsets + 4 * contract.offset("GenerationFieldOffsetsIndex", "StartSegment"), 16, 4);
  made.putInTables(kGenerationOffsets + 4 * contract.offset("GenerationFieldOffsetsIndex", "AllocationStart"),
                   UINT32_MAX, 4);
  variable("GenerationTable", at(kGenerations));
  variable("HandleTableMap", at(kMap));
  variable("NHeaps", at(kHeapCount));
  variable("GHeaps", at(kHeaps));
  variable("GcHeapFieldOffsets", at(kHeapOffsets));
  made.putInTables(kHeapCount, 2, 4);
  std::uint64_t offset = 0;
  for (const char* member : {"AllocAllocated", "EphemeralHeapSegment", "FinalizeQueue", "GenerationTable"}) {
    if (offset < 24) variable(member, at(kHeap) + offset);
    const std::uint64_t inHeap = offset < 24 ? offset : kGenerations - kHeap;
    made.putInTables(kHeapOffsets + 4 * contract.offset("GcHeapFieldOffsetsIndex", member), inHeap, 4);
    offset += 8;
  }
  made.putInTables(kHeaps, at(kHeaps) + 8);
  made.putInTables(kHeaps + 8, at(kHeap));
  made.putInTables(kHeaps + 16, at(kHeap));
}

void addTables(HandleTablesInMemory& made, const engine::Contract& contract, bool isServer) {
  const std::uint64_t list = contract.offset("HandleTable", "SegmentList");
  made.putInTables(kMap + contract.offset("HandleTableMap", "Buckets"), at(kBuckets));
  made.putInTables(kBuckets, at(kBucket));
  made.putInTables(kBucket + contract.offset("HandleTableBucket", "Table"), at(kSlots));
  made.putInTables(kSlots, at(kFirstTable));
  made.putInTables(kFirstTable + list, HandleTablesInMemory::segmentAddress(0).value);
  if (!isServer) return;
  made.putInTables(kSlots + 8, at(kSecondTable));
  made.putInTables(kSecondTable + list, HandleTablesInMemory::segmentAddress(1).value);
}

void addHashTable(HandleTablesInMemory& made, const engine::Contract& contract) {
  const std::uint64_t buckets = contract.offset("EETypeHashTable", "Buckets");
  made.putInTables(kModuleMember, at(kHashTable) - buckets);
  made.putInTables(kHashTable, at(kHashBuckets));
  made.putInTables(kHashTable + contract.offset("EETypeHashTable", "Count") - buckets, 2, 4);
  made.putInTables(kHashBuckets, 2);
  made.putInTables(kHashBuckets + 8 * contract.constant("EETypeHashTable.FirstBucketSlot"), at(kHashEntry));
  for (std::uint64_t i = 0; i < 2; ++i) {
    const std::uint64_t entry = kHashEntry + 16 * i;
    made.putInTables(entry + contract.offset("EETypeHashTable", "VolatileEntryValue"), 0x5000 + 8 * i);
    made.putInTables(entry + contract.offset("EETypeHashTable", "VolatileEntryNextEntry"),
                     i == 0 ? at(kHashEntry) + 16 : 1);
  }
}

void addSegment(HandleTablesInMemory& made, const engine::Contract& contract, bool isServer) {
  using enum engine::HandleKind;
  constexpr std::uint64_t kHandles = 3;
  const std::size_t index = made.segments.size();
  made.segments.emplace_back(HandleTablesInMemory::kHeaderEnd - HandleTablesInMemory::kHeaderFrom + 3 * kBlockBytes);
  const std::uint64_t types = contract.constant("HandleSegment.BlockTypeOffset");
  const std::uint64_t userData = contract.constant("HandleSegment.UserDataOffset");
  const std::uint64_t none = contract.constant("HandleSegment.TypeNone");
  for (std::uint64_t i = 0; i < contract.constant("HandleSegment.BlocksPerSegment"); ++i) {
    made.putInSegment(index, types + i, none, 1);
    made.putInSegment(index, userData + i, none, 1);
  }
  made.putInSegment(index, types, static_cast<std::uint64_t>(Strong), 1);
  made.putInSegment(index, types + 1, static_cast<std::uint64_t>(Dependent), 1);
  made.putInSegment(index, userData + 1, 2, 1);  // the block of the secondaries
  made.putInSegment(index, types + 2, contract.constant("HandleTypes.InternalDataBlock"), 1);
  for (std::uint64_t i = 0; i < 3 * kHandles; ++i) {
    const std::uint64_t value = 0x5000 + 0x100 * index + 8 * i;
    made.putInSegment(index, HandleTablesInMemory::kValues + i / kHandles * kBlockBytes + 8 * (i % kHandles), value);
  }
  made.putInSegment(index, contract.offset("HandleSegment", "HandleTable"),
                    at(isServer && index == 1 ? kSecondTable : kFirstTable));
  if (!isServer && index == 0)
    made.putInSegment(index, contract.offset("HandleSegment", "NextSegment"),
                      HandleTablesInMemory::segmentAddress(1).value);
}

}  // namespace

HandleTablesInMemory HandleTablesInMemory::healthy(unsigned version, bool isServer) {
  const engine::Contract& contract = shippedContract(version);
  HandleTablesInMemory made;
  made.tables.resize(kTablesBytes);
  addGc(made, contract, isServer);
  addTables(made, contract, isServer);
  addHashTable(made, contract);
  addSegment(made, contract, isServer);
  addSegment(made, contract, isServer);
  return made;
}

engine::Address HandleTablesInMemory::moduleOf(const engine::ClrRuntime& runtime) {
  return kTables + kModuleMember - runtime.contract().offset("Module", "AvailableTypeParams");
}

engine::ClrRuntime HandleTablesInMemory::runtime(unsigned version) const {
  FileBytes globals(32);
  put(globals, 0, kGlobals.value + 16, 8);
  put(globals, 8, kTables.value + kHeapType, 8);
  put(globals, 16, kTables.value, 8);
  CoreBuilder builder;
  builder.dataAlignment(16).memory(kGlobals.value, std::move(globals)).memory(kTables.value, tables);
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const std::size_t header = std::min<std::size_t>(segments[i].size(), kHeaderEnd - kHeaderFrom);
    const auto values = segments[i].begin() + static_cast<std::ptrdiff_t>(header);
    FileBytes memory(kValues);
    std::copy(segments[i].begin(), values, memory.begin() + static_cast<std::ptrdiff_t>(kHeaderFrom));
    memory.insert(memory.end(), values, segments[i].end());
    builder.memory(segmentAddress(i).value, std::move(memory));
  }
  const auto core = std::make_shared<OpenedCore>(builder);
  engine::RuntimeLibrary library;
  library.globalTable = {.address = kGlobals, .sizeBytes = 16, .entry = {}};
  return {{core, &core->space()},
          std::move(library),
          {.contract = shippedContract(version), .table = {2, {{"GcDacVars", 0}, {"GcHeapType", 1}}}}};
}

void HandleTablesInMemory::putInTables(std::uint64_t offset, std::uint64_t value, std::size_t sizeBytes) {
  put(tables, offset, value, sizeBytes);
}

void HandleTablesInMemory::putInSegment(std::size_t index, std::uint64_t offset, std::uint64_t value,
                                        std::size_t sizeBytes) {
  put(segments[index], offset < kHeaderEnd ? offset - kHeaderFrom : offset - kValues + kHeaderEnd - kHeaderFrom, value,
      sizeBytes);
}

}  // namespace heapscape::test
