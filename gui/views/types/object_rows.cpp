// SPDX-License-Identifier: MIT
#include "views/types/object_rows.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "models/names/reach_text.h"
#include "models/rows/field_columns.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

using engine::ObjectField;
using engine::QueryFieldReference;
using engine::QueryValue;

/// Found, and whether it can still be read or not, where.
struct ObjectLine {
  engine::Address address;
  engine::FoundObject object;
  bool isThere() const { return bool{object.row.address}; }
};

bool isPath(const QueryFieldReference& field) {
  return field.field == QueryFieldReference::kObjectField;
}

bool isHead(const QueryFieldReference& field) {
  constexpr std::array kOfHead{ObjectField::Address, ObjectField::Type, ObjectField::Size, ObjectField::Retained,
                               ObjectField::Gen};
  return !isPath(field) && std::ranges::find(kOfHead, static_cast<ObjectField>(field.field)) != kOfHead.end();
}

ColumnSetup setupOf(const QueryFieldReference& field) {
  if (isPath(field)) return fieldSetup(fromEngine(field.path));
  const auto of = static_cast<ObjectField>(field.field);
  ColumnSetup setup{.field = engine::objectsDescription().columns[field.field].name};
  setup.letters = of == ObjectField::Type ? 32 : of == ObjectField::Value ? 40 : of == ObjectField::Address ? 20 : 0;
  setup.stretches = of == ObjectField::Value;
  return described(setup, engine::objectsDescription());
}

QString sizeDetail(const ObjectLine& line) {
  const engine::ObjectRow& row = line.object.row;
  return u"%1, takes up %2"_s.arg(exactBytesText(row.sizeBytes), exactBytesText(row.alignedBytes));
}

// Of an object that retains nothing, which is one that no root leads to.
bool isGarbage(const ObjectLine& line) {
  return line.object.row.generation != engine::Generation::Frozen;
}

QString retainedDetail(const ObjectLine& line) {
  const auto& bytes = line.object.retainedBytes;
  if (!bytes) return u"Retained sizes are not known yet."_s;
  return *bytes == 0 ? unreachedTip(isGarbage(line)) : u"%1 would be freed with it"_s.arg(exactBytesText(*bytes));
}

RowColumn<ObjectLine> headColumn(const engine::Snapshot& snapshot, const QueryFieldReference& reference) {
  RowColumn<ObjectLine> column{.setup = setupOf(reference)};
  switch (static_cast<ObjectField>(reference.field)) {
    case ObjectField::Type:
      column.cell = [snapshot](const ObjectLine& line) {
        return line.isThere() ? engine::Cell(snapshot.types()[line.object.row.type.value].name) : engine::Cell();
      };
      break;
    case ObjectField::Size:
      column.cell = [](const ObjectLine& line) {
        return line.isThere() ? engine::Cell(line.object.row.sizeBytes) : engine::Cell(engine::Cell::Unknown{});
      };
      column.detail = sizeDetail;
      break;
    case ObjectField::Retained:
      column.cell = [](const ObjectLine& line) { return engine::Cell(line.object.retainedBytes); };
      column.words = [](const ObjectLine& line) {
        return line.object.retainedBytes == 0 ? unreachedText(isGarbage(line)) : QString();
      };
      column.detail = retainedDetail;
      break;
    case ObjectField::Gen:
      column.cell = [](const ObjectLine& line) {
        return line.isThere() ? engine::Cell(line.object.row.generation) : engine::Cell();
      };
      break;
    default:
      column.cell = &ObjectLine::address;
      column.object = &ObjectLine::address;
      column.type = [snapshot](const ObjectLine& line) {
        return line.isThere() ? snapshot.types()[line.object.row.type.value].methodTable : engine::Address{};
      };
  }
  return column;
}

/// `place`: of the column among those that the engine has told of.
RowColumn<ObjectLine> describedColumn(const QueryFieldReference& reference, std::size_t place) {
  const auto valueOf = [place](const ObjectLine& line) -> const QueryValue& {
    static const QueryValue kAbsent;
    return place < line.object.columns.size() ? line.object.columns[place] : kAbsent;
  };
  RowColumn<ObjectLine> column{.setup = setupOf(reference)};
  if (isWritten(column.setup.kind)) {
    column.words = [valueOf](const ObjectLine& line) { return fieldWords(valueOf(line)); };
    column.more = [valueOf](const ObjectLine& line, int role) { return fieldAlignment(valueOf(line), role); };
    return column;
  }
  // What an object has not is no figure that is still to come.
  column.cell = [valueOf, kind = column.setup.kind](const ObjectLine& line) {
    const QueryValue& value = valueOf(line);
    if (!value.isThere()) return engine::Cell();
    const auto number = static_cast<std::uint64_t>(value.number.value_or(0));
    return kind == engine::ColumnKind::Address ? engine::Cell(engine::Address{number}) : engine::Cell(number);
  };
  column.words = [valueOf](const ObjectLine& line) {
    return valueOf(line).isThere() ? QString() : fieldWords(valueOf(line));
  };
  return column;
}

