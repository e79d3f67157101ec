// SPDX-License-Identifier: MIT
#include "views/overview/activity_list.h"

#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>

#include "models/lacking_heap.h"
#include "session/threads/thread_waits.h"
#include "widgets/drawing/colours.h"
#include "widgets/painted_button.h"
#include "widgets/section.h"
#include "widgets/text/counted_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

/// A line of what threads were doing: their number, its share as a bar, and the words.
class ActivityRow : public PaintedButton {
 public:
  ActivityRow(const QString& doing, std::uint64_t threads, std::uint64_t all, QWidget* parent = nullptr);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  int figureWidth() const;

  QString m_count;
  double m_share;
};

constexpr int kActivityRowMargin = 8;
constexpr int kBarWidth = 64;
constexpr double kActivityRowBarHeight = 6;

ActivityRow::ActivityRow(const QString& doing, std::uint64_t threads, std::uint64_t all, QWidget* parent)
    : PaintedButton(parent),
      m_count(countText(threads)),
      m_share(all == 0 ? 0 : static_cast<double>(threads) / static_cast<double>(all)) {
  setText(doing);
  setToolTip(QStringLiteral("%1: %2").arg(countedText(threads, QStringLiteral("thread")), doing));
  setAccessibleName(toolTip());
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setLeadsSomewhere(true);
}

int ActivityRow::figureWidth() const {
  return std::max(fontMetrics().horizontalAdvance(QStringLiteral("888")), fontMetrics().horizontalAdvance(m_count));
}

QSize ActivityRow::sizeHint() const {
  return {figureWidth() + kBarWidth + fontMetrics().horizontalAdvance(text()) + 5 * kActivityRowMargin,
          std::max(24, qRound(fontMetrics().height() * 1.6))};
}

QSize ActivityRow::minimumSizeHint() const {
  return {figureWidth() + kBarWidth + fontMetrics().averageCharWidth() * 12 + 5 * kActivityRowMargin,
          sizeHint().height()};
}

void ActivityRow::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Colours colours(palette());
  paintGround(painter);
  const QRect figure(kActivityRowMargin, 0, figureWidth(), height());
  painter.setPen(palette().color(QPalette::WindowText));
  painter.drawText(figure, Qt::AlignRight | Qt::AlignVCenter, m_count);
  const QRectF bar(figure.right() + 1 + kActivityRowMargin, (height() - kActivityRowBarHeight) / 2, kBarWidth,
                   kActivityRowBarHeight);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colours.gridLine());
  painter.drawRoundedRect(bar, kActivityRowBarHeight / 2, kActivityRowBarHeight / 2);
  painter.setBrush(colours.heatStep(3));
  painter.drawRoundedRect(
      QRectF(bar.topLeft(), QSizeF(std::max(kActivityRowBarHeight, bar.width() * m_share), kActivityRowBarHeight)),
      kActivityRowBarHeight / 2, kActivityRowBarHeight / 2);
  const QRect words = rect().adjusted(qRound(bar.right()) + 2 * kActivityRowMargin, 0, -kActivityRowMargin, 0);
  painter.setPen(palette().color(QPalette::WindowText));
  painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                   fontMetrics().elidedText(text(), Qt::ElideMiddle, words.width()));
}

constexpr auto kActivityListChannel = "overview.activities";
constexpr std::size_t kMostLines = 8;

}  // namespace

ActivityList::ActivityList(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_navigator(navigator), m_lines(new QVBoxLayout(this)) {
  m_lines->setContentsMargins(0, 0, 0, 0);
  m_lines->setSpacing(0);
  setObjectName(QStringLiteral("activities"));
}

void ActivityList::removeLines() {
  while (QLayoutItem* item = m_lines->takeAt(0)) {
    // One of them may be what was just clicked.
    if (item->widget()) item->widget()->hide();
    if (item->widget()) item->widget()->deleteLater();
    delete item;
  }
}

void ActivityList::say(const QString& text) {
  removeLines();
  m_lines->addWidget(makeNote(text, this));
}

void ActivityList::clear() {
  m_bridge.stopAsking(this, kActivityListChannel);
  m_groups.clear();
  say(QStringLiteral("Waiting for the objects of the heap"));
}

void ActivityList::showSnapshot(const engine::Snapshot& snapshot) {
  const bool hasNoHeap = lacksHeap(snapshot);
  if (snapshot.stage() != engine::Stage::Objects && !hasNoHeap) return;
  say(QStringLiteral("Reading the stacks"));
  using Groups = engine::Outcome<std::vector<engine::ActivityGroup>>;
  const auto query = [](const engine::Snapshot& open, std::stop_token stop) -> Groups {
    HEAPSCAPE_TRY(const engine::StackList stacks, engine::listStacks(open, {.roots = false}, stop));
    return engine::activitiesOf(stacks);
  };
  m_bridge.ask(this, kActivityListChannel, query, [this](Groups groups) {
    if (groups) return show(std::move(*groups));
    if (!groups.error().isCancelled()) say(fromEngine(groups.error().error().message()));
  });
}

void ActivityList::show(std::vector<engine::ActivityGroup> groups) {
  m_groups = std::move(groups);
  if (m_groups.empty()) {
    say(QStringLiteral("The dump holds no stack of the runtime's threads."));
    return;
  }
  removeLines();
  std::uint64_t all = 0;
  for (const engine::ActivityGroup& group : m_groups) all += group.threads.size();
  for (std::size_t i = 0; i < std::min(m_groups.size(), kMostLines); ++i) {
    const engine::ActivityGroup& group = m_groups[i];
    auto* row = new ActivityRow(fromEngine(group.doing), group.threads.size(), all, this);
    row->setObjectName(QStringLiteral("activity%1").arg(i));
    connect(row, &QAbstractButton::clicked, this, [this, activity = ActivityKey{group.doing}] {
      m_navigator.showListed(PlaceId::Threads, activity, m_navigator.location().selection);
    });
    m_lines->addWidget(row);
  }
  if (m_groups.size() > kMostLines) {
    std::uint64_t rest = 0;
    for (std::size_t i = kMostLines; i < m_groups.size(); ++i) rest += m_groups[i].threads.size();
    m_lines->addWidget(makeNote(
        QStringLiteral("and %1 that do something else").arg(countedText(rest, QStringLiteral("thread"))), this));
  }
}

}  // namespace heapscape::gui
