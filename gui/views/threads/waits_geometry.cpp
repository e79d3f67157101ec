// SPDX-License-Identifier: MIT
#include "views/threads/waits_geometry.h"

#include <algorithm>
#include <unordered_map>

#include "models/names/frame_place.h"
#include "session/stacks/parallel_stacks.h"
#include "views/threads/frame_text.h"
#include "views/threads/thread_rows.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

using engine::BlockedOn;
using engine::BlockedThread;

QString lockDetail(const engine::LockRow& lock) {
  QStringList parts;
  const std::uint64_t enters =
      lock.kind == engine::LockKind::Thin ? std::uint64_t{lock.recursion} + 1 : std::uint64_t{lock.recursion};
  if (enters > 1) parts << u"entered %1 ×"_s.arg(countText(enters));
  if (lock.waiting > 0) parts << u"%1 waiting"_s.arg(countText(lock.waiting));
  return parts.join(u" · "_s);
}

// Objects of one type are told apart by the last digits of their address.
QString objectTitle(const std::string& typeName, engine::Address object) {
  const QString address = addressText(object);
  if (typeName.empty()) return address;
  return u"%1 …%2"_s.arg(shortTypeName(typeName), address.right(5));
}

// "Bank.Transfer, Bank.cs:31".
QString placeText(const engine::FrameRow& frame) {
  const QString name = shortFrameName(frame.type, frame.method);
  return frame.file.empty() ? name : u"%1, %2"_s.arg(name, framePlace(frame));
}

/// Lines that say what a task is and waits for.
QStringList taskLines(const BlockedThread& blocked) {
  QStringList lines;
  const QString task = u"task"_s;
  if (!blocked.isMethod) {
    if (!fromEngine(blocked.name).contains(task, Qt::CaseInsensitive)) lines << task;
  } else if (blocked.await < 0) {
    lines << u"async method, running"_s;
  } else {
    lines << u"async method, at await %1"_s.arg(blocked.await);
  }
  const QString waitsFor = fromEngine(blocked.waitsFor);
  if (!blocked.innermost.empty()) {
    lines << u"waits for %1"_s.arg(shortMethodName(fromEngine(blocked.innermost)));
    lines << (waitsFor.isEmpty() ? u"which runs"_s : u"which waits for %1"_s.arg(waitsFor));
  } else if (!waitsFor.isEmpty()) {
    lines << u"waits for %1"_s.arg(waitsFor);
  }
  return lines;
}

class WaitsFinder {
 public:
  Waits find(const engine::ThreadList& threads, const engine::LockList& locks, const StackFacts* facts) {
    addWaiters(threads);
    for (const engine::LockRow& lock : locks.locks) {
      if (lock.isHeld && engine::isMonitor(lock.kind)) addLock(lock);
    }
    for (WaitNode& node : m_waits.nodes) chooseLock(node);  // so far all wait for monitors
    if (facts) {
      for (const BlockedThread& blocked : facts->blocked.threads) addBlocked(blocked);
    }
    describe(threads);
    if (facts) addPlaces(facts->stacks);
    for (const auto& cycle : facts ? facts->blocked.deadlocks : locks.cycles) addCycle(cycle);
    return std::move(m_waits);
  }

 private:
  std::size_t indexOf(std::uint32_t managedId) {
    const auto [place, isNew] = m_threads.try_emplace(managedId, m_waits.nodes.size());
    if (isNew) {
      WaitNode thread;
      thread.managedId = managedId;
      thread.title = managedId == 0 ? u"unknown thread"_s : threadText(managedId, {});
      m_waits.nodes.push_back(std::move(thread));
    }
    return place->second;
  }

  void addWaiters(const engine::ThreadList& threads) {
    for (const engine::ThreadRow& thread : threads.threads) {
      if (thread.waitsForManagedId == 0 || thread.managedId == 0) continue;
      const std::size_t waiter = indexOf(thread.managedId);
      const std::size_t owner = indexOf(thread.waitsForManagedId);
      m_waits.nodes[waiter].waitsFor = owner;
    }
  }

  void addLock(const engine::LockRow& lock) {
    WaitNode& owner = m_waits.nodes[indexOf(lock.ownerManagedId)];
    owner.locks.push_back({.object = lock.object,
                           .methodTable = lock.methodTable,
                           .identity = lock.syncBlock ? lock.syncBlock : lock.object,
                           .title = objectTitle(lock.typeName, lock.object),
                           .detail = lockDetail(lock),
                           .waiting = lock.waiting});
  }

