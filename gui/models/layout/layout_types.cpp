// SPDX-License-Identifier: MIT
#include "models/layout/layout_types.h"

#include <QGuiApplication>
#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "session/snapshot/heap_presence.h"
#include "session/types/type_owner.h"
#include "widgets/drawing/colours.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

using Row = LayoutTypeRow;

QVariant ofRowWithoutLayout(const Row& row, int role) {
  if (row.failure.empty()) return {};
  if (role == Qt::ForegroundRole) return Colours(QGuiApplication::palette()).dimmedText();
  return role == Qt::ToolTipRole ? QVariant(linesFromEngine(row.type.name + "\n" + row.failure)) : QVariant();
}

RowColumn<Row> nameColumn() {
  return {.setup = {.title = u"Type"_s,
                    .tip = u"Full name"_s,
                    .kind = engine::ColumnKind::TypeName,
                    .letters = 15,
                    .stretches = true,
                    .isSearched = true},
          .words = [](const Row& row) { return fromEngine(row.type.name); },
          .detail = [](const Row& row) { return linesFromEngine(row.type.name + "\n" + row.type.assembly); },
          .isWarning = [](const Row& row) { return !row.failure.empty(); }};
}

RowColumn<Row> objectsColumn() {
  return {.setup = {.title = u"Objects"_s,
                    .tip = u"Objects on the heap"_s,
                    .kind = engine::ColumnKind::Count,
                    .hidesZero = true,
                    .bar = ColumnBar::Plain},
          .cell = [](const Row& row) { return row.objects; },
          .detail = [](const Row& row) { return countedText(row.objects, u"object"_s); }};
}

RowColumn<Row> sizeColumn() {
  return {.setup = {.title = u"Size"_s,
                    .tip = u"Bytes of one instance; of a class with its header"_s,
                    .kind = engine::ColumnKind::Bytes,
                    .hidesZero = true,
                    .bar = ColumnBar::Plain},
          .cell = [](const Row& row) { return row.instanceBytes; },
          .detail =
              [](const Row& row) {
                return u"%1: an object of a class with its header, or a value"_s.arg(exactBytesText(row.instanceBytes));
              }};
}

RowColumn<Row> paddingColumn(bool isOfAssembly) {
  return {.setup = {.title = u"Padding"_s,
                    .tip = isOfAssembly ? u"Bytes that no field uses, in one instance"_s
                                        : u"Bytes of padding in all objects of the type"_s,
                    .kind = engine::ColumnKind::Bytes,
                    .hidesZero = true,
                    .bar = ColumnBar::Padding},
          .cell = [](const Row& row) { return row.paddingBytes; },
          .detail =
              [isOfAssembly](const Row& row) {
                const QString exact = exactBytesText(row.paddingBytes);
                if (!isOfAssembly) return u"%1 of padding in all its objects"_s.arg(exact);
                return u"%1 of padding, %2 of its size"_s.arg(exact, percentText(row.paddingBytes, row.instanceBytes));
              }};
}

RowColumn<Row> savingColumn(bool isOfAssembly) {
  return {.setup = {.field = {},
                    .title = u"Saves"_s,
                    .tip = isOfAssembly ? u"Bytes that one instance would be smaller by in its best declaration"_s
                                        : u"Bytes that the heap would shrink by if the type were declared its best; "
                                          "the largest first has your own types before packages and .NET"_s,
                    .kind = engine::ColumnKind::SavedBytes,
                    .hidesZero = true,
                    .bar = ColumnBar::Plain},
          .cell = [](const Row& row) { return row.savedBytes ? engine::Cell(*row.savedBytes) : engine::Cell(); },
          .detail =
              [isOfAssembly](const Row& row) {
                if (!row.savedBytes) return u"Not known yet"_s;
                if (*row.savedBytes <= 0) return u"No declaration takes less"_s;
                const QString exact = exactBytesText(static_cast<std::uint64_t>(*row.savedBytes));
                return isOfAssembly ? u"%1 less for each instance, declared its best"_s.arg(exact)
                                    : u"The heap would shrink by %1, with this type declared its best"_s.arg(exact);
              }};
}

RowColumn<Row> assemblyColumn() {
  return {.setup = {.title = u"Assembly"_s, .tip = u"File that declares it"_s, .letters = 22, .holdsContents = false},
          .words = [](const Row& row) { return fromEngine(row.type.assembly); }};
}

}  // namespace

