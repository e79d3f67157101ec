// SPDX-License-Identifier: MIT
#include "models/rows/type_rows.h"

#include "models/rows/row_question.h"
#include "query/rows/type_queries.h"
#include "tables/type_tables.h"

namespace heapscape::gui {
namespace {

using engine::NamespaceNode;

std::uint64_t averageOf(const NamespaceNode& node) {
  return node.objects == 0 ? 0 : node.bytes / node.objects;
}

std::optional<std::uint64_t> retainedOf(const engine::Snapshot& snapshot, const NamespaceNode& node) {
  const std::vector<engine::RetainedOfType>& types = snapshot.typeRetained();
  if (node.type.isNone() || types.empty()) return {};
  return types[node.type.value].retainedBytes;
}

using engine::ListedType;

// In the order of TypeTableColumn; the generations are a picture that only the window has.
std::vector<RowColumn<ListedType>> columnsOf(const TypeFigures& largest, bool hasPadding) {
  std::vector<RowColumn<ListedType>> columns(TypeTableColumnCount);
  columns[NameColumn].setup = {.field = "type", .letters = 34, .stretches = true};
  columns[ObjectsColumn].setup = {.field = "count", .bar = ColumnBar::Plain};
  columns[BytesColumn].setup = {.field = "bytes", .bar = ColumnBar::Plain};
  columns[RetainedColumn].setup = {.field = "retained", .bar = ColumnBar::Plain};
  columns[GarbageColumn].setup = {.field = "garbage", .bar = ColumnBar::Plain};
  columns[AverageColumn].setup = {.field = "average", .bar = ColumnBar::Plain};
  columns[PaddingColumn].setup = {.field = "padding", .bar = ColumnBar::Padding};
  columns[GenerationsColumn].setup = {
      .title = u"Generations"_s, .tip = typeTableHeadingTip(GenerationsColumn, hasPadding), .holdsContents = false};
  columns[AssemblyColumn].setup = {.field = "assembly", .letters = 25};
  for (int column = ObjectsColumn; column <= GenerationsColumn; ++column) {
    columns[static_cast<std::size_t>(column)].more = [largest, hasPadding, column](const ListedType& type, int role) {
      if (column == GenerationsColumn && !type.generationBytes) return QVariant();
      return figureData(figuresOf(type), largest, hasPadding, column, role);
    };
  }
  return columns;
}

RowSchema<ListedType> schemaOf(const TypeRows& rows) {
  RowSchema<ListedType> schema{.table = &engine::typesTable(), .columns = columnsOf(rows.largest, rows.hasPadding())};
  // The rows' texts lie in the snapshot.
  schema.identity = [snapshot = rows.snapshot](const ListedType& type) { return type.methodTable; };
  return schema;
}

std::shared_ptr<const RowList> listOf(const TypeRows& rows) {
  std::vector<ListedType> types;
  types.reserve(rows.selection.types.size());
  for (const engine::TypeId type : rows.selection.types)
    types.push_back(engine::listedType(rows.snapshot, rows.counts(), type));
  return makeRowList(std::move(types), schemaOf(rows));
}

}  // namespace

TypeFigures NamespaceTree::figures(std::uint32_t node) const {
  const NamespaceNode& row = nodes[node];
  return {row.objects,       row.bytes,      row.paddingBytes, averageOf(row),
          generations[node], retained[node], row.garbageBytes};
}

NamespaceTree buildNamespaceTree(const engine::Snapshot& snapshot, const engine::TypeCounts& counts,
                                 const engine::TypeSelection& selection, engine::TypeColumn sortBy, bool descending) {
  NamespaceTree tree;
  tree.nodes = engine::groupByNamespace(snapshot, counts, selection, sortBy, descending);
  for (const NamespaceNode& node : tree.nodes) tree.retained.push_back(retainedOf(snapshot, node));
  tree.generations.assign(tree.nodes.size(), {});
  // Pre-order: going backwards, a node's children are complete before it is added to its parent.
  for (std::size_t index = tree.nodes.size(); index-- > 0;) {
    const NamespaceNode& node = tree.nodes[index];
    if (!node.type.isNone()) tree.generations[index] = counts.generationBytes[node.type.value];
    if (index == 0) break;
    auto& sum = tree.generations[node.parent];
    for (std::size_t cell = 0; cell < sum.size(); ++cell) sum[cell] += tree.generations[index][cell];
    tree.largest.raiseTo(tree.figures(static_cast<std::uint32_t>(index)));
  }
  return tree;
}

std::optional<engine::TypeColumn> sortedOf(int section) {
  using engine::TypeColumn;
  switch (section) {
    case NameColumn:
      return TypeColumn::Name;
    case ObjectsColumn:
      return TypeColumn::Count;
    case BytesColumn:
      return TypeColumn::Bytes;
    case AverageColumn:
      return TypeColumn::AverageBytes;
    case PaddingColumn:
      return TypeColumn::PaddingBytes;
    case RetainedColumn:
      return TypeColumn::RetainedBytes;
    case GarbageColumn:
      return TypeColumn::GarbageBytes;
    case AssemblyColumn:
      return TypeColumn::Assembly;
    default:
      return {};
  }
}

std::vector<ColumnSetup> typeColumns() {
  return RowSchema<ListedType>{.table = &engine::typesTable(), .columns = columnsOf({}, true)}.setups();
}

TypeFigures TypeRows::figures(std::size_t row) const {
  return figuresOf(engine::listedType(snapshot, counts(), selection.types[row]));
}

engine::Outcome<std::shared_ptr<const TypeRows>> askTypes(const engine::Snapshot& snapshot, TypeQuestion question,
                                                          std::stop_token stop) {
  if (question.scope.isWhole()) {
    question.counts.reset();
  } else if (!question.counts) {
    HEAPSCAPE_TRY(auto counts, engine::countTypes(snapshot, question.scope, stop));
    question.counts = std::make_shared<const engine::TypeCounts>(std::move(counts));
  }
  auto rows = std::make_shared<TypeRows>(TypeRows{snapshot, std::move(question), {}, {}, {}, {}, {}});
  const engine::TypeCounts& counts = rows->counts();
  const TypeQuestion& asked = rows->question;
  HEAPSCAPE_TRY(rows->selection, engine::queryTypes(snapshot, counts, asked.query, stop));

  for (std::size_t row = 0; row < rows->selection.types.size(); ++row) rows->largest.raiseTo(rows->figures(row));
  if (asked.asTree) {
    const engine::TypeColumn by = sortedOf(asked.section).value_or(engine::TypeColumn::Bytes);
    rows->tree = buildNamespaceTree(snapshot, counts, rows->selection, by, asked.descending);
  } else {
    rows->list = listOf(*rows);
    const RowQuestion order{.text = {}, .kinds = {}, .sortColumn = asked.section, .descending = asked.descending};
    HEAPSCAPE_TRY(rows->order, askRows(*rows->list, order, stop));
  }
  return rows;
}

}  // namespace heapscape::gui