  void addBlocked(const BlockedThread& blocked) {
    if (blocked.managedId == 0) return;
    const std::size_t waiter = indexOf(blocked.managedId);
    if (m_waits.nodes[waiter].waitsFor) return;
    if (blocked.kind == BlockedOn::Thread) {
      if (!blocked.owner) return;
      const std::size_t joined = indexOf(blocked.owner);
      m_waits.nodes[waiter].waitsFor = joined;
      m_waits.nodes[waiter].lines << u"waits in %1"_s.arg(fromEngine(blocked.called));
    } else if (blocked.object) {
      const std::size_t awaited = awaitedNode(blocked);
      m_waits.nodes[waiter].waitsFor = awaited;
    }
  }

  /// One for all threads that wait for the same thing.
  std::size_t awaitedNode(const BlockedThread& blocked) {
    const auto [place, isNew] = m_objects.try_emplace(blocked.object, m_waits.nodes.size());
    if (!isNew) return place->second;
    const std::size_t index = place->second;
    const bool isTask = blocked.kind == BlockedOn::Task;
    WaitNode node{.kind = isTask ? WaitNodeKind::Task : WaitNodeKind::Object, .address = blocked.object};
    const QString name = fromEngine(blocked.name);
    if (isTask) {
      node.title = blocked.isMethod ? shortMethodName(name) : name;
      node.lines = taskLines(blocked);
    } else {
      node.title = objectTitle(blocked.name, blocked.object);
      // "Monitor.Wait" rather than "Lock", which the title says.
      const QString called = fromEngine(blocked.called);
      if (called.contains(QLatin1Char('.'))) node.lines << u"awaited in %1"_s.arg(called);
    }
    if (blocked.owner) node.lines << ownerText(blocked);
    node.facts << name << addressText(blocked.object) << node.lines;
    node.facts.removeAll(QString());
    m_waits.nodes.push_back(std::move(node));
    if (blocked.owner) {
      const std::size_t owner = indexOf(blocked.owner);
      m_waits.nodes[index].waitsFor = owner;
    }
    return index;
  }

  static QString ownerText(const BlockedThread& blocked) {
    return blocked.kind == BlockedOn::Task ? u"runs on thread %1"_s.arg(blocked.owner)
                                           : u"held by thread %1"_s.arg(blocked.owner);
  }

  void describe(const engine::ThreadList& threads) {
    for (const engine::ThreadRow& thread : threads.threads) {
      const auto found = m_threads.find(thread.managedId);
      if (thread.managedId == 0 || found == m_threads.end()) continue;
      m_waits.nodes[found->second].address = thread.address;
      m_waits.nodes[found->second].title = threadText(thread.managedId, thread.name);
    }
  }

  /// Where each thread is, and what it does if no arrow tells.
  void addPlaces(const engine::StackList& stacks) {
    for (const engine::ThreadStackRow& stack : stacks.threads) {
      const auto found = m_threads.find(stack.managedId);
      if (stack.managedId == 0 || found == m_threads.end()) continue;
      WaitNode& node = m_waits.nodes[found->second];
      const engine::FrameRow* place = engine::placeOf(stack);
      const QString doing = fromEngine(stack.doing);
      if (place) {
        node.lines << u"in %1"_s.arg(placeText(*place));
        node.facts << u"in %1"_s.arg(frameName(*place).text);
        if (!place->file.empty()) node.facts << frameSource(*place);
      }
      if (doing.isEmpty()) continue;
      node.facts << doing;
      const bool isTold = place && doing.contains(fromEngine(place->type + "." + place->method));
      if (!isTold && !node.waitsFor) node.lines << doing;
    }
  }

  void chooseLock(WaitNode& node) const {
    if (!node.waitsFor) return;
    const std::vector<WaitLock>& locks = m_waits.nodes[*node.waitsFor].locks;
    for (std::size_t lock = 0; lock < locks.size(); ++lock) {
      if (locks[lock].waiting == 0) continue;
      if (node.wantedLock) {
        node.wantedLock.reset();
        return;
      }
      node.wantedLock = lock;
    }
  }

