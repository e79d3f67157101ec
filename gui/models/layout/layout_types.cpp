// SPDX-License-Identifier: MIT
#include "models/layout/layout_types.h"

#include <QGuiApplication>
#include <algorithm>
#include <unordered_map>

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
  return {.setup = {.title = QStringLiteral("Type"),
                    .tip = QStringLiteral("Full name"),
                    .kind = engine::ColumnKind::TypeName,
                    .letters = 15,
                    .stretches = true,
                    .isSearched = true},
          .words = [](const Row& row) { return fromEngine(row.type.name); },
          .detail = [](const Row& row) { return linesFromEngine(row.type.name + "\n" + row.type.assembly); },
          .isWarning = [](const Row& row) { return !row.failure.empty(); }};
}

RowColumn<Row> objectsColumn() {
  return {.setup = {.title = QStringLiteral("Objects"),
                    .tip = QStringLiteral("Objects on the heap"),
                    .kind = engine::ColumnKind::Count,
                    .hidesZero = true,
                    .bar = ColumnBar::Plain},
          .cell = [](const Row& row) { return row.objects; },
          .detail = [](const Row& row) { return countedText(row.objects, QStringLiteral("object")); }};
}

RowColumn<Row> sizeColumn() {
  return {.setup = {.title = QStringLiteral("Size"),
                    .tip = QStringLiteral("Bytes of one instance; of a class with its header"),
                    .kind = engine::ColumnKind::Bytes,
                    .hidesZero = true,
                    .bar = ColumnBar::Plain},
          .cell = [](const Row& row) { return row.instanceBytes; },
          .detail =
              [](const Row& row) {
                return QStringLiteral("%1: an object of a class with its header, or a value")
                    .arg(exactBytesText(row.instanceBytes));
              }};
}

RowColumn<Row> paddingColumn(bool isOfAssembly) {
  return {.setup = {.title = QStringLiteral("Padding"),
                    .tip = isOfAssembly ? QStringLiteral("Bytes that no field uses, in one instance")
                                        : QStringLiteral("Bytes of padding in all objects of the type"),
                    .kind = engine::ColumnKind::Bytes,
                    .hidesZero = true,
                    .bar = ColumnBar::Padding},
          .cell = [](const Row& row) { return row.paddingBytes; },
          .detail =
              [isOfAssembly](const Row& row) {
                const QString exact = exactBytesText(row.paddingBytes);
                if (!isOfAssembly) return QStringLiteral("%1 of padding in all its objects").arg(exact);
                return QStringLiteral("%1 of padding, %2 of its size")
                    .arg(exact, percentText(row.paddingBytes, row.instanceBytes));
              }};
}

RowColumn<Row> assemblyColumn() {
  return {.setup = {.title = QStringLiteral("Assembly"),
                    .tip = QStringLiteral("File that declares it"),
                    .letters = 22,
                    .holdsContents = false},
          .words = [](const Row& row) { return fromEngine(row.type.assembly); }};
}

}  // namespace

RowSchema<Row> layoutTypeSchema(bool isOfAssembly) {
  RowSchema<Row> schema;
  schema.columns = {nameColumn(), isOfAssembly ? sizeColumn() : objectsColumn(), paddingColumn(isOfAssembly),
                    assemblyColumn()};
  for (RowColumn<Row>& column : schema.columns) column.more = ofRowWithoutLayout;
  schema.identity = [](const Row& row) { return row.type.methodTable; };
  return schema;
}

engine::Outcome<std::shared_ptr<const RowList>> readLayoutTypes(const engine::Snapshot& snapshot,
                                                                std::stop_token stop) {
  HEAPSCAPE_TRY(std::vector<engine::LoadedType> loaded, engine::loadedTypes(snapshot, stop));
  std::unordered_map<engine::Address, std::size_t> onHeap;
  for (std::size_t type = 0; type < snapshot.types().size(); ++type) {
    if (!snapshot.types()[type].isFree) onHeap.emplace(snapshot.types()[type].methodTable, type);
  }
  std::vector<Row> rows;
  rows.reserve(loaded.size());
  for (engine::LoadedType& type : loaded) {
    const auto found = onHeap.find(type.methodTable);
    Row& row = rows.emplace_back(Row{.type = std::move(type)});
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
    rows.push_back({.type = {std::move(type.name), std::move(type.assembly), type.methodTable},
                    .paddingBytes = type.paddingBytes,
                    .id = type.id,
                    .instanceBytes = type.instanceBytes,
                    .failure = std::move(type.failure)});
  }
  return layoutTypeList(std::move(rows), true);
}

std::shared_ptr<const RowList> layoutTypeList(std::vector<Row> rows, bool isOfAssembly) {
  std::ranges::sort(rows, [](const Row& left, const Row& right) {
    return left.objects != right.objects ? left.objects > right.objects : left.type.name < right.type.name;
  });
  return makeRowList(std::move(rows), layoutTypeSchema(isOfAssembly));
}

}  // namespace heapscape::gui
