// SPDX-License-Identifier: MIT
#include "views/object/targets_panel.h"

#include <QVBoxLayout>

#include "views/object/small_table.h"
#include "widgets/text/figures.h"
#include "widgets/text/short_type_name.h"

namespace heapscape::gui {
namespace {

enum TargetColumn : int { MethodColumn, TargetColumn, AddressColumn, CodeColumn };

QString targetText(const engine::DelegateTarget& target) {
  if (target.target) return shortTypeName(target.targetType);
  return target.isClosed ? QStringLiteral("null") : QStringLiteral("static");
}

}  // namespace

TargetsPanel::TargetsPanel(QWidget* parent)
    : QWidget(parent),
      m_table(makeSmallTable(
          QStringLiteral("delegateTargets"), QStringLiteral("Targets"),
          {QStringLiteral("Calls"), QStringLiteral("On"), QStringLiteral("Object"), QStringLiteral("Code")},
          {56, 28, 22, 22}, this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 8, 0, 0);
  column->addWidget(m_table);
  setFocusProxy(m_table);
  connect(m_table, &QAbstractItemView::activated, this, [this](const QModelIndex& index) {
    const auto& targets = m_page->object.delegate;
    const engine::Address target = targets[static_cast<std::size_t>(index.row())].target;
    const QString via = targets.size() > 1 ? QStringLiteral("target %1").arg(index.row()) : QStringLiteral("target");
    if (target) Q_EMIT followWanted(target, via);
  });
}

void TargetsPanel::show(std::shared_ptr<const ObjectPage> page) {
  m_page = std::move(page);
  const int rows = m_page ? static_cast<int>(m_page->object.delegate.size()) : 0;
  m_table->setRowCount(rows);
  for (int row = 0; row < rows; ++row) {
    const engine::DelegateTarget& target = m_page->object.delegate[static_cast<std::size_t>(row)];
    setCell(m_table, row, MethodColumn, fromEngine(target.method));
    setCell(m_table, row, TargetColumn, targetText(target));
    setCell(m_table, row, AddressColumn, target.target ? addressText(target.target) : QString(), true);
    setCell(m_table, row, CodeColumn, target.code ? addressText(target.code) : QString(), true);
  }
}

}  // namespace heapscape::gui