  /// The way from one thread of the circle to the next may lead through a task or a lock.
  void addCycle(const std::vector<std::uint32_t>& managedIds) {
    std::vector<std::size_t> members;
    for (const std::uint32_t managedId : managedIds) {
      const auto found = m_threads.find(managedId);
      if (found == m_threads.end()) continue;
      members.push_back(found->second);
      const auto next = m_waits.nodes[found->second].waitsFor;
      if (next && m_waits.nodes[*next].kind != WaitNodeKind::Thread) members.push_back(*next);
    }
    for (const std::size_t member : members) m_waits.nodes[member].cycle = m_waits.cycles.size();
    if (!members.empty()) m_waits.cycles.push_back(std::move(members));
  }

  Waits m_waits;
  std::unordered_map<std::uint32_t, std::size_t> m_threads;    // by managed id
  std::unordered_map<engine::Address, std::size_t> m_objects;  // by address
};

}  // namespace

Waits findWaits(const engine::ThreadList& threads, const engine::LockList& locks, const StackFacts* facts) {
  return WaitsFinder().find(threads, locks, facts);
}

namespace {

constexpr double kPadding = 8;
constexpr double kHigher = 1.1;     // than the room, if there is no more beside it
constexpr std::size_t kTrunks = 6;  // of arrows to one box; those to further locks share the last one
constexpr std::size_t kLanes = 8;   // of a deadlock's arrows; more of them share the last one

class WaitsPlacer {
 public:
  WaitsPlacer(const Waits& waits, const WaitsScale& scale)
      : m_waits(waits),
        m_scale(scale),
        m_waiters(waits.nodes.size()),
        m_isPlaced(waits.nodes.size(), false),
        m_blockOf(waits.nodes.size()) {
    m_geometry.boxes.resize(waits.nodes.size());
  }

  WaitsGeometry place() {
    for (std::size_t node = 0; node < m_waits.nodes.size(); ++node) {
      const WaitNode& one = m_waits.nodes[node];
      if (one.waitsFor && !one.cycle) m_waiters[*one.waitsFor].push_back(node);
    }
    std::size_t longest = 0;
    for (const auto& cycle : m_waits.cycles) longest = std::max(longest, cycle.size());
    // Arrows within a circle run left of the first column.
    m_left = m_scale.margin + (longest == 0 ? 0 : m_scale.lane * static_cast<double>(std::min(longest, kLanes) + 1));
    double top = m_scale.margin;
    for (const auto& cycle : m_waits.cycles) {
      m_blocks.push_back({top});
      top = placeCycle(cycle, top);
    }
    const auto addBlock = [&](std::size_t node) {
      if (m_isPlaced[node]) return;
      m_blocks.push_back({top});
      top = placeWithWaiters(node, 0, top);
    };
    for (std::size_t node = 0; node < m_waits.nodes.size(); ++node) {
      if (!m_waits.nodes[node].waitsFor) addBlock(node);
    }
    // Whatever the engine's circles do not explain still gets its place.
    for (std::size_t node = 0; node < m_waits.nodes.size(); ++node) addBlock(node);
    placeColumns();
    measureTitles();
    if (m_scale.room.height() > 0) placeBlocks(top);
    addArrows();
    measure();
    return std::move(m_geometry);
  }

 private:
  double placeCycle(const std::vector<std::size_t>& members, double top) {
    m_geometry.cycleTitles.emplace_back(m_left, top, 0, m_scale.line);
    top += m_scale.line;
    for (const std::size_t member : members) top = placeWithWaiters(member, 0, top);
    return top + m_scale.gap;
  }

  // The bottom of everything that waits for the node, and of itself; with a gap. Without recursion: chains of waiting
  // threads can be as long as a dump says.
  double placeWithWaiters(std::size_t root, std::size_t column, double top) {
    if (m_isPlaced[root]) return top;
    struct Step {
      std::size_t node, column, next;
      double top, childTop;
    };
    std::vector<Step> open;
    const auto enter = [&](std::size_t node, std::size_t at, double y) {
      placeBox(node, at, y);
      open.push_back({node, at, 0, y, y});
    };
    enter(root, column, top);
    double bottom = top;
    while (!open.empty()) {
      Step& step = open.back();
      const std::vector<std::size_t>& waiters = m_waiters[step.node];
      if (step.next < waiters.size()) {
        const std::size_t waiter = waiters[step.next++];
        if (!m_isPlaced[waiter]) enter(waiter, step.column + 1, step.childTop);
        continue;
      }
      bottom = std::max(step.childTop, m_geometry.boxes[step.node].box.bottom() + m_scale.gap);
      open.pop_back();
      if (!open.empty()) open.back().childTop = bottom;
    }
    return bottom;
  }

