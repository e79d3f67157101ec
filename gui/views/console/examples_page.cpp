// SPDX-License-Identifier: MIT
#include "views/console/examples_page.h"

#include <QLabel>
#include <QLayoutItem>
#include <QPainter>
#include <QVBoxLayout>
#include <array>

#include "widgets/drawing/colours.h"
#include "widgets/painted_button.h"
#include "widgets/section.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

namespace {

constexpr int kExampleMargin = 12;
constexpr int kCommandLetters = 32;
constexpr int kPageLetters = 110;

struct Example {
  const char16_t* command;
  const char16_t* about;
  bool needsMemory = true;
};

constexpr std::array kExamples{
    Example{u"info", u"The dump, its runtime and its heap", false},
    Example{u"dumpheap -stat", u"Objects and bytes by type, as SOS counts them"},
    Example{u"types --top 20", u"The types that take up most, largest first", false},
    Example{u"clrstack -all", u"Managed stacks of all threads"},
    Example{u"insights", u"Waste and leaks, with what a fix would save", false},
    Example{u"query 'size > 10KB' --top 20", u"Objects by any question", false},
    Example{u"eeheap -gc", u"Segments of the heap"},
    Example{u"syncblk", u"Locks and who holds them"},
    Example{u"gcroot ", u"Why an object is alive: its address goes behind it"},
    Example{u"help", u"All commands", false},
};

/// A command, and what it does behind it.
class ExampleRow : public PaintedButton {
 public:
  ExampleRow(const Example& example, QWidget* parent)
      : PaintedButton(parent),
        m_command(QString::fromUtf16(example.command)),
        m_about(QString::fromUtf16(example.about)) {
    setObjectName(u"consoleExample"_s);
    setText(m_command);
    setAccessibleName(m_command);
    setAccessibleDescription(m_about);
    setToolTip(m_command.endsWith(QLatin1Char(' ')) ? u"Write this into the line below"_s : u"Run this"_s);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setLeadsSomewhere(true);
  }

  const QString& command() const { return m_command; }

  QSize sizeHint() const override {
    return {fontMetrics().averageCharWidth() * kPageLetters, qRound(fontMetrics().height() * 1.9)};
  }
  QSize minimumSizeHint() const override {
    return {fontMetrics().averageCharWidth() * kCommandLetters, sizeHint().height()};
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintGround(painter);
    const QFont fixed = fixedFont(font());
    const QFontMetrics metrics(fixed);
    const QRect room = rect().adjusted(kExampleMargin, 0, -kExampleMargin, 0);
    painter.setFont(fixed);
    painter.setPen(palette().color(QPalette::Link));
    const bool wantsMore = m_command.endsWith(QLatin1Char(' '));
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, wantsMore ? m_command + u"…"_s : m_command);
    const int beside = std::max(metrics.horizontalAdvance(QLatin1Char('0')) * kCommandLetters,
                                metrics.horizontalAdvance(m_command) + kExampleMargin);
    painter.setFont(font());
    painter.setPen(Colours(palette()).dimmedText());
    const QRect rest = room.adjusted(beside, 0, 0, 0);
    painter.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(m_about, Qt::ElideRight, rest.width()));
  }

 private:
  QString m_command;
  QString m_about;
};

}  // namespace

ExamplesPage::ExamplesPage(QWidget* parent) : QScrollArea(parent), m_list(new QVBoxLayout) {
  setObjectName(u"consoleExamples"_s);
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setFocusPolicy(Qt::NoFocus);
  auto* page = new QWidget(this);
  m_cost = makeNote({}, page);
  m_cost->setObjectName(u"consoleCost"_s);
  m_cost->setWordWrap(true);
  QLabel* about = makeNote(
      u"All verbs of heapscape-cli without the dump, and SOS's commands under their own names. "
      "Addresses in answers are links."_s,
      page);
  about->setWordWrap(true);
  m_list->setSpacing(0);
  auto* column = new QVBoxLayout;
  column->setContentsMargins(24, 24, 24, 24);
  column->setSpacing(8);
  auto* heading = makeHeading(u"Commands on this dump"_s, page, 1.35);
  for (QLabel* label : {heading, about, m_cost}) label->setContentsMargins(kExampleMargin, 0, 0, 0);
  column->addWidget(heading);
  column->addWidget(about);
  column->addSpacing(8);
  column->addLayout(m_list);
  column->addSpacing(8);
  column->addWidget(m_cost);
  column->addStretch(1);
  auto* body = new QWidget(page);
  body->setLayout(column);
  body->setMaximumWidth(fontMetrics().averageCharWidth() * kPageLetters + 2 * 24);
  auto* row = new QHBoxLayout(page);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(body, 1);
  row->addStretch(0);
  setWidget(page);
  page->setAutoFillBackground(false);
  viewport()->setAutoFillBackground(false);
  showExamples(true);
}

void ExamplesPage::showExamples(bool hasMemory) {
  if (hasMemory == m_hasMemory && m_list->count() > 0) return;
  m_hasMemory = hasMemory;
  while (QLayoutItem* item = m_list->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  for (const Example& example : kExamples) {
    if (example.needsMemory && !hasMemory) continue;
    auto* row = new ExampleRow(example, widget());
    connect(row, &QAbstractButton::clicked, this, [this, row] { Q_EMIT picked(row->command()); });
    m_list->addWidget(row);
  }
}

void ExamplesPage::setCost(const QString& text) {
  m_cost->setText(text);
}

}  // namespace heapscape::gui
