// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <set>

#include "cli/sos/sos_command.h"
#include "cli/sos/sos_loader_heaps.h"
#include "cli/sos/sos_text.h"
#include "runtime/methods/code_range.h"
#include "runtime/modules/loader_allocators.h"
#include "session/snapshot/contents.h"

namespace heapscape::cli {

using engine::Address;
using engine::AddressRange;
using engine::LoaderHeapBlock;
using engine::Snapshot;

namespace {

constexpr const char* kDivider = "----------------------------------------\n";

/// Names of the heaps as SOS has them, in its order.
constexpr std::array kLoaderHeapNames{
    std::pair("low frequency", "LowFrequencyHeap"),
    std::pair("high frequency", "HighFrequencyHeap"),
    std::pair("stubs", "StubHeap"),
    std::pair("executable", "ExecutableHeap"),
    std::pair("fixup precodes", "FixupPrecodeHeap"),
    std::pair("stub precodes", "NewStubPrecodeHeap"),
    std::pair("cells of interface calls", "IndirectionCellHeap"),
    std::pair("cache of interface calls", "CacheEntryHeap"),
    std::pair("statics", "Unknown"),
};

struct HeapBytes {
  std::uint64_t used = 0;
  std::uint64_t wasted = 0;
  HeapBytes& operator+=(const HeapBytes& other) {
    used += other.used;
    wasted += other.wasted;
    return *this;
  }
};

std::string bytesText(const HeapBytes& bytes) {
  std::string text = fmt::format("Size: {} bytes total", hexAndDecimal(bytes.used));
  if (bytes.wasted > 0) text += fmt::format(", {} bytes wasted", hexAndDecimal(bytes.wasted));
  return text + '.';
}

class LoaderHeapPrinter {
 public:
  LoaderHeapPrinter(SosRun& run, const Snapshot& snapshot)
      : m_run(run), m_memory(*snapshot.contents().memory), m_readers(*snapshot.contents().readers) {}

  void print() {
    m_run.print("Loader Heap:\n{}", kDivider);
    const engine::Module* core = m_readers.modules.coreLibrary();
    const Address allocator = core ? core->loaderAllocator : Address{};
    printDomain("System Domain:", "SystemDomain", allocator);
    printDomain("Domain 1:", "AppDomain", allocator);
    printCodeHeaps();
    printModules();
  }

 private:
  void row(const std::string& title, const std::string& text) { m_run.print("{:<21} {}\n", title, text); }

  void printDomain(const char* title, const char* global, Address allocator) {
    row(title, shortAddress(m_readers.runtime.globalPointer(global).value_or(Address{})));
    row("LoaderAllocator:", shortAddress(allocator));
    printAllocator(allocator);
  }

  void printAllocator(Address allocator) {
    HeapBytes total;
    bool hasAny = false;
    if (allocator && m_seen.insert(allocator).second) {
      engine::FindingList findings;
      const std::vector<LoaderHeapBlock> blocks = engine::readLoaderHeaps(m_readers.runtime, allocator, findings);
      for (const auto& [heap, name] : kLoaderHeapNames) {
        HeapBytes bytes;
        std::string text;
        bool isFirst = true;  // what its heap allocates from now
        for (const LoaderHeapBlock& block : blocks) {
          if (std::string_view(block.heap) != heap) continue;
          text += blockText(block.range, isFirst, bytes) + ' ';
          isFirst = false;
        }
        if (text.empty()) continue;
        row(fmt::format("{}:", name), text + bytesText(bytes));
        total += bytes;
        hasAny = true;
      }
    }
    if (hasAny)
      row("Total size:", bytesText(total));
    else
      m_run.print("No unique loader heaps found.\n");
    m_run.print("{}", kDivider);
  }

  /// "7fe639180000(10000:8000)": what is reserved, and what of it the process had.
  std::string blockText(AddressRange range, bool isActive, HeapBytes& bytes) const {
    const std::uint64_t used = usedBytes(range);
    bytes.used += used;
    if (!isActive) bytes.wasted += range.sizeBytes() - used;
    return fmt::format("{}({:x}:{:x})", shortAddress(range.start), range.sizeBytes(), used);
  }

  /// Whole pages from the start on that the dump holds.
  std::uint64_t usedBytes(AddressRange range) const {
    const std::vector<AddressRange> readable = m_memory.readable(range);
    if (readable.empty() || readable.front().start != range.start) return 0;
    return readable.front().sizeBytes();
  }

  /// Whether a code heap allocates from blocks as loader heaps do; else it is one for methods made at run time.
  bool isLoaderCodeHeap(Address heapList, AddressRange range) const {
    const auto heap = m_readers.runtime.pointerAt(heapList, "CodeHeapListNode", "Heap");
    if (!heap) return true;
    constexpr std::uint64_t kPlacesOfBlock = 8;  // words of a LoaderCodeHeap in which the list of its blocks begins
    for (std::uint64_t i = 1; i <= kPlacesOfBlock; ++i) {
      const auto block = m_memory.readPointer(*heap + i * engine::kPointerBytes);
      const auto start = block && *block ? m_readers.runtime.pointerAt(*block, "LoaderHeapBlock", "VirtualAddress")
                                         : engine::failure(engine::ErrorCode::NotFound, {});
      if (start && range.contains(*start)) return true;
    }
    return false;
  }

  void printCodeHeaps() {
    struct CodeHeap {
      AddressRange range;
      bool isLoader = true;
    };
    std::vector<CodeHeap> heaps;
    for (const engine::CodeRange& code : engine::allCodeRanges(m_readers.runtime)) {
      if (code.heap) heaps.push_back({code.range, isLoaderCodeHeap(code.heap, code.range)});
    }
    std::ranges::stable_sort(heaps, {},
                             [](const CodeHeap& heap) { return std::pair(!heap.isLoader, heap.range.start); });
    const Address manager = m_readers.runtime.globalPointer("EEJitManager").value_or(Address{});
    row("JIT Manager:", shortAddress(manager));
    HeapBytes total;
    for (const CodeHeap& heap : heaps) {
      HeapBytes bytes;
      // One for methods made at run time begins with the page of its head, and takes what it uses.
      AddressRange range = heap.range;
      if (!heap.isLoader) {
        range.start = Address{range.start.value & ~(engine::kPageBytes - 1)};
        range.end = range.start + usedBytes(range);
      }
      const std::string text = blockText(range, true, bytes);
      row(heap.isLoader ? "LoaderCodeHeap:" : "HostCodeHeap:", text + ' ' + bytesText(bytes));
      total += bytes;
    }
    row("Total size:", bytesText(total));
    m_run.print("{}", kDivider);
  }

  /// Modules that can be unloaded have heaps of their own.
  void printModules() {
    for (const engine::Module* module : m_readers.modules.all()) {
      if (!module->loaderAllocator || m_seen.count(module->loaderAllocator) != 0) continue;
      row("Module:", shortAddress(module->address));
      row("LoaderAllocator:", shortAddress(module->loaderAllocator));
      printAllocator(module->loaderAllocator);
      if (!m_run.goesOn()) return;
    }
  }

  SosRun& m_run;
  const engine::AddressSpace& m_memory;
  const engine::RuntimeReaders& m_readers;
  std::set<Address> m_seen;  // LoaderAllocators that have been printed
};

}  // namespace

void printLoaderHeaps(SosRun& run, const Snapshot& snapshot) {
  LoaderHeapPrinter(run, snapshot).print();
}

}  // namespace heapscape::cli
