// SPDX-License-Identifier: MIT
#pragma once

#include <QBrush>
#include <QFont>
#include <QPainter>

#include "views/segments/lane_content.h"
#include "views/segments/map_shades.h"
#include "views/segments/map_state.h"
#include "widgets/drawing/colours.h"

namespace heapscape::gui {

/// Colours, brushes and fonts of the map, made once per theme.
struct MapLook {
  explicit MapLook(const QPalette& palette = {}, const QFont& font = {});
  void setColours(std::shared_ptr<const engine::MapColours> of, const engine::Snapshot& snapshot);

  Colours colours;
  QBrush freeBrush;
  QBrush paleFreeBrush;
  QBrush unreadBrush;
  QColor text;
  QColor accent;
  QColor neutral;  // used space before it is known by whom
  QFont font;
  QFont boldFont;
  QFont smallFont;
  QFont fixedFont;
  double pixelRatio = 1;
  std::shared_ptr<const engine::MapColours> map;  // the colouring in force; null: by generation
  std::vector<MapShade> shades;                   // its shades
};

/// The shades that a content was read for, while those in force may be others already.
std::vector<MapShade> shadesFor(const MapLook& look, const LaneContent& content, const engine::Snapshot& snapshot);

/// Draws what lies along one lane's addresses.
class LanePainter {
 public:
  LanePainter(QPainter& painter, const MapLook& look) : m_painter(painter), m_look(look) {}

  /// Used space of which nothing is known yet.
  void paintUnwalked(const QRectF& bar, const AddressScale& scale, const engine::Segment& segment);
  /// `hatchesUnknown` marks what was not walked.
  void paintDensity(const QRectF& bar, const std::vector<DensityRun>& runs, const std::vector<MapShade>& shades,
                    bool hatchesUnknown);
  void paintObjects(const QRectF& bar, const AddressScale& scale, const LaneContent& content,
                    const std::vector<engine::TypeRow>& types, const std::vector<MapShade>& shades);
  /// Marks along the lower edge at the places given.
  void paintPins(const QRectF& bar, const std::vector<double>& places);
  /// Round addresses in a row above or below what has this scale; none is cut at the row's ends.
  void paintRuler(const QRectF& room, const AddressScale& scale, std::optional<engine::Address> pointer, bool isBelow);
  /// The addresses that were brushed.
  void paintBrushed(const QRectF& bar, const AddressScale& scale, engine::AddressRange range);
  /// Names the generations of an ephemeral segment where they begin.
  void paintGenerationNames(const QRectF& bar, const AddressScale& scale, const engine::Segment& segment);
  /// Under everything else. Committed: outline; reserved: a dashed tail with its size, not to scale.
  void paintOutside(const QRectF& bar, const AddressScale& scale, const engine::Segment& segment, int tailWidth);
  /// The object picked: an outline in the accent colour, and a mark above where it is too small to see.
  void paintSelection(const QRectF& bar, const AddressScale& scale, const engine::ObjectRow& object);

 private:
  void paintPixels(const QRectF& bar, const std::vector<DensityRun>& runs, const std::vector<MapShade>& shades,
                   bool hatchesUnknown);
  void paintObject(const QRectF& box, const engine::ObjectRow& object, const engine::TypeRow& type,
                   const MapShade& shade, bool isPale);

  QPainter& m_painter;
  const MapLook& m_look;
};

}  // namespace heapscape::gui
