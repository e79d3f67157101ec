// SPDX-License-Identifier: MIT
#include "models/root_switch.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>

#include "widgets/drawing/colours.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

RootSwitch::RootSwitch(EngineBridge& bridge, QWidget* parent) : QCheckBox(parent), m_bridge(bridge) {
  setObjectName(u"stackRoots"_s);
  setToolTip(
      u"Where the references of a frame are not known, every word of its part of the stack stands in for them.\n"
      "Such a word may be no reference. Counted as roots, nothing that is in use is taken for garbage; left out, only "
      "what is certain holds objects."_s);
  connect(this, &QCheckBox::clicked, this, [this](bool isChecked) {
    engine::RootOptions roots = m_bridge.rootOptions();
    roots.includeInexact = isChecked;
    m_bridge.computeRetained(roots);
  });
  connect(&m_bridge, &EngineBridge::retainedStateChanged, this, &RootSwitch::follow);
  follow();
}

void RootSwitch::follow() {
  setChecked(m_bridge.rootOptions().includeInexact);
  QString text = u"Inexact stack words count as roots"_s;
  if (m_bridge.snapshot() && m_bridge.snapshot()->has(engine::Stage::Retained)) {
    const std::vector<engine::RootRow>& roots = m_bridge.snapshot()->roots().roots;
    const auto words = std::ranges::count(roots, false, &engine::RootRow::isExact);
    const bool isNeeded = words > 0 || !isChecked();
    setEnabled(isNeeded);
    text = isNeeded ? text : u"✓ exact roots"_s;
    if (words > 0)
      text = u"Inexact stack words count as roots (%1)"_s.arg(countText(static_cast<std::uint64_t>(words)));
  }
  setText(text);
  updateLook();
}

// Where there is nothing to choose it says so, which is to be read.
void RootSwitch::updateLook() {
  QPalette look = palette();
  look.setColor(QPalette::Disabled, QPalette::WindowText, Colours(look).dimmedText());
  if (look != palette()) setPalette(look);
}

// No box where there is nothing to choose.
void RootSwitch::paintEvent(QPaintEvent* event) {
  if (isEnabled()) return QCheckBox::paintEvent(event);
  QPainter painter(this);
  painter.setPen(palette().color(QPalette::Disabled, QPalette::WindowText));
  painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, text());
}

void RootSwitch::changeEvent(QEvent* event) {
  QCheckBox::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) updateLook();
}

}  // namespace heapscape::gui
