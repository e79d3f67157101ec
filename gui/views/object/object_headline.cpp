// SPDX-License-Identifier: MIT
#include "views/object/object_headline.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "models/names/type_name.h"
#include "widgets/arranging/layouts.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"
#include "widgets/text/heap_figures.h"

namespace heapscape::gui {
namespace {

QString sizeText(const engine::ObjectRow& row) {
  if (row.sizeBytes == row.alignedBytes) return exactBytesText(row.sizeBytes);
  return u"%1 in %2 bytes"_s.arg(exactBytesText(row.sizeBytes), countText(row.alignedBytes));
}

QString shapeText(const engine::ArrayDetails& array) {
  QStringList lengths;
  for (std::size_t dimension = 0; dimension < array.lengths.size(); ++dimension) {
    const std::int64_t lower = dimension < array.lowerBounds.size() ? array.lowerBounds[dimension] : 0;
    const QString length = countText(array.lengths[dimension]);
    lengths << (lower == 0 ? length : u"%1 from %2"_s.arg(length).arg(lower));
  }
  return lengths.join(u" × "_s);
}

}  // namespace

std::vector<Fact> headlineFacts(const ObjectPage& page) {
  const engine::ObjectDetails& object = page.object;
  std::vector<Fact> facts{
      {.label = u"address"_s, .value = addressText(object.row.address), .isFixed = true, .address = object.row.address},
      {.label = u"generation"_s, .value = generationText(object.row.generation)},
      {.label = u"size"_s,
       .value = sizeText(object.row),
       .detail = u"The exact size, and what the object takes up: a multiple of 8"_s}};
  if (object.array) {
    facts.push_back(
        {.label = object.array->rank == 1 ? u"length"_s : u"lengths"_s,
         .value = shapeText(*object.array),
         .detail = u"%1 of %2 each, from offset %3"_s
                       .arg(countedText(object.array->count, u"element"_s), exactBytesText(object.array->elementSize))
                       .arg(object.array->elementOffset)});
  }
  if (object.string) {
    facts.push_back({.label = u"length"_s, .value = countText(object.string->length)});
  }
  if (object.boxed) {
    facts.push_back(
        {.label = u"boxed value"_s,
         .value = u"%1 at offset %2"_s.arg(exactBytesText(object.boxed->valueSize)).arg(object.boxed->valueOffset),
         .detail = u"A value type in an object of its own"_s});
  }
  if (const auto& suspended = object.suspended) {
    const QString place = suspended->line
                              ? u"%1, line %2"_s.arg(QString::fromStdString(suspended->file)).arg(suspended->line)
                              : QString::fromStdString(suspended->missing);
    facts.push_back({.label = u"suspended in"_s,
                     .value = u"%1 at await %2"_s.arg(QString::fromStdString(suspended->method)).arg(suspended->await),
                     .detail = place});
  }
  if (page.segmentStart) {
    facts.push_back({.label = u"segment"_s,
                     .value = addressText(page.segmentStart),
                     .detail = u"Where the segment begins, in heap %1"_s.arg(page.heap),
                     .isFixed = true,
                     .address = page.segmentStart});
  }
  return facts;
}

ObjectHeadline::ObjectHeadline(QWidget* parent)
    : QWidget(parent),
      m_name(new ElidedLabel(this)),
      m_buttons(new QWidget(this)),
      m_facts(new QWidget(this)),
      m_factsLine(new FlowLayout(m_facts, 20)),
      m_damage(new ElidedText(this)) {
  m_name->setObjectName(u"objectTypeName"_s);
  m_name->setFont(scaledFont(font(), 1.3, QFont::DemiBold));
  m_facts->setObjectName(u"objectFacts"_s);
  m_factsLine->setContentsMargins(0, 0, 0, 0);
  m_damage->setObjectName(u"objectDamage"_s);
  m_damage->setWarning(true);

  new FlowLayout(m_buttons, 4);
  auto* copy = addButton("copyAddress", u"copy"_s, u"Copy address"_s, u"Copy the object's address"_s);
  auto* map = addButton("objectOnMap", u"segments"_s, u"On the map"_s, u"Where it lies among the segments"_s);
  auto* layout = addButton("objectLayout", u"layouts"_s, u"Layout"_s, u"What objects of this type look like inside"_s);
  auto* type = addButton("objectType", u"runtime"_s, u"Runtime"_s, u"What the runtime knows of its type"_s);
  connect(copy, &QToolButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(addressText(m_address)); });
  connect(map, &QToolButton::clicked, this, &ObjectHeadline::mapWanted);
  connect(layout, &QToolButton::clicked, this, &ObjectHeadline::layoutWanted);
  connect(type, &QToolButton::clicked, this, &ObjectHeadline::typeWanted);
  auto* graph =
      addButton("objectGraph", u"references"_s, u"Graph"_s, u"Who holds it and what it holds, as a picture"_s);
  auto* reason = addButton("objectReason", u"roots"_s, u"Why alive?"_s, u"The roots that hold it"_s);
  connect(graph, &QToolButton::clicked, this, &ObjectHeadline::graphWanted);
  connect(reason, &QToolButton::clicked, this, &ObjectHeadline::reasonWanted);

