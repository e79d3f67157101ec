// SPDX-License-Identifier: MIT
#include "views/references/dominators/dominator_search.h"

#include <algorithm>

#include "views/references/dominators/dominator_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

bool isCalled(const engine::DominatorShape& shape, const QString& text) {
  if (shape.isRest) return false;
  if (text.startsWith(QLatin1String("0x"), Qt::CaseInsensitive))
    return shape.node.object && addressText(shape.node.object).startsWith(text, Qt::CaseInsensitive);
  return dominatorName(shape.node).contains(text, Qt::CaseInsensitive);
}

}  // namespace

DominatorMatches findMatches(const DominatorScene& scene, const QString& text) {
  DominatorMatches matches;
  matches.isMatch.resize(scene.shapes.size());
  std::vector<bool> isCounted(scene.shapes.size());  // or something above it is
  for (std::uint32_t i = 0; i < scene.shapes.size(); ++i) {
    const engine::DominatorShape& shape = scene.shapes[i];
    isCounted[i] = i > 0 && isCounted[shape.parent];
    if (!isCalled(shape, text)) continue;
    matches.isMatch[i] = true;
    matches.shapes.push_back(i);
    if (!isCounted[i]) matches.bytes += shape.node.retainedBytes;
    isCounted[i] = true;
  }
  std::ranges::stable_sort(matches.shapes, std::greater(),
                           [&](std::uint32_t shape) { return scene.shapes[shape].node.retainedBytes; });
  return matches;
}

void DominatorSearch::setScene(SharedScene scene) {
  m_scene = std::move(scene);
  look();
}

void DominatorSearch::setText(const QString& text) {
  m_text = text.trimmed();
  look();
}

void DominatorSearch::look() {
  m_at.reset();
  m_matches.reset();
  if (m_scene && !m_text.isEmpty()) m_matches = std::make_shared<const DominatorMatches>(findMatches(*m_scene, m_text));
}

std::optional<std::uint32_t> DominatorSearch::next(int step) {
  if (!hasMatches()) return std::nullopt;
  const auto count = static_cast<std::ptrdiff_t>(m_matches->shapes.size());
  const std::ptrdiff_t at = m_at ? static_cast<std::ptrdiff_t>(*m_at) + step : (step > 0 ? 0 : -1);
  m_at = static_cast<std::size_t>((at + count) % count);
  return m_matches->shapes[*m_at];
}

QString DominatorSearch::status() const {
  if (!m_matches) return {};
  if (!hasMatches()) return u"none in this picture"_s;
  const std::size_t count = m_matches->shapes.size();
  const QString counted =
      m_at ? u"%1 of %2"_s.arg(countText(*m_at + 1), countText(count)) : countedText(count, u"match"_s, u"matches"_s);
  return u"%1 · %2"_s.arg(counted, bytesText(m_matches->bytes));
}

}  // namespace heapscape::gui
