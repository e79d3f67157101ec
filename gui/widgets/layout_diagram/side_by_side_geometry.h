// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "layout/layout_items.h"
#include "widgets/layout_diagram/layout_diagram_geometry.h"

namespace heapscape::gui {

/// One of the layouts in a picture of several, with what stands above it.
struct DiagramColumn {
  QString title;      // "Auto", "Best order"
  QString figure;     // "72 B"
  QStringList facts;  // one line each: padding, saving
  QString tip;        // exact figures
  bool isGain = false;
  bool isInForce = false;   // how the type is laid out now
  QString sameAs;           // the title of the column that it is a chip beside, as it comes to the same; empty for none
  std::uint64_t times = 0;  // how often the heap holds what is drawn, to say what a padding costs there; 0 for unknown
  QString timesOf;          // "6,250 objects"
  std::shared_ptr<const engine::LayoutItems> items;
};

/// Which items of several layouts of a type are the same field: those with the same declaring types and names from the
/// outside in. Each field has a number; a padding has one of its own, since paddings of two layouts are never the same.
class FieldMatches {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  FieldMatches() = default;
  explicit FieldMatches(const std::vector<const engine::LayoutItems*>& columns);

  std::uint32_t count() const { return static_cast<std::uint32_t>(m_keys.size()); }
  std::uint32_t fieldOf(std::size_t column, std::uint32_t item) const { return m_fields[column][item]; }
  /// engine::LayoutItem::kNoItem if the column does not have it.
  std::uint32_t itemOf(std::size_t column, std::uint32_t field) const;
  /// Key of a field in any set of columns that has it; to find a field again.
  const std::string& keyOf(std::uint32_t field) const { return m_keys[field]; }
  std::uint32_t find(const std::string& key) const;

 private:
  void addColumn(const engine::LayoutItems& items);
  std::uint32_t numberOf(const std::string& key);

  std::vector<std::vector<std::uint32_t>> m_fields;  // by column and item
  std::vector<std::vector<std::uint32_t>> m_items;   // by column and field
  std::vector<std::string> m_keys;                   // by field
  std::unordered_map<std::string, std::uint32_t> m_numbers;
};

/// Sizes in device-independent pixels that layouts side by side are laid out with.
struct SideBySideMetrics {
  DiagramMetrics diagram;   // of each
  double curveGutter = 56;  // between columns, or between bars
  double headHeight = 80;   // above a column, or beside a bar
  double headWidth = 160;   // beside a bar
  double chipWidth = 100;   // of a column that comes to the same as another
  double chipHeight = 40;
  double chipGap = 12;  // beside it
};

/// A field that lies elsewhere in the next column. It runs in the gutter between the two.
struct FieldCurve {
  std::size_t column = 0;  // the left one, or the upper one
  std::uint32_t field = 0;
  QPointF from;
  QPointF to;
};

/// Columns with the same rows at the same heights; or, as bars, one below the other with the same offsets above each
/// other. A chip has a head and nothing else.
struct SideBySideGeometry {
  std::vector<DiagramGeometry> columns;
  std::vector<QRectF> heads;
  std::vector<FieldCurve> curves;
  QSizeF size;
};

SideBySideGeometry layOutSideBySide(const std::vector<DiagramSource>& columns, const FieldMatches& matches,
                                    const SideBySideMetrics& metrics);

/// The hit at a point: the column, and the innermost item of it.
struct SideBySideSpot {
  std::size_t column = 0;
  std::uint32_t item = 0;
};
std::optional<SideBySideSpot> spotAt(const SideBySideGeometry& geometry, const QPointF& point);

}  // namespace heapscape::gui
