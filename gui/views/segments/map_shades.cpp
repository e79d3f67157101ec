// SPDX-License-Identifier: MIT
#include "views/segments/map_shades.h"

#include <QPainter>
#include <QPixmap>
#include <array>

#include "widgets/drawing/marks.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

using engine::MapColouring;

namespace {

constexpr double kPaleShare = 0.2;

// Told apart with every kind of colour blindness; the largest type first.
constexpr std::array<engine::Shades, engine::kLargestTypesOnMap> kTypeShades{{
    {0x0072B2, 0x338ED1, 0x4DA3FF},
    {0xE69F00, 0xF0B33B, 0xFFC14C},
    {0x64DC8C, 0xB4F5DC, 0x64F5F5},
    {0x643C64, 0xB4B4F5, 0x8C64B4},
    {0xB48CB4, 0x8C6414, 0xDCF5DC},
    {0x8C3C14, 0x8C8C64, 0x8C6414},
    {0x8C8C64, 0xB48C14, 0xB4B48C},
    {0xB46414, 0xB4B48C, 0xB48C14},
}};
constexpr engine::Shades kOthers{0xC9CED6, 0x4A515B, 0x6A6A6A};

MapShade shadeOf(const QString& text, const QColor& colour, const Colours& colours) {
  return {text, colour, mixed(colour, colours.surface(), kPaleShare), colour};
}

MapShade garbageShade(const Colours& colours) {
  return {u"garbage"_s, garbageBrush(colours), mixed(colours.outline(), colours.surface(), kPaleShare),
          colours.surface(), true};
}

QString retainedText(std::size_t step) {
  if (step == engine::kRetainedSteps.size()) return u"%1 and more"_s.arg(bytesText(engine::kRetainedSteps.back()));
  return u"below %1"_s.arg(bytesText(engine::kRetainedSteps[step]));
}

}  // namespace

std::vector<QColor> typeShadeColours(const Colours& colours) {
  std::vector<QColor> all;
  for (const engine::Shades& shades : kTypeShades) all.push_back(colours.in(shades));
  all.push_back(colours.in(kOthers));
  return all;
}

QBrush garbageBrush(const Colours& colours) {
  if (PlainPatterns::areWanted()) return mixed(colours.dimmedText(), colours.surface(), 0.35);
  constexpr int kSize = 5;
  constexpr int kScale = 2;  // so that it stays crisp on dense screens
  QPixmap pixmap(kSize * kScale, kSize * kScale);
  pixmap.fill(colours.surface());
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.scale(kScale, kScale);
  painter.setPen(QPen(colours.dimmedText(), 1.2));
  for (const int shift : {-kSize, 0, kSize}) painter.drawLine(QPointF(shift, 0), QPointF(shift + kSize, kSize));
  painter.end();
  QBrush brush(pixmap);
  brush.setTransform(QTransform::fromScale(1.0 / kScale, 1.0 / kScale));
  return brush;
}

QString colouringText(MapColouring colouring) {
  switch (colouring) {
    case MapColouring::Generation:
      return u"Generation"_s;
    case MapColouring::Liveness:
      return u"Live or garbage"_s;
    case MapColouring::LargestTypes:
      return u"Largest types"_s;
    case MapColouring::PickedType:
      return u"Picked type"_s;
    case MapColouring::Code:
      return u"Your code, packages, .NET"_s;
    case MapColouring::Retained:
      return u"Retained size"_s;
    case MapColouring::Pinned:
      return u"Pinned"_s;
  }
  return {};
}

std::vector<MapShade> mapShades(const engine::MapColours* map, const engine::Snapshot& snapshot,
                                const Colours& colours) {
  std::vector<MapShade> shades;
  const QColor others = colours.in(kOthers);
  switch (map ? map->colouring() : MapColouring::Generation) {
    case MapColouring::Generation:
      for (const engine::Generation generation : engine::kGenerations)
        shades.push_back(shadeOf(generationText(generation), colours.of(generation), colours));
      break;
    case MapColouring::Liveness:
      shades = {shadeOf(u"live"_s, colours.of(engine::Generation::Gen2), colours), garbageShade(colours)};
      break;
    case MapColouring::LargestTypes:
      for (std::size_t i = 0; i < kTypeShades.size(); ++i) {
        const bool isThere = i < map->types().size();
        shades.push_back(shadeOf(isThere ? shortTypeName(snapshot.typeName(map->types()[i])) : QString(),
                                 colours.in(kTypeShades[i]), colours));
      }
      shades.push_back(shadeOf(u"other types"_s, others, colours));
      break;
    case MapColouring::PickedType: {
      const bool isPicked = !map->types().empty();
      shades = {shadeOf(isPicked ? shortTypeName(snapshot.typeName(map->types().front())) : QString(),
                        colours.in(kTypeShades.front()), colours),
                shadeOf(isPicked ? u"other types"_s : u"no type is picked"_s, others, colours)};
      break;
    }
    case MapColouring::Code:
      shades = {shadeOf(u"your code"_s, colours.in(kTypeShades[0]), colours),
                shadeOf(u"packages"_s, colours.in(kTypeShades[1]), colours), shadeOf(u".NET"_s, others, colours)};
      break;
    case MapColouring::Retained:
      for (std::size_t step = 0; step <= engine::kRetainedSteps.size(); ++step)
        shades.push_back(shadeOf(retainedText(step), colours.heatStep(static_cast<int>(step)), colours));
      shades.push_back(garbageShade(colours));
      break;
    case MapColouring::Pinned:
      shades = {shadeOf(u"pinned"_s, colours.of(engine::Generation::Pinned), colours),
                shadeOf(u"not pinned"_s, others, colours)};
      break;
  }
  return shades;
}

}  // namespace heapscape::gui
