// SPDX-License-Identifier: MIT
#include "views/references/dominators/dominator_breadcrumbs.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <algorithm>

#include "views/references/dominators/dominator_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

constexpr int kStepLetters = 24;

}  // namespace

DominatorBreadcrumbs::DominatorBreadcrumbs(QWidget* parent) : QWidget(parent), m_line(new QHBoxLayout(this)) {
  setObjectName(u"dominatorWay"_s);
  setAccessibleName(u"The way from the top of the dominator tree to what is shown"_s);
  m_line->setContentsMargins(12, 0, 12, 4);
  m_line->setSpacing(2);
  setMinimumHeight(std::max(26, fontMetrics().height() * 8 / 5) + 4);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void DominatorBreadcrumbs::show(const DominatorWay& way) {
  m_way = way;
  rebuild();
}

void DominatorBreadcrumbs::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const int step = fontMetrics().averageCharWidth() * (kStepLetters + 5);
  const auto fitting = static_cast<std::size_t>(std::max(2, width() / step));
  if (fitting == m_fitting) return;
  m_fitting = fitting;
  rebuild();
}

void DominatorBreadcrumbs::addStep(std::size_t step) {
  const engine::DominatorNode& node = m_way[step];
  auto* button = new QToolButton(this);
  const QString name = dominatorLabel(node);
  button->setText(fontMetrics().elidedText(name, Qt::ElideMiddle, fontMetrics().averageCharWidth() * kStepLetters));
  button->setToolTip(u"%1, retains %2"_s.arg(dominatorName(node), exactBytesText(node.retainedBytes)));
  button->setAccessibleName(name);
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::TabFocus);
  button->setMinimumSize(24, std::max(24, fontMetrics().height() * 8 / 5));
  const bool isLast = step + 1 == m_way.size();
  QFont font = button->font();
  font.setWeight(isLast ? QFont::DemiBold : QFont::Normal);
  button->setFont(font);
  connect(button, &QToolButton::clicked, this, [this, step] { Q_EMIT wanted(step); });
  m_line->addWidget(button);
}

void DominatorBreadcrumbs::addSign(const QString& sign, const QString& tip) {
  auto* label = new QLabel(sign, this);
  label->setToolTip(tip);
  label->setForegroundRole(QPalette::PlaceholderText);
  m_line->addWidget(label);
}

void DominatorBreadcrumbs::rebuild() {
  while (QLayoutItem* item = m_line->takeAt(0)) {
    // One of them may be what was just clicked.
    if (item->widget()) item->widget()->deleteLater();
    if (item->widget()) item->widget()->hide();
    delete item;
  }
  const std::size_t steps = m_way.size();
  const std::size_t shown = std::min(steps, std::max<std::size_t>(m_fitting, 2));
  const std::size_t leftOut = steps - shown;
  for (std::size_t step = 0; step < steps; ++step) {
    if (leftOut && step == 1) {
      addSign(u"› …"_s, leftOut == 1 ? u"1 step is left out"_s : u"%1 steps are left out"_s.arg(countText(leftOut)));
      step += leftOut;
    }
    if (step > 0) addSign(u"›"_s, {});
    addStep(step);
  }
  m_line->addStretch(1);
}

}  // namespace heapscape::gui
