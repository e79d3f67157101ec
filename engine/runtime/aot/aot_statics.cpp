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

std::vector<StaticsHolder> readAotThreadStatics(const ClrRuntime& runtime, Address thread) {
  std::vector<StaticsHolder> holders;
  const AddressSpace& memory = runtime.memory();
  Address root = runtime.pointerAt(thread, "Thread", "InlinedThreadStatics").value_or(Address{});
  for (std::size_t i = 0; root && i < kMostInlinedRoots; ++i) {
    const Address cell = runtime.member(root, "InlinedThreadStaticRoot", "Object");
    const auto object = memory.readPointer(cell);
    const auto next = runtime.pointerAt(root, "InlinedThreadStaticRoot", "Next");
    if (!object || !next) break;
    if (*object) holders.push_back({cell, *object});
    root = *next;
  }
  const Address cell = runtime.member(thread, "Thread", "ThreadLocalStatics");
  if (const auto array = memory.readPointer(cell); array && *array) holders.push_back({cell, *array, false});
  return holders;
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
