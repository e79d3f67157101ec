// SPDX-License-Identifier: MIT
#include "models/rows/seen_values.h"

#include <QEvent>
#include <QTreeView>
#include <algorithm>
#include <span>
#include <utility>

#include "models/cells/roles.h"
#include "models/rows/field_columns.h"
#include "models/rows/pinned_rows.h"
#include "models/rows/row_list.h"
#include "models/rows/rows_as_text.h"
#include "models/rows/table_setup.h"
#include "query/objects/object_cells.h"
#include "query/objects/object_schema.h"
#include "tables/table.h"
#include "widgets/text/figures.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {
namespace {

constexpr auto kSeenChannel = "values";
constexpr auto kTakenChannel = "values.taken";

engine::Outcome<std::vector<engine::QueryValue>> readValues(const engine::Snapshot& snapshot,
                                                            const std::vector<engine::Address>& objects,
                                                            std::stop_token stop) {
  const engine::QueryFieldReference field = engine::referenceTo(engine::ObjectField::Value);
  HEAPSCAPE_TRY(const engine::ObjectCells cells,
                engine::ObjectCells().with(snapshot, objects, std::span(&field, 1), nullptr, std::move(stop)));
  std::vector<engine::QueryValue> values;
  values.reserve(objects.size());
  for (std::uint32_t row = 0; row < objects.size(); ++row) values.push_back(cells.value(row, field));
  return values;
}

}  // namespace

QVariant ValueCells::data(engine::Address object, int role) const {
  if (role == kCutAtEndRole) return true;
  const auto found = m_values.find(object.value);
  if (!object || found == m_values.end()) return {};
  if (role == Qt::DisplayRole || role == Qt::ToolTipRole || role == kPlainRole) {
    const QString words = fieldWords(found->second);
    return words.isEmpty() ? QVariant() : contentsText(words);
  }
  return fieldAlignment(found->second, role);
}

QVariant ValueCells::headerData(int role) {
  static const ColumnSetup setup =
      described({.field = "value"}, {.noun = "objects", .columns = {engine::objectValueColumn()}});
  switch (role) {
    case Qt::DisplayRole:
      return setup.title;
    case Qt::ToolTipRole:
      return setup.tip;
    case Qt::TextAlignmentRole:
      return QVariant::fromValue(Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter));
    case kHoldsContentsRole:
      return setup.mayHoldContents();
    case kColumnNameRole:
      return fromEngine(setup.field);
    default:
      return {};
  }
}

SeenValues::SeenValues(EngineBridge& bridge, QTreeView& tree, Column column)
    : QObject(&tree), m_bridge(bridge), m_tree(tree), m_column(std::move(column)) {
  m_soon.setSingleShot(true);
  connect(&m_soon, &QTimer::timeout, this, &SeenValues::readSeen);
  m_tree.viewport()->installEventFilter(this);
  connect(&bridge, &EngineBridge::openStarted, this, &SeenValues::forget);
  connect(&bridge, &EngineBridge::closed, this, &SeenValues::forget);
  replaceCopyRows(tree, [this](RowsFormat format) {
    readThen(kTakenChannel, m_tree.selectionModel()->selectedRows(),
             [this, format] { copySelectedRows(m_tree, format); });
  });
  replacePinRows(tree, [this] { readThen(kTakenChannel, rowsToPin(m_tree), [this] { pinRows(m_tree); }); });
}

bool SeenValues::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Paint && !m_soon.isActive()) m_soon.start();
  return QObject::eventFilter(watched, event);
}

void SeenValues::forget() {
  m_soon.stop();
  m_bridge.stopAsking(this, kSeenChannel);
  m_bridge.stopAsking(this, kTakenChannel);
  m_column.cells.clear();
}

std::vector<engine::Address> SeenValues::missingOf(const QModelIndexList& rows) const {
  std::vector<engine::Address> missing;
  if (m_tree.isColumnHidden(m_column.section)) return missing;
  for (const QModelIndex& row : rows) {
    const engine::Address object = m_column.objectOf(row);
    if (object && !m_column.cells.has(object)) missing.push_back(object);
  }
  std::ranges::sort(missing);
  missing.erase(std::ranges::unique(missing).begin(), missing.end());
  return missing;
}

void SeenValues::readSeen() {
  readThen(kSeenChannel, rowsInSight(m_tree), [] {});
}

void SeenValues::readThen(const char* channel, const QModelIndexList& rows, std::function<void()> done) {
  std::vector<engine::Address> missing = missingOf(rows);
  if (missing.empty()) {
    m_bridge.stopAsking(this, channel);
    done();
    return;
  }
  m_bridge.ask(
      this, channel,
      [missing](const engine::Snapshot& snapshot, std::stop_token stop) {
        return readValues(snapshot, missing, std::move(stop));
      },
      [this, missing, done = std::move(done)](engine::Outcome<std::vector<engine::QueryValue>> values) {
        if (!values && values.error().isCancelled()) return;
        for (std::size_t i = 0; values && i < missing.size(); ++i)
          m_column.cells.add(missing[i], std::move((*values)[i]));
        tell(rowsInSight(m_tree));
        done();
      });
}

void SeenValues::tell(const QModelIndexList& rows) {
  for (const QModelIndex& row : rows) {
    const QModelIndex cell = row.siblingAtColumn(m_column.section);
    Q_EMIT m_tree.model()->dataChanged(cell, cell);
  }
}

}  // namespace heapscape::gui
