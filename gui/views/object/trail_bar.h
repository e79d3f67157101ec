// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QWidget>
#include <optional>
#include <vector>

#include "base/address.h"

namespace heapscape::gui {

/// An object on the way, and how one got there from the one before: "Customer.Lines[3]".
struct TrailStep {
  engine::Address object;
  QString type;
  QString via;  // empty for the first
};

/// The objects that one has followed references through. Going back moves within it; going to an object in any other
/// way begins anew.
class ObjectTrail {
 public:
  /// A reference of the current object is being followed.
  void follow(engine::Address object, const QString& via);
  /// An object is shown.
  void arrive(engine::Address object, const QString& type);
  void clear();

  const std::vector<TrailStep>& steps() const { return m_steps; }
  std::size_t current() const { return m_current; }

 private:
  std::vector<TrailStep> m_steps;
  std::size_t m_current = 0;
  std::optional<TrailStep> m_next;
};

/// The way to the object shown, each object on it a link. Where room is short the first ones give way.
class TrailBar : public QWidget {
  Q_OBJECT

 public:
  explicit TrailBar(QWidget* parent = nullptr);

  void show(const ObjectTrail& trail);

 Q_SIGNALS:
  void objectWanted(heapscape::engine::Address object);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void build();

  ObjectTrail m_trail;
  QWidget* m_body = nullptr;
};

}  // namespace heapscape::gui
