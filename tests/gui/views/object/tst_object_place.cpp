// SPDX-License-Identifier: MIT
// The place on a real dump, driven as a person does.
#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTabWidget>
#include <QTableView>
#include <QTableWidget>
#include <QTest>
#include <QToolButton>
#include <QTreeView>
#include <algorithm>
#include <memory>

#include "models/cells/roles.h"
#include "session/objects/object_query.h"
#include "session/references/reference_query.h"
#include "support/menu_choice.h"
#include "support/place_scene.h"
#include "support/settings_folder.h"
#include "support/window_test.h"
#include "views/object/anatomy/header_ruler.h"
#include "views/object/anatomy/memory_panel.h"
#include "views/object/anatomy/object_anatomy_picture.h"
#include "views/object/items_panel.h"
#include "views/object/object_place.h"
#include "views/object/trail_bar.h"
#include "views/object/values/fields_panel.h"
#include "views/object/values/value_tree_model.h"
#include "widgets/hex_view/hex_view.h"
#include "widgets/layout_diagram/layout_diagram.h"
#include "widgets/layout_diagram/layout_item_text.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/value_text.h"

using namespace heapscape;
using namespace heapscape::gui;
using engine::LayoutItem;
using engine::LayoutItems;
using engine::LayoutPart;

using test::kPatienceMs;

class ObjectPlaceTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    QVERIFY(m_settings.isValid());
    test::dressApplication();
    m_scene = std::make_unique<ObjectScene>();
    QVERIFY(m_scene->open());
  }

  void nothingPickedSaysWhatToDo() {
    StatePanel* state = visibleState();
    QVERIFY(state && state->state() == StatePanel::State::Empty);
    QVERIFY(test::visibleTexts(*state).contains(QStringLiteral("No object picked")));
    state->findChild<QPushButton*>()->click();
    QCOMPARE(m_scene->navigator.location().place, PlaceId::Types);
  }

  void theHeadCountsWhatTheObjectReaches() {
    const engine::Address order = m_scene->firstOf("Catalog.Order");
    QVERIFY(m_scene->show(order));
    const auto reach = engine::transitiveSize(m_scene->snapshot(), {order}, {});
    QVERIFY(reach && reach->objects > 1);
    const QString expected = QStringLiteral("%1 objects, %2").arg(countText(reach->objects), bytesText(reach->bytes));
    const auto isSaid = [&] { return test::visibleTexts(*m_scene->part<QWidget>("objectFacts")).contains(expected); };
    QTRY_VERIFY_WITH_TIMEOUT(isSaid(), kPatienceMs);
  }

  void whatIsPickedWhileThePlaceIsHiddenIsFilledInOnceItIsShown() {
    ObjectScene scene;
    QVERIFY(scene.open());
    QVERIFY(scene.showFirst("Catalog.Order"));
    const int lines = scene.lines().rowCount();
    scene.place.hide();
    const engine::Address product = scene.firstOf("Catalog.Product");
    QVERIFY(scene.show(product));
    const auto details = engine::objectDetails(scene.snapshot(), product);
    QVERIFY(details && static_cast<int>(details->fields.size()) != lines);
    QVERIFY2(scene.lines().rowCount() == lines, "nobody sees the fields");
    QVERIFY2(!scene.navigator.location().selection.segment.isNone(), "others need to know what was picked");
    scene.place.show();
    QCOMPARE(scene.lines().rowCount(), static_cast<int>(details->fields.size()));
    scene.place.hide();
    m_scene->place.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&m_scene->place));
  }

  void fieldsAreThoseOfTheEngine_data() {
    QTest::addColumn<QByteArray>("type");
    for (const char* type : {"Catalog.Order", "Catalog.Product", "Shop.NestedStructs", "Shop.Numbers", "Shop.Nullables",
                             "Shop.Pointers", "Shop.Union", "Shop.ExplicitClass", "Shop.Enums"}) {
      QTest::addRow("%s", type) << QByteArray(type);
    }
  }

  void fieldsAreThoseOfTheEngine() {
    QFETCH(QByteArray, type);
    const engine::Address object = m_scene->firstOf(type.constData());
    QVERIFY(m_scene->show(object));
    const auto details = engine::objectDetails(m_scene->snapshot(), object);
    QVERIFY(details);
    QCOMPARE(m_scene->lines().rowCount(), static_cast<int>(details->fields.size()));
    compareLines(details->fields, {});
    QVERIFY(m_scene->currentTab(m_scene->contents()) == QStringLiteral("Fields"));
    const auto& location = m_scene->navigator.location();
    QVERIFY2(location.selection.methodTable == details->methodTable, "the type was not completed");
    QVERIFY(!location.selection.segment.isNone());
  }

  void referenceOpensInPlaceAndIsFollowed() {
    QVERIFY(m_scene->showFirst("Catalog.Order"));
    const engine::Address order = m_scene->place.shown()->address();
    const QModelIndex customer = m_scene->line(QStringLiteral("Customer"));
    QVERIFY(customer.isValid());
    m_scene->tree().expand(customer);
    QTRY_VERIFY_WITH_TIMEOUT(m_scene->lines().rowCount(customer) > 1, kPatienceMs);

    m_scene->tree().setCurrentIndex(customer);
    QTest::keyClick(&m_scene->tree(), Qt::Key_Return);
    const engine::Address there = m_scene->navigator.location().selection.object;
    QVERIFY(there != order);
    QVERIFY(m_scene->isShown(there));
    QCOMPARE(m_scene->place.shown()->object.typeName, std::string("Catalog.Customer"));

    auto* trail = m_scene->place.findChild<TrailBar*>();
    QVERIFY(trail->isVisible());
    const QList<QToolButton*> links = trail->findChildren<QToolButton*>();
    QCOMPARE(links.size(), 2);
    QVERIFY2(links[1]->text().contains(QStringLiteral("Customer")), qPrintable(links[1]->text()));
    links[0]->click();
    QVERIFY(m_scene->isShown(order));
    m_scene->navigator.back();
    QVERIFY(m_scene->isShown(there));
  }

  void longArrayIsPaged() {
    const engine::ObjectRow largest = m_scene->largestOf("System.Double[]");
    QVERIFY(m_scene->show(largest.address));
    const auto& array = *m_scene->place.shown()->object.array;
    QVERIFY(array.count > 1000);
    QCOMPARE(m_scene->currentTab(m_scene->contents()), QStringLiteral("Elements"));
    QVERIFY(m_scene->lines().rowCount() <= 100);

    const std::uint64_t wanted = array.count - 3;
    const std::uint64_t size = array.elementSize;
    auto* filter = m_scene->part<QLineEdit>("objectFieldFilter");
    filter->setText(QStringLiteral("[%1]").arg(wanted));
    QTest::keyClick(filter, Qt::Key_Return);
    const QString name = QStringLiteral("[%1]").arg(wanted);
    QTRY_COMPARE_WITH_TIMEOUT(m_scene->currentName(), name, kPatienceMs);
    const auto elements = engine::arrayElements(m_scene->snapshot(), largest.address, wanted, 1);
    QVERIFY(elements);
    QCOMPARE(m_scene->tree().currentIndex().siblingAtColumn(ValueTreeModel::ValueColumn).data(kPlainRole).toString(),
             fromEngine(elements->front().value.text));

    // Its bytes are in sight, far behind the first page of them.
    const auto begin = static_cast<std::int64_t>(16 + wanted * size);
    QCOMPARE(m_scene->hex().selected(), (ByteSpan{begin, begin + static_cast<std::int64_t>(size)}));
    QTRY_VERIFY_WITH_TIMEOUT(m_scene->hex().window().read().contains(m_scene->hex().selected()), kPatienceMs);
    QVERIFY(m_scene->hex().topRow() > 0);
  }

  void namesAndOffsetsOfALongArrayAreWhole() {
    m_scene->part<QLineEdit>("objectFieldFilter")->clear();
    QVERIFY(m_scene->show(m_scene->largestOf("System.Object[]").address));
    QTRY_VERIFY(m_scene->lines().rowCount() > 1);
    for (const int column : {ValueTreeModel::NameColumn, ValueTreeModel::OffsetColumn}) {
      const auto needs = [this, column] {
        return static_cast<QAbstractItemView&>(m_scene->tree()).sizeHintForColumn(column);
      };
      QTRY_VERIFY2(m_scene->tree().columnWidth(column) >= needs(), qPrintable(QString::number(needs())));
    }
  }

  void oneTabAloneIsNotShown() {
    QVERIFY(m_scene->showFirst("System.String"));
    QVERIFY(!m_scene->contents().tabBar()->isVisible());
    QVERIFY(m_scene->showFirst("System.Collections.Generic.List<Catalog.Customer>"));
    QVERIFY(m_scene->contents().tabBar()->isVisible());
  }

  void byteFieldAndDiagramFollowEachOther() {
    QVERIFY(m_scene->showFirst("Shop.NestedStructs"));
    QVERIFY(m_scene->waitForBytes());
    const ObjectPage& page = *m_scene->place.shown();
    const auto inDiagram = [&] { return (*page.items)[m_scene->canvas().selected()].name; };

    // From the tree.
    const QModelIndex tuple = m_scene->line(QStringLiteral("tuple"));
    m_scene->tree().setCurrentIndex(m_scene->lines().index(1, 0, tuple));
    const std::string inner = inDiagram();
    QCOMPARE(QString::fromStdString(inner), m_scene->currentName());
    const ByteSpan span = m_scene->hex().selected();
    QVERIFY(!span.isEmpty());
    QVERIFY2(!m_scene->canvas().boundsOf(m_scene->canvas().selected()).isEmpty(), "the value around it is closed");

    // From a byte.
    m_scene->tree().setCurrentIndex(m_scene->lines().index(0, 0));
    m_scene->clickByte(span.begin);
    QCOMPARE(m_scene->hex().selected(), span);
    QCOMPARE(m_scene->currentName(), QString::fromStdString(inner));
    QCOMPARE(inDiagram(), inner);

    // From the diagram.
    const auto a = static_cast<std::uint32_t>(
        std::ranges::find(page.items->items, std::string("a"), &LayoutItem::name) - page.items->items.begin());
    QTest::mouseClick(&m_scene->canvas(), Qt::LeftButton, {}, m_scene->canvas().boundsOf(a).topLeft() + QPoint(6, 6));
    QCOMPARE(m_scene->currentName(), QStringLiteral("a"));
    QCOMPARE(m_scene->hex().selected(), (ByteSpan{(*page.items)[a].begin, (*page.items)[a].end}));
  }

  void whatIsToldOfAStringIsWholeInANarrowWindow() {
    const QSize before = m_scene->place.size();
    QVERIFY(m_scene->showFirst("System.String"));
    m_scene->place.resize(560, before.height());
    const auto& facts = *m_scene->part<ElidedText>("stringFacts");
    QTRY_VERIFY(facts.isVisible() && facts.sizeHint().width() > facts.width());
    QTRY_VERIFY(facts.hasHeightForWidth() && facts.height() >= facts.heightForWidth(facts.width()));
    m_scene->place.resize(before);
  }

  void paddingBehindAStringOrAnArrayIsExact() {
    for (const char* type : {"System.String", "System.Byte[]", "System.Int32[]", "System.String[]"}) {
      QVERIFY2(m_scene->showFirst(type), type);
      QVERIFY(m_scene->waitForBytes());
      const ObjectPage& page = *m_scene->place.shown();
      const LayoutItems& items = *page.items;
      QCOMPARE(items.end, static_cast<std::int64_t>(page.object.row.alignedBytes) - 8);
      for (std::uint32_t item = 0; item < items.items.size(); ++item) {
        QCOMPARE(items[item].mostTailBytes, 0);
        QVERIFY(!itemName(items[item]).contains(QStringLiteral("up to")));
      }
    }
  }

  void bytesHaveTheColourOfTheirFieldInThePicture() {
    QVERIFY(m_scene->showFirst("Catalog.Order"));
    QVERIFY(m_scene->waitForBytes());
    const LayoutItems& items = *m_scene->place.shown()->items;
    const HexView& hex = m_scene->hex();
    const QImage bytes = m_scene->hex().viewport()->grab().toImage();
    const QImage picture = m_scene->canvas().grab().toImage();
    int compared = 0;
    for (std::uint32_t item = 0; item < items.items.size(); ++item) {
      const LayoutItem& shown = items[item];
      if (shown.canOpen() || shown.part == LayoutPart::Padding || shown.part == LayoutPart::Unused) continue;
      // In the corner, where nothing is written.
      const QPoint corner(4, 5);
      const QPoint last = hex.geometry().byteRect(shown.end - 1, hex.topRow()).bottomRight().toPoint() - QPoint(2, 5);
      const QPoint inPicture = m_scene->canvas().boundsOf(item).bottomRight() - corner;
      if (!bytes.rect().contains(last) || !picture.rect().contains(inPicture)) continue;
      QCOMPARE(bytes.pixelColor(last), picture.pixelColor(inPicture));
      ++compared;
    }
    QVERIFY(compared >= 4);
  }

  void bytesAreThoseOfTheEngineAndAllHaveAnOwner() {
    QVERIFY(m_scene->showFirst("Catalog.Order"));
    QVERIFY(m_scene->waitForBytes());
    const ByteWindow& window = m_scene->hex().window();
    const auto bytes = engine::objectBytes(m_scene->snapshot(), m_scene->place.shown()->address(), 0, 1 << 20);
    QVERIFY(bytes);
    QCOMPARE(window.whole().sizeBytes(), static_cast<std::int64_t>(bytes->totalBytes));
    for (std::int64_t offset = window.whole().begin; offset < window.whole().end; ++offset) {
      QVERIFY2(window.runAt(offset), qPrintable(QString::number(offset)));
      QCOMPARE(window.byteAt(offset), std::optional(bytes->bytes[static_cast<std::size_t>(offset + 8)]));
    }
    m_scene->clickByte(0);
    m_scene->hex().setFocus();
    QTest::keyClick(&m_scene->hex(), Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text().split(QLatin1Char(' ')).size(), 8);
    QTest::keyClick(&m_scene->hex(), Qt::Key_Down);
    QCOMPARE(m_scene->hex().selected().begin, std::int64_t{8});
  }

  void buttonsLeadToTheOtherPlaces() {
    QVERIFY(m_scene->showFirst("Catalog.Order"));
    const Selection selection = m_scene->navigator.location().selection;
    const std::pair<const char*, PlaceId> ways[] = {
        {"objectLayout", PlaceId::Layouts}, {"objectOnMap", PlaceId::Segments}, {"objectType", PlaceId::Runtime}};
    for (const auto& [button, place] : ways) {
      m_scene->part<QToolButton>(button)->click();
      QCOMPARE(m_scene->navigator.location().place, place);
      QCOMPARE(m_scene->navigator.location().selection, selection);
      m_scene->navigator.back();
    }
    m_scene->part<QToolButton>("copyAddress")->click();
    QCOMPARE(QGuiApplication::clipboard()->text(), addressText(selection.object));
  }

  void everyAddressLeadsToItsMemory() {
    QVERIFY(m_scene->showFirst("Catalog.Order"));
    QVERIFY(m_scene->waitForBytes());
    const engine::Address object = m_scene->place.shown()->address();
    const auto leadsTo = [&](engine::Address address, const auto& openMenu) {
      const bool isChosen = test::chooseFromMenu(openMenu, memoryLinkText(address));
      const Location location = m_scene->navigator.location();
      if (isChosen) m_scene->navigator.back();
      return isChosen && location.place == PlaceId::Memory && location.listed == Listed(address);
    };
    const auto labels = m_scene->place.findChildren<QLabel*>();
    const auto label = std::ranges::find(labels, addressText(object), &QLabel::text);
    QVERIFY(label != labels.end());
    QVERIFY(leadsTo(object, [&] { Q_EMIT(*label)->customContextMenuRequested({}); }));

    const auto field = m_scene->lines().index(0, 0);
    m_scene->tree().setCurrentIndex(field);
    const engine::Address place{object.value + static_cast<std::uint64_t>(m_scene->hex().selected().begin)};
    QVERIFY(leadsTo(
        place, [&] { Q_EMIT m_scene->tree().customContextMenuRequested(m_scene->tree().visualRect(field).center()); }));

    m_scene->clickByte(0);
    const auto actions = m_scene->hex().actions();
    const auto titled = [&](const QString& text) {
      const auto found = std::ranges::find_if(
          actions, [&](const QAction* action) { return action->isVisible() && action->text().startsWith(text); });
      return found == actions.end() ? nullptr : *found;
    };
    const engine::Address type = m_scene->place.shown()->object.methodTable;
    QVERIFY(titled(memoryLinkText(object)));
    QAction* there = titled(memoryLinkText(type));
    QVERIFY(there);
    there->trigger();
    QVERIFY(m_scene->navigator.location().listed == Listed(type));
    m_scene->navigator.back();
  }

  void typePickedElsewhereDoesNotTakeTheObjectAway() {
    QVERIFY(m_scene->showFirst("Catalog.Order"));
    const engine::Address order = m_scene->place.shown()->address();
    m_scene->navigator.go(
        {.place = PlaceId::Types, .selection = {{}, m_scene->snapshot().types()[3].methodTable, {}}, .scope = {}});
    QVERIFY(m_scene->place.shown() && m_scene->place.shown()->address() == order);
    m_scene->navigator.back();
  }

  void addressInsideAnObjectShowsTheObject() {
    const engine::Address order = m_scene->firstOf("Catalog.Order");
    QVERIFY(m_scene->showFirst("Catalog.Product"));
    m_scene->navigator.showObject(order + 20);
    QVERIFY(m_scene->isShown(order));
    QCOMPARE(m_scene->navigator.location().selection.object.value, order.value);
  }

  void freeSpaceHasBytesButNoFields() {
    QVERIFY(m_scene->showFirst("Free"));
    QVERIFY(m_scene->waitForBytes());
    QVERIFY(m_scene->part<QLabel>("headerSentence")->text().contains(QStringLiteral("Left over")));
  }

  void addressOfNothingSaysWhy() {
    m_scene->navigator.showObject({0x1234});
    QTRY_VERIFY_WITH_TIMEOUT(visibleState() && visibleState()->state() == StatePanel::State::Failed, kPatienceMs);
    QVERIFY(test::visibleTexts(*visibleState()).contains(QStringLiteral("No object at 0x1234")));
    QVERIFY(m_scene->showFirst("Catalog.Order"));
    QTRY_VERIFY(!visibleState());
  }

  void everyObjectOfEveryTypeCanBeShown() {
    // One of each type: whatever the tests above have not thought of.
    int shown = 0;
    for (std::uint32_t id = 0; id < m_scene->snapshot().types().size(); id += 7) {
      engine::ObjectFilter filter;
      filter.type = engine::TypeId{id};
      const auto objects = engine::listObjects(m_scene->snapshot(), filter, 0, 1);
      if (objects.empty()) continue;
      QVERIFY2(m_scene->show(objects.front().address), m_scene->snapshot().types()[id].name.c_str());
      QVERIFY2(m_scene->contents().isTabVisible(m_scene->contents().currentIndex()),
               m_scene->snapshot().types()[id].name.c_str());
      ++shown;
    }
    QVERIFY(shown > 50);
  }

  void clearingDropsEverything() {
    m_scene->bridge.close();
    m_scene->place.clear();
    QVERIFY(!m_scene->place.shown());
    QCOMPARE(m_scene->lines().rowCount(), 0);
    QVERIFY(visibleState());
  }

  void cleanupTestCase() { m_scene.reset(); }

 private:
  void compareLines(const std::vector<engine::FieldValue>& fields, const QModelIndex& parent) {
    for (std::size_t row = 0; row < fields.size(); ++row) {
      const engine::FieldValue& field = fields[row];
      const auto cell = [&](int column) {
        return m_scene->lines().index(static_cast<int>(row), column, parent).data(kPlainRole).toString();
      };
      QCOMPARE(cell(ValueTreeModel::NameColumn), fieldNameText(field.name));
      QCOMPARE(cell(ValueTreeModel::ValueColumn), fromEngine(field.value.text));
      QCOMPARE(cell(ValueTreeModel::TypeColumn), fromEngine(field.typeName));
      QCOMPARE(cell(ValueTreeModel::OffsetColumn), QString::number(field.offset));
      QCOMPARE(cell(ValueTreeModel::SizeColumn), QString::number(field.sizeBytes));
      QCOMPARE(cell(ValueTreeModel::DeclaredColumn), fromEngine(field.declaringType));
      compareLines(field.nested, m_scene->lines().index(static_cast<int>(row), 0, parent));
    }
  }

  StatePanel* visibleState() {
    for (StatePanel* panel : m_scene->place.findChildren<StatePanel*>()) {
      if (panel->isVisible()) return panel;
    }
    return nullptr;
  }

  test::SettingsFolder m_settings;
  std::unique_ptr<ObjectScene> m_scene;
};

HEAPSCAPE_WINDOW_TEST(ObjectPlaceTest)
#include "tst_object_place.moc"
