// SPDX-License-Identifier: MIT
#include "views/types/found_object_pages.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QScrollBar>
#include <QTableView>
#include <algorithm>

#include "views/types/found_objects_model.h"

namespace heapscape::gui {
namespace {

constexpr auto kPagesChannel = "pages";
constexpr auto kCopyChannel = "copy";

using List = std::shared_ptr<const FoundObjectList>;
using Pages = std::vector<std::vector<engine::FoundObject>>;

// On the engine thread.
engine::Outcome<Pages> readPages(const FoundObjectList& list, const std::vector<std::span<const std::uint32_t>>& ids,
                                 const std::stop_token& stop) {
  Pages pages;
  for (const std::span<const std::uint32_t> page : ids) {
    HEAPSCAPE_TRY(auto objects, engine::describeObjects(list.snapshot, list.search, page, stop));
    pages.push_back(std::move(objects));
  }
  return pages;
}

// The same.
engine::Outcome<QString> textOf(const FoundObjectList& list, const std::vector<std::uint32_t>& ids,
                                const std::stop_token& stop) {
  QString text = foundObjectTitles().join(QLatin1Char('\t')) + QLatin1Char('\n');
  std::span<const std::uint32_t> left = ids;
  while (!left.empty()) {
    const auto page = left.first(std::min<std::size_t>(FoundObjectsModel::kPageRows, left.size()));
    HEAPSCAPE_TRY(const auto objects, engine::describeObjects(list.snapshot, list.search, page, stop));
    for (const engine::FoundObject& object : objects)
      text += plainCells(list.snapshot, object).join(QLatin1Char('\t')) + QLatin1Char('\n');
    left = left.subspan(page.size());
  }
  return text;
}

}  // namespace

FoundObjectPages::FoundObjectPages(EngineBridge& bridge, FoundObjectsModel& model, QTableView& table)
    : QObject(&table), m_bridge(bridge), m_model(model), m_table(table) {
  connect(table.verticalScrollBar(), &QScrollBar::valueChanged, this, &FoundObjectPages::fetchVisible);
  connect(table.verticalScrollBar(), &QScrollBar::rangeChanged, this, &FoundObjectPages::fetchVisible);
  connect(&model, &QAbstractItemModel::modelReset, this, [this] {
    m_asked.clear();
    m_bridge.stopAsking(this, kPagesChannel);
    m_bridge.stopAsking(this, kCopyChannel);
    // Once the table knows of it; where it is scrolled to may have stayed.
    QMetaObject::invokeMethod(this, &FoundObjectPages::fetchVisible, Qt::QueuedConnection);
  });
  for (QAction* action : table.actions()) {
    if (action->objectName() != QStringLiteral("copyRows")) continue;
    action->disconnect();
    connect(action, &QAction::triggered, this, &FoundObjectPages::copySelected);
  }
}

void FoundObjectPages::fetchVisible() {
  const int rows = m_model.rowCount();
  const int first = m_table.rowAt(0);
  if (rows == 0 || first < 0) return;
  const int below = m_table.rowAt(m_table.viewport()->height() - 1);
  const int last = below < 0 ? rows - 1 : below;
  std::vector<int> missing;
  for (int page = first / FoundObjectsModel::kPageRows; page <= last / FoundObjectsModel::kPageRows; ++page) {
    if (!m_model.hasPage(page)) missing.push_back(page);
  }
  if (missing.empty() || missing == m_asked) return;
  m_asked = missing;
  std::vector<std::span<const std::uint32_t>> ids;
  for (const int page : missing) ids.push_back(m_model.idsOf(page));
  m_bridge.ask(
      this, kPagesChannel,
      [list = m_model.list(), ids](const engine::Snapshot&, const std::stop_token& stop) {
        return readPages(*list, ids, stop);
      },
      [this, missing](engine::Outcome<Pages> pages) {
        m_asked.clear();
        if (!pages) return;
        for (std::size_t i = 0; i < missing.size(); ++i) m_model.addPage(missing[i], std::move((*pages)[i]));
        fetchVisible();
      });
}

void FoundObjectPages::copySelected() {
  std::vector<int> rows;
  for (const QItemSelectionRange& range : m_table.selectionModel()->selection()) {
    for (int row = range.top(); row <= range.bottom(); ++row) rows.push_back(row);
  }
  if (rows.empty()) return;
  std::ranges::sort(rows);
  rows.erase(std::ranges::unique(rows).begin(), rows.end());
  std::vector<std::uint32_t> ids;
  for (const int row : rows) ids.push_back(m_model.list()->found.order[static_cast<std::size_t>(row)]);
  m_bridge.askLong(
      this, kCopyChannel,
      [list = m_model.list(), ids = std::move(ids)](const engine::Snapshot&, engine::ProgressSink*,
                                                    const std::stop_token& stop) { return textOf(*list, ids, stop); },
      [](const engine::Progress&) {},
      [](const engine::Outcome<QString>& text) {
        if (text) QGuiApplication::clipboard()->setText(*text);
      });
}

}  // namespace heapscape::gui
