// SPDX-License-Identifier: MIT
#include "views/memory/memory_part_bar.h"

#include <QHBoxLayout>
#include <QPushButton>

#include "views/memory/memory_parts.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

MemoryPartBar::MemoryPartBar(Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_navigator(navigator),
      m_text(new ElidedText(this)),
      m_segments(addButton(QStringLiteral("memorySegments"), QStringLiteral("segments"), QStringLiteral("In segments"),
                           QStringLiteral("Where the GC's memory lies"))),
      m_generations(addButton(QStringLiteral("memoryGenerations"), QStringLiteral("generations"),
                              QStringLiteral("Generations"), QStringLiteral("How old the objects are"))),
      m_types(addButton(QStringLiteral("memoryTypes"), QStringLiteral("types"), QStringLiteral("Types in it"),
                        QStringLiteral("The types of its objects"))),
      m_threads(addButton(QStringLiteral("memoryThreads"), QStringLiteral("threads"), QStringLiteral("Threads"),
                          QStringLiteral("Whose stacks these are"))) {
  m_text->setObjectName(QStringLiteral("memoryPicked"));
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(8);
  line->addWidget(m_text, 1);
  for (QPushButton* button : {m_types, m_generations, m_segments, m_threads}) line->addWidget(button);
  connect(m_segments, &QPushButton::clicked, this,
          [this] { m_navigator.showInSegments({.object = m_part.address, .methodTable = {}, .segment = {}}); });
  connect(m_generations, &QPushButton::clicked, this, [this] { m_navigator.goTo(PlaceId::Generations); });
  connect(m_threads, &QPushButton::clicked, this, [this] { m_navigator.goTo(PlaceId::Threads); });
  connect(m_types, &QPushButton::clicked, this, [this] {
    engine::HeapScope scope;
    scope.generation = generationOf(m_part);
    m_navigator.showTypesIn(scope);
  });
  setMinimumHeight(m_types->sizeHint().height());
  showNone();
}

QPushButton* MemoryPartBar::addButton(const QString& name, const QString& symbol, const QString& text,
                                      const QString& tip) {
  auto* button = new QPushButton(symbolIcon(symbol), text, this);
  button->setObjectName(name);
  button->setToolTip(tip);
  return button;
}

void MemoryPartBar::show(const engine::MemoryPart& part, std::uint64_t mappedBytes) {
  m_part = part;
  const QString owner = memoryOwnerText(part.owner);
  const QString name = memoryPartText(part);
  m_text->setDimmed(false);
  m_text->setText(QStringLiteral("%1: %2, %3 of all, from %4")
                      .arg(name == owner ? owner : QStringLiteral("%1 › %2").arg(owner, name), bytesText(part.bytes),
                           percentText(part.bytes, mappedBytes), addressText(part.address)));
  const bool isOfHeap = isOfGc(part.owner) && part.owner != engine::MemoryOwner::GcBookkeeping;
  m_segments->setVisible(isOfHeap);
  m_generations->setVisible(isOfHeap);
  m_types->setVisible(part.owner == engine::MemoryOwner::GcUsed && generationOf(part).has_value());
  m_threads->setVisible(part.owner == engine::MemoryOwner::ThreadStack);
}

void MemoryPartBar::showNone() {
  m_part = {};
  for (QPushButton* button : {m_types, m_generations, m_segments, m_threads}) button->hide();
  m_text->setDimmed(true);
  m_text->setText(QStringLiteral("A click tells about an area; a double click looks into its owner's memory."));
}

void MemoryPartBar::goTo(const engine::MemoryPart& part) {
  if (part.owner == engine::MemoryOwner::ThreadStack) return m_navigator.goTo(PlaceId::Threads);
  if (part.owner == engine::MemoryOwner::GcUsed) return m_navigator.goTo(PlaceId::Generations);
  if (isOfGc(part.owner)) return m_navigator.goTo(PlaceId::Segments);
}

}  // namespace heapscape::gui
