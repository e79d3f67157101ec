// SPDX-License-Identifier: MIT
// What the place shows of objects that are read as something: collections, strings, delegates, exceptions, headers.
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableView>
#include <QTableWidget>
#include <QTest>
#include <algorithm>
#include <memory>

#include "support/settings_folder.h"
#include "support/window_test.h"
#include "views/object/anatomy/header_ruler.h"
#include "views/object/anatomy/object_anatomy_picture.h"
#include "views/object/items_panel.h"
#include "views/object/object_scene.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

using namespace heapscape;
using namespace heapscape::gui;
using test::kPatienceMs;

class ObjectPanelsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    QVERIFY(m_settings.isValid());
    test::dressApplication();
    m_scene = std::make_unique<ObjectScene>();
    QVERIFY(m_scene->open());
  }

  void collectionIsShownAsDataOrByItsInternals() {
    QVERIFY(m_scene->showFirst("System.Collections.Generic.Dictionary<System.String, System.Int32>"));
    QCOMPARE(m_scene->currentTab(m_scene->contents()), QStringLiteral("Data"));
    const auto& collection = *m_scene->place.shown()->object.collection;
    auto* table = m_scene->part<QTableView>("collectionItems");
    QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), static_cast<int>(collection.count), kPatienceMs);
    QVERIFY(!table->isColumnHidden(ItemsModel::KeyColumn));
    QCOMPARE(table->model()->index(0, ItemsModel::KeyColumn).data(kPlainRole).toString(),
             fromEngine(collection.items.front().key.text));
    m_scene->clickTab(m_scene->contents(), QStringLiteral("Internals"));
    QVERIFY(m_scene->line(QStringLiteral("_entries")).isValid());
    // Who has switched to the internals looks at internals.
    QVERIFY(m_scene->showFirst("System.Collections.Generic.List<System.Int32>"));
    QCOMPARE(m_scene->currentTab(m_scene->contents()), QStringLiteral("Internals"));
    m_scene->clickTab(m_scene->contents(), QStringLiteral("Data"));
    QCOMPARE(m_scene->currentTab(m_scene->contents()), QStringLiteral("Data"));
  }

  void collectionInAFieldShowsItsItems() {
    QVERIFY(m_scene->showFirst("Catalog.Customer"));
    const QModelIndex orders = m_scene->line(QStringLiteral("Orders"));
    QVERIFY(orders.isValid());
    m_scene->tree().expand(orders);
    QTRY_VERIFY_WITH_TIMEOUT(m_scene->line(QStringLiteral("internals"), orders).isValid(), kPatienceMs);
  }

  void stringIsShownWholeAndSearched() {
    const engine::ObjectRow longest = m_scene->largestOf("System.String");
    QVERIFY(m_scene->show(longest.address));
    QCOMPARE(m_scene->currentTab(m_scene->contents()), QStringLiteral("Text"));
    auto* text = m_scene->part<QPlainTextEdit>("stringText");
    const auto& string = *m_scene->place.shown()->object.string;
    QCOMPARE(text->toPlainText().size(), static_cast<qsizetype>(string.length));
    auto* search = m_scene->part<QLineEdit>("stringSearch");
    search->setText(text->toPlainText().mid(100, 3));
    QTest::keyClick(search, Qt::Key_Return);
    QCOMPARE(text->textCursor().selectedText().toLower(), search->text().toLower());
    QVERIFY(m_scene->part<ElidedText>("stringFacts")->text().contains(QStringLiteral("terminator 2 bytes")));
  }

  void delegateNamesItsTargets() {
    const engine::Address several =
        firstThat("System.Action", [](const engine::ObjectDetails& object) { return object.delegate.size() == 3; });
    QVERIFY(m_scene->show(several));
    QCOMPARE(m_scene->currentTab(m_scene->contents()), QStringLiteral("Targets"));
    auto* table = m_scene->part<QTableWidget>("delegateTargets");
    QCOMPARE(table->rowCount(), 3);
    table->setFocus();
    table->setCurrentCell(0, 0);
    QTest::keyClick(table, Qt::Key_Return);
    QVERIFY(m_scene->isShown(m_scene->navigator.location().selection.object));
    QVERIFY(m_scene->place.shown()->address() != several);
  }

  void exceptionTellsItsMessageCauseAndStack() {
    QVERIFY(m_scene->showFirst("System.AggregateException"));
    QCOMPARE(m_scene->currentTab(m_scene->contents()), QStringLiteral("Exception"));
    QVERIFY(m_scene->part<QLabel>("exceptionMessage")->text().contains(QStringLiteral("several")));
    QTRY_VERIFY_WITH_TIMEOUT(m_scene->part<QPushButton>("innerException"), kPatienceMs);
    m_scene->part<QPushButton>("innerException")->click();
    const engine::Address inner = m_scene->navigator.location().selection.object;
    QVERIFY(m_scene->isShown(inner));
    QCOMPARE(m_scene->part<QLabel>("exceptionMessage")->text(), QStringLiteral("out of stock"));
    QVERIFY(m_scene->part<QTableWidget>("exceptionStack")->rowCount() >= 1);
  }

  void headerOfALockedObjectNamesTheThread() {
    const engine::Address locked = firstThat("Shop.Locks+Door", [](const engine::ObjectDetails& object) {
      return object.header && object.header->kind == engine::HeaderKind::ThinLock;
    });
    QVERIFY(m_scene->show(locked));
    const QString sentence = m_scene->part<QLabel>("headerSentence")->text();
    QVERIFY2(sentence.contains(QStringLiteral("holder")), qPrintable(sentence));
    const auto& ruler = *m_scene->place.findChild<HeaderRuler*>();
    QCOMPARE(ruler.geometryOfBits().bits.size(), std::size_t{32});
    QVERIFY(ruler.accessibleDescription().contains(QStringLiteral("thread id")));
  }

  void anatomyLeadsToTheType() {
    QVERIFY(m_scene->showFirst("System.Collections.Generic.List<Catalog.OrderLine>"));
    m_scene->memory().setCurrentIndex(2);
    auto& picture = *m_scene->place.findChild<ObjectAnatomyPicture*>();
    QTRY_VERIFY_WITH_TIMEOUT(picture.anatomy().boxes.size() >= 4, kPatienceMs);
    const ObjectAnatomyBox& methodTable = picture.anatomy().boxes[1];
    QCOMPARE(methodTable.address, addressText(m_scene->place.shown()->object.methodTable));
    QTest::mouseClick(&picture, Qt::LeftButton, {}, picture.geometryOfBoxes().boxes[1].center().toPoint());
    QCOMPARE(m_scene->navigator.location().place, PlaceId::Runtime);
    QVERIFY(m_scene->navigator.location().selection.methodTable == m_scene->place.shown()->object.methodTable);
    m_scene->memory().setCurrentIndex(0);
  }

  void cleanupTestCase() { m_scene.reset(); }

 private:
  template <class Matches>
  engine::Address firstThat(const char* type, const Matches& matches) {
    for (const engine::ObjectRow& row : m_scene->objectsOf(type)) {
      const auto object = engine::objectDetails(m_scene->snapshot(), row.address);
      if (object && matches(*object)) return row.address;
    }
    return {};
  }

  test::SettingsFolder m_settings;
  std::unique_ptr<ObjectScene> m_scene;
};

HEAPSCAPE_WINDOW_TEST(ObjectPanelsTest)
#include "tst_object_panels.moc"
