// SPDX-License-Identifier: MIT
#include "models/rows/row_objects.h"

#include <utility>

#include "models/rows/field_columns.h"
#include "models/rows/header_columns.h"
#include "models/rows/rows_table.h"
#include "widgets/dimming.h"

namespace heapscape::gui {
namespace {

constexpr auto kReadOrderChannel = "order";
constexpr auto kReadShownChannel = "objects";
constexpr std::uint32_t kFewRows = 10'000;

using SharedRows = std::shared_ptr<const RowList>;

std::vector<ColumnSetup> withPaths(std::vector<ColumnSetup> columns, const QStringList& paths) {
  for (const QString& path : paths) columns.push_back(fieldSetup(path));
  return columns;
}

}  // namespace

RowObjects::RowObjects(EngineBridge& bridge, RowsTable& table, const QString& name, std::vector<ColumnSetup> columns)
    : QObject(&table),
      m_bridge(bridge),
      m_table(table),
      m_columns(std::move(columns)),
      m_fields(new FieldColumns(bridge, table, name)) {
  connect(m_fields, &FieldColumns::changed, this, &RowObjects::changeColumns);
  connect(&table.columns(), &HeaderColumns::shownChanged, this, &RowObjects::shownChanged);
}

std::vector<ColumnSetup> RowObjects::withKept(const QString& name, std::vector<ColumnSetup> columns) {
  return withPaths(std::move(columns), FieldColumns::kept(name));
}

void RowObjects::changeColumns() {
  m_table.setColumns(withPaths(m_columns, m_fields->paths()));
  Q_EMIT columnsChanged();
}

SharedRows RowObjects::fitted(const SharedRows& rows) const {
  return rows->paths() == m_fields->paths() ? rows : rows->withObjects(rows->rows(), m_fields->paths());
}

template <class Query, class Done>
void RowObjects::ask(const char* channel, const RowList& rows, Query query,
                     std::function<void(const engine::Progress&)> told, Done done) {
  if (rows.size() > kFewRows) {
    m_bridge.askLong(this, channel, std::move(query), std::move(told), std::move(done));
    return;
  }
  const auto atOnce = [query = std::move(query)](const engine::Snapshot& snapshot, std::stop_token stop) {
    return query(snapshot, nullptr, std::move(stop));
  };
  m_bridge.ask(this, channel, atOnce, std::move(done));
}

void RowObjects::order(const SharedRows& rows, const RowQuestion& question,
                       std::function<void(engine::Outcome<OrderedRows>)> done) {
  setDimmed(m_table.viewport(), false);  // what was asked before is not answered any more
  std::vector<engine::QueryFieldReference> missing = missingFields(*rows, question);
  if (missing.empty()) {
    m_bridge.compute(
        this, kReadOrderChannel, [rows, question](std::stop_token stop) { return orderRows(rows, question, stop); },
        std::move(done));
    return;
  }
  ask(
      kReadOrderChannel, *rows,
      [rows, question, missing = std::move(missing)](const engine::Snapshot& snapshot, engine::ProgressSink* progress,
                                                     std::stop_token stop) -> engine::Outcome<OrderedRows> {
        HEAPSCAPE_TRY(SharedRows read, readObjects(snapshot, *rows, missing, progress, stop));
        return orderRows(std::move(read), question, stop);
      },
      [this](const engine::Progress& progress) {
        setDimmed(m_table.viewport(), true);
        Q_EMIT progressed(progress);
      },
      [this, done = std::move(done)](engine::Outcome<OrderedRows> answered) {
        setDimmed(m_table.viewport(), false);
        done(std::move(answered));
      });
}

void RowObjects::readShown(const SharedRows& rows, std::function<void(SharedRows)> done) {
  std::vector<engine::QueryFieldReference> shown;
  for (const int section : shownColumns(m_table)) {
    const auto column = static_cast<std::size_t>(section);
    const auto& field = column < rows->columns().size() ? rows->objectField(column) : std::nullopt;
    if (field) shown.push_back(*field);
  }
  m_bridge.stopAsking(this, kReadShownChannel);
  std::vector<engine::QueryFieldReference> missing = rows->rows().missing(shown);
  if (missing.empty()) return;
  ask(
      kReadShownChannel, *rows,
      [rows, missing = std::move(missing)](const engine::Snapshot& snapshot, engine::ProgressSink* progress,
                                           std::stop_token stop) {
        return readObjects(snapshot, *rows, missing, progress, std::move(stop));
      },
      [](const engine::Progress&) {},
      [done = std::move(done)](const engine::Outcome<SharedRows>& read) {
        if (read) done(*read);
      });
}

void RowObjects::stop() {
  m_bridge.stopAsking(this, kReadOrderChannel);
  m_bridge.stopAsking(this, kReadShownChannel);
  setDimmed(m_table.viewport(), false);
}

}  // namespace heapscape::gui
