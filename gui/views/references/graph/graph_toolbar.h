// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QToolButton;

namespace heapscape::gui {

/// Chooses what the graph shows, and how large.
class GraphToolbar : public QWidget {
  Q_OBJECT

 public:
  explicit GraphToolbar(QWidget* parent = nullptr);

  bool foldsCollections() const;
  bool showsFlow() const;
  bool showsPaths() const;
  void setZoom(double zoom);
  /// Without a graph there is nothing to zoom.
  void setHasGraph(bool hasGraph);
  /// The one with the ways to take the picture along.
  QToolButton* pictureButton() const { return m_picture; }

 Q_SIGNALS:
  void foldingChanged();
  void lookChanged();
  void pathsChanged();
  void zoomWanted(int steps);
  void normalWanted();
  void fitWanted();

 private:
  QWidget* buildSwitches();
  QWidget* buildTools();
  QToolButton* add(const char* name, const QString& text, const QString& tip);
  QToolButton* addSwitch(const char* name, const QString& text, const QString& tip, bool isOn);

  QToolButton *m_folding, *m_flow, *m_paths;
  QToolButton *m_smaller, *m_normal, *m_larger, *m_fit, *m_picture;
};

}  // namespace heapscape::gui
