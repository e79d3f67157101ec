// SPDX-License-Identifier: MIT
#include "core/template_heap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "session/open/open_dump.h"
#include "session/roots/statics_query.h"
#include "session/snapshot/contents.h"

namespace heapscape::bench {

namespace {

engine::Snapshot openTemplate(const std::string& path) {
  const auto opened = engine::openDump(path, {.stopAfter = engine::Stage::Objects}, nullptr, {});
  if (!opened) fail(opened.error().isCancelled() ? "cancelled" : opened.error().error().message());
  if (!opened->summary().runtime.hasRegions || opened->summary().runtime.isServerGc)
    fail("The template has to be of a workstation GC with regions.");
  return *opened;
}

}  // namespace

void fail(const std::string& what) {
  fmt::print(stderr, "heapscape-bench-core: {}\n", what);
  std::exit(1);
}

TemplateHeap::TemplateHeap(const std::string& path) : m_snapshot(openTemplate(path)) {}

Kind TemplateHeap::kind(const std::string& typeName) const {
  for (const engine::TypeRow& row : m_snapshot.types()) {
    if (row.name == typeName) return {row.methodTable.value, row.baseSize, row.componentSize};
  }
  fail("The template has no object of type " + typeName + ".");
}

std::uint64_t TemplateHeap::field(const Kind& kind, const std::string& name) const {
  const engine::RuntimeReaders& readers = *contents().readers;
  const auto type = readers.methodTables.read({kind.methodTable});
  const auto fields = type ? readers.fields.declaredBy(*type) : tl::unexpected<engine::Error>(type.error());
  if (!fields) fail(fields.error().message());
  const auto found = std::ranges::find_if(*fields, [&](const auto& one) { return !one.isStatic && one.name == name; });
  if (found == fields->end()) fail("The template's types have no field " + name + ".");
  return engine::kPointerBytes + found->offset;
}

std::uint64_t TemplateHeap::heldList() const {
  const std::uint64_t list = kind("System.Collections.Generic.List<System.Object>").methodTable;
  const auto statics = engine::listStatics(m_snapshot, {}, {});
  if (statics) {
    for (const engine::StaticRow& row : statics->statics) {
      engine::Address object, methodTable;
      const engine::AddressSpace& memory = *contents().memory;
      if (row.kind == engine::StaticKind::Normal && row.address && memory.tryRead(row.address, object) && object &&
          memory.tryRead(object, methodTable) && methodTable.value == list)
        return object.value;
    }
  }
  fail("No static field of the template is a List<object>.");
}

std::uint64_t TemplateHeap::lastSegment(std::size_t generation) const {
  std::uint64_t last = contents().gc->heaps.at(0).generations.at(generation).firstSegment.value;
  while (const std::uint64_t next = read(last + segmentField("Next"))) last = next;
  return last;
}

std::uint64_t TemplateHeap::segmentField(const std::string& name) const {
  return contents().readers->runtime.contract().offset("HeapSegment", name);
}

std::uint64_t TemplateHeap::firstObjectOffset() const {
  return read(lastSegment(2) + segmentField("Mem")) % engine::kPageBytes;
}

std::uint64_t TemplateHeap::read(std::uint64_t address) const {
  std::uint64_t value = 0;
  if (!contents().memory->tryRead({address}, value))
    fail("The template lacks memory at " + engine::toString(engine::Address{address}) + ".");
  return value;
}

engine::Bytes TemplateHeap::bytes(std::uint64_t address, std::size_t size) const {
  const engine::Bytes found = contents().memory->prefix({address}, size);
  if (found.size() < size) fail("The template lacks memory at " + engine::toString(engine::Address{address}) + ".");
  return found;
}

}  // namespace heapscape::bench