  /// Places nodes from top to bottom; from left to right only when the widths of all columns are known.
  void placeBox(std::size_t index, std::size_t column, double top) {
    m_isPlaced[index] = true;
    m_blockOf[index] = m_blocks.size() - 1;
    const WaitNode& node = m_waits.nodes[index];
    WaitBox& box = m_geometry.boxes[index];
    box.column = column;
    if (column >= m_widths.size()) m_widths.resize(column + 1, m_scale.width);
    if (m_scale.contentWidth) m_widths[column] = std::max(m_widths[column], m_scale.contentWidth(node) + 2 * kPadding);
    box.title = QRectF(0, top + 4, 0, m_scale.line);
    double y = box.title.bottom();
    for (qsizetype line = 0; line < node.lines.size(); ++line, y += m_scale.detail)
      box.lines.emplace_back(0, y, 0, m_scale.detail);
    if (!node.locks.empty()) y += 4;
    for (std::size_t lock = 0; lock < node.locks.size(); ++lock, y += m_scale.line)
      box.locks.emplace_back(0, y, 0, m_scale.line - 2);
    box.box = QRectF(0, top, 0, y + (node.lines.isEmpty() && node.locks.empty() ? 4 : 6) - top);
  }

  void placeColumns() {
    std::vector<double> lefts;
    double left = m_left;
    for (const double width : m_widths) {
      lefts.push_back(left);
      left += width + m_scale.between;
    }
    for (WaitBox& box : m_geometry.boxes) {
      const double width = m_widths[box.column];
      const auto put = [&](QRectF& rect, double padding) {
        rect = QRectF(lefts[box.column] + padding, rect.top(), width - 2 * padding, rect.height());
      };
      put(box.box, 0);
      put(box.title, kPadding);
      for (QRectF& line : box.lines) put(line, kPadding);
      for (QRectF& lock : box.locks) put(lock, kPadding);
    }
  }

  QRectF wantedRect(const WaitNode& node) const {
    const WaitBox& owner = m_geometry.boxes[*node.waitsFor];
    return node.wantedLock && *node.wantedLock < owner.locks.size() ? owner.locks[*node.wantedLock] : owner.title;
  }

  void addArrows() {
    std::vector<std::size_t> lanes(m_waits.cycles.size(), 0);
    for (std::size_t from = 0; from < m_waits.nodes.size(); ++from) {
      const WaitNode& node = m_waits.nodes[from];
      if (!node.waitsFor) continue;
      const double start = m_geometry.boxes[from].title.center().y();
      const double end = wantedRect(node).center().y();
      const double out = m_geometry.boxes[from].box.left();
      const QRectF& to = m_geometry.boxes[*node.waitsFor].box;
      WaitArrow arrow{.from = from, .to = *node.waitsFor, .line = {}, .isInCycle = node.cycle.has_value()};
      if (m_geometry.boxes[*node.waitsFor].column == m_geometry.boxes[from].column) {
        const std::size_t lane = node.cycle ? std::min(lanes[*node.cycle]++, kLanes - 1) : 0;
        const double x = out - m_scale.lane * static_cast<double>(lane + 1);
        // A little lower than where arrows arrive, so that the two do not run into each other.
        arrow.line << QPointF(out, start + 4) << QPointF(x, start + 4) << QPointF(x, end - 4)
                   << QPointF(to.left(), end - 4);
      } else {
        const double x = out - m_scale.between * trunkOf(node);
        arrow.line << QPointF(out, start) << QPointF(x, start) << QPointF(x, end) << QPointF(to.right(), end);
      }
      m_geometry.arrows.push_back(std::move(arrow));
    }
  }

  /// Where between the columns arrows turn: all that lead to one lock at the same place, the higher that is the further
  /// left, so that none lies upon another that leads elsewhere.
  double trunkOf(const WaitNode& node) const {
    const std::size_t locks = m_geometry.boxes[*node.waitsFor].locks.size();
    if (locks == 0) return 0.5;
    const std::size_t trunks = std::min(locks + 1, kTrunks);
    const std::size_t wanted = std::min(node.wantedLock ? *node.wantedLock + 1 : 0, trunks - 1);
    return static_cast<double>(trunks - wanted) / static_cast<double>(trunks + 1);
  }

