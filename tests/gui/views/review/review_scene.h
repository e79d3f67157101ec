// SPDX-License-Identifier: MIT
#pragma once

#include <QFile>
#include <QTableView>
#include <QTemporaryDir>
#include <memory>

#include "support/window_driver.h"
#include "views/review/review_model.h"
#include "views/review/review_place.h"
#include "widgets/text/elided_text.h"

namespace heapscape::gui {

/// A window with a dump of its own, for tests of what is pinned. The window and its dump are for all tests that do not
/// ask for fresh ones; each begins without pages.
class ReviewScene : public QObject {
 protected:
  QString dump() const { return m_folder->filePath(QStringLiteral("shop-10.core.zst")); }
  QString reviewFile() const { return dump() + QStringLiteral(".heapscape-review.json"); }
  MainWindow& window() { return m_driver->window(); }
  ReviewPlace& place() { return *window().review(); }
  const engine::ReviewBoard& board() { return place().model().board(); }
  template <class Widget>
  Widget* part(const char* name) {
    return place().findChild<Widget*>(QLatin1String(name));
  }
  void open();
  void closeAndForget();
  QTableView* typesTable();
  void pinTypes();
  QString told() { return window().findChild<ElidedText*>(QStringLiteral("told"))->text(); }

  const std::unique_ptr<QTemporaryDir> m_folder = std::make_unique<QTemporaryDir>();
  std::unique_ptr<test::WindowDriver> m_driver;
};

}  // namespace heapscape::gui