  auto* line = new HeadLayout;
  line->addWidget(m_name);
  line->addWidget(m_buttons);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 8, 12, 8);
  column->setSpacing(6);
  column->addLayout(line);
  column->addWidget(m_facts);
  column->addWidget(m_damage);
}

QToolButton* ObjectHeadline::addButton(const char* name, const QString& symbol, const QString& text,
                                       const QString& tip) {
  auto* button = new QToolButton(m_buttons);
  button->setObjectName(QString::fromLatin1(name));
  button->setIcon(symbolIcon(symbol));
  button->setText(text);
  button->setToolTip(tip);
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setFocusPolicy(Qt::TabFocus);
  button->setMinimumHeight(std::max(28, fontMetrics().height() * 8 / 5));
  m_buttons->layout()->addWidget(button);
  return button;
}

void ObjectHeadline::show(const ObjectPage& page) {
  m_address = page.address();
  m_name->setName(fromEngine(page.object.typeName), namespaceLength(page.object.typeName));
  addFacts(page);
  const std::vector<engine::Finding>& findings = page.object.findings;
  m_damage->setVisible(!findings.empty());
  if (!findings.empty()) {
    QStringList lines;
    for (const engine::Finding& finding : findings) lines << fromEngine(finding.message);
    m_damage->setText(lines.size() == 1 ? lines.first()
                                        : u"%1 (and %2 more)"_s.arg(lines.first()).arg(lines.size() - 1));
    m_damage->setDetail(lines.join(QLatin1Char('\n')));
  }
  updateGeometry();
}

void ObjectHeadline::addFacts(const ObjectPage& page) {
  while (QLayoutItem* item = m_factsLine->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  for (const Fact& fact : headlineFacts(page)) addFact(fact);
}

void ObjectHeadline::showRetained(const engine::RetainedRow& retained) {
  delete m_retained;
  m_retained =
      addFact({.label = u"retains"_s,
               .value = retained.isReachable ? bytesText(retained.retainedBytes) : u"nothing: not held any more"_s,
               .detail = retained.isReachable ? u"%1 in %2 would be freed with it"_s.arg(
                                                    exactBytesText(retained.retainedBytes),
                                                    countedText(retained.retainedCount, u"object"_s))
                                              : u"No root leads to the object; the next collection may take it."_s});
  updateGeometry();
}

void ObjectHeadline::showReach(const engine::TransitiveSize& reach) {
  addFact({.label = u"reaches"_s,
           .value = u"%1, %2"_s.arg(countedText(reach.objects, u"object"_s), bytesText(reach.bytes)),
           .detail = u"Everything that can be reached from here, the object itself included, each once: %1, %2"_s.arg(
               countedText(reach.objects, u"object"_s), exactBytesText(reach.bytes))});
  updateGeometry();
}

QWidget* ObjectHeadline::addFact(const Fact& fact) {
  auto* pair = new QWidget(m_facts);
  pair->setToolTip(fact.detail);
  auto* line = new QHBoxLayout(pair);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(6);
  auto* caption = new QLabel(fact.label, pair);
  caption->setForegroundRole(QPalette::PlaceholderText);
  auto* value = new QLabel(fact.value, pair);
  value->setTextFormat(Qt::PlainText);
  value->setTextInteractionFlags(Qt::TextSelectableByMouse);
  if (fact.isFixed) value->setFont(fixedFont(font()));
  if (fact.address) Q_EMIT addressShown(value, fact.address);
  line->addWidget(caption);
  line->addWidget(value);
  m_factsLine->addWidget(pair);
  pair->show();
  return pair;
}

}  // namespace heapscape::gui
