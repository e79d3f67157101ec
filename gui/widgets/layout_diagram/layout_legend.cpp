// SPDX-License-Identifier: MIT
#include "widgets/layout_diagram/layout_legend.h"

#include <functional>

#include "widgets/arranging/flow_layout.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/grounds.h"
#include "widgets/legend_chip.h"

namespace heapscape::gui {

QWidget* makeLayoutLegend(QWidget* parent) {
  auto* legend = new QWidget(parent);
  auto* line = new FlowLayout(legend, 12);
  line->setContentsMargins(12, 4, 12, 4);
  const auto add = [&](const QString& text, const QString& tip, std::function<ChipSample(const Colours&)> sample) {
    auto* chip = new LegendChip(text, std::move(sample), legend);
    chip->setToolTip(tip);
    line->addWidget(chip);
  };
  using engine::FieldKind;
  // As fields are painted: their ground, and at its edge the full colour.
  const auto sampleOf = [](FieldKind kind) {
    return [kind](const Colours& colours) {
      QColor line = colours.of(kind);
      line.setAlpha(255);
      return ChipSample{fieldGround(kind, colours), QPen(line, 1.5), kind == FieldKind::Reference};
    };
  };
  add(QStringLiteral("Reference →"), QStringLiteral("8 bytes that the GC follows"), sampleOf(FieldKind::Reference));
  add(QStringLiteral("Primitive"), QStringLiteral("A number, a character, a pointer the GC does not follow"),
      sampleOf(FieldKind::Primitive));
  add(QStringLiteral("Value type"), QStringLiteral("Lies inside; click it to open it"), sampleOf(FieldKind::ValueType));
  add(QStringLiteral("Padding"), QStringLiteral("Bytes that no field uses"), [](const Colours& colours) {
    return ChipSample{colours.paddingBrush(), QPen(colours.padding(), 1)};
  });
  add(QStringLiteral("Cache line ┄"),
      QStringLiteral(
          "Every 64 bytes from the object's address; where the lines of the processor fall depends on that address"),
      [](const Colours& colours) {
        return ChipSample{colours.surface(), QPen(colours.dimmedText(), 1, Qt::DashLine)};
      });
  return legend;
}

}  // namespace heapscape::gui
