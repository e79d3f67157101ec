// SPDX-License-Identifier: MIT
// Memory at any address in the place Memory, of a real dump.
#include <QLineEdit>
#include <QTabWidget>
#include <QToolButton>

#include "session/objects/object_query.h"
#include "support/menu_choice.h"
#include "support/place_scene.h"
#include "support/window_test.h"
#include "views/memory/memory_place.h"
#include "views/memory/raw_memory_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {

namespace {

const QString kWords = QStringLiteral("rawMemory");

}  // namespace

class RawMemoryTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    test::dressApplication();
    m_scene = std::make_unique<test::PlaceScene<MemoryPlace>>(PlaceId::Memory);
    QVERIFY(m_scene->open(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    m_object = engine::listObjects(m_scene->snapshot(), {}, 2000, 1).at(0).address;
    QVERIFY(m_object);
  }

  void anAddressCanBeTypedFromTheStart() {
    QVERIFY(m_scene->part<QLineEdit>("rawAddress")->isEnabled());
    QVERIFY(!m_scene->part<QToolButton>("rawLater")->isEnabled());
  }

  void anAddressIsShownByWordsWithWhatTheyLeadTo() {
    show(m_object);
    // 4 KB by words of eight bytes.
    QTRY_COMPARE(m_scene->lines(kWords), 512);
    QCOMPARE(m_scene->part<QLineEdit>("rawAddress")->text(), addressText(m_object));
    // The first word of an object is its method table, which belongs to the object's type.
    const auto list = m_scene->model(kWords).list();
    const RawWord& first = list->as<RawWord>(0);
    QVERIFY(first.meaning && first.meaning->kind == engine::AddressKind::MethodTable);
    QVERIFY(m_scene->part<ElidedText>("rawOwner")->text().startsWith(QStringLiteral("In ")));
    const auto expected = engine::explainAddress(m_scene->snapshot(), m_object, {});
    QVERIFY(m_scene->part<ElidedText>("rawOwner")->text().contains(fromEngine(expected->front().text)));
  }

  void bytesWordsAndCharactersAreThoseOfTheMemory() {
    RawWord row;
    row.word = {{0x1000}, 0x0021006900480041};  // "AHi!" in UTF-16
    const auto list = makeRowList(std::vector<RawWord>{row}, rawWordSchema());
    QCOMPARE(list->words(0, 1), QStringLiteral("0021006900480041"));
    QCOMPARE(list->words(0, 2), QStringLiteral("41 00 48 00 69 00 21 00"));
    QCOMPARE(list->words(0, 3), QStringLiteral("A.H.i.!."));
    QCOMPARE(list->words(0, 4), QStringLiteral("AHi!"));
    const HiddenContents hidden;
    for (const std::size_t column : {1u, 2u, 3u, 4u}) QCOMPARE(list->words(0, column), QStringLiteral("•••"));
  }

  void whatIsNotInTheDumpIsOneLine() {
    show({0x1000});
    QTRY_COMPARE(m_scene->lines(kWords), 1);
    QCOMPARE(m_scene->cell(kWords, 0, 1), QStringLiteral("not in the dump"));
    QVERIFY(m_scene->cell(kWords, 0, 5).startsWith(QStringLiteral("4,096 bytes up to")));
  }

  void laterAndEarlierStepByAPageAndBackUndoesThem() {
    show(m_object);
    QTRY_COMPARE(m_scene->lines(kWords), 512);
    m_scene->part<QToolButton>("rawLater")->click();
    QCOMPARE(m_scene->part<QLineEdit>("rawAddress")->text(), addressText(m_object + 4096));
    m_scene->part<QToolButton>("rawEarlier")->click();
    QCOMPARE(m_scene->part<QLineEdit>("rawAddress")->text(), addressText(m_object));
    m_scene->navigator.back();
    QCOMPARE(m_scene->part<QLineEdit>("rawAddress")->text(), addressText(m_object + 4096));
  }

  void aTypedAddressIsGoneToAndNothingElse() {
    auto* typed = m_scene->part<QLineEdit>("rawAddress");
    typed->setText(QStringLiteral("no address"));
    QTest::keyClick(typed, Qt::Key_Return);
    QVERIFY(m_scene->part<ElidedText>("rawOwner")->text().contains(QStringLiteral("no address")));
    typed->setText(addressText(m_object));
    QTest::keyClick(typed, Qt::Key_Return);
    QVERIFY(m_scene->navigator.location().listed == Listed(m_object));
  }

  void aWordLeadsToItsOwnMemoryByTheMenu() {
    show(m_object);
    QTRY_COMPARE(m_scene->lines(kWords), 512);
    const auto list = m_scene->model(kWords).list();
    const engine::Address type{*list->as<RawWord>(0).word.value};
    QTableView& table = m_scene->table(kWords);
    const auto openMenu = [&] {
      Q_EMIT table.customContextMenuRequested(table.visualRect(table.model()->index(0, 1)).center());
    };
    QVERIFY(test::chooseFromMenu(openMenu, QStringLiteral("Show memory at %1").arg(addressText(type))));
    QVERIFY(m_scene->navigator.location().listed == Listed(type));
    QTRY_VERIFY(m_scene->part<ElidedText>("rawOwner")->text().startsWith(QStringLiteral("In ")));
  }

  void nothingIsLeftOfADumpThatWasClosed() {
    m_scene->place.clear();
    QCOMPARE(m_scene->lines(kWords), 0);
    QVERIFY(m_scene->part<QLineEdit>("rawAddress")->text().isEmpty());
    QVERIFY(m_scene->part<ElidedText>("rawOwner")->text().isEmpty());
  }

 private:
  void show(engine::Address address) { m_scene->navigator.showListed(PlaceId::Memory, address, {}); }

  std::unique_ptr<test::PlaceScene<MemoryPlace>> m_scene;
  engine::Address m_object;
};

HEAPSCAPE_WINDOW_TEST(RawMemoryTest)

}  // namespace heapscape::gui

#include "tst_raw_memory.moc"
