// SPDX-License-Identifier: MIT
#include "redact/unlisted_statics.h"

#include <algorithm>
#include <string_view>

#include "redact/native_words.h"
#include "runtime/threads/threads.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kMostBytes = 64 << 10;  // of a module's statics
constexpr std::uint64_t kMostEntries = 4096;
constexpr std::uint64_t kInThreadBytes = 256;
constexpr std::uint64_t kEntryDataOffset = 8;  // behind the address of its references

class UnlistedStatics {
 public:
  UnlistedStatics(const Snapshot& snapshot, const MappedAddresses& mapped)
      : m_contents(snapshot.contents()), m_runtime(m_contents.readers->runtime), m_mapped(mapped) {}

  std::vector<AddressRange> find() {
    FindingList findings;
    const std::vector<RuntimeThread> threads = readThreads(m_runtime, findings);
    const Contract& contract = m_runtime.contract();
    if (contract.has("Thread", "ThreadLocalDataPtr"))
      for (const RuntimeThread& thread : threads) addThread(thread.address);
    if (!contract.has("Module", "DomainLocalModule")) return std::move(m_ranges);
    for (const Module* module : m_contents.readers->modules.all()) {
      const std::uint32_t types = module->metadata ? module->metadata->rowCount(TableId::TypeDef) : 0;
      addModule(m_runtime.pointerAt(module->address, "Module", "DomainLocalModule"), "DomainLocalModule", types);
      const auto index = m_runtime.valueAt<std::uint32_t>(module->address, "Module", "ModuleIndex");
      for (const RuntimeThread& thread : threads) {
        const auto size = m_runtime.valueAt<std::uint64_t>(thread.address, "Thread", "ThreadLocalModuleTableSize");
        const auto table = m_runtime.pointerAt(thread.address, "Thread", "ThreadLocalModuleTable");
        if (!index || !size || !table || *index >= *size) continue;
        addModule(m_runtime.memory().readPointer(*table + kPointerBytes * *index), "ThreadLocalModule", types);
      }
    }
    return std::move(m_ranges);
  }

 private:
  // Since .NET 9 small thread statics lie behind what the runtime knows of a thread's statics, among other variables of
  // the thread.
  void addThread(Address thread) {
    const auto block = m_runtime.pointerAt(thread, "Thread", "ThreadLocalDataPtr");
    if (!block || !*block) return;
    const Address start = m_runtime.member(*block, "ThreadLocalData", "InFlightData") + kPointerBytes;
    m_ranges.push_back({start, start + kInThreadBytes});
  }

  // .NET 8: behind a byte for each type of the module, and in entries of generic types.
  void addModule(const Result<Address>& statics, std::string_view structure, std::uint32_t types) {
    if (!statics || !*statics) return;
    addUpToAddress(m_runtime.member(*statics, structure, "ClassFlags") + types);
    const auto count = m_runtime.valueAt<std::uint64_t>(*statics, structure, "DynamicEntries");
    const auto table = m_runtime.pointerAt(*statics, structure, "DynamicClassTable");
    if (!count || !table || !*table) return;
    const std::uint64_t entryBytes = m_runtime.contract().sizeOf("DynamicClassInfo");
    for (std::uint64_t i = 0; i < std::min(*count, kMostEntries); ++i) {
      const auto entry = m_runtime.pointerAt(*table + i * entryBytes, "DynamicClassInfo", "Entry");
      if (entry && *entry) addUpToAddress(*entry + kEntryDataOffset);
    }
  }

  void addUpToAddress(Address start) {
    Address at{alignUp(start.value, kPointerBytes)};
    std::uint64_t word = 0;
    while (at < start + kMostBytes && m_runtime.memory().tryRead(at, word) && !isAddress(word, m_mapped))
      at += kPointerBytes;
    if (start < at) m_ranges.push_back({start, at});
  }

  const Contents& m_contents;
  const ClrRuntime& m_runtime;
  const MappedAddresses& m_mapped;
  std::vector<AddressRange> m_ranges;
};

}  // namespace

std::vector<AddressRange> unlistedStatics(const Snapshot& snapshot, const MappedAddresses& mapped) {
  return UnlistedStatics(snapshot, mapped).find();
}

}  // namespace heapscape::engine