RowSchema<ObjectLine> schemaOf(const engine::Snapshot& snapshot, const ObjectColumns& columns,
                               const ObjectColumns& described) {
  RowSchema<ObjectLine> schema;
  for (const QueryFieldReference& column : columns) {
    const auto place = static_cast<std::size_t>(std::ranges::find(described, column) - described.begin());
    schema.columns.push_back(isHead(column) ? headColumn(snapshot, column) : describedColumn(column, place));
  }
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

// Ids are in the order of addresses.
int commonDigits(const FoundObjectList& list) {
  if (list.found.ids.empty()) return 0;
  const auto textOf = [&](std::uint32_t id) { return addressText(engine::addressOfObject(list.snapshot, id)); };
  return commonPrefix(textOf(list.found.ids.front()), textOf(list.found.ids.back()));
}

}  // namespace

ObjectColumns allObjectColumns(const std::vector<ObjectField>& first, const QStringList& paths) {
  ObjectColumns columns;
  for (const ObjectField field : first) columns.push_back(engine::referenceTo(field));
  for (std::uint32_t i = 0; i < engine::objectsDescription().columns.size(); ++i) {
    const QueryFieldReference field{i, {}};
    if (std::ranges::find(columns, field) == columns.end()) columns.push_back(field);
  }
  for (const QString& path : paths) columns.push_back(fieldOfPath(path));
  return columns;
}

std::vector<ColumnSetup> objectSetups(const ObjectColumns& columns, std::size_t shown) {
  std::vector<ColumnSetup> setups;
  for (const QueryFieldReference& column : columns) {
    setups.push_back(setupOf(column));
    setups.back().isExtra = setups.size() > shown && !isPath(column);
  }
  return setups;
}

ObjectColumns describedColumns(const ObjectColumns& columns) {
  ObjectColumns described;
  std::ranges::copy_if(columns, std::back_inserter(described), std::not_fn(isHead));
  return described;
}

std::shared_ptr<const PagedRows> objectRows(std::shared_ptr<const FoundObjectList> list, const ObjectColumns& columns,
                                            const ObjectColumns& described) {
  auto rows = std::make_shared<PagedRows>();
  rows->size = static_cast<std::uint32_t>(list->found.order.size());
  rows->commonDigits = commonDigits(*list);
  rows->identity = [list](std::uint32_t row) {
    return engine::addressOfObject(list->snapshot, list->found.order[row]);
  };
  rows->read = [list, schema = schemaOf(list->snapshot, columns, described),
                describer =
                    std::make_shared<const engine::ObjectDescriber>(list->snapshot, described, list->search.sets)](
                   std::uint32_t first, std::uint32_t count,
                   const std::stop_token& stop) -> engine::Outcome<std::shared_ptr<const RowList>> {
    const auto ids = std::span<const std::uint32_t>(list->found.order).subspan(first, count);
    HEAPSCAPE_TRY(auto objects, describer->describe(ids, stop));
    return rowsOf(*list, schema, ids, std::move(objects));
  };
  return rows;
}

std::shared_ptr<const RowList> firstObjectRows(const FoundObjectList& list, const ObjectColumns& columns,
                                               const ObjectColumns& described) {
  const std::vector<std::uint32_t>& order = list.found.order;
  if (list.search.columns != described) return nullptr;
  if (list.found.rows.size() < std::min<std::size_t>(PagedRows::kPageRows, order.size())) return nullptr;
  return rowsOf(list, schemaOf(list.snapshot, columns, described), order, list.found.rows);
}

bool isLineOf(const FoundObjectList& list, int line, engine::Address object) {
  const std::vector<std::uint32_t>& order = list.found.order;
  if (line < 0 || static_cast<std::size_t>(line) >= order.size()) return false;
  return engine::idOfObject(list.snapshot, object) == order[static_cast<std::size_t>(line)];
}

int lineOf(const FoundObjectList& list, engine::Address object) {
  const std::vector<std::uint32_t>& order = list.found.order;
  const auto id = engine::idOfObject(list.snapshot, object);
  if (!id) return -1;
  const auto found = std::ranges::find(order, *id);
  return found == order.end() ? -1 : static_cast<int>(found - order.begin());
}

}  // namespace heapscape::gui
