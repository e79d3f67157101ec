// SPDX-License-Identifier: MIT
#include "views/references/cuts/cut_bar.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "views/references/cuts/cut_list.h"
#include "widgets/drawing/pin_request.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/tool_button.h"

namespace heapscape::gui {

namespace {

constexpr int kSymbolSide = 16;
constexpr int kLettersForWords = 120;  // of the whole bar: fewer leave what it says no room beside the buttons' words

QString missingText(const CutAnswer& answer) {
  if (answer.failed.empty()) return {};
  return u" · %1 not there, seen from these roots"_s.arg(countText(answer.failed.size()));
}

QString exactFreedText(const CutAnswer& answer) {
  return QStringList{freedText(answer), exactBytesText(answer.whatIf.freed().bytes), togetherText(answer)}
      .join(QLatin1Char('\n'))
      .trimmed();
}

}  // namespace

CutBar::CutBar(CutList& cuts, QWidget* parent)
    : QWidget(parent), m_cuts(cuts), m_symbol(new QLabel(this)), m_text(new ElidedText(this)) {
  setObjectName(u"cutBar"_s);
  setAccessibleName(u"What the cuts would free"_s);
  m_text->setObjectName(u"cutBarText"_s);
  m_text->setElideMode(Qt::ElideRight);
  updateLook();
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(12, 2, 12, 2);
  line->setSpacing(4);
  line->addWidget(m_symbol);
  line->addSpacing(4);
  line->addWidget(m_text, 1);
  m_list = add("cutsList", "empty", u"What if"_s, u"The cuts one by one, and all that would be freed"_s);
  m_undo = add("cutsUndo", "back", u"Undo"_s, u"Take the last change of the cuts back (Ctrl+Z)"_s);
  m_redo = add("cutsRedo", "forward", QString(), u"Make it again (Ctrl+Shift+Z)"_s);
  m_clear = add("cutsClear", "close", u"Clear"_s, u"Take all cuts back"_s);
  m_copy = add("cutsCopy", "copy", u"Copy as command"_s,
               u"The same question for the command line: heapscape-cli retained … --without …\n"
               "A set is read from a file of its name, with an address a line."_s);
  m_pin = add("cutsPin", "pin", QString(), u"Pin the cuts and what they would free to the review"_s);
  connect(m_list, &QToolButton::clicked, this, &CutBar::listWanted);
  connect(m_undo, &QToolButton::clicked, &cuts, &CutList::undo);
  connect(m_redo, &QToolButton::clicked, &cuts, &CutList::redo);
  connect(m_clear, &QToolButton::clicked, &cuts, &CutList::removeAll);
  connect(m_copy, &QToolButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_cuts.command()); });
  connect(m_pin, &QToolButton::clicked, this, [this] {
    if (m_cuts.answer()) requestPin(this, cutPage(*m_cuts.answer()));
  });
  connect(&cuts, &CutList::changed, this, &CutBar::showCuts);
  connect(&cuts, &CutList::progressed, this, [this](const engine::Progress& progress) {
    if (m_cuts.answer()) return;
    say(u"%1, %2%"_s.arg(fromEngine(progress.activity), QString::number(static_cast<int>(progress.fraction * 100))), {},
        true);
  });
  showCuts();
}

void CutBar::updateLook() {
  m_symbol->setPixmap(symbolPixmap(u"cut"_s, palette().color(QPalette::WindowText), kSymbolSide, devicePixelRatioF()));
}

void CutBar::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) updateLook();
}

void CutBar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const bool hasWords = width() >= kLettersForWords * fontMetrics().averageCharWidth();
  for (QToolButton* button : {m_undo, m_clear, m_copy})
    button->setToolButtonStyle(hasWords ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
}

QToolButton* CutBar::add(const char* name, const char* symbol, const QString& text, const QString& tip) {
  auto* button = new QToolButton(this);
  setUpSymbolButton(button, QString::fromLatin1(name), QString::fromLatin1(symbol), tip);
  if (!text.isEmpty()) {
    button->setText(text);
    button->setAccessibleName(text);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  }
  layout()->addWidget(button);
  return button;
}

void CutBar::setIsListed(bool isListed) {
  m_isListed = isListed;
  showCuts();
}

void CutBar::showCuts() {
  setVisible(!m_cuts.isEmpty() || m_cuts.canUndo() || m_cuts.canRedo());
  const bool isAnswered = m_cuts.answer() && !m_cuts.isAsking();
  m_undo->setEnabled(m_cuts.canUndo());
  m_redo->setVisible(m_cuts.canRedo());
  for (QToolButton* button : {m_clear, m_copy}) button->setEnabled(!m_cuts.isEmpty());
  m_pin->setEnabled(isAnswered);
  m_list->setVisible(!m_isListed);
  if (m_cuts.isEmpty()) {
    say(u"Nothing is cut"_s, {}, true);
    return;
  }
  if (!m_cuts.trouble().isEmpty()) {
    say(m_cuts.trouble(), {}, false);
    return;
  }
  if (m_cuts.answer()) {
    say(freedText(*m_cuts.answer()) + missingText(*m_cuts.answer()), exactFreedText(*m_cuts.answer()),
        m_cuts.isAsking());
    return;
  }
  say(u"%1: what they would free is being found out"_s.arg(
          countedText(static_cast<std::uint64_t>(m_cuts.cuts().size()), u"cut"_s)),
      {}, true);
}

void CutBar::say(const QString& text, const QString& detail, bool isOld) {
  m_text->setText(text);
  m_text->setDetail(detail);
  m_text->setDimmed(isOld);
}

}  // namespace heapscape::gui
