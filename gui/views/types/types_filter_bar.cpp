// SPDX-License-Identifier: MIT
#include "views/types/types_filter_bar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include "models/query/query_edit.h"
#include "models/query/query_error_line.h"
#include "query/type_queries.h"
#include "views/types/scope_text.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/symbol_icon.h"

namespace heapscape::gui {
namespace {

constexpr int kWidestFilter = 64;  // letters

QToolButton* addSwitch(QWidget* parent, const char* name, const QString& text, const QString& tip) {
  auto* button = new QToolButton(parent);
  button->setObjectName(QString::fromLatin1(name));
  button->setText(text);
  button->setToolTip(tip);
  button->setAccessibleName(tip);
  button->setCheckable(true);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

}  // namespace

TypesFilterBar::TypesFilterBar(EngineBridge& bridge, QWidget* parent)
    : QWidget(parent),
      m_filter(new QueryEdit(bridge, QStringLiteral("types"), this)),
      m_regularExpression(
          addSwitch(this, "typeRegularExpression", QStringLiteral(".*"), QStringLiteral("Regular expression"))),
      m_tree(addSwitch(this, "typeTree", QStringLiteral("Namespaces"), QStringLiteral("Group the types by namespace"))),
      m_scope(new QToolButton(this)),
      m_totals(new QLabel(this)) {
  addControls();
  connect(m_filter, &QueryEdit::queryChanged, this, &TypesFilterBar::changed);
  connect(m_filter, &QueryEdit::complaintChanged, this, &TypesFilterBar::complaintChanged);
  connect(m_regularExpression, &QToolButton::toggled, this, [this](bool isOn) {
    m_filter->setQueries(!isOn);
    Q_EMIT changed();
  });
  connect(m_tree, &QToolButton::toggled, this, &TypesFilterBar::changed);
  connect(m_scope, &QToolButton::clicked, this, &TypesFilterBar::scopeRemoved);
  updateLook();
}

void TypesFilterBar::addControls() {
  m_filter->setObjectName(QStringLiteral("typeFilter"));
  m_filter->setPlaceholderText(QStringLiteral("Filter by name or query"));
  m_filter->setAccessibleName(QStringLiteral("Filter types by name or query"));
  m_filter->setMaximumWidth(fontMetrics().averageCharWidth() * kWidestFilter);
  m_filter->setSchema(engine::typeSchema());

  m_scope->setObjectName(QStringLiteral("typeScope"));
  m_scope->setIcon(symbolIcon(QStringLiteral("close")));
  m_scope->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_scope->setLayoutDirection(Qt::RightToLeft);  // the cross behind the text, as on every chip
  m_scope->setToolTip(QStringLiteral("Only this part of the heap is counted. Click to count the whole heap."));
  m_scope->hide();

  m_totals->setObjectName(QStringLiteral("typeTotals"));
  m_totals->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  m_totals->setWordWrap(true);  // never cut
  m_error = new QueryErrorLine(*m_filter, this);

  auto* line = new QHBoxLayout;
  line->setSpacing(8);
  line->addWidget(m_filter, 3);
  line->addWidget(m_regularExpression);
  line->addWidget(m_tree);
  line->addWidget(m_scope);
  line->addWidget(m_totals, 4);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 8, 12, 8);
  column->setSpacing(4);
  column->addLayout(line);
  column->addWidget(m_error);
  for (QWidget* control : {static_cast<QWidget*>(m_regularExpression), static_cast<QWidget*>(m_tree),
                           static_cast<QWidget*>(m_scope), static_cast<QWidget*>(m_filter)}) {
    control->setMinimumHeight(std::max(28, fontMetrics().height() * 8 / 5));
  }
  setFocusProxy(m_filter);
}

QString TypesFilterBar::text() const {
  return m_filter->text();
}

bool TypesFilterBar::isRegularExpression() const {
  return m_regularExpression->isChecked();
}

bool TypesFilterBar::isQuery() const {
  return !isRegularExpression() && !m_filter->isPlainText();
}

bool TypesFilterBar::isTree() const {
  return m_tree->isChecked();
}

void TypesFilterBar::setScope(const engine::HeapScope& scope) {
  m_scope->setText(scopeText(scope));
  m_scope->setAccessibleName(QStringLiteral("Limited to %1; remove the limit").arg(scopeText(scope)));
  m_scope->setVisible(!scope.isWhole());
}

void TypesFilterBar::setTotals(const QString& totals, const QString& tip) {
  m_totals->setText(totals);
  m_totals->setToolTip(tip);
}

void TypesFilterBar::showError(const QString& error) {
  m_error->say(error);
}

bool TypesFilterBar::isUnderstood() const {
  return m_error->text().isEmpty();
}

void TypesFilterBar::showNotUnderstood(StatePanel& panel) {
  gui::showNotUnderstood(panel, *m_filter);
}

void TypesFilterBar::clearFilter() {
  m_filter->clear();
}

void TypesFilterBar::beginFile() {
  m_filter->beginFile();
}

bool TypesFilterBar::dropUnlessFound(bool isFound) {
  return m_filter->dropUnlessFound(isFound);
}

void TypesFilterBar::setOrder(std::function<SavedView()> order, std::function<void(const SavedView&)> apply) {
  m_filter->setOrder(std::move(order), std::move(apply));
}

void TypesFilterBar::focusFilter() {
  m_filter->setFocus();
  m_filter->selectAll();
}

void TypesFilterBar::updateLook() {
  QPalette dimmed = palette();
  dimmed.setColor(QPalette::WindowText, Colours(palette()).dimmedText());
  m_totals->setPalette(dimmed);
}

void TypesFilterBar::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) updateLook();
  QWidget::changeEvent(event);
}

}  // namespace heapscape::gui
