// SPDX-License-Identifier: MIT
#include "session/details/address_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "runtime/gc/handles.h"
#include "runtime/threads/sync_blocks.h"
#include "runtime/threads/threads.h"
#include "session/details/object_details.h"
#include "session/objects/object_query.h"
#include "session/roots/statics_query.h"
#include "session/snapshot/contents.h"
#include "session/stacks/source_lines.h"
#include "session/stacks/stacks_query.h"
#include "stacks/debug_info/variable_places.h"
#include "stacks/unwinding/native_symbols.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kBytesBeforeObject = 8;  // objectBytes() begins so far in front of the object

}  // namespace

/// Parts that are read once for all addresses.
struct AddressMeanings::Parts {
  struct Thread {
    RuntimeThread thread;
    ThreadDetails details;
    std::vector<const FrameRow*> frames;  // managed ones by stack pointer
  };

  explicit Parts(Snapshot of)
      : snapshot(std::move(of)),
        sources(*snapshot.contents().readers, snapshot.contents().file->path()),
        symbols(*snapshot.contents().memory, *snapshot.contents().core) {}

  Snapshot snapshot;
  FrameSources sources;
  NativeSymbols symbols;
  std::vector<GcHandle> handles;      // by address
  std::vector<StaticRow> statics;     // by address
  std::vector<Address> staticsEnd;    // the highest end of the statics up to each
  std::vector<SyncBlock> syncBlocks;  // by address
  std::vector<Thread> threads;
  std::shared_ptr<const StackList> stacks;
};

namespace {

// Bytes of a value type in its slot, or what a box is referred to from.
std::uint64_t slotBytes(const StaticRow& row) {
  return row.isBoxed ? sizeof(std::uint64_t) : std::max(row.value.sizeBytes, 1u);
}

class AddressExplainer {
 public:
  AddressExplainer(const AddressMeanings::Parts& parts, Address address)
      : m_parts(parts), m_snapshot(parts.snapshot), m_contents(m_snapshot.contents()), m_address(address) {}

  std::vector<AddressMeaning> explain() {
    explainHeap();
    explainType();
    explainMethod();
    explainHandle();
    explainStatic();
    explainSyncBlock();
    explainThread();
    explainMapping();
    return std::move(m_meanings);
  }

 private:
  const RuntimeReaders& readers() const { return *m_contents.readers; }

  AddressMeaning& add(AddressKind kind, std::string text, std::uint64_t offset = 0) {
    m_meanings.push_back({kind, std::move(text), {}, {}, {}, offset});
    return m_meanings.back();
  }

  void explainHeap() {
    const std::vector<Segment>& segments = *m_contents.segments;
    if (const auto row = objectAt(m_snapshot, m_address)) {
      explainObject(*row);
      return;
    }
    for (std::uint32_t i = 0; i < segments.size(); ++i) {
      const AddressRange whole{segments[i].objects.start, std::max(segments[i].objects.end, segments[i].reservedEnd)};
      if (!whole.contains(m_address)) continue;
      const char* where = segments[i].objects.contains(m_address) ? "a gap between objects"
                          : m_address < segments[i].committedEnd  ? "committed and unused"
                                                                  : "reserved";
      add(AddressKind::FreeSpace,
          fmt::format("{} in the {} segment of heap {}", where, toString(segments[i].kind), segments[i].heap),
          m_address - whole.start)
          .segment = {i};
    }
  }

  void explainObject(const ObjectRow& row) {
    const TypeRow& type = m_snapshot.types()[row.type.value];
    const std::string object = fmt::format("{} at {}", type.name, toString(row.address));
    AddressMeaning meaning{AddressKind::ObjectStart, object, row.address, type.methodTable, row.segment, 0};
    if (type.isFree) {
      meaning.kind = AddressKind::FreeSpace;
      meaning.text = fmt::format("free block of {} bytes at {}", row.alignedBytes, toString(row.address));
      meaning.offset = m_address.value - std::min(m_address.value, row.address.value);
    } else if (m_address < row.address) {
      meaning.kind = AddressKind::ObjectHeader;
      meaning.text = "header of " + object;
    } else if (m_address > row.address) {
      meaning.kind = AddressKind::ObjectInterior;
      meaning.offset = m_address - row.address;
      meaning.text = fmt::format("{} of {}", partAt(row, meaning.offset), object);
    }
    m_meanings.push_back(std::move(meaning));
  }

  std::string partAt(const ObjectRow& row, std::uint64_t offset) const {
    const auto bytes = objectBytes(m_snapshot, row.address, kBytesBeforeObject + offset, 1);
    if (!bytes || bytes->runs.empty()) return fmt::format("byte {}", offset);
    const ByteRun& run = bytes->runs.front();
    switch (run.owner) {
      case ByteOwner::Field:
        return "field " + run.name;
      case ByteOwner::Element:
        return "element " + run.name;
      default:
        return toString(run.owner);
    }
  }

