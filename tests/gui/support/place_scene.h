// SPDX-License-Identifier: MIT
#pragma once

#include <QHeaderView>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <map>
#include <memory>
#include <string>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "models/rows/rows_model.h"
#include "models/rows/rows_panel.h"
#include "support/dumps.h"
#include "support/patience.h"
#include "support/window_driver.h"

namespace heapscape::gui::test {

/// A place with its bridge and navigator, wired as the main window does it.
template <class PlaceType>
struct PlaceScene {
  EngineBridge bridge;
  Navigator navigator;
  PlaceType place{bridge, navigator};

  explicit PlaceScene(PlaceId id) {
    QObject::connect(&bridge, &EngineBridge::stageReady, &place,
                     [this](const engine::Snapshot& snapshot) { place.showSnapshot(snapshot); });
    QObject::connect(&navigator, &Navigator::locationChanged, &place,
                     [this](const Location& location) { place.follow(location); });
    navigator.reset(id);
    place.resize(1100, 760);
    place.show();
  }

  bool open(const QString& path) {
    QSignalSpy finished(&bridge, &EngineBridge::openFinished);
    bridge.open(path);
    return finished.wait(kPatienceMs);
  }

  /// Until it is known who holds what.
  bool openUntilRetained(const QString& path) {
    return open(path) &&
           QTest::qWaitFor([this] { return bridge.retainedState() == RetainedState::Ready; }, kPatienceMs);
  }

  const engine::Snapshot& snapshot() { return *bridge.snapshot(); }

  template <class Widget>
  Widget* part(const QString& name) {
    return place.template findChild<Widget*>(name);
  }
  template <class Widget>
  Widget* part(const char* name) {
    return part<Widget>(QString::fromLatin1(name));
  }
  QTableView& table(const QString& name) { return *part<QTableView>(name); }
  RowsModel& model(const QString& name) { return *static_cast<RowsModel*>(table(name).model()); }
  int lines(const QString& name) { return table(name).model()->rowCount(); }
  QString cell(const QString& name, int line, int column) {
    return table(name).model()->index(line, column).data().toString();
  }

  /// The column with this heading; -1 for none.
  int column(const QString& name, const QString& title) {
    const QAbstractItemModel& shown = *table(name).model();
    for (int section = 0; section < shown.columnCount(); ++section) {
      if (shown.headerData(section, Qt::Horizontal).toString() == title) return section;
    }
    return -1;
  }
  /// The first line with this text in a column; -1 for none.
  int lineWith(const QString& name, int section, const QString& text) {
    for (int line = 0; line < lines(name); ++line) {
      if (cell(name, line, section) == text) return line;
    }
    return -1;
  }
  void clickHeading(const QString& name, int section) {
    QHeaderView* heading = table(name).horizontalHeader();
    const QPoint point(heading->sectionViewportPosition(section) + heading->sectionSize(section) / 2,
                       heading->height() / 2);
    QTest::mouseClick(heading->viewport(), Qt::LeftButton, {}, point);
  }
};

/// A scene for each dump, opened once for all tests: opening anew for each would take most of their time. SceneType has
/// open(name) and showAnew(), after which it looks as if the dump had just been opened.
template <class SceneType>
class ScenesByDump {
 public:
  SceneType& shownAnew(const char* name) {
    std::unique_ptr<SceneType>& scene = m_scenes[name];
    if (!scene) {
      scene = std::make_unique<SceneType>();
      if (!scene->open(name)) qFatal("%s did not open", name);
    }
    scene->showAnew();
    return *scene;
  }
  void clear() { m_scenes.clear(); }

 private:
  std::map<std::string, std::unique_ptr<SceneType>> m_scenes;
};

}  // namespace heapscape::gui::test
