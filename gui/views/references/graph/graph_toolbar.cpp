// SPDX-License-Identifier: MIT
#include "views/references/graph/graph_toolbar.h"

#include <QHBoxLayout>
#include <QToolButton>

#include "widgets/arranging/layouts.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/tool_button.h"

namespace heapscape::gui {

GraphToolbar::GraphToolbar(QWidget* parent) : QWidget(parent) {
  auto* line = new HeadLayout(this, 8);
  line->setContentsMargins(12, 4, 12, 4);
  line->addWidget(buildSwitches());
  line->addWidget(buildTools());
  connect(m_folding, &QToolButton::toggled, this, &GraphToolbar::foldingChanged);
  connect(m_flow, &QToolButton::toggled, this, &GraphToolbar::lookChanged);
  connect(m_paths, &QToolButton::toggled, this, &GraphToolbar::pathsChanged);
  connect(m_smaller, &QToolButton::clicked, this, [this] { Q_EMIT zoomWanted(-1); });
  connect(m_larger, &QToolButton::clicked, this, [this] { Q_EMIT zoomWanted(1); });
  connect(m_normal, &QToolButton::clicked, this, &GraphToolbar::normalWanted);
  connect(m_fit, &QToolButton::clicked, this, &GraphToolbar::fitWanted);
}

QWidget* GraphToolbar::buildSwitches() {
  auto* switches = new QWidget(this);
  auto* line = new QHBoxLayout(switches);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(2);
  m_folding = addSwitch("graphFolding", u"Collection items"_s,
                        u"Show the items of a collection in place of its arrays, buckets and nodes"_s, true);
  m_flow =
      addSwitch("graphFlow", u"Retained flow"_s,
                u"Arrows as wide as the retained bytes that flow through them (by the square root): the left one is "
                "the only path to the right one"_s,
                true);
  m_paths = addSwitch("graphPaths", u"Paths to roots"_s,
                      u"Lay the shortest paths from roots to the object in the middle over the graph"_s, false);
  for (QToolButton* button : {m_folding, m_flow, m_paths}) line->addWidget(button);
  line->addStretch(1);
  return switches;
}

QWidget* GraphToolbar::buildTools() {
  auto* tools = new QWidget(this);
  auto* line = new FlowLayout(tools, 2);
  m_smaller = add("graphSmaller", u"−"_s, u"Smaller (-, or the wheel)"_s);
  m_normal = add("graphNormal", u"100%"_s, u"As large as everything else (0)"_s);
  m_larger = add("graphLarger", u"+"_s, u"Larger (+, or the wheel)"_s);
  m_fit = add("graphFit", u"Fit"_s, u"All of it at once (F)"_s);
  m_picture = add("graphPicture", u"Picture"_s, u"Copy or save the whole graph as a picture"_s);
  m_picture->setIcon(symbolIcon(u"copy"_s));
  m_picture->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_picture->setPopupMode(QToolButton::InstantPopup);
  m_normal->setMinimumWidth(fontMetrics().horizontalAdvance(u"100%"_s) + 20);
  for (QToolButton* button : {m_smaller, m_normal, m_larger, m_fit, m_picture}) line->addWidget(button);
  return tools;
}

QToolButton* GraphToolbar::add(const char* name, const QString& text, const QString& tip) {
  auto* button = new QToolButton(this);
  setUpTextButton(button, QString::fromLatin1(name), text, tip);
  return button;
}

QToolButton* GraphToolbar::addSwitch(const char* name, const QString& text, const QString& tip, bool isOn) {
  QToolButton* button = add(name, text, tip);
  button->setCheckable(true);
  button->setChecked(isOn);
  return button;
}

bool GraphToolbar::foldsCollections() const {
  return m_folding->isChecked();
}

bool GraphToolbar::showsFlow() const {
  return m_flow->isChecked();
}

bool GraphToolbar::showsPaths() const {
  return m_paths->isChecked();
}

void GraphToolbar::setZoom(double zoom) {
  m_normal->setText(QString::number(qRound(zoom * 100)) + QLatin1Char('%'));
}

void GraphToolbar::setHasGraph(bool hasGraph) {
  for (QToolButton* button : {m_smaller, m_normal, m_larger, m_fit, m_picture}) button->setEnabled(hasGraph);
}

}  // namespace heapscape::gui
