// SPDX-License-Identifier: MIT
#include "views/object/object_trail.h"

#include <algorithm>

namespace heapscape::gui {
namespace {

constexpr std::size_t kMostSteps = 30;

}  // namespace

void ObjectTrail::follow(engine::Address object, const QString& via) {
  m_next = TrailStep{object, {}, via};
}

void ObjectTrail::arrive(engine::Address object, const QString& type) {
  const bool isFollowed = m_next && m_next->object == object && !m_steps.empty();
  const auto known = std::ranges::find(m_steps, object, &TrailStep::object);
  if (known != m_steps.end()) {
    // A cycle of references is no longer way.
    m_current = static_cast<std::size_t>(known - m_steps.begin());
  } else if (isFollowed) {
    m_steps.resize(m_current + 1);
    m_steps.push_back(*m_next);
    if (m_steps.size() > kMostSteps) m_steps.erase(m_steps.begin());
    m_current = m_steps.size() - 1;
  } else {
    m_steps.assign(1, TrailStep{object, {}, {}});
    m_current = 0;
  }
  m_steps[m_current].type = type;
  m_next.reset();
}

void ObjectTrail::clear() {
  m_steps.clear();
  m_current = 0;
  m_next.reset();
}

}  // namespace heapscape::gui
