// SPDX-License-Identifier: MIT
#include "views/threads/waits_geometry.h"

#include <algorithm>

namespace heapscape::gui {

namespace {

class WaitsPlacer {
 public:
  WaitsPlacer(const Waits& waits, const WaitsScale& scale)
      : m_waits(waits), m_scale(scale), m_waiters(waits.threads.size()), m_isPlaced(waits.threads.size(), false) {
    m_geometry.boxes.resize(waits.threads.size());
  }

  WaitsGeometry place() {
    for (std::size_t thread = 0; thread < m_waits.threads.size(); ++thread) {
      const WaitThread& one = m_waits.threads[thread];
      if (one.waitsFor && !one.cycle) m_waiters[*one.waitsFor].push_back(thread);
    }
    std::size_t longest = 0;
    for (const auto& cycle : m_waits.cycles) longest = std::max(longest, cycle.size());
    // Arrows within a circle run left of the first column.
    m_left =
        m_scale.margin + (longest == 0 ? 0 : m_scale.lane * static_cast<double>(std::min(longest, std::size_t{8}) + 1));
    double top = m_scale.margin;
    for (const auto& cycle : m_waits.cycles) top = placeCycle(cycle, top);
    for (std::size_t thread = 0; thread < m_waits.threads.size(); ++thread) {
      if (!m_waits.threads[thread].waitsFor) top = placeWithWaiters(thread, 0, top);
    }
    // Whatever the engine's circles do not explain still gets its place.
    for (std::size_t thread = 0; thread < m_waits.threads.size(); ++thread) top = placeWithWaiters(thread, 0, top);
    addArrows();
    measure();
    return std::move(m_geometry);
  }

 private:
  double heightOf(const WaitThread& thread) const {
    return m_scale.line * static_cast<double>(1 + thread.locks.size()) + (thread.locks.empty() ? 0 : 8) + 8;
  }

  double placeCycle(const std::vector<std::size_t>& members, double top) {
    m_geometry.cycleTitles.emplace_back(m_left, top, m_scale.width, m_scale.line);
    top += m_scale.line;
    for (const std::size_t member : members) top = placeWithWaiters(member, 0, top);
    return top + m_scale.gap;
  }

  // The bottom of everything that waits for the thread, and of itself; with a gap. Without recursion: chains of waiting
  // threads can be as long as a dump says.
  double placeWithWaiters(std::size_t root, std::size_t column, double top) {
    if (m_isPlaced[root]) return top;
    struct Step {
      std::size_t thread, column, next;
      double top, childTop;
    };
    std::vector<Step> open;
    const auto enter = [&](std::size_t thread, std::size_t at, double y) {
      placeBox(thread, at, y);
      open.push_back({thread, at, 0, y, y});
    };
    enter(root, column, top);
    double bottom = top;
    while (!open.empty()) {
      Step& step = open.back();
      const std::vector<std::size_t>& waiters = m_waiters[step.thread];
      if (step.next < waiters.size()) {
        const std::size_t waiter = waiters[step.next++];
        if (!m_isPlaced[waiter]) enter(waiter, step.column + 1, step.childTop);
        continue;
      }
      bottom = std::max(step.childTop, m_geometry.boxes[step.thread].box.bottom() + m_scale.gap);
      open.pop_back();
      if (!open.empty()) open.back().childTop = bottom;
    }
    return bottom;
  }

  void placeBox(std::size_t thread, std::size_t column, double top) {
    m_isPlaced[thread] = true;
    WaitBox& box = m_geometry.boxes[thread];
    box.column = column;
    const double left = m_left + static_cast<double>(column) * (m_scale.width + m_scale.between);
    box.box = QRectF(left, top, m_scale.width, heightOf(m_waits.threads[thread]));
    box.title = QRectF(left + 8, top + 4, m_scale.width - 16, m_scale.line);
    double y = box.title.bottom() + 4;
    for (std::size_t lock = 0; lock < m_waits.threads[thread].locks.size(); ++lock) {
      box.locks.emplace_back(left + 8, y, m_scale.width - 16, m_scale.line - 2);
      y += m_scale.line;
    }
  }

  QRectF wantedRect(const WaitThread& thread) const {
    const WaitBox& owner = m_geometry.boxes[*thread.waitsFor];
    return thread.wantedLock && *thread.wantedLock < owner.locks.size() ? owner.locks[*thread.wantedLock] : owner.title;
  }

  void addArrows() {
    std::vector<std::size_t> lanes(m_waits.cycles.size(), 0);
    for (std::size_t from = 0; from < m_waits.threads.size(); ++from) {
      const WaitThread& thread = m_waits.threads[from];
      if (!thread.waitsFor) continue;
      const QRectF start = m_geometry.boxes[from].title;
      const QRectF end = wantedRect(thread);
      const double out = m_geometry.boxes[from].box.left();
      WaitArrow arrow{.from = from, .to = *thread.waitsFor, .line = {}, .isInCycle = thread.cycle.has_value()};
      if (m_geometry.boxes[*thread.waitsFor].column == m_geometry.boxes[from].column) {
        const std::size_t lane = thread.cycle ? std::min(lanes[*thread.cycle]++, std::size_t{7}) : 0;
        const double x = out - m_scale.lane * static_cast<double>(lane + 1);
        // A little lower than where arrows arrive, so that the two do not run into each other.
        const double y = start.center().y() + 4;
        arrow.line << QPointF(out, y) << QPointF(x, y) << QPointF(x, end.center().y() - 4)
                   << QPointF(m_geometry.boxes[*thread.waitsFor].box.left(), end.center().y() - 4);
      } else {
        const double x = out - m_scale.between / 2;
        arrow.line << QPointF(out, start.center().y()) << QPointF(x, start.center().y()) << QPointF(x, end.center().y())
                   << QPointF(m_geometry.boxes[*thread.waitsFor].box.right(), end.center().y());
      }
      m_geometry.arrows.push_back(std::move(arrow));
    }
  }

  void measure() {
    QRectF all;
    for (const WaitBox& box : m_geometry.boxes) all = all.united(box.box);
    if (!m_geometry.cycleTitles.empty()) all.setRight(std::max(all.right(), m_left + 2 * m_scale.width));
    for (QRectF& title : m_geometry.cycleTitles) title.setRight(all.right());
    m_geometry.size = QSizeF(all.right() + m_scale.margin, all.bottom() + m_scale.margin);
  }

  const Waits& m_waits;
  const WaitsScale& m_scale;
  std::vector<std::vector<std::size_t>> m_waiters;  // index: thread; not those of its own circle
  std::vector<bool> m_isPlaced;
  double m_left = 0;
  WaitsGeometry m_geometry;
};

}  // namespace

WaitsGeometry layOutWaits(const Waits& waits, const WaitsScale& scale) {
  return WaitsPlacer(waits, scale).place();
}

std::optional<WaitSpot> waitSpotAt(const WaitsGeometry& geometry, QPointF point) {
  for (std::size_t thread = 0; thread < geometry.boxes.size(); ++thread) {
    const WaitBox& box = geometry.boxes[thread];
    if (!box.box.contains(point)) continue;
    const auto lock = std::ranges::find_if(box.locks, [&](const QRectF& rect) { return rect.contains(point); });
    WaitSpot spot{.thread = thread, .lock = std::nullopt};
    if (lock != box.locks.end()) spot.lock = static_cast<std::size_t>(lock - box.locks.begin());
    return spot;
  }
  return std::nullopt;
}

}  // namespace heapscape::gui
