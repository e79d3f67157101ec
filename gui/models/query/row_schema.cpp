// SPDX-License-Identifier: MIT
#include "models/query/row_schema.h"

#include "query/rows/table_query.h"

namespace heapscape::gui {
namespace {

using engine::QueryKind;
using engine::QueryValue;

QueryKind kindOf(ColumnLook look) {
  switch (look) {
    case ColumnLook::Text:
    case ColumnLook::TypeName:
    case ColumnLook::Words:
      break;
    case ColumnLook::Count:
    case ColumnLook::Id:
    case ColumnLook::Share:
      return QueryKind::Number;
    case ColumnLook::Bytes:
    case ColumnLook::SavedBytes:
      return QueryKind::Bytes;
    case ColumnLook::Address:
      return QueryKind::Address;
  }
  return QueryKind::Text;
}

}  // namespace

engine::QuerySchema querySchemaOf(const engine::TableDescription* table, const std::vector<ColumnSetup>& columns,
                                  const std::vector<RowKind>& kinds, const QString& noun) {
  if (table) {
    engine::QuerySchema schema = engine::schemaOf(*table);
    schema.noun = noun.toStdString();
    return schema;
  }
  engine::QuerySchema schema{.noun = noun.toStdString(), .fields = {}};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const ColumnSetup& column = columns[i];
    std::string name = engine::queryNameOf(column.title.toStdString());
    // A column without words as its title is asked for by its place.
    if (name.empty() || schema.find(name)) name += "column" + std::to_string(i + 1);
    schema.fields.push_back({.name = std::move(name),
                             .kind = kindOf(column.look),
                             .help = (column.tip.isEmpty() ? column.title : column.tip).toStdString(),
                             .isPlain = column.isSearched});
  }
  if (kinds.empty() || schema.find("kind")) return schema;
  engine::QueryField kind{.name = "kind", .kind = QueryKind::Choice, .help = "Kind of the row."};
  for (const RowKind& each : kinds) kind.choices.push_back(each.name.toStdString());
  schema.fields.push_back(std::move(kind));
  return schema;
}

QueryValue queryValueOf(const RowList& list, std::uint32_t row, const engine::QueryFieldReference& reference) {
  const std::uint32_t field = reference.field;
  if (list.description()) {
    const auto ofObject = engine::fieldOfObject(*list.description(), reference);
    return ofObject ? list.objectCells().value(row, *ofObject) : engine::queryValueOf(list.cell(row, field));
  }
  if (field >= list.columns().size()) {
    const std::size_t kind = list.kindOf(row);
    return kind < list.kinds().size() ? QueryValue::ofText(list.kinds()[kind].name.toStdString()) : QueryValue();
  }
  const ColumnLook look = list.columns()[field].look;
  if (kindOf(look) == QueryKind::Text) return QueryValue::ofText(list.words(row, field).toStdString());
  if (!list.isKnown(row, field)) return {};
  const std::uint64_t number = list.number(row, field);
  if (look == ColumnLook::Address) return number ? QueryValue::ofAddress(number) : QueryValue::ofNull();
  if (look == ColumnLook::Share)
    return {.state = QueryValue::State::There, .number = static_cast<long double>(number) / kWholeShare};
  if (look != ColumnLook::SavedBytes) return QueryValue::ofNumber(number);
  return {.state = QueryValue::State::There, .number = static_cast<long double>(static_cast<std::int64_t>(number))};
}

}  // namespace heapscape::gui
