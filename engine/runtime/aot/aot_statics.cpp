// SPDX-License-Identifier: MIT
#include "runtime/aot/aot_statics.h"

#include <fmt/format.h>

#include "base/bounded_reader.h"
#include "base/limits.h"
#include "runtime/aot/aot_program.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kMostInlinedRoots = 1000;      // of one thread: one for each compiled module
constexpr std::uint32_t kMostHolderBytes = 1 << 20;  // of the largest class
constexpr std::uint64_t kNotAllocatedYet = 7;        // bits of what stands in an object's place before
constexpr std::uint64_t kRelativePointerBytes = sizeof(std::int32_t);

}  // namespace

std::vector<StaticsHolder> readAotStatics(const ClrRuntime& runtime, FindingList& findings) {
  std::vector<StaticsHolder> holders;
  const AddressSpace& memory = runtime.memory();
  for (const Address typeManager : runtime.aot()->typeManagers) {
    const auto sections = AotSections::read(memory, typeManager);
    const auto section = sections ? sections->find(AotSectionKind::GcStatics) : std::nullopt;
    if (!section) continue;
    const auto view = memory.view(*section);
    if (!view || section->sizeBytes() / kRelativePointerBytes > kLimits.statics) {
      findings.add(FindingKind::MemoryMissing, section->start, "A list of static fields is not in the dump.");
      continue;
    }
    std::int32_t distance = 0;
    for (std::uint64_t at = 0; tryReadAt(view->bytes, at, distance); at += kRelativePointerBytes) {
      const Address cell{section->start.value + at + static_cast<std::uint64_t>(std::int64_t{distance})};
      Address object;
      if (!memory.tryRead(cell, object)) {
        findings.add(FindingKind::MemoryMissing, cell, "The static fields of a class are not in the dump.");
        continue;
      }
      if (object && (object.value & kNotAllocatedYet) == 0) holders.push_back({cell, object});
    }
  }
  return holders;
}

namespace {

/// What a root of the list of a thread's common objects holds, one of each compiled module.
struct InlinedRoot {
  Address cell;
  Address object;  // 0 if the thread has none yet
  Address typeManager;
};

std::vector<InlinedRoot> inlinedRootsOf(const ClrRuntime& runtime, Address thread) {
  std::vector<InlinedRoot> roots;
  Address root = runtime.pointerAt(thread, "Thread", "InlinedThreadStatics").value_or(Address{});
  for (std::size_t i = 0; root && i < kMostInlinedRoots; ++i) {
    const Address cell = runtime.member(root, "InlinedThreadStaticRoot", "Object");
    const auto object = runtime.memory().readPointer(cell);
    const auto typeManager = runtime.pointerAt(root, "InlinedThreadStaticRoot", "TypeManager");
    const auto next = runtime.pointerAt(root, "InlinedThreadStaticRoot", "Next");
    if (!object || !next) break;
    roots.push_back({cell, *object, typeManager.value_or(Address{})});
    root = *next;
  }
  return roots;
}

/// Where the element of an array of references lies; 0 if it has none of that number.
Address elementOf(const ClrRuntime& runtime, Address array, std::uint32_t index) {
  std::uint32_t length = 0;
  if (!array || !runtime.memory().tryRead(array + kPointerBytes, length) || index >= length) return {};
  return array + 2 * kPointerBytes + std::uint64_t{kPointerBytes} * index;
}

/// The cell with the object that is a class's own.
Address ownCellOf(const ClrRuntime& runtime, Address thread, const AotThreadPlace& place) {
  const AddressSpace& memory = runtime.memory();
  const Address all = runtime.pointerAt(thread, "Thread", "ThreadLocalStatics").value_or(Address{});
  Address ofModule;
  const Address cell = elementOf(runtime, all, place.module);
  if (!cell || !memory.tryRead(cell, ofModule)) return {};
  return elementOf(runtime, ofModule, place.index);
}

StaticsHolder::Part partOf(const AotToldTypes::ThreadStaticsOwner& owner) {
  return {.start = owner.place.start,
          .end = owner.place.end,
          .type = owner.type,
          .typeName = owner.typeName,
          .areNamed = owner.areNamed};
}

}  // namespace

std::vector<StaticsHolder> readAotThreadStatics(const ClrRuntime& runtime, Address thread) {
  std::vector<StaticsHolder> holders;
  const AddressSpace& memory = runtime.memory();
  const AotToldTypes* told = runtime.aot()->debugFile.types();
  for (const InlinedRoot& root : inlinedRootsOf(runtime, thread)) {
    if (!root.object) continue;
    StaticsHolder& holder = holders.emplace_back(root.cell, root.object);
    if (!told) continue;
    for (const AotToldTypes::ThreadStaticsOwner& owner : told->threadStaticsOwners())
      if (owner.place.index == 0 && owner.place.typeManager == root.typeManager) holder.parts.push_back(partOf(owner));
  }
  const Address cell = runtime.member(thread, "Thread", "ThreadLocalStatics");
  const auto array = memory.readPointer(cell);
  if (!array || !*array) return holders;
  holders.push_back({cell, *array, false});
  if (!told) return holders;
  for (const AotToldTypes::ThreadStaticsOwner& owner : told->threadStaticsOwners()) {
    if (owner.place.index == 0) continue;
    const Address own = ownCellOf(runtime, thread, owner.place);
    Address object;
    if (own && memory.tryRead(own, object) && object) holders.push_back({own, object, true, {partOf(owner)}});
  }
  return holders;
}

Address threadStaticsAt(const ClrRuntime& runtime, Address thread, const AotThreadPlace& place) {
  Address object;
  if (place.index == 0) {
    for (const InlinedRoot& root : inlinedRootsOf(runtime, thread))
      if (root.typeManager == place.typeManager) object = root.object;
  } else if (const Address cell = ownCellOf(runtime, thread, place); cell) {
    runtime.memory().tryRead(cell, object);
  }
  Address type;
  // Any other object there has other fields.
  if (!object || !runtime.memory().tryRead(object, type) || (type.value & ~kNotAllocatedYet) != place.holderType.value)
    return {};
  return object;
}

Address managedThreadOf(const ClrRuntime& runtime, Address thread) {
  const AddressSpace& memory = runtime.memory();
  const Address threadType = runtime.globalPointer("ThreadMethodTable").value_or(Address{});
  Address found;
  for (const StaticsHolder& holder : readAotThreadStatics(runtime, thread)) {
    const auto methodTable = memory.readPointer(holder.object);
    const auto type = methodTable ? runtime.aot()->methodTables.read(*methodTable) : failure(ErrorCode::NotFound, {});
    if (!threadType || !type || !holder.hasFields || type->baseSize > kMostHolderBytes) continue;
    for (std::uint64_t at = kPointerBytes; at + 2 * kPointerBytes <= type->baseSize; at += kPointerBytes) {
      Address target;
      Address targetType;
      if (!memory.tryRead(holder.object + at, target) || !target || !memory.tryRead(target, targetType)) continue;
      if (targetType != threadType || target == found) continue;
      if (found) return {};
      found = target;
    }
  }
  return found;
}

}  // namespace heapscape::engine