  void explainType() {
    const auto type = readers().methodTables.isMethodTable(m_address) ? readers().methodTables.read(m_address)
                                                                      : failure(ErrorCode::NotFound, {});
    if (type) {
      add(AddressKind::MethodTable, "method table of " + readers().names.nameOf(m_address)).methodTable = m_address;
      return;
    }
    const auto owner = readers().runtime.pointerAt(m_address, "EEClass", "MethodTable");
    if (!owner || !readers().methodTables.isMethodTable(*owner)) return;
    const auto canonical = readers().methodTables.read(*owner);
    if (canonical && canonical->eeClass == m_address)
      add(AddressKind::EEClass, "EEClass of " + readers().names.nameOf(*owner)).methodTable = *owner;
  }

  void explainMethod() {
    if (const auto code = readers().code.find(m_address)) {
      const std::uint64_t offset = m_address - code->start;
      std::string text = fmt::format("code of {}", readers().methodNames.nameOf(code->methodDesc));
      if (offset) text += fmt::format(" + {:#x}", offset);
      text += lineOf(*code, offset);
      add(AddressKind::MethodCode, std::move(text), offset).methodTable = typeOfMethod(code->methodDesc);
    } else if (m_meanings.empty()) {
      const auto method = readers().methods.read(m_address);
      if (!method || !readers().methodTables.isMethodTable(method->methodTable)) return;
      add(AddressKind::MethodDesc,
          fmt::format("MethodDesc of {}{}", readers().methodNames.nameOf(m_address), codeText(*method)))
          .methodTable = method->methodTable;
    }
  }

  /// ", jitted, tier-0, 45 bytes at 0x…" of the code that its calls run now; empty if it has none.
  std::string codeText(const MethodDesc& method) const {
    const Address wrapped = readers().methods.formOf(method).wrapped;
    const auto owner = wrapped ? readers().methods.read(wrapped) : Result<MethodDesc>(method);
    const std::vector<MethodCode> versions = readers().methodCodes.of(owner ? *owner : method);
    const MethodCode* code = activeOf(versions);
    if (!code) return {};
    std::string text = fmt::format(", {}", toString(code->state));
    if (!code->tier.empty()) text += ", " + code->tier;
    text += code->sizeBytes ? fmt::format(", {} bytes at {}", code->sizeBytes, toString(code->start))
                            : ", code at " + toString(code->start);
    if (wrapped) text += fmt::format(", shared with {}", readers().methodNames.nameOf(wrapped));
    return text;
  }

  Address typeOfMethod(Address methodDesc) const {
    const auto method = readers().methods.read(methodDesc);
    return method ? method->methodTable : Address{};
  }

  // ", Program.cs:42" where a PDB tells it.
  std::string lineOf(const CodeLocation& code, std::uint64_t offset) const {
    const auto info = m_parts.sources.debugInfo().of(code);
    const auto il = info ? ilOffsetAt(*info, static_cast<std::uint32_t>(offset), false) : std::nullopt;
    const auto method = readers().methods.read(code.methodDesc);
    const Module* module = method ? readers().methodNames.moduleOf(*method) : nullptr;
    const auto line = il && module ? m_parts.sources.lines().lineOf(*module, method->row, *il) : std::nullopt;
    return line ? fmt::format(", {}:{}", line->file, line->line) : std::string();
  }

  void explainHandle() {
    const auto handle = std::ranges::lower_bound(m_parts.handles, m_address, {}, &GcHandle::address);
    if (handle == m_parts.handles.end() || handle->address != m_address) return;
    const std::string to = handle->object ? "to " + nameOfObject(handle->object) : std::string("to nothing");
    add(AddressKind::HandleSlot, fmt::format("{} handle {}", toString(handle->kind), to)).object = handle->object;
  }

  std::string nameOfObject(Address object) const {
    const auto row = objectAt(m_snapshot, object);
    return fmt::format("{} at {}", row ? m_snapshot.types()[row->type.value].name : "no object", toString(object));
  }

  void explainStatic() {
    auto next = std::ranges::upper_bound(m_parts.statics, m_address, {}, &StaticRow::address);
    while (next != m_parts.statics.begin()) {
      --next;
      if (m_parts.staticsEnd[static_cast<std::size_t>(next - m_parts.statics.begin())] <= m_address) break;
      const StaticRow& row = *next;
      if (!AddressRange{row.address, row.address + slotBytes(row)}.contains(m_address)) continue;
      std::string text = fmt::format("static field {}.{}", row.typeName, row.field);
      if (row.kind == StaticKind::Thread) text += fmt::format(" of thread {}", row.threadId);
      AddressMeaning& meaning = add(AddressKind::StaticSlot, std::move(text), m_address - row.address);
      meaning.methodTable = row.methodTable;
      meaning.object = row.value.value.object;
    }
  }

