// SPDX-License-Identifier: MIT
#include "views/references/dominators/dominator_toolbar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <algorithm>

#include "widgets/choice_bar.h"
#include "widgets/drawing/colours.h"
#include "widgets/filter_line.h"

namespace heapscape::gui {

DominatorToolbar::DominatorToolbar(QWidget* parent)
    : QWidget(parent),
      m_search(new QLineEdit(this)),
      m_note(new QLabel(this)),
      m_groupings(new ChoiceBar(QStringLiteral("dominatorGrouping"),
                                {QStringLiteral("Object"), QStringLiteral("Type"), QStringLiteral("Namespace")},
                                {QStringLiteral("Each object for itself"),
                                 QStringLiteral("Objects of one type that the same owner holds as one"),
                                 QStringLiteral("The same, with types in their namespaces")},
                                this)),
      m_forms(new ChoiceBar(
          QStringLiteral("dominatorForm"),
          {QStringLiteral("Table"), QStringLiteral("Icicle"), QStringLiteral("Sunburst")},
          {QStringLiteral("Rows that open"), QStringLiteral("From the roots down: width is retained size"),
           QStringLiteral("Rings around the roots: angle is retained size")},
          this)),
      m_label(new QLabel(QStringLiteral("Group by"), this)) {
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(12, 8, 12, 4);
  line->setSpacing(2);
  addSearch(line);
  line->addWidget(m_label);
  line->addSpacing(6);
  line->addWidget(m_groupings);
  line->addSpacing(14);
  line->addWidget(m_forms);
  connect(m_groupings, &ChoiceBar::chosen, this, &DominatorToolbar::groupingChanged);
  connect(m_forms, &ChoiceBar::chosen, this, &DominatorToolbar::formChanged);
  updateLook();
}

void DominatorToolbar::addSearch(QHBoxLayout* line) {
  m_search->setObjectName(QStringLiteral("dominatorSearch"));
  m_search->setPlaceholderText(QStringLiteral("Find an address, or the largest of a type"));
  m_search->setAccessibleName(QStringLiteral("Find an object in the dominator tree by address or type"));
  setUpFilter(m_search);
  m_search->setMinimumWidth(fontMetrics().averageCharWidth() * 24);
  m_search->setMaximumWidth(fontMetrics().averageCharWidth() * 48);
  m_note->setObjectName(QStringLiteral("dominatorNote"));
  m_note->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  line->addWidget(m_search, 4);
  line->addSpacing(10);
  line->addWidget(m_note, 2);
  connect(m_search, &QLineEdit::returnPressed, this, [this] {
    if (!m_search->text().trimmed().isEmpty()) Q_EMIT searched(m_search->text().trimmed());
  });
  connect(m_search, &QLineEdit::textChanged, this, [this] { showNote({}); });
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
  m_note->setText(note.isEmpty() ? QString() : QStringLiteral("⚠ ") + note);
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
}

void DominatorToolbar::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) updateLook();
  QWidget::changeEvent(event);
}

}  // namespace heapscape::gui
