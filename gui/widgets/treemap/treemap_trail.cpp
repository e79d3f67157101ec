// SPDX-License-Identifier: MIT
#include "widgets/treemap/treemap_trail.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <algorithm>

#include "widgets/text/fonts.h"
#include "widgets/treemap/treemap.h"

namespace heapscape::gui {

TreemapTrail::TreemapTrail(Treemap* treemap, const QString& whole, QWidget* parent)
    : QWidget(parent), m_treemap(treemap), m_name(whole), m_whole(new QToolButton(this)), m_group(new QLabel(this)) {
  m_whole->setText(whole);
  m_whole->setObjectName(QStringLiteral("treemapWhole"));
  m_whole->setToolTip(QStringLiteral("Show all of it again (Esc)"));
  m_whole->setAutoRaise(true);
  m_whole->setMinimumHeight(std::max(24, fontMetrics().height() * 8 / 5));
  m_group->setObjectName(QStringLiteral("treemapGroup"));
  m_group->setTextFormat(Qt::PlainText);
  m_group->setFont(scaledFont(font(), 1, QFont::DemiBold));
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(4);
  line->addWidget(m_whole);
  line->addWidget(m_group);
  line->addStretch(1);
  setMinimumHeight(m_whole->minimumHeight());
  connect(m_whole, &QToolButton::clicked, m_treemap, [this] { m_treemap->zoom(std::nullopt); });
  connect(m_treemap, &Treemap::zoomChanged, this, &TreemapTrail::follow);
  follow();
}

void TreemapTrail::follow() {
  const std::optional<std::size_t> group = m_treemap->zoomed();
  m_whole->setVisible(group.has_value());
  m_group->setText(group ? QStringLiteral("›  ") + m_treemap->groups()[*group].name : m_name);
}

}  // namespace heapscape::gui
