// SPDX-License-Identifier: MIT
#include "views/types/object_rows.h"

#include <QObject>
#include <algorithm>
#include <utility>

#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

using engine::ObjectField;

/// Found, and whether it can still be read or not, where.
struct ObjectLine {
  engine::Address address;
  engine::FoundObject object;
  bool isThere() const { return bool{object.row.address}; }
};

ColumnSetup setupOf(ObjectField field) {
  ColumnSetup setup{.field = engine::objectsDescription().columns[static_cast<std::size_t>(field)].name};
  setup.letters = field == ObjectField::Type ? 32 : field == ObjectField::Address ? 20 : 0;
  setup.stretches = field == ObjectField::Type;
  return described(setup, engine::objectsDescription());
}

QString sizeDetail(const ObjectLine& line) {
  const engine::ObjectRow& row = line.object.row;
  return QStringLiteral("%1, takes up %2").arg(exactBytesText(row.sizeBytes), exactBytesText(row.alignedBytes));
}

QString retainedDetail(const ObjectLine& line) {
  const auto& bytes = line.object.retainedBytes;
  if (!bytes) return QStringLiteral("Retained sizes are not known yet.");
  return *bytes == 0 ? QStringLiteral("Nothing holds it any more.")
                     : QStringLiteral("%1 would be freed with it").arg(exactBytesText(*bytes));
}

RowColumn<ObjectLine> addressColumn(const engine::Snapshot& snapshot) {
  return {
      .setup = setupOf(ObjectField::Address),
      .number = [](const ObjectLine& line) { return line.address.value; },
      .link =
          [snapshot](const ObjectLine& line) {
            const engine::TypeId type = line.object.row.type;
            return RowLink{line.address, line.isThere() ? snapshot.types()[type.value].methodTable : engine::Address{}};
          }};
}

RowColumn<ObjectLine> columnOf(const engine::Snapshot& snapshot, ObjectField field) {
  switch (field) {
    case ObjectField::Type:
      return {.setup = setupOf(field), .words = [snapshot](const ObjectLine& line) {
                return line.isThere() ? fromEngine(snapshot.types()[line.object.row.type.value].name) : QString();
              }};
    case ObjectField::Size:
      return {.setup = setupOf(field),
              .number = [](const ObjectLine& line) { return line.object.row.sizeBytes; },
              .detail = sizeDetail,
              .isKnown = &ObjectLine::isThere};
    case ObjectField::Retained:
      return {.setup = setupOf(field),
              .words =
                  [](const ObjectLine& line) {
                    return line.object.retainedBytes == 0 ? QStringLiteral("not held") : QString();
                  },
              .number = [](const ObjectLine& line) { return line.object.retainedBytes.value_or(0); },
              .detail = retainedDetail,
              .isKnown = [](const ObjectLine& line) { return line.object.retainedBytes.has_value(); }};
    case ObjectField::Gen:
      return {.setup = setupOf(field), .words = [](const ObjectLine& line) {
                return line.isThere() ? QString::fromLatin1(engine::toString(line.object.row.generation)) : QString();
              }};
    default:
      return addressColumn(snapshot);
  }
}

RowSchema<ObjectLine> schemaOf(const engine::Snapshot& snapshot, const ObjectColumns& fields) {
  RowSchema<ObjectLine> schema;
  for (const ObjectField field : fields) schema.columns.push_back(columnOf(snapshot, field));
  schema.identity = [](const ObjectLine& line) { return line.address; };
  return schema;
}

std::shared_ptr<const RowList> rowsOf(const FoundObjectList& list, const RowSchema<ObjectLine>& schema,
                                      std::span<const std::uint32_t> ids, std::vector<engine::FoundObject> objects) {
  std::vector<ObjectLine> lines;
  lines.reserve(objects.size());
  for (std::size_t i = 0; i < objects.size(); ++i)
    lines.push_back({engine::addressOfObject(list.snapshot, ids[i]), std::move(objects[i])});
  return makeRowList(std::move(lines), schema);
}

engine::Outcome<std::shared_ptr<const RowList>> readRows(const FoundObjectList& list,
                                                         const RowSchema<ObjectLine>& schema, std::uint32_t first,
                                                         std::uint32_t count, const std::stop_token& stop) {
  const auto ids = std::span<const std::uint32_t>(list.found.order).subspan(first, count);
  HEAPSCAPE_TRY(auto objects, engine::describeObjects(list.snapshot, list.search, ids, stop));
  return rowsOf(list, schema, ids, std::move(objects));
}

// Ids are in the order of addresses.
int commonDigits(const FoundObjectList& list) {
  if (list.found.ids.empty()) return 0;
  const auto textOf = [&](std::uint32_t id) { return addressText(engine::addressOfObject(list.snapshot, id)); };
  return commonPrefix(textOf(list.found.ids.front()), textOf(list.found.ids.back()));
}

}  // namespace

std::vector<ColumnSetup> objectColumns(const ObjectColumns& fields) {
  std::vector<ColumnSetup> columns;
  for (const ObjectField field : fields) columns.push_back(setupOf(field));
  return columns;
}

std::shared_ptr<const PagedRows> objectRows(std::shared_ptr<const FoundObjectList> list, const ObjectColumns& fields) {
  auto rows = std::make_shared<PagedRows>();
  rows->size = static_cast<std::uint32_t>(list->found.order.size());
  rows->commonDigits = commonDigits(*list);
  rows->identity = [list](std::uint32_t row) {
    return engine::addressOfObject(list->snapshot, list->found.order[row]);
  };
  rows->read = [list, schema = schemaOf(list->snapshot, fields)](std::uint32_t first, std::uint32_t count,
                                                                 const std::stop_token& stop) {
    return readRows(*list, schema, first, count, stop);
  };
  return rows;
}

std::shared_ptr<const RowList> firstObjectRows(const FoundObjectList& list, const ObjectColumns& fields) {
  const std::vector<std::uint32_t>& order = list.found.order;
  if (list.found.rows.size() < std::min<std::size_t>(PagedRows::kPageRows, order.size())) return nullptr;
  return rowsOf(list, schemaOf(list.snapshot, fields), order, list.found.rows);
}

int lineOf(const FoundObjectList& list, engine::Address object) {
  const auto id = engine::idOfObject(list.snapshot, object);
  if (!id) return -1;
  const auto found = std::ranges::find(list.found.order, *id);
  return found == list.found.order.end() ? -1 : static_cast<int>(found - list.found.order.begin());
}

}  // namespace heapscape::gui
