// SPDX-License-Identifier: MIT
#include "views/layouts/waste/waste_head.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "widgets/arranging/tile_layout.h"
#include "widgets/figure_tile.h"
#include "widgets/text/counted_text.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

WasteHead::WasteHead(QWidget* parent)
    : QWidget(parent),
      m_padding(new FigureTile(QStringLiteral("Padding of the heap"), this)),
      m_saving(new FigureTile(QStringLiteral("Best declarations save"), this)),
      m_ends(new FigureTile(QStringLiteral("Behind arrays and strings"), this)),
      m_note(new ElidedText(this)) {
  m_padding->setObjectName(QStringLiteral("wastePadding"));
  m_saving->setObjectName(QStringLiteral("wasteSaving"));
  m_note->setObjectName(QStringLiteral("wasteNote"));
  m_note->setWarning(true);
  m_note->setWraps();
  auto* tiles = new TileLayout;
  for (FigureTile* tile : {m_padding, m_saving, m_ends}) tiles->addWidget(tile);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 12, 16, 4);
  column->setSpacing(6);
  column->addLayout(tiles);
  column->addWidget(m_note);
}

void WasteHead::show(const engine::Waste& waste) {
  const QString whole = bytesText(waste.heapBytes);
  QString share = QStringLiteral("%1 of %2 in objects").arg(percentText(waste.paddingBytes, waste.heapBytes), whole);
  QString tip = QStringLiteral("%1 between and behind fields, of which %2 lie behind boxed values")
                    .arg(exactBytesText(waste.paddingBytes), exactBytesText(waste.roundingBytes));
  if (waste.separatedBytes > 0) {
    share += QStringLiteral(", %1 of it on purpose").arg(bytesText(waste.separatedBytes));
    tip += QLatin1Char('\n') + QStringLiteral("%1 are in types that are separated on purpose, for processors' caches.")
                                   .arg(exactBytesText(waste.separatedBytes));
  }
  m_padding->setFigure(bytesText(waste.paddingBytes), share, tip);
  const bool isSaving = waste.savedByAllBest > 0;
  const auto saved = static_cast<std::uint64_t>(isSaving ? waste.savedByAllBest : 0);
  m_saving->setFigure(savedBytesText(waste.savedByAllBest),
                      QStringLiteral("%1 of %2 in objects").arg(percentText(saved, waste.heapBytes), whole),
                      QStringLiteral("%1 less, with every type that is not the framework's in its best declaration")
                          .arg(exactBytesText(saved)));
  m_ends->setFigure(
      bytesText(waste.arrayEndBytes), QStringLiteral("rounding: no declaration wins it back"),
      QStringLiteral("%1 behind the last element of arrays and the last character of strings, not counted as padding")
          .arg(exactBytesText(waste.arrayEndBytes)));
  m_note->setVisible(waste.typesNotComputed > 0);
  m_note->setText(QStringLiteral("⚠ ") +
                  QStringLiteral("Not counted in the savings: %1 whose metadata the dump does not hold.")
                      .arg(countedText(waste.typesNotComputed, QStringLiteral("type"))));
}

}  // namespace heapscape::gui
