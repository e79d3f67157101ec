// SPDX-License-Identifier: MIT
#include "views/insights/insights_head.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/arranging/tile_layout.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/figure_tile.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr int kLettersForWords = 100;  // width from which the button says what it does

QString againText() {
  return QStringLiteral("Look again");
}

}  // namespace

InsightsHead::InsightsHead(QWidget* parent)
    : QWidget(parent),
      m_waste(new FigureTile(QStringLiteral("Wasted"), this)),
      m_leaks(new FigureTile(QStringLiteral("Leaked"), this)),
      m_count(new FigureTile(QStringLiteral("Insights"), this)),
      m_again(new QPushButton(symbolIcon(QStringLiteral("insights")), againText(), this)),
      m_note(new ElidedText(this)) {
  m_waste->setObjectName(QStringLiteral("insightsWaste"));
  m_leaks->setObjectName(QStringLiteral("insightsLeaks"));
  m_count->setObjectName(QStringLiteral("insightsTotal"));
  m_again->setObjectName(QStringLiteral("insightsAgain"));
  m_again->setAccessibleName(againText());
  m_again->setToolTip(QStringLiteral("Look again for waste and leaks, from the beginning"));
  m_note->setObjectName(QStringLiteral("insightsNote"));
  m_note->setWraps();
  m_note->setWarning(true);
  connect(m_again, &QPushButton::clicked, this, &InsightsHead::lookWanted);
  auto* tiles = new TileLayout;
  for (FigureTile* tile : {m_waste, m_leaks, m_count}) tiles->addWidget(tile);
  auto* line = new QHBoxLayout;
  line->setSpacing(24);
  line->addLayout(tiles, 1);
  line->addWidget(m_again, 0, Qt::AlignTop);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 12, 16, 4);
  column->setSpacing(6);
  column->addLayout(line);
  column->addWidget(m_note);
}

void InsightsHead::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  m_again->setText(width() < kLettersForWords * fontMetrics().averageCharWidth() ? QString() : againText());
}

void InsightsHead::show(const FoundInsights& found) {
  const engine::InsightList& list = found.list;
  const auto shareOf = [&found](std::uint64_t bytes) {
    return QStringLiteral("%1 of %2 on the heap").arg(percentText(bytes, found.heapBytes), bytesText(found.heapBytes));
  };
  QString ofFramework;
  if (list.frameworkBytes > 0) {
    ofFramework = QLatin1Char('\n') + QStringLiteral("Of waste and leaks together, %1 are held by the framework alone.")
                                          .arg(exactBytesText(list.frameworkBytes));
  }
  m_waste->setFigure(
      bytesText(list.wasteBytes), shareOf(list.wasteBytes),
      QStringLiteral("%1 could be won back, each byte counted once").arg(exactBytesText(list.wasteBytes)) +
          ofFramework);
  m_leaks->setFigure(
      bytesText(list.leakBytes), shareOf(list.leakBytes),
      QStringLiteral("%1 are held and probably should not be, each byte counted once and none that is wasted, too")
              .arg(exactBytesText(list.leakBytes)) +
          ofFramework);
  m_count->setFigure(
      countText(list.insights.size()),
      list.smallInsights == 0
          ? QStringLiteral("nothing was left out")
          : QStringLiteral("and %1 small ones, %2").arg(countText(list.smallInsights), bytesText(list.smallBytes)),
      list.smallInsights == 0
          ? QString()
          : QStringLiteral("Too small to be listed: %1 in no other figure here").arg(exactBytesText(list.smallBytes)));
  const std::size_t findings = list.findings.items().size() + list.findings.leftOut();
  m_note->setVisible(findings > 0);
  if (findings == 0) return;
  const QString first = fromEngine(list.findings.items().front().message);
  m_note->setText(
      QStringLiteral("⚠ ") +
      (findings == 1 ? first : QStringLiteral("%1 findings; the first: %2").arg(countText(findings), first)));
}

}  // namespace heapscape::gui