  void measureTitles() {
    for (std::size_t cycle = 0; cycle < m_geometry.cycleTitles.size(); ++cycle)
      m_geometry.cycleTitles[cycle].setWidth(m_scale.cycleTitleWidth ? m_scale.cycleTitleWidth(cycle) : m_scale.width);
  }

  QRectF extent() const {
    QRectF all;
    for (const WaitBox& box : m_geometry.boxes) all = all.united(box.box);
    for (const QRectF& title : m_geometry.cycleTitles) all = all.united(title);
    return all;
  }

  /// Side by side as many stacks of blocks as are needed and there is room for, one read after the other.
  void placeBlocks(double bottom) {
    const double width = extent().right() + m_scale.gap;
    const auto most = static_cast<std::size_t>(std::max(1.0, (m_scale.room.width() - m_scale.margin) / width));
    double limit = m_scale.room.height();
    while (stackBlocks(bottom, limit) > most) limit *= kHigher;
    const auto move = [&](QRectF& rect, const Block& block) {
      rect.translate(static_cast<double>(block.stack) * width, -block.up);
    };
    for (std::size_t node = 0; node < m_geometry.boxes.size(); ++node) {
      WaitBox& box = m_geometry.boxes[node];
      const Block& block = m_blocks[m_blockOf[node]];
      move(box.box, block);
      move(box.title, block);
      for (QRectF& line : box.lines) move(line, block);
      for (QRectF& lock : box.locks) move(lock, block);
    }
    // Deadlocks are the first blocks.
    for (std::size_t cycle = 0; cycle < m_geometry.cycleTitles.size(); ++cycle)
      move(m_geometry.cycleTitles[cycle], m_blocks[cycle]);
  }

  /// The number of stacks if none is higher than the limit but for single blocks.
  std::size_t stackBlocks(double bottom, double limit) {
    std::size_t stack = 0;
    double stackTop = m_scale.margin;
    for (std::size_t i = 0; i < m_blocks.size(); ++i) {
      Block& block = m_blocks[i];
      const double end = i + 1 < m_blocks.size() ? m_blocks[i + 1].top : bottom;
      if (end - stackTop + m_scale.margin > limit && block.top > stackTop) {
        ++stack;
        stackTop = block.top;
      }
      block.stack = stack;
      block.up = stackTop - m_scale.margin;
    }
    return stack + 1;
  }

  void measure() {
    const QRectF all = extent();
    m_geometry.size = QSizeF(all.right() + m_scale.margin, all.bottom() + m_scale.margin);
  }

  /// A group that belongs together: a deadlock, or a node that waits for nobody, with all that wait for it.
  struct Block {
    double top = 0;  // while all stand one below the other
    std::size_t stack = 0;
    double up = 0;  // how much higher it stands in its stack
  };

  const Waits& m_waits;
  const WaitsScale& m_scale;
  std::vector<std::vector<std::size_t>> m_waiters;  // index: node; not those of its own circle
  std::vector<bool> m_isPlaced;
  std::vector<Block> m_blocks;
  std::vector<std::size_t> m_blockOf;  // index: node
  std::vector<double> m_widths;        // by column
  double m_left = 0;
  WaitsGeometry m_geometry;
};

}  // namespace

WaitsGeometry layOutWaits(const Waits& waits, const WaitsScale& scale) {
  return WaitsPlacer(waits, scale).place();
}

std::optional<WaitSpot> waitSpotAt(const WaitsGeometry& geometry, QPointF point) {
  for (std::size_t node = 0; node < geometry.boxes.size(); ++node) {
    const WaitBox& box = geometry.boxes[node];
    if (!box.box.contains(point)) continue;
    const auto lock = std::ranges::find_if(box.locks, [&](const QRectF& rect) { return rect.contains(point); });
    WaitSpot spot{.node = node, .lock = std::nullopt};
    if (lock != box.locks.end()) spot.lock = static_cast<std::size_t>(lock - box.locks.begin());
    return spot;
  }
  return std::nullopt;
}

}  // namespace heapscape::gui
