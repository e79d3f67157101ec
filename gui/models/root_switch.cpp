// SPDX-License-Identifier: MIT
#include "models/root_switch.h"

#include <algorithm>

#include "widgets/figures.h"

namespace heapscape::gui {

RootSwitch::RootSwitch(EngineBridge& bridge, QWidget* parent) : QCheckBox(parent), m_bridge(bridge) {
  setObjectName(QStringLiteral("stackRoots"));
  setToolTip(tr(
      "A word on a stack that looks like a reference may be none, or one that is not used any more.\n"
      "Counted as roots, nothing that is in use is taken for garbage; left out, only what is certain holds objects."));
  connect(this, &QCheckBox::clicked, this, [this](bool isChecked) {
    engine::RootOptions roots = m_bridge.rootOptions();
    roots.includeStacks = isChecked;
    m_bridge.computeRetained(roots);
  });
  connect(&m_bridge, &EngineBridge::retainedStateChanged, this, &RootSwitch::follow);
  follow();
}

void RootSwitch::follow() {
  setChecked(m_bridge.rootOptions().includeStacks);
  QString text = tr("Words of stacks count as roots");
  if (m_bridge.snapshot() && m_bridge.snapshot()->has(engine::Stage::Retained)) {
    const std::vector<engine::RootRow>& roots = m_bridge.snapshot()->roots().roots;
    const auto words = std::ranges::count(roots, engine::RootKind::Stack, &engine::RootRow::kind);
    if (words > 0)
      text = tr("Words of stacks count as roots (%1, not exact)").arg(countText(static_cast<std::uint64_t>(words)));
  }
  setText(text);
}

}  // namespace heapscape::gui