RowSchema<Row> layoutTypeSchema(bool isOfAssembly) {
  RowSchema<Row> schema;
  schema.columns = {nameColumn(), isOfAssembly ? sizeColumn() : objectsColumn(), paddingColumn(isOfAssembly),
                    savingColumn(isOfAssembly), assemblyColumn()};
  for (RowColumn<Row>& column : schema.columns) column.more = ofRowWithoutLayout;
  // In the order of LayoutTypeKind.
  schema.kinds = {{.name = u"differs"_s, .tip = u"Sequential, auto and best order are not all the same"_s},
                  {.name = u"alike"_s, .tip = u"Every way to declare it comes to the same bytes"_s}};
  schema.kindOf = [](const Row& row) {
    return static_cast<std::size_t>(row.differs ? LayoutTypeKind::Differs : LayoutTypeKind::Alike);
  };
  schema.identity = [](const Row& row) { return row.type.methodTable; };
  return schema;
}

engine::Outcome<std::shared_ptr<const RowList>> readLayoutTypes(const engine::Snapshot& snapshot,
                                                                std::stop_token stop) {
  if (auto lack = engine::lackOf(snapshot, engine::HeapUse::Fields))
    return tl::unexpected(engine::Unfinished(std::move(*lack)));
  HEAPSCAPE_TRY(std::vector<engine::LoadedType> loaded, engine::loadedTypes(snapshot, stop));
  std::unordered_map<engine::Address, std::size_t> onHeap;
  for (std::size_t type = 0; type < snapshot.types().size(); ++type) {
    if (!snapshot.types()[type].isFree) onHeap.emplace(snapshot.types()[type].methodTable, type);
  }
  std::vector<Row> rows;
  rows.reserve(loaded.size());
  for (engine::LoadedType& type : loaded) {
    const auto found = onHeap.find(type.methodTable);
    const engine::CodeOwner owner = engine::codeOwnersOf(snapshot).of(type.assembly, type.name);
    Row& row = rows.emplace_back(Row{.type = std::move(type), .owner = owner});
    if (found == onHeap.end()) continue;
    row.objects = snapshot.typeCounts().count[found->second];
    row.paddingBytes = snapshot.typePaddingBytes()[found->second];
  }
  return layoutTypeList(std::move(rows), false);
}

engine::Outcome<std::shared_ptr<const RowList>> readLayoutTypes(const engine::DeclaredLayouts& layouts,
                                                                std::stop_token stop) {
  HEAPSCAPE_TRY(std::vector<engine::LayoutRow> types, layouts.types(stop));
  std::vector<Row> rows;
  rows.reserve(types.size());
  for (engine::LayoutRow& type : types) {
    // Data that the compiler has put into the assembly lies in types without fields, as large as the data.
    if (type.name.starts_with("<PrivateImplementationDetails>")) type.paddingBytes = 0;
    rows.push_back({.type = {std::move(type.name), std::move(type.assembly), type.methodTable},
                    .paddingBytes = type.paddingBytes,
                    .id = type.id,
                    .instanceBytes = type.instanceBytes,
                    .failure = std::move(type.failure)});
  }
  return layoutTypeList(std::move(rows), true);
}

std::shared_ptr<const RowList> withSavings(const RowList& types, const engine::LayoutsByRules& byRules,
                                           bool isOfAssembly) {
  std::unordered_map<std::uint64_t, const engine::TypeByRules*> told;
  for (const engine::TypeByRules& type : byRules.types)
    told.emplace(isOfAssembly ? type.id.value : type.methodTable.value, &type);
  std::vector<Row> rows;
  rows.reserve(types.size());
  for (std::uint32_t i = 0; i < types.size(); ++i) {
    Row& row = rows.emplace_back(types.as<Row>(i));
    const auto found = told.find(isOfAssembly ? row.id.value : row.type.methodTable.value);
    row.differs = found != told.end() && found->second->differs;
    row.savedBytes = found != told.end() ? found->second->savedBytes : 0;
  }
  return layoutTypeList(std::move(rows), isOfAssembly);
}

std::shared_ptr<const RowList> layoutTypeList(std::vector<Row> rows, bool isOfAssembly) {
  const auto byUse = [](const Row& row) {
    return std::tuple(row.owner, -row.savedBytes.value_or(0), ~row.paddingBytes, ~row.objects,
                      std::string_view(row.type.name));
  };
  std::ranges::sort(rows, {}, byUse);
  return makeRowList(std::move(rows), layoutTypeSchema(isOfAssembly));
}

}  // namespace heapscape::gui