  void explainSyncBlock() {
    const std::uint64_t size = readers().runtime.contract().sizeOf("SyncBlock");
    const auto next = std::ranges::upper_bound(m_parts.syncBlocks, m_address, {}, &SyncBlock::address);
    if (next == m_parts.syncBlocks.begin()) return;
    const SyncBlock& block = *std::prev(next);
    if (!AddressRange{block.address, block.address + size}.contains(m_address)) return;
    add(AddressKind::SyncBlock,
        fmt::format("sync block {} of {}", block.index,
                    block.object ? nameOfObject(block.object) : std::string("no object")),
        m_address - block.address)
        .object = block.object;
  }

  void explainThread() {
    for (const auto& [thread, details, frames] : m_parts.threads) {
      const std::string name = details.name.empty() ? std::string() : fmt::format(" \"{}\"", details.name);
      if (thread.address == m_address) {
        add(AddressKind::RuntimeThread, fmt::format("the runtime's thread {}{}", thread.managedId, name)).object =
            details.managedThread;
      }
      if (details.stack.contains(m_address)) {
        add(AddressKind::ThreadStack, fmt::format("stack of thread {}{}{}", thread.managedId, name, frameAt(frames)),
            details.stack.end - m_address);
      }
    }
  }

  /// ", in the frame of M" for what lies between the stack pointers of a frame and of the one that called it.
  std::string frameAt(const std::vector<const FrameRow*>& frames) const {
    if (frames.empty()) return {};
    const auto next = std::ranges::upper_bound(frames, m_address, {}, &FrameRow::stackPointer);
    if (next == frames.begin()) return ", below its managed frames";
    return ", in the frame of " + nameOf(**std::prev(next));
  }

  void explainMapping() {
    for (const ModuleRow& module : m_snapshot.modules()) {
      const AddressRange image{module.imageBase, module.imageBase + module.sizeBytes};
      if (module.imageBase && image.contains(m_address))
        add(AddressKind::Module, "image of " + module.name, m_address - image.start);
    }
    const ElfCore& core = *m_contents.core;
    for (const MappedFile& file : core.files) {
      if (!file.range.contains(m_address)) continue;
      const NativeName name = m_parts.symbols.nameOf(m_address);
      const std::string symbol =
          name.symbol.empty() ? std::string() : fmt::format(" ({}+{:#x})", name.symbol, name.offset);
      add(AddressKind::MappedFile, file.path + symbol, m_address - file.range.start + file.fileOffset);
    }
    if (!m_meanings.empty()) return;
    for (const LoadSegment& load : core.loads) {
      if (!load.range.contains(m_address)) continue;
      const bool isStack = isNearStackPointer(load);
      add(isStack ? AddressKind::ThreadStack : AddressKind::Native,
          fmt::format("{} from {} to {}", isStack ? "stack of a native thread" : "memory that no file backs",
                      toString(load.range.start), toString(load.range.end)),
          m_address - load.range.start);
      return;
    }
    add(AddressKind::Unmapped, "no memory that the dump knows of");
  }

  bool isNearStackPointer(const LoadSegment& load) const {
    return std::any_of(m_contents.core->threads.begin(), m_contents.core->threads.end(),
                       [&](const CoreThread& thread) { return load.range.contains(thread.stackPointer()); });
  }

  const AddressMeanings::Parts& m_parts;
  const Snapshot& m_snapshot;
  const Contents& m_contents;
  Address m_address;
  std::vector<AddressMeaning> m_meanings;
};

}  // namespace

Outcome<AddressMeanings> AddressMeanings::make(const Snapshot& snapshot, std::stop_token stop) {
  auto parts = std::make_shared<Parts>(snapshot);
  const RuntimeReaders& readers = *snapshot.contents().readers;
  FindingList ignored;  // opening has told of them, or those who list these will
  parts->handles = readHandles(readers.runtime, true, ignored);
  std::ranges::sort(parts->handles, {}, &GcHandle::address);
  HEAPSCAPE_TRY(StaticList statics, listStatics(snapshot, {}, stop));
  parts->statics = std::move(statics.statics);
  std::erase_if(parts->statics, [](const StaticRow& row) { return !row.address; });
  std::ranges::stable_sort(parts->statics, {}, &StaticRow::address);
  Address end;
  for (const StaticRow& row : parts->statics) {
    end = std::max(end, row.address + slotBytes(row));
    parts->staticsEnd.push_back(end);
  }
  parts->syncBlocks = readSyncBlocks(readers.runtime, ignored);
  std::ranges::sort(parts->syncBlocks, {}, &SyncBlock::address);
  HEAPSCAPE_TRY(parts->stacks, keptStacks(snapshot, stop));
  for (const RuntimeThread& thread : readThreads(readers.runtime, ignored)) {
    std::vector<const FrameRow*> frames;
    const auto stack = std::ranges::find(parts->stacks->threads, thread.address, &ThreadStackRow::thread);
    if (stack != parts->stacks->threads.end()) {
      for (const FrameRow& frame : stack->frames) {
        if (frame.kind == FrameKind::Managed) frames.push_back(&frame);
      }
    }
    std::ranges::stable_sort(frames, {}, &FrameRow::stackPointer);
    parts->threads.push_back({thread, readThreadDetails(readers, thread), std::move(frames)});
  }
  return AddressMeanings(std::move(parts));
}

