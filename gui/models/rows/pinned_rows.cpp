// SPDX-License-Identifier: MIT
#include "models/rows/pinned_rows.h"

#include <QAbstractItemView>
#include <QAction>
#include <QTreeView>
#include <algorithm>

#include "bridge/literals.h"
#include "models/cells/roles.h"
#include "models/rows/header_columns.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {
namespace {

using engine::ColumnKind;

constexpr auto kIndent = "\u2003";

struct Line {
  QModelIndex row;  // its first column
  int depth = 0;
};

/// Unfolded lines of a tree, top to bottom; the number of lines that were too many to `leftOut`.
std::vector<Line> linesOf(const QTreeView& tree, std::uint64_t& leftOut) {
  std::vector<Line> lines;
  for (QModelIndex row = tree.model()->index(0, 0, tree.rootIndex()); row.isValid(); row = tree.indexBelow(row)) {
    if (static_cast<int>(lines.size()) >= kMostPinnedRows) {
      ++leftOut;
      continue;
    }
    int depth = 0;
    for (QModelIndex above = row.parent(); above != tree.rootIndex() && above.isValid(); above = above.parent())
      ++depth;
    lines.push_back({row, depth});
  }
  return lines;
}

bool isLoaded(const QModelIndex& row) {
  for (int column = 0; column < row.model()->columnCount(row.parent()); ++column) {
    if (row.siblingAtColumn(column).data().isValid()) return true;
  }
  return false;
}

/// Those that are picked, if several are.
std::vector<Line> pickedLinesOf(const QAbstractItemView& view, std::uint64_t& leftOut) {
  std::vector<Line> lines;
  QItemSelection selection = view.selectionModel() ? view.selectionModel()->selection() : QItemSelection();
  std::ranges::sort(selection, {}, &QItemSelectionRange::top);
  std::uint64_t count = 0;
  for (const QItemSelectionRange& range : selection) {
    count += static_cast<std::uint64_t>(range.height());
    for (int row = range.top(); row <= range.bottom() && static_cast<int>(lines.size()) < kMostPinnedRows; ++row) {
      const QModelIndex index = view.model()->index(row, 0, range.parent());
      if (isLoaded(index)) lines.push_back({index});
    }
  }
  leftOut = count - lines.size();
  return count > 1 ? lines : std::vector<Line>{};
}

std::vector<Line> linesOf(const QAbstractItemView& view, std::uint64_t& leftOut) {
  if (auto picked = pickedLinesOf(view, leftOut); !picked.empty()) return picked;
  leftOut = 0;
  if (const auto* tree = qobject_cast<const QTreeView*>(&view)) return linesOf(*tree, leftOut);
  const int count = view.model()->rowCount(view.rootIndex());
  std::vector<Line> lines;
  for (int row = 0; row < std::min(count, kMostPinnedRows); ++row) {
    lines.push_back({view.model()->index(row, 0, view.rootIndex())});
  }
  leftOut = static_cast<std::uint64_t>(std::max(0, count - kMostPinnedRows));
  return lines;
}

std::optional<std::int64_t> exactNumber(const QModelIndex& cell) {
  const QVariant plain = cell.data(kPlainRole);
  bool isNumber = false;
  const qlonglong number = plain.toString().toLongLong(&isNumber);
  return plain.isValid() && isNumber ? std::optional<std::int64_t>(number) : std::nullopt;
}

/// From what the cells look like, where the model does not say.
ColumnKind likelyKind(const std::vector<Line>& lines, int column, bool isRight) {
  for (const Line& line : lines) {
    const QModelIndex cell = line.row.siblingAtColumn(column);
    const QString text = cell.data().toString();
    if (text.isEmpty()) continue;
    if (text.startsWith(u"0x"_s)) return ColumnKind::Address;
    if (!isRight || !exactNumber(cell)) break;
    return text.endsWith(QLatin1Char('B')) ? ColumnKind::Bytes : ColumnKind::Count;
  }
  const bool hasPrefix = std::ranges::any_of(
      lines, [column](const Line& line) { return line.row.siblingAtColumn(column).data(kDimmedPrefixRole).isValid(); });
  return hasPrefix ? ColumnKind::TypeName : ColumnKind::Text;
}

engine::ReviewColumn columnOf(const QAbstractItemModel& model, const std::vector<Line>& lines, int column) {
  const QVariant kind = model.headerData(column, Qt::Horizontal, kCellKindRole);
  const QVariant contents = model.headerData(column, Qt::Horizontal, kHoldsContentsRole);
  const auto side = model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole);
  const bool isRight = (side.toInt() & Qt::AlignRight) != 0;
  return {.title = model.headerData(column, Qt::Horizontal).toString().toStdString(),
          .kind = kind.isValid() ? static_cast<ColumnKind>(kind.toInt()) : likelyKind(lines, column, isRight),
          .holdsContents = !contents.isValid() || contents.toBool()};
}

std::string textOf(const QModelIndex& cell, int depth) {
  return (QString::fromUtf8(kIndent).repeated(depth) + cell.data().toString()).toStdString();
}

engine::ReviewCell cellOf(const QModelIndex& cell, ColumnKind kind, int depth) {
  engine::ReviewCell pinned{textOf(cell, depth)};
  const HiddenContents hidden;
  if (std::string redacted = textOf(cell, depth); redacted != pinned.text) pinned.redacted = std::move(redacted);
  if (isFigure(kind)) pinned.number = exactNumber(cell);
  return pinned;
}

/// Not one that only paints, as a miniature does.
bool saysSomething(const std::vector<Line>& lines, int column) {
  return lines.empty() || std::ranges::any_of(lines, [column](const Line& line) {
           return !line.row.siblingAtColumn(column).data().toString().isEmpty();
         });
}

engine::ReviewPage pageOf(const QAbstractItemView& view) {
  const QString name = view.accessibleName();
  return {.title = name.isEmpty() ? u"Table"_s.toStdString() : name.toStdString(), .content = pinnedRows(view)};
}

}  // namespace

engine::ReviewTable pinnedRows(const QAbstractItemView& view) {
  engine::ReviewTable table;
  const QAbstractItemModel* model = view.model();
  if (!model) return table;
  const std::vector<Line> lines = linesOf(view, table.rowsLeftOut);
  std::vector<int> columns = shownColumns(view);
  std::erase_if(columns, [&lines](int column) { return !saysSomething(lines, column); });
  for (const int column : columns) table.columns.push_back(columnOf(*model, lines, column));
  for (const Line& line : lines) {
    std::vector<engine::ReviewCell>& row = table.rows.emplace_back();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const QModelIndex cell = line.row.siblingAtColumn(columns[i]);
      row.push_back(cellOf(cell, table.columns[i].kind, columns[i] == 0 ? line.depth : 0));
    }
  }
  return table;
}

QModelIndexList rowsToPin(const QAbstractItemView& view) {
  QModelIndexList rows;
  std::uint64_t leftOut = 0;
  if (!view.model()) return rows;
  for (const Line& line : linesOf(view, leftOut)) rows.push_back(line.row);
  return rows;
}

void pinRows(QAbstractItemView& view) {
  requestPin(&view, pageOf(view));
}

void addPinRowsAction(QAbstractItemView* view) {
  addPinAction(view, [view] { return pageOf(*view); });
}

void replacePinRows(QAbstractItemView& view, const std::function<void()>& pin) {
  QAction* action = pinActionOf(view);
  action->disconnect(&view);
  QObject::connect(action, &QAction::triggered, &view, pin);
}

}  // namespace heapscape::gui
