// SPDX-License-Identifier: MIT
#include "views/overview/modules_table.h"

#include <QScrollBar>

#include "models/rows/static_rows.h"

namespace heapscape::gui {
namespace {

constexpr auto kLoadChannel = "modules";
constexpr auto kOrderChannel = "order";

RowSchema<engine::ListedModule> schema() {
  return moduleSchema().only({"name", "size", "metadata", "readyToRun", "loadContext", "path"});
}

}  // namespace

ModulesTable::ModulesTable(EngineBridge& bridge, QWidget* parent)
    : RowsTable(u"overviewModules"_s, u"Modules"_s, schema().setups(), {}, parent), m_bridge(bridge) {
  m_question.noun = u"modules"_s;
  m_question.sortColumn = sectionOf("name");
  connect(this, &RowsTable::sortWanted, this, [this](int section, bool descending) {
    m_question.sortColumn = section;
    m_question.descending = descending;
    order();
  });
}

void ModulesTable::load() {
  m_bridge.ask(
      this, kLoadChannel,
      [](const engine::Snapshot& snapshot, std::stop_token) {
        return makeRowList(engine::listModules(snapshot), schema());
      },
      [this](std::shared_ptr<const RowList> list) {
        m_list = std::move(list);
        order();
      });
}

void ModulesTable::clear() {
  m_bridge.stopAsking(this, kLoadChannel);
  m_bridge.stopAsking(this, kOrderChannel);
  m_list.reset();
  rows().clear();
}

void ModulesTable::order() {
  if (!m_list) return;
  m_bridge.compute(
      this, kOrderChannel,
      [list = m_list, question = m_question](std::stop_token stop) { return askRows(*list, question, stop); },
      [this, asked = m_list](engine::Outcome<std::vector<std::uint32_t>> order) {
        if (order && asked == m_list) show(std::move(*order));
      });
}

void ModulesTable::show(std::vector<std::uint32_t> order) {
  const QModelIndex current = currentIndex();
  const auto picked = current.isValid() ? rows().identityAt(current.row()) : engine::Address{};
  const int scrolled = verticalScrollBar()->value();
  rows().show(m_list, std::move(order));
  verticalScrollBar()->setValue(scrolled);
  showSorting(m_question.sortColumn, m_question.descending);
  if (picked) pickLine(rows().lineAbout(picked));
  Q_EMIT shown();
}

}  // namespace heapscape::gui
