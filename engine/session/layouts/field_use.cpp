// SPDX-License-Identifier: MIT
#include "session/layouts/field_use.h"

#include <algorithm>

#include "base/progress.h"
#include "runtime/types/method_tables.h"
#include "session/layouts/layout_query.h"
#include "session/objects/scope_walk.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

/// The bytes of one field that hold something, from the start of the fields.
struct FieldBytes {
  struct Run {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
  };
  std::vector<Run> runs;

  bool isUsedIn(Bytes fields) const {
    return std::ranges::any_of(runs, [fields](const Run& run) {
      const Bytes bytes = fields.subspan(run.start, run.end - run.start);
      return std::ranges::any_of(bytes, [](std::byte byte) { return byte != std::byte{}; });
    });
  }
};

FieldBytes bytesOf(const LayoutField& field, const TypeLayout& layout) {
  FieldBytes bytes;
  std::uint64_t start = field.offset;
  const std::uint64_t end =
      std::min<std::uint64_t>(start + std::uint64_t{field.sizeBytes} * field.repeat, layout.fieldsBytes);
  for (const Padding& padding : layout.paddings) {
    if (padding.offset + padding.sizeBytes <= start || padding.offset >= end) continue;
    if (padding.offset > start) bytes.runs.push_back({start, padding.offset});
    start = padding.offset + padding.sizeBytes;
  }
  if (start < end) bytes.runs.push_back({start, end});
  return bytes;
}

// Spreads neighbours: objects of one type often lie at equal distances.
std::uint64_t scattered(Address address) {
  return (address.value >> 3) * 0x9E3779B97F4A7C15ull >> 32;
}

/// At most `limit` objects of a type, in address order: the same ones each time.
Outcome<std::vector<Address>> sampleOf(const Contents& contents, TypeId type, std::size_t limit, std::stop_token stop) {
  const std::uint64_t count = contents.heap->counts.count[type.value];
  const std::uint64_t stride = limit ? (count + limit - 1) / limit : 0;
  if (!stride) return std::vector<Address>{};
  tbb::enumerable_thread_specific<std::vector<Address>> locals;
  const auto visit = [&](std::vector<Address>& local, const ObjectFacts& facts, Generation) {
    if (facts.type == type && (stride == 1 || scattered(facts.address) % stride == 0)) local.push_back(facts.address);
  };
  if (!visitScope(contents, {}, locals, visit, stop)) return tl::unexpected(Unfinished::cancelled());
  std::vector<Address> sample;
  for (const std::vector<Address>& local : locals) sample.insert(sample.end(), local.begin(), local.end());
  std::ranges::sort(sample);
  if (sample.size() > limit) sample.resize(limit);
  return sample;
}

}  // namespace

Outcome<std::vector<FieldUse>> fieldUse(const Snapshot& snapshot, Address methodTable, std::size_t limit,
                                        std::stop_token stop) {
  const Contents& contents = snapshot.contents();
  HEAPSCAPE_TRY(const TypeLayout layout, layoutOf(snapshot, methodTable));
  std::vector<FieldUse> uses;
  std::vector<FieldBytes> fields;
  for (const LayoutField& field : layout.fields) {
    uses.push_back({field.declaringType, field.name});
    fields.push_back(bytesOf(field, layout));
  }
  const TypeIndex::Slot* slot = contents.heap ? contents.heap->types.find(methodTable.value) : nullptr;
  if (!slot || layout.kind == TypeKind::Array || layout.kind == TypeKind::String) return uses;

  HEAPSCAPE_TRY(const std::vector<Address> objects, sampleOf(contents, {slot->type}, limit, stop));
  std::vector<std::byte> content(layout.fieldsBytes);
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (i % kStopInterval == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    if (!contents.memory->tryRead(objects[i] + kFieldsStart, content)) continue;
    for (std::size_t field = 0; field < fields.size(); ++field) {
      ++uses[field].instances;
      if (fields[field].isUsedIn(content)) ++uses[field].used;
    }
  }
  return uses;
}

}  // namespace heapscape::engine
