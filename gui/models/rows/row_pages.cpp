// SPDX-License-Identifier: MIT
#include "models/rows/row_pages.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QScrollBar>
#include <algorithm>

#include "models/rows/header_columns.h"
#include "models/rows/rows_table.h"

namespace heapscape::gui {
namespace {

constexpr auto kPagesChannel = "pages";
constexpr auto kCopyChannel = "copy";

using Rows = std::shared_ptr<const PagedRows>;
using Lists = std::vector<std::shared_ptr<const RowList>>;

// On the engine thread.
engine::Outcome<Lists> readPages(const PagedRows& rows, const std::vector<std::uint32_t>& pages,
                                 const std::stop_token& stop) {
  Lists lists;
  for (const std::uint32_t page : pages) {
    const std::uint32_t first = page * PagedRows::kPageRows;
    HEAPSCAPE_TRY(auto list, rows.read(first, std::min(PagedRows::kPageRows, rows.size - first), stop));
    lists.push_back(std::move(list));
  }
  return lists;
}

// Lines are ascending, so that each page is read once. On the engine thread.
engine::Outcome<QString> textOf(const PagedRows& rows, const std::vector<std::uint32_t>& lines,
                                const std::vector<int>& shown, CopiedRows copied, const std::stop_token& stop) {
  std::shared_ptr<const RowList> list;
  std::uint32_t first = 0;
  for (const std::uint32_t line : lines) {
    if (!list || line >= first + list->size()) {
      first = line;
      HEAPSCAPE_TRY(list, rows.read(first, std::min(PagedRows::kPageRows, rows.size - first), stop));
    }
    copied.add(copiedRow(*list, line - first, shown));
  }
  return copied.text();
}

}  // namespace

RowPages::RowPages(EngineBridge& bridge, RowsTable& table) : QObject(&table), m_bridge(bridge), m_table(table) {
  connect(table.verticalScrollBar(), &QScrollBar::valueChanged, this, &RowPages::fetchVisible);
  connect(table.verticalScrollBar(), &QScrollBar::rangeChanged, this, &RowPages::fetchVisible);
  connect(&table.rows(), &QAbstractItemModel::modelReset, this, [this] {
    m_asked.clear();
    m_bridge.stopAsking(this, kPagesChannel);
    m_bridge.stopAsking(this, kCopyChannel);
    // Once the table knows of it; where it is scrolled to may have stayed.
    QMetaObject::invokeMethod(this, &RowPages::fetchVisible, Qt::QueuedConnection);
  });
  replaceCopyRows(table, [this](RowsFormat format) { copyPicked(format); });
}

void RowPages::fetchVisible() {
  const Rows& rows = m_table.rows().paged();
  const int first = m_table.rowAt(0);
  if (!rows || rows->size == 0 || first < 0) return;
  const int below = m_table.rowAt(m_table.viewport()->height() - 1);
  const auto last = below < 0 ? rows->size - 1 : static_cast<std::uint32_t>(below);
  std::vector<std::uint32_t> missing;
  for (std::uint32_t page = static_cast<std::uint32_t>(first) / PagedRows::kPageRows;
       page <= last / PagedRows::kPageRows; ++page) {
    if (!m_table.rows().hasPage(page)) missing.push_back(page);
  }
  if (missing.empty() || missing == m_asked) return;
  m_asked = missing;
  m_bridge.ask(
      this, kPagesChannel,
      [rows, missing](const engine::Snapshot&, const std::stop_token& stop) { return readPages(*rows, missing, stop); },
      [this, missing](const engine::Outcome<Lists>& lists) {
        m_asked.clear();
        if (!lists) return;
        for (std::size_t i = 0; i < missing.size(); ++i) m_table.rows().addPage(missing[i], (*lists)[i]);
        fetchVisible();
      });
}

void RowPages::copyPicked(RowsFormat format) {
  const Rows& rows = m_table.rows().paged();
  std::vector<LineRange> picked = m_table.pickedRanges();
  if (!rows || picked.empty()) return;
  const std::vector<int> shown = shownColumns(m_table);
  m_bridge.askLong(
      this, kCopyChannel,
      [rows, picked = std::move(picked), shown,
       copied = CopiedRows(format, copiedColumns(m_table.rows().columns(), shown))](
          const engine::Snapshot&, engine::ProgressSink*, const std::stop_token& stop) {
        return textOf(*rows, linesIn(picked), shown, copied, stop);
      },
      [](const engine::Progress&) {},
      [](const engine::Outcome<QString>& text) {
        if (text) QGuiApplication::clipboard()->setText(*text);
      });
}

}  // namespace heapscape::gui
