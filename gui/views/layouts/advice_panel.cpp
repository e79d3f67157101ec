// SPDX-License-Identifier: MIT
#include "views/layouts/advice_panel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/drawing/symbol_icon.h"
#include "widgets/layout_diagram/layout_item_text.h"
#include "widgets/section.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"
#include "widgets/text/value_text.h"

namespace heapscape::gui {
namespace {

using engine::AdviceKind;

QLabel* makeText(const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

QString adviceTitle(AdviceKind kind) {
  switch (kind) {
    case AdviceKind::AutoAttribute:
      return u"Add [StructLayout(Auto)]"_s;
    case AdviceKind::SequentialOrder:
      return u"Declare it sequential, reorder fields"_s;
    case AdviceKind::ExplicitOffsets:
      return u"Set field offsets"_s;
    case AdviceKind::Pack:
      return u"Pack fields"_s;
    case AdviceKind::MergeBools:
      return u"Merge bools"_s;
    case AdviceKind::SplitColdFields:
      return u"Split off cold fields"_s;
    case AdviceKind::Reorder:
    case AdviceKind::NothingToGain:
      break;
  }
  return u"Reorder fields"_s;
}

/// "Reorder fields: −16 B each".
QString adviceHeading(const engine::Advice& advice) {
  if (advice.savedBytesPerInstance <= 0) return {};
  return u"%1: %2%3 each"_s.arg(adviceTitle(advice.kind), kMinus,
                                bytesText(static_cast<std::uint64_t>(advice.savedBytesPerInstance)));
}

/// The field that a sentence of the engine speaks of: its name stands before its type in brackets.
const engine::LayoutField* fieldNamedIn(const std::string& text, const engine::TypeLayout& layout) {
  const auto isNamed = [&text](const engine::LayoutField& field) {
    const std::string name = fieldNameText(field.name).toStdString();
    return text.find(" " + name + " (") != std::string::npos || text.find(" " + field.name + " (") != std::string::npos;
  };
  const auto found = std::ranges::find_if(layout.fields, isNamed);
  return found == layout.fields.end() ? nullptr : &*found;
}

}  // namespace

AdvicePanel::AdvicePanel(QWidget* parent) : QScrollArea(parent) {
  setObjectName(u"layoutAdvice"_s);
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void AdvicePanel::show(const PreparedLayout& layout, const std::vector<AlikeColumns>& chosen) {
  m_layout = &layout;
  m_chosen = chosen;
  drop();
  if (isVisible()) build();
}

void AdvicePanel::showEvent(QShowEvent* event) {
  QScrollArea::showEvent(event);
  if (m_layout && !m_why) build();
}

void AdvicePanel::clear() {
  m_layout = nullptr;
  m_chosen.clear();
  m_declaringType.clear();
  m_field.clear();
  drop();
}

void AdvicePanel::drop() {
  m_why = nullptr;
  delete takeWidget();
}

void AdvicePanel::showField(const std::string& declaringType, const std::string& name) {
  m_declaringType = declaringType;
  m_field = name;
  if (m_why) buildField();
}

void AdvicePanel::build() {
  auto* body = new QWidget;
  auto* column = new QVBoxLayout(body);
  column->setContentsMargins(12, 12, 12, 12);
  column->setSpacing(8);
  m_why = new QWidget(body);
  m_why->setObjectName(u"layoutWhy"_s);
  auto* lines = new QVBoxLayout(m_why);
  lines->setContentsMargins(0, 0, 0, 8);
  lines->setSpacing(4);
  column->addWidget(m_why);
  if (!m_layout->failure.empty()) {
    column->addWidget(makeHeading(u"Other layouts cannot be computed"_s, body, 1));
    column->addWidget(makeNote(fromEngine(m_layout->failure), body));
  }
  addWhyNotAsDeclared(column);
  addAdvice(column);
  addDeclaration(column);
  column->addStretch(1);
  setWidget(body);
  buildField();
}

QString AdvicePanel::reasonIn(const LayoutColumn& column) const {
  const auto isIt = [this](const auto& field) {
    return field.name == m_field && field.declaringType == m_declaringType;
  };
  const auto& reasons = column.variant.reasons;
  const auto reason = std::ranges::find_if(reasons, isIt);
  if (reason != reasons.end()) return fromEngine(reason->why);
  // The actual layout is read, not computed; its reasons are those of the declared one where that is the same.
  for (const LayoutColumn& other : m_layout->columns) {
    if (&other == &column || other.variant.reasons.empty() || !isSameLayout(other.layout(), column.layout())) continue;
    const auto same = std::ranges::find_if(other.variant.reasons, isIt);
    if (same != other.variant.reasons.end()) return fromEngine(same->why);
  }
  return {};
}

void AdvicePanel::buildField() {
  while (QLayoutItem* item = m_why->layout()->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  const auto isIt = [this](const auto& field) {
    return field.name == m_field && field.declaringType == m_declaringType;
  };
  bool isAny = false;
  for (const AlikeColumns& alike : m_chosen) {
    const LayoutColumn* column = alike.front();
    const auto& fields = column->layout().fields;
    const auto field = std::ranges::find_if(fields, isIt);
    const QString reason = reasonIn(*column);
    if (m_field.empty() || field == fields.end() || reason.isEmpty()) continue;
    if (!isAny) m_why->layout()->addWidget(makeHeading(u"Why %1 lies there"_s.arg(fieldNameText(m_field)), m_why, 1));
    isAny = true;
    const std::int64_t begin = (column->unboxed ? 0 : 8) + std::int64_t{field->offset};
    m_why->layout()->addWidget(
        makeText(u"%1, offset %2: %3"_s.arg(columnNames(alike), offsetText(begin), reason), m_why));
  }
  if (!isAny && m_layout->failure.empty()) {
    m_why->layout()->addWidget(makeNote(u"Click a field to see why it is placed there."_s, m_why));
  }
  for (QWidget* line : m_why->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) line->show();
}

void AdvicePanel::addWhyNotAsDeclared(QVBoxLayout* column) {
  if (m_layout->whyNotAsDeclared.empty()) return;
  auto* text = makeText(fromEngine(m_layout->whyNotAsDeclared), column->parentWidget());
  text->setObjectName(u"layoutNotAsDeclared"_s);
  column->addWidget(makeHeading(u"Not laid out as declared"_s, column->parentWidget(), 1));
  column->addWidget(text);
  const engine::LayoutField* field = fieldNamedIn(m_layout->whyNotAsDeclared, m_layout->layout());
  if (!field) return;
  auto* show = new QPushButton(u"Show %1"_s.arg(fieldNameText(field->name)), column->parentWidget());
  show->setObjectName(u"layoutObstacle"_s);
  show->setToolTip(u"Select the field in the picture"_s);
  connect(show, &QPushButton::clicked, this, [this, declaringType = field->declaringType, name = field->name] {
    Q_EMIT fieldWanted(declaringType, name);
  });
  column->addWidget(show, 0, Qt::AlignLeft);
}

void AdvicePanel::addAdvice(QVBoxLayout* column) {
  if (m_layout->type.isNone() || !m_layout->failure.empty()) return;
  QWidget* body = column->parentWidget();
  if (!m_layout->best.separation.empty()) {
    column->addWidget(makeHeading(u"Separated on purpose"_s, body, 1));
    auto* text = makeText(fromEngine(m_layout->best.separation), body);
    text->setProperty("isAdvice", true);
    column->addWidget(text);
    return;
  }
  const bool isNothing = m_layout->advice.empty() && m_layout->best.bestBytes >= m_layout->best.instanceBytes;
  if (isNothing) {
    column->addWidget(makeHeading(u"Nothing to gain"_s, body, 1));
    column->addWidget(makeNote(u"No order of its fields and no attribute makes it smaller."_s, body));
    return;
  }
  for (const engine::Advice& advice : m_layout->advice) {
    const QString heading = adviceHeading(advice);
    if (!heading.isEmpty()) column->addWidget(makeHeading(heading, body, 1));
    auto* text = makeText(fromEngine(advice.text), body);
    text->setProperty("isAdvice", true);
    column->addWidget(text);
  }
}

void AdvicePanel::addDeclaration(QVBoxLayout* column) {
  const engine::BestOrder& best = m_layout->best;
  if (best.declaration.empty() || best.means == AdviceKind::NothingToGain) return;
  QWidget* body = column->parentWidget();
  auto* head = new QHBoxLayout;
  head->addWidget(makeHeading(u"Best declaration"_s, body, 1));
  head->addStretch(1);
  auto* copy = new QToolButton(body);
  copy->setObjectName(u"layoutCopyDeclaration"_s);
  copy->setText(u"Copy"_s);
  copy->setIcon(symbolIcon(u"copy"_s));
  copy->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  copy->setAutoRaise(true);
  copy->setToolTip(u"Copy the declaration as C#"_s);
  const QString declaration = linesFromEngine(best.declaration);
  connect(copy, &QToolButton::clicked, this, [declaration] { QGuiApplication::clipboard()->setText(declaration); });
  head->addWidget(copy);
  column->addLayout(head);
  auto* code = new QPlainTextEdit(declaration.trimmed(), body);
  code->setObjectName(u"layoutDeclaration"_s);
  code->setAccessibleName(u"Best declaration"_s);
  code->setReadOnly(true);
  code->setFrameShape(QFrame::NoFrame);
  code->setFont(fixedFont(font()));
  code->setLineWrapMode(QPlainTextEdit::NoWrap);
  code->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  const int lines = static_cast<int>(declaration.trimmed().count(QLatin1Char('\n'))) + 1;
  code->setFixedHeight((lines + 1) * QFontMetrics(code->font()).lineSpacing() + 12);
  column->addWidget(code);
  if (!best.caution.empty()) column->addWidget(makeNote(fromEngine(best.caution), body));
}

}  // namespace heapscape::gui
