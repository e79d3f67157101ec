// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
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

}  // namespace heapscape::gui
