// SPDX-License-Identifier: MIT
#include "views/references/dominators/dominator_toolbar.h"

#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <algorithm>

#include "widgets/colours.h"
#include "widgets/symbol_icon.h"

namespace heapscape::gui {

DominatorToolbar::DominatorToolbar(QWidget* parent)
    : QWidget(parent), m_search(new QLineEdit(this)), m_note(new QLabel(this)) {
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(12, 8, 12, 4);
  line->setSpacing(2);
  addSearch(line);
  m_groupings = addSwitch(line, tr("Group by"), {tr("Object"), tr("Type"), tr("Namespace")},
                          {tr("Each object for itself"), tr("Objects of one type that the same owner holds as one"),
                           tr("The same, with types in their namespaces")},
                          QStringLiteral("dominatorGrouping"));
  line->addSpacing(14);
  m_forms = addSwitch(line, {}, {tr("Table"), tr("Icicle"), tr("Sunburst")},
                      {tr("Rows that open"), tr("From the roots down: width is retained size"),
                       tr("Rings around the roots: angle is retained size")},
                      QStringLiteral("dominatorForm"));
  connect(m_groupings, &QButtonGroup::idToggled, this, [this](int, bool isOn) {
    if (isOn) Q_EMIT groupingChanged();
  });
  connect(m_forms, &QButtonGroup::idToggled, this, [this](int, bool isOn) {
    if (isOn) Q_EMIT formChanged();
  });
  updateLook();
}

void DominatorToolbar::addSearch(QHBoxLayout* line) {
  m_search->setObjectName(QStringLiteral("dominatorSearch"));
  m_search->setPlaceholderText(tr("Find an address, or the largest of a type"));
  m_search->setAccessibleName(tr("Find an object in the dominator tree by address or type"));
  m_search->setClearButtonEnabled(true);
  m_search->setMinimumWidth(fontMetrics().averageCharWidth() * 24);
  m_search->setMaximumWidth(fontMetrics().averageCharWidth() * 48);
  m_search->setMinimumHeight(std::max(28, fontMetrics().height() * 8 / 5));
  m_search->addAction(symbolIcon(QStringLiteral("search")), QLineEdit::LeadingPosition);
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

QButtonGroup* DominatorToolbar::addSwitch(QHBoxLayout* line, const QString& label, const QStringList& names,
                                          const QStringList& tips, const QString& objectName) {
  if (!label.isEmpty()) {
    m_labels.append(new QLabel(label, this));
    line->addWidget(m_labels.back());
    line->addSpacing(6);
  }
  auto* group = new QButtonGroup(this);
  const int side = std::max(26, fontMetrics().height() * 8 / 5);
  for (int id = 0; id < names.size(); ++id) {
    auto* button = new QToolButton(this);
    button->setObjectName(objectName + QString::number(id));
    button->setText(names[id]);
    button->setToolTip(tips[id]);
    button->setAccessibleName(label.isEmpty() ? names[id] : label + QLatin1Char(' ') + names[id]);
    button->setAccessibleDescription(tips[id]);
    button->setAutoRaise(true);
    button->setCheckable(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setMinimumSize(side, side);
    line->addWidget(button);
    group->addButton(button, id);
  }
  group->button(0)->setChecked(true);
  return group;
}

engine::DominatorGrouping DominatorToolbar::grouping() const {
  return static_cast<engine::DominatorGrouping>(m_groupings->checkedId());
}

DominatorForm DominatorToolbar::form() const {
  return static_cast<DominatorForm>(m_forms->checkedId());
}

void DominatorToolbar::setForm(DominatorForm form) {
  m_forms->button(static_cast<int>(form))->setChecked(true);
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
  for (QLabel* label : m_labels) label->setPalette(dimmed);
}

void DominatorToolbar::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) updateLook();
  QWidget::changeEvent(event);
}

}  // namespace heapscape::gui
