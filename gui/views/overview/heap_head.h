// SPDX-License-Identifier: MIT
#pragma once

#include <QRectF>
#include <QWidget>
#include <cstdint>
#include <vector>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"

class QLabel;

namespace heapscape::gui {

class FlowLayout;

/// What the heap's memory is: bytes of objects that are live, of frozen ones that nothing refers to and that stay all
/// the same, of those that are garbage, and free bytes between them.
struct HeapParts {
  std::uint64_t live = 0;  // all objects while it is not known which are garbage
  std::uint64_t frozen = 0;
  std::uint64_t garbage = 0;
  std::uint64_t free = 0;
  bool isReachKnown = false;

  std::uint64_t whole() const { return live + frozen + garbage + free; }
  bool operator==(const HeapParts&) const = default;
};

/// The stretches of a bar, from left to right. What is there at all can be seen.
struct HeapBarParts {
  QRectF live, frozen, garbage, free;
};
HeapBarParts heapBarParts(const HeapParts& parts, const QRectF& bar);

/// The parts of the heap as one bar.
class HeapBar : public QWidget {
  Q_OBJECT

 public:
  explicit HeapBar(QWidget* parent = nullptr);

  void setParts(const HeapParts& parts);
  const HeapParts& parts() const { return m_parts; }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  HeapParts m_parts;
};

/// The head of the overview: one sentence on what is live and what is garbage, the bar of both, and each part with its
/// figure, a click away from its objects. As high as it will be, from the start.
class HeapHead : public QWidget {
  Q_OBJECT

 public:
  HeapHead(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  void showSnapshot(const engine::Snapshot& snapshot);
  void clear();

 private:
  void askForCollections();
  void showSentence();
  void showRows();

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  QLabel* m_sentence;
  HeapBar* m_bar;
  FlowLayout* m_rows;
  std::vector<std::uint64_t> m_collections;  // empty while they are not known
  bool m_isAsked = false;
};

}  // namespace heapscape::gui
