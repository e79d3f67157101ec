// SPDX-License-Identifier: MIT
#include "query/objects/object_cells.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>

#include "base/progress.h"
#include "query/objects/object_fields.h"
#include "query/objects/object_values.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kCellsPerPart = 1 << 12;

using Columns = std::vector<std::vector<QueryValue>>;

Outcome<Columns> readColumns(const Snapshot& snapshot, std::span<const std::uint32_t> ids,
                             std::span<const QueryFieldReference> fields, ProgressSink* progress,
                             const std::stop_token& stop) {
  HEAPSCAPE_TRY(const ObjectFields known, ObjectFields::make(snapshot, fields, nullptr, stop));
  const ValueReader values({*snapshot.contents().readers, snapshot.contents().heap.get()});
  tbb::enumerable_thread_specific<ObjectValues> readers([&] { return ObjectValues(known, values); });
  Columns columns(fields.size(), std::vector<QueryValue>(ids.size()));
  StageProgress reading(progress, "reading the objects of the rows", 0, 1);
  const std::size_t parts = (ids.size() + kCellsPerPart - 1) / kCellsPerPart;
  CountedProgress counted(parts, [&](double done) { reading.report(done); });
  tbb::parallel_for(std::size_t{0}, parts, [&](std::size_t part) {
    ObjectValues& reader = readers.local();
    ObjectViews views(known);
    const std::size_t end = std::min(ids.size(), (part + 1) * kCellsPerPart);
    for (std::size_t i = part * kCellsPerPart; i < end; ++i) {
      if (i % kStopInterval == 0 && stop.stop_requested()) return;
      const ObjectView* const view = views.of(ids[i]);
      for (std::size_t field = 0; view && field < fields.size(); ++field)
        columns[field][i] = reader.value(fields[field], *view);
    }
    counted.finishOne();
  });
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  return columns;
}

}  // namespace

const ObjectCells::Column* ObjectCells::find(const QueryFieldReference& field) const {
  const auto found = std::ranges::find(m_columns, field, &Column::field);
  return found == m_columns.end() ? nullptr : &*found;
}

bool ObjectCells::has(const QueryFieldReference& field) const {
  return find(field) != nullptr;
}

const QueryValue& ObjectCells::value(std::uint32_t row, const QueryFieldReference& field) const {
  static const QueryValue kAbsent;
  const Column* column = find(field);
  const bool isThere = column && row < m_objects->places.size() && m_objects->places[row] != kNone;
  return isThere ? (*column->values)[m_objects->places[row]] : kAbsent;
}

std::shared_ptr<const ObjectCells::Objects> ObjectCells::placed(const Snapshot& snapshot,
                                                                std::span<const Address> objects) {
  const ObjectIndex& index = snapshot.contents().heap->index;
  auto placed = std::make_shared<Objects>();
  placed->places.reserve(objects.size());
  for (const Address object : objects) {
    const ObjectId id = object ? index.idOf(object) : ObjectId{};
    placed->places.push_back(id.isNone() ? kNone : id.value);
  }
  placed->ids = placed->places;
  std::erase(placed->ids, kNone);
  std::ranges::sort(placed->ids);
  const auto again = std::ranges::unique(placed->ids);
  placed->ids.erase(again.begin(), again.end());
  for (std::uint32_t& place : placed->places) {
    if (place == kNone) continue;
    place = static_cast<std::uint32_t>(std::ranges::lower_bound(placed->ids, place) - placed->ids.begin());
  }
  return placed;
}

Outcome<ObjectCells> ObjectCells::with(const Snapshot& snapshot, std::span<const Address> objects,
                                       std::span<const QueryFieldReference> fields, ProgressSink* progress,
                                       std::stop_token stop) const {
  std::vector<QueryFieldReference> missing;
  for (const QueryFieldReference& field : fields) {
    if (!has(field) && std::ranges::find(missing, field) == missing.end()) missing.push_back(field);
  }
  ObjectCells more = *this;
  if (missing.empty()) return more;
  if (!snapshot.has(Stage::Objects))
    return tl::unexpected(Unfinished(Error{ErrorCode::BadQuery, "The objects are not counted yet."}));
  if (!more.m_objects) more.m_objects = placed(snapshot, objects);
  HEAPSCAPE_TRY(Columns columns, readColumns(snapshot, more.m_objects->ids, missing, progress, stop));
  for (std::size_t i = 0; i < missing.size(); ++i) {
    more.m_columns.push_back(
        {std::move(missing[i]), std::make_shared<const std::vector<QueryValue>>(std::move(columns[i]))});
  }
  return more;
}

}  // namespace heapscape::engine
