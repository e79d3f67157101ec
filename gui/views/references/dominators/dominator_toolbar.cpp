// SPDX-License-Identifier: MIT
#include "views/references/dominators/dominator_toolbar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include "widgets/arranging/layouts.h"
#include "widgets/choice_bar.h"
#include "widgets/drawing/colours.h"
#include "widgets/filter_line.h"
#include "widgets/tool_button.h"

namespace heapscape::gui {

DominatorToolbar::DominatorToolbar(QWidget* parent)
    : QWidget(parent),
      m_search(new QLineEdit(this)),
      m_matches(new QLabel(this)),
      m_note(new QLabel(this)),
      m_groupings(new ChoiceBar(u"dominatorGrouping"_s, {u"Object"_s, u"Type"_s, u"Namespace"_s},
                                {u"Each object for itself"_s, u"Objects of one type that the same owner holds as one"_s,
                                 u"The same, with types in their namespaces"_s},
                                this)),
      m_forms(new ChoiceBar(
          u"dominatorForm"_s, {u"Table"_s, u"Icicle"_s, u"Sunburst"_s, u"Treemap"_s},
          {u"Rows that open"_s, u"From the roots down: width is retained size"_s,
           u"Rings around the roots: angle is retained size"_s, u"Areas within each other: area is retained size"_s},
          this)),
      m_label(new QLabel(u"Group by"_s, this)) {
  auto* line = new HeadLayout(this);
  line->setContentsMargins(12, 8, 12, 4);
  line->addWidget(buildSearch());
  line->addWidget(buildChoices());
  QToolButton* save =
      makeTool(u"dominatorExport"_s, u"save"_s, u"Save what is shown for flame graph tools, as collapsed stacks"_s);
  line->addWidget(save);
  connect(save, &QToolButton::clicked, this, &DominatorToolbar::exportWanted);
  // A heap has too many objects for a first look.
  m_groupings->choose(static_cast<int>(engine::DominatorGrouping::Type));
  connect(m_groupings, &ChoiceBar::chosen, this, &DominatorToolbar::groupingChanged);
  connect(m_forms, &ChoiceBar::chosen, this, &DominatorToolbar::formChanged);
  updateLook();
}

QWidget* DominatorToolbar::buildChoices() {
  auto* choices = new QWidget(this);
  auto* line = new FlowLayout(choices, 12);
  line->addWidget(m_label);
  line->addWidget(m_groupings);
  line->addWidget(m_forms);
  return choices;
}

QWidget* DominatorToolbar::buildSearch() {
  auto* search = new QWidget(this);
  auto* line = new QHBoxLayout(search);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(2);
  m_search->setObjectName(u"dominatorSearch"_s);
  m_search->setPlaceholderText(u"Find a type, a root or an address"_s);
  m_search->setAccessibleName(u"Find a type, a root or an address in the dominator tree"_s);
  setUpFilter(m_search);
  m_search->setMinimumWidth(fontMetrics().averageCharWidth() * 24);
  m_search->setMaximumWidth(fontMetrics().averageCharWidth() * 48);
  m_search->setToolTip(
      u"What is called so stands out in the picture. Enter goes to the next one, or to the largest object "
      "of that type where the picture has none."_s);
  m_matches->setObjectName(u"dominatorMatches"_s);
  m_note->setObjectName(u"dominatorNote"_s);
  m_note->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  line->addWidget(m_search, 4);
  m_previous = makeTool(u"dominatorPrevious"_s, u"back"_s, u"The match before (Shift+F3)"_s);
  m_next = makeTool(u"dominatorNext"_s, u"forward"_s, u"The next match (F3)"_s);
  for (QToolButton* tool : {m_previous, m_next}) line->addWidget(tool);
  addFindActions(this, [this](int step) { Q_EMIT stepWanted(step); });
  line->addSpacing(6);
  line->addWidget(m_matches);
  line->addSpacing(4);
  line->addWidget(m_note, 2);
  connect(m_previous, &QToolButton::clicked, this, [this] { Q_EMIT stepWanted(-1); });
  connect(m_next, &QToolButton::clicked, this, [this] { Q_EMIT stepWanted(1); });
  showMatches({}, false);
  connect(m_search, &QLineEdit::returnPressed, this, [this] {
    if (!searchText().isEmpty()) Q_EMIT searched(searchText());
  });
  connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
    showNote({});
    Q_EMIT searchEdited(text);
  });
  return search;
}

QToolButton* DominatorToolbar::makeTool(const QString& name, const QString& symbol, const QString& tip) {
  auto* tool = new QToolButton(this);
  setUpSymbolButton(tool, name, symbol, tip);
  return tool;
}

QString DominatorToolbar::searchText() const {
  return m_search->text().trimmed();
}

void DominatorToolbar::showMatches(const QString& status, bool canStep) {
  m_matches->setText(status);
  m_matches->setVisible(!status.isEmpty());
  m_previous->setVisible(canStep);
  m_next->setVisible(canStep);
}

engine::DominatorGrouping DominatorToolbar::grouping() const {
  return static_cast<engine::DominatorGrouping>(m_groupings->choice());
}

DominatorForm DominatorToolbar::form() const {
  return static_cast<DominatorForm>(m_forms->choice());
}

void DominatorToolbar::setForm(DominatorForm form) {
  m_forms->choose(static_cast<int>(form));
}

void DominatorToolbar::showNote(const QString& note) {
  m_note->setText(note.isEmpty() ? QString() : u"⚠ "_s + note);
  m_note->setToolTip(note);
  m_note->setAccessibleName(note);
}

void DominatorToolbar::clearSearch() {
  m_search->clear();
  showNote({});
}

void DominatorToolbar::updateLook() {
  const Colours colours(palette());
  QPalette warning = palette();
  warning.setColor(QPalette::WindowText, colours.warning());
  m_note->setPalette(warning);
  QPalette dimmed = palette();
  dimmed.setColor(QPalette::WindowText, colours.dimmedText());
  m_label->setPalette(dimmed);
  m_matches->setPalette(dimmed);
}

void DominatorToolbar::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) updateLook();
  QWidget::changeEvent(event);
}

}  // namespace heapscape::gui
