// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QWidget>
#include <cstdint>
#include <optional>
#include <vector>

#include "heap/segment.h"
#include "session/snapshot/snapshot.h"

class QChart;
class QPieSeries;
class QPieSlice;
class QVBoxLayout;

namespace heapscape::gui {

/// A part of the whole heap: the objects of one generation, or everything free.
struct AgeShare {
  std::optional<engine::Generation> generation;  // nothing: free space
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;
  std::uint64_t garbageBytes = 0;  // of these
};

/// The shares by generation over all heaps, youngest first, then free space; empty ones left out. `reach`: by row, or
/// nothing while it is not known.
std::vector<AgeShare> ageShares(const std::vector<engine::GenerationRow>& rows,
                                const std::vector<engine::RetainedTotals>& reach = {});
QString ageShareName(const AgeShare& share);

/// The heap by generation: a ring, hatched what of each is garbage, with the whole in its middle, and a legend with the
/// figures.
class AgeDonut : public QWidget {
  Q_OBJECT

 public:
  explicit AgeDonut(QWidget* parent = nullptr);

  void setShares(const std::vector<AgeShare>& shares);

 Q_SIGNALS:
  void generationPicked(heapscape::engine::Generation generation);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void buildChart();
  void fill();
  void colour();
  void emphasise(std::size_t share, bool isHovered);
  void pick(std::size_t share);
  std::size_t shareOf(QPieSlice* slice) const;

  std::vector<AgeShare> m_shares;
  std::vector<std::size_t> m_shareOf;  // by slice; those of one share lie side by side, what is garbage last
  std::uint64_t m_wholeBytes = 0;
  QChart* m_chart;
  QPieSeries* m_series;
  class RingView;
  RingView* m_view;
  QWidget* m_legend;
  QVBoxLayout* m_legendLayout;
};

}  // namespace heapscape::gui
