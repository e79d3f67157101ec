// SPDX-License-Identifier: MIT
#include "session/objects/address_query.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/gc/handles.h"
#include "runtime/threads/sync_blocks.h"
#include "runtime/threads/thread_details.h"
#include "session/door/contents.h"
#include "session/objects/object_details.h"
#include "session/objects/object_query.h"
#include "session/roots/statics_query.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kBytesBeforeObject = 8;  // objectBytes() begins so far in front of the object

class AddressExplainer {
 public:
  AddressExplainer(const Snapshot& snapshot, Address address, std::stop_token stop)
      : m_snapshot(snapshot), m_contents(snapshot.contents()), m_address(address), m_stop(std::move(stop)) {}

  Outcome<std::vector<AddressMeaning>> explain() {
    explainHeap();
    explainType();
    explainMethod();
    explainHandle();
    HEAPSCAPE_CHECK(explainStatic());
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
      add(AddressKind::MethodCode, std::move(text), offset).methodTable = typeOfMethod(code->methodDesc);
    } else if (m_meanings.empty()) {
      const auto method = readers().methods.read(m_address);
      if (!method || !readers().methodTables.isMethodTable(method->methodTable)) return;
      add(AddressKind::MethodDesc, "MethodDesc of " + readers().methodNames.nameOf(m_address)).methodTable =
          method->methodTable;
    }
  }

  Address typeOfMethod(Address methodDesc) const {
    const auto method = readers().methods.read(methodDesc);
    return method ? method->methodTable : Address{};
  }

  void explainHandle() {
    FindingList findings;
    for (const GcHandle& handle : readHandles(readers().runtime, true, findings)) {
      if (handle.address != m_address) continue;
      const std::string to = handle.object ? "to " + nameOfObject(handle.object) : std::string("to nothing");
      add(AddressKind::HandleSlot, fmt::format("{} handle {}", toString(handle.kind), to)).object = handle.object;
    }
  }

  std::string nameOfObject(Address object) const {
    const auto row = objectAt(m_snapshot, object);
    return fmt::format("{} at {}", row ? m_snapshot.types()[row->type.value].name : "no object", toString(object));
  }

  Outcome<void> explainStatic() {
    HEAPSCAPE_TRY(const StaticList list, listStatics(m_snapshot, {}, m_stop));
    for (const StaticRow& row : list.statics) {
      const std::uint64_t size = row.isBoxed ? sizeof(std::uint64_t) : std::max(row.value.sizeBytes, 1u);
      if (!row.address || !AddressRange{row.address, row.address + size}.contains(m_address)) continue;
      std::string text = fmt::format("static field {}.{}", row.typeName, row.field);
      if (row.kind == StaticKind::Thread) text += fmt::format(" of thread {}", row.threadId);
      AddressMeaning& meaning = add(AddressKind::StaticSlot, std::move(text), m_address - row.address);
      meaning.methodTable = row.methodTable;
      meaning.object = row.value.value.object;
    }
    return {};
  }

  void explainSyncBlock() {
    const std::uint64_t size = readers().runtime.contract().sizeOf("SyncBlock");
    FindingList ignored;
    for (const SyncBlock& block : readSyncBlocks(readers().runtime, ignored)) {
      if (!AddressRange{block.address, block.address + size}.contains(m_address)) continue;
      add(AddressKind::SyncBlock,
          fmt::format("sync block {} of {}", block.index,
                      block.object ? nameOfObject(block.object) : std::string("no object")),
          m_address - block.address)
          .object = block.object;
    }
  }

  void explainThread() {
    FindingList ignored;
    for (const RuntimeThread& thread : readThreads(readers().runtime, ignored)) {
      const ThreadDetails details = readThreadDetails(readers(), thread);
      const std::string name = details.name.empty() ? std::string() : fmt::format(" \"{}\"", details.name);
      if (thread.address == m_address) {
        add(AddressKind::RuntimeThread, fmt::format("the runtime's thread {}{}", thread.managedId, name)).object =
            details.managedThread;
      }
      if (details.stack.contains(m_address)) {
        add(AddressKind::ThreadStack, fmt::format("stack of thread {}{}", thread.managedId, name),
            details.stack.end - m_address);
      }
    }
  }

  void explainMapping() {
    for (const ModuleRow& module : m_snapshot.modules()) {
      const AddressRange image{module.imageBase, module.imageBase + module.sizeBytes};
      if (module.imageBase && image.contains(m_address))
        add(AddressKind::Module, "image of " + module.name, m_address - image.start);
    }
    const ElfCore& core = *m_contents.core;
    for (const MappedFile& file : core.files) {
      if (file.range.contains(m_address))
        add(AddressKind::MappedFile, file.path, m_address - file.range.start + file.fileOffset);
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

  const Snapshot& m_snapshot;
  const Contents& m_contents;
  Address m_address;
  std::stop_token m_stop;
  std::vector<AddressMeaning> m_meanings;
};

}  // namespace

const char* toString(AddressKind kind) {
  switch (kind) {
    case AddressKind::ObjectStart:
      return "object";
    case AddressKind::ObjectHeader:
      return "objectHeader";
    case AddressKind::ObjectInterior:
      return "objectInterior";
    case AddressKind::FreeSpace:
      return "freeSpace";
    case AddressKind::MethodTable:
      return "methodTable";
    case AddressKind::EEClass:
      return "eeClass";
    case AddressKind::MethodDesc:
      return "methodDesc";
    case AddressKind::MethodCode:
      return "methodCode";
    case AddressKind::HandleSlot:
      return "handle";
    case AddressKind::StaticSlot:
      return "static";
    case AddressKind::SyncBlock:
      return "syncBlock";
    case AddressKind::RuntimeThread:
      return "thread";
    case AddressKind::ThreadStack:
      return "stack";
    case AddressKind::Module:
      return "module";
    case AddressKind::MappedFile:
      return "mappedFile";
    case AddressKind::Native:
      return "native";
    case AddressKind::Unmapped:
      return "unmapped";
  }
  return "unknown";
}

Outcome<std::vector<AddressMeaning>> explainAddress(const Snapshot& snapshot, Address address, std::stop_token stop) {
  return AddressExplainer(snapshot, address, std::move(stop)).explain();
}

}  // namespace heapscape::engine
