// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <memory>
#include <optional>

#include "views/references/dominators/dominator_picture.h"
#include "views/references/dominators/dominator_scene.h"

namespace heapscape::gui {

/// The shapes of a scene that are called so, or lie at this address ("0x7f…").
DominatorMatches findMatches(const DominatorScene& scene, const QString& text);

/// The search in the pictures: what is looked for, and which of the matches one is at.
class DominatorSearch {
 public:
  void setScene(SharedScene scene);
  void setText(const QString& text);

  /// Null if nothing is looked for.
  const std::shared_ptr<const DominatorMatches>& matches() const { return m_matches; }
  bool hasMatches() const { return m_matches && !m_matches->shapes.empty(); }
  /// Goes `step` matches on, around their end; the first one to begin with. Its shape.
  std::optional<std::uint32_t> next(int step);
  /// "2 of 12 · 1.43 MB", "none in this picture"; empty if nothing is looked for.
  QString status() const;

 private:
  void look();

  SharedScene m_scene;
  QString m_text;
  std::shared_ptr<const DominatorMatches> m_matches;
  std::optional<std::size_t> m_at;
};

}  // namespace heapscape::gui
