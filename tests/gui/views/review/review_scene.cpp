// SPDX-License-Identifier: MIT
#include "views/review/review_scene.h"

#include <QFile>
#include <QTableView>
#include <QTest>
#include <memory>

#include "app/window_actions.h"
#include "support/dumps.h"
#include "support/window_driver.h"

namespace heapscape::gui {

void ReviewScene::closeAndForget() {
  if (m_driver) {
    window().bridge().close();
    window().review()->save();  // and what was being written is
  }
  QFile::remove(reviewFile());
}

void ReviewScene::open() {
  if (!m_driver) m_driver = std::make_unique<test::WindowDriver>();
  if (!QFile::exists(dump())) QVERIFY(QFile::copy(test::dataFile(QStringLiteral("shop-10.core.zst")), dump()));
  QVERIFY(m_driver->openAndWait(dump()));
}

QTableView* ReviewScene::typesTable() {
  if (!m_driver->show(PlaceId::Types)) return nullptr;
  for (QTableView* table : window().place(PlaceId::Types)->findChildren<QTableView*>()) {
    if (table->isVisible() && table->model() && table->model()->rowCount() > 100) return table;
  }
  return nullptr;
}

void ReviewScene::pinTypes() {
  QTableView* table = nullptr;
  QVERIFY(QTest::qWaitFor([&] { return (table = typesTable()) != nullptr; }, 20'000));
  table->setFocus();
  window().actions().pin->trigger();
}

}  // namespace heapscape::gui
