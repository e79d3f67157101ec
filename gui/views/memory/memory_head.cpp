// SPDX-License-Identifier: MIT
#include "views/memory/memory_head.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "views/memory/memory_parts.h"
#include "widgets/arranging/tile_layout.h"
#include "widgets/figure_tile.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

MemoryHead::MemoryHead(QWidget* parent)
    : QWidget(parent),
      m_mapped(new FigureTile(QStringLiteral("Mapped by the process"), this)),
      m_resident(new FigureTile(QStringLiteral("In memory or swapped out"), this)),
      m_gc(new FigureTile(QStringLiteral("The GC's"), this)),
      m_unexplained(new FigureTile(QStringLiteral("Not explained"), this)),
      m_inDump(new FigureTile(QStringLiteral("In the dump"), this)),
      m_remark(new ElidedText(this)) {
  m_mapped->setObjectName(QStringLiteral("memoryMapped"));
  m_resident->setObjectName(QStringLiteral("memoryResident"));
  m_gc->setObjectName(QStringLiteral("memoryGc"));
  m_unexplained->setObjectName(QStringLiteral("memoryUnexplained"));
  m_inDump->setObjectName(QStringLiteral("memoryInDump"));
  m_remark->setObjectName(QStringLiteral("memoryRemark"));
  m_remark->setWraps();
  m_remark->setWarning(true);
  auto* tiles = new TileLayout;
  for (FigureTile* tile : {m_mapped, m_resident, m_gc, m_unexplained, m_inDump}) tiles->addWidget(tile);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 12, 16, 4);
  column->setSpacing(6);
  column->addLayout(tiles);
  column->addWidget(m_remark);
}

void MemoryHead::show(const engine::ProcessMemory& memory) {
  std::uint64_t gc = 0;
  std::uint64_t unexplained = 0;
  std::uint64_t inDump = 0;
  for (const engine::MemoryPart& part : memory.parts) {
    inDump += part.inDumpBytes;
    if (isOfGc(part.owner)) gc += part.bytes;
    if (isUnexplained(part.owner)) unexplained += part.bytes;
  }
  const auto shareOf = [&memory](std::uint64_t bytes) {
    return QStringLiteral("%1 of what is mapped").arg(percentText(bytes, memory.mappedBytes));
  };
  m_mapped->setFigure(bytesText(memory.mappedBytes),
                      memory.reservedBytes > 0
                          ? QStringLiteral("and %1 only set aside").arg(bytesText(memory.reservedBytes))
                      : memory.isWhole ? QStringLiteral("every mapping")
                                       : QStringLiteral("mappings that the dump lists"),
                      QStringLiteral("%1 mapped; %2 of addresses are set aside without memory behind them")
                          .arg(exactBytesText(memory.mappedBytes), exactBytesText(memory.reservedBytes)));
  m_resident->setFigure(QStringLiteral("≥ ") + bytesText(memory.resident.atLeastBytes),
                        memory.isWhole ? QStringLiteral("at most %1").arg(bytesText(memory.mappedBytes))
                                       : QStringLiteral("no upper bound in this dump"),
                        fromEngine(engine::residentText(memory)));
  m_gc->setFigure(bytesText(gc), shareOf(gc), exactBytesText(gc));
  m_unexplained->setFigure(bytesText(unexplained), shareOf(unexplained),
                           QStringLiteral("%1 of native memory that the runtime's structures say nothing of")
                               .arg(exactBytesText(unexplained)));
  m_inDump->setFigure(bytesText(inDump), shareOf(inDump), exactBytesText(inDump));
  m_remark->setText(QStringLiteral("⚠ ") + fromEngine(memory.remark));
  m_remark->setVisible(!memory.remark.empty());
}

}  // namespace heapscape::gui