std::vector<AddressMeaning> AddressMeanings::of(Address address) const {
  return AddressExplainer(*m_parts, address).explain();
}

Outcome<std::vector<AddressMeaning>> explainAddress(const Snapshot& snapshot, Address address, std::stop_token stop) {
  HEAPSCAPE_TRY(const AddressMeanings meanings, AddressMeanings::make(snapshot, std::move(stop)));
  return meanings.of(address);
}

namespace {

constexpr std::uint64_t kWordBytes = 8;

std::optional<std::uint64_t> wordAt(const AddressSpace& memory, Address address) {
  std::uint64_t value = 0;
  return memory.tryRead(address, value) ? std::optional(value) : std::nullopt;
}

}  // namespace

AddressRange memoryFrom(Address address, std::uint64_t bytes) {
  const std::uint64_t most = ~address.value;
  return {address, address + std::min(bytes, most)};
}

Outcome<void> readMemory(const Snapshot& snapshot, AddressRange range,
                         const std::function<bool(const MemoryRun&)>& visit, std::stop_token stop) {
  const AddressSpace& memory = *snapshot.contents().memory;
  std::vector<std::byte> copy;
  Address at = range.start;
  for (const AddressRange& present : memory.readable(range)) {
    if (at < present.start && !visit({{at, present.start}, {}})) return {};
    for (at = present.start; at < present.end;) {
      if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      const std::uint64_t size = std::min(present.end - at, kLongestMemoryRun);
      Bytes bytes = memory.prefix(at, size);
      if (bytes.size() < size) {
        copy.resize(size);
        bytes = memory.tryRead(at, copy) ? Bytes(copy) : Bytes{};
      }
      if (!visit({{at, at + size}, bytes})) return {};
      at = at + size;
    }
  }
  if (at < range.end) visit({{at, range.end}, {}});
  return {};
}

Outcome<void> readWords(const Snapshot& snapshot, AddressRange range,
                        const std::function<bool(const MemoryWord&)>& visit,
                        const std::function<bool(AddressRange)>& missing, std::stop_token stop) {
  const AddressSpace& memory = *snapshot.contents().memory;
  Address next = range.start;  // of the next word
  bool goesOn = true;
  const auto visitPart = [&](const MemoryRun& part) {
    if (part.isMissing()) {
      // Words that lie in it as a whole are told together; one that it only cuts is told by itself.
      const std::uint64_t whole = part.range.end <= next ? 0 : (part.range.end - next) / kWordBytes * kWordBytes;
      if (whole > 0) goesOn = missing({next, next + whole});
      next = next + whole;
      if (goesOn && next < part.range.end) {
        goesOn = visit({next, std::nullopt});
        next = next + kWordBytes;
      }
      return goesOn;
    }
    while (goesOn && next < part.range.end) {
      MemoryWord word{next, std::nullopt};
      if (next >= part.range.start && part.range.end - next >= kWordBytes) {
        std::uint64_t value = 0;
        std::memcpy(&value, part.bytes.data() + (next - part.range.start), sizeof value);
        word.value = value;
      } else {
        word.value = wordAt(memory, next);
      }
      goesOn = visit(word);
      if (next.value > ~kWordBytes) return false;
      next = next + kWordBytes;
    }
    return goesOn;
  };
  return readMemory(snapshot, range, visitPart, std::move(stop));
}

std::optional<AddressMeaning> meaningOf(const AddressMeanings& meanings, std::uint64_t word) {
  constexpr std::uint64_t kLowestAddress = 64 * 1024;  // nothing is ever mapped below
  if (word < kLowestAddress) return std::nullopt;
  std::vector<AddressMeaning> found = meanings.of({word});
  if (found.front().kind == AddressKind::Unmapped) return std::nullopt;
  return std::move(found.front());
}

}  // namespace heapscape::engine
