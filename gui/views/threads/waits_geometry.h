// SPDX-License-Identifier: MIT
#pragma once

#include <QPolygonF>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <QStringList>
#include <functional>
#include <optional>
#include <vector>

#include "session/stacks/stacks_query.h"
#include "session/threads/locks_query.h"
#include "session/threads/threads_query.h"

namespace heapscape::gui {

/// A monitor in the picture of who waits for whom.
struct WaitLock {
  engine::Address object;
  engine::Address methodTable;
  engine::Address identity;  // of its row in the list of locks
  QString title;             // "Order"
  QString detail;            // "entered twice, 3 waiting"
  std::uint32_t waiting = 0;
};

enum class WaitNodeKind {
  Thread,
  Task,    // a call of an async method, or any other task
  Object,  // a lock other than a monitor, an event, a semaphore …
};

/// A thread that holds locks, waits or is waited for; or what threads wait for.
struct WaitNode {
  WaitNodeKind kind = WaitNodeKind::Thread;
  engine::Address address = {};  // of the runtime's Thread, 0 for an owner that is not among them; else of the object
  std::uint32_t managedId = 0;   // of a thread
  QString title = {};            // "5 worker", "Orders.PlaceAsync", "SemaphoreSlim …c7a8"
  QStringList lines = {};        // below the title: "in Bank.Transfer, Bank.cs:31"
  QStringList facts = {};        // the same in full
  std::vector<WaitLock> locks = {};
  std::optional<std::size_t> waitsFor = {};    // index of the node
  std::optional<std::size_t> wantedLock = {};  // which of that thread's locks, where only one has waiters
  std::optional<std::size_t> cycle = {};       // index of the deadlock that it is part of
};

struct Waits {
  std::vector<WaitNode> nodes;
  std::vector<std::vector<std::size_t>> cycles;  // nodes in the order in which each waits for the next

  bool isEmpty() const { return nodes.empty(); }
};

/// The part that stacks tell: not there at first, since they take longer.
struct StackFacts {
  const engine::StackList& stacks;
  const engine::BlockedThreads& blocked;
};

/// Threads without locks that wait for nobody are left out, as are those that wait for something outside of the
/// process. `facts`: null while they are not known.
Waits findWaits(const engine::ThreadList& threads, const engine::LockList& locks, const StackFacts* facts = nullptr);

/// Sizes that follow from the font and the texts.
struct WaitsScale {
  double line = 20;     // height of a title or a lock
  double detail = 16;   // of a line below the title
  double width = 180;   // of a box, at least
  double gap = 12;      // between boxes of a column
  double between = 64;  // columns, with room for arrows
  double lane = 10;     // between arrows side by side
  double margin = 12;
  QSizeF room = {};  // that there is to see; what is more than that high goes on beside itself where it is wide enough
  std::function<double(const WaitNode&)> contentWidth = {};  // of what is in a box; none: it fits
  std::function<double(std::size_t)> cycleTitleWidth = {};   // the same for what stands above a deadlock
};

struct WaitBox {
  QRectF box;
  QRectF title;
  std::vector<QRectF> lines;  // inside the box
  std::vector<QRectF> locks;
  std::size_t column = 0;
};

/// An arrow from a node to what it waits for.
struct WaitArrow {
  std::size_t from = 0;
  std::size_t to = 0;
  QPolygonF line;  // its last point is the tip
  bool isInCycle = false;
};

struct WaitsGeometry {
  std::vector<WaitBox> boxes;  // one a node, same order
  std::vector<WaitArrow> arrows;
  std::vector<QRectF> cycleTitles;  // one a deadlock: above its first node
  QSizeF size;
};

/// Lays out wait chains: those that wait for nobody, or in a circle, in the first column, what waits for them in the
/// second, and so on. Boxes never overlap; those of a column are equally wide; threads with the same target stand
/// together.
WaitsGeometry layOutWaits(const Waits& waits, const WaitsScale& scale);

/// The thing at a point: a node, and perhaps one of its locks.
struct WaitSpot {
  std::size_t node = 0;
  std::optional<std::size_t> lock;
  bool operator==(const WaitSpot&) const = default;
};
std::optional<WaitSpot> waitSpotAt(const WaitsGeometry& geometry, QPointF point);

}  // namespace heapscape::gui
