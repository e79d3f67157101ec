// SPDX-License-Identifier: MIT
// The place on a real dump, driven as a person does.
#include <QClipboard>
#include <QGuiApplication>
#include <QLineEdit>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QTreeView>
#include <algorithm>

#include "models/layout/layout_fields_model.h"
#include "models/layout/layout_types.h"
#include "models/rows/rows_table.h"
#include "review/board.h"
#include "session/objects/object_query.h"
#include "support/settings_folder.h"
#include "support/window_test.h"
#include "views/layouts/column_feet.h"
#include "views/layouts/layouts_scene.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"

using namespace heapscape;
using namespace heapscape::gui;
using engine::LayoutItem;
using engine::LayoutItems;
using engine::LayoutPart;

namespace {

using gui::test::kPatienceMs;

struct Scene : gui::test::LayoutsScene {
  bool open() { return openUntilRetained(gui::test::dataFile(QStringLiteral("shop-10.core.zst"))); }

  RowsTable& types() { return *part<RowsTable>("layoutTypes"); }

  QString shownName() { return part<QWidget>("layoutTypeName")->accessibleName(); }

  bool showType(const char* name) {
    navigator.showLayoutOf(typeNamed(name));
    return QTest::qWaitFor([&] { return shownName() == QString::fromLatin1(name); }, kPatienceMs);
  }

  /// The column of what is in force.
  std::size_t inForce() {
    const auto& columns = canvas().columns();
    return static_cast<std::size_t>(std::ranges::find(columns, true, &DiagramColumn::isInForce) - columns.begin());
  }

  /// The box of a field as it lies now, or an empty rectangle.
  QRect boundsOf(const char* field) {
    const std::size_t column = inForce();
    const LayoutItems& items = *canvas().columns()[column].items;
    for (std::uint32_t item = 0; item < items.items.size(); ++item) {
      if (items[item].name != field) continue;
      const QRect bounds = canvas().boundsOf(column, canvas().matches().fieldOf(column, item));
      if (!bounds.isEmpty()) return bounds;
    }
    return {};
  }

  /// What is selected, as it lies now.
  const LayoutItem& selected() {
    return (*canvas().columns()[inForce()].items)[canvas().matches().itemOf(inForce(), canvas().selected())];
  }

  const DiagramGeometry& geometry() { return canvas().geometry().columns[inForce()]; }
};

}  // namespace

class LayoutsPlaceTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    QVERIFY(m_settings.isValid());
    QVERIFY(m_scene.open());
  }

  void somethingIsShownAtOnce() {
    QTRY_VERIFY_WITH_TIMEOUT(!m_scene.shownName().isEmpty(), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(m_scene.part<QTableView>("layoutTypes")->model()->rowCount() > 500, kPatienceMs);
  }

  // First of all: a window that was hidden is not active again without a desktop.
  void keysGoFromTypeToTypeFromTheButtonsAroundThePicture() {
    QVERIFY(m_scene.showType("Shop.AutoClass"));
    auto* table = m_scene.part<QTableView>("layoutTypes");
    QTRY_VERIFY(table->currentIndex().isValid() && table->currentIndex().row() > 0);
    const int row = table->currentIndex().row();
    m_scene.place.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&m_scene.place));
    auto* button = m_scene.part<QToolButton>("layoutCopyText");
    button->setFocus();
    QTRY_VERIFY(button->hasFocus());
    QTest::keyClick(button, Qt::Key_Up);
    QCOMPARE(table->currentIndex().row(), row - 1);
    QVERIFY(button->hasFocus());
    // In a text they are the text's.
    auto* filter = m_scene.part<QLineEdit>("layoutTypeFilter");
    filter->setFocus();
    QTest::keyClick(filter, Qt::Key_Down);
    QCOMPARE(table->currentIndex().row(), row - 1);
  }

  void followsTheNavigator() {
    QVERIFY(m_scene.showType("Shop.NestedStructs"));
    QCOMPARE(m_scene.panel().shown().layout().baseSize, 104u);
    QCOMPARE(m_scene.panel().shown().population.objects, std::uint64_t{1});
  }

  void noGapStaysWhereATabHasGone() {
    const auto& bar = *m_scene.part<QTabWidget>("layoutDetails")->tabBar();
    QVERIFY(m_scene.showType("Shop.SequentialStruct[]"));
    QTRY_VERIFY(bar.isTabVisible(2));
    // What is picked while it is hidden, it shows once it is seen.
    m_scene.place.hide();
    m_scene.navigator.select({.object = {}, .methodTable = m_scene.typeNamed("Catalog.Customer"), .segment = {}});
    QTest::qWait(50);
    QVERIFY(bar.isTabVisible(2));
    m_scene.place.show();
    QTRY_VERIFY(m_scene.panel().shown().layout().methodTable == m_scene.typeNamed("Catalog.Customer"));
    QTRY_VERIFY(!bar.isTabVisible(2));
    QTRY_COMPARE(bar.tabRect(3).left(), bar.tabRect(1).right() + 1);
  }

  void aPickedStringOrArrayEndsWithThePaddingItHas() {
    for (const char* type : {"System.String", "System.Byte[]", "Shop.SequentialStruct[]"}) {
      const engine::Address methodTable = m_scene.typeNamed(type);
      QVERIFY(m_scene.showType(type));
      const auto items = [&]() -> const LayoutItems& { return *m_scene.canvas().columns()[m_scene.inForce()].items; };
      const auto isExact = [&] {
        return std::ranges::none_of(items().items, [](const LayoutItem& item) { return item.mostTailBytes > 0; });
      };
      const std::int64_t open = items().end;
      engine::ObjectFilter filter;
      filter.type = m_scene.snapshot().typeOf(methodTable);
      for (const engine::ObjectRow& row : engine::listObjects(m_scene.snapshot(), filter, 0, 3)) {
        m_scene.navigator.select({.object = row.address, .methodTable = methodTable, .segment = {}});
        QTRY_COMPARE_WITH_TIMEOUT(items().end, static_cast<std::int64_t>(row.alignedBytes) - 8, kPatienceMs);
        QVERIFY(isExact());
        QCOMPARE(m_scene.part<QTreeView>("layoutFields")->model()->rowCount(), static_cast<int>(items().roots.size()));
        QVERIFY(m_scene.canvas()
                    .columns()[m_scene.inForce()]
                    .facts.join(QLatin1Char(' '))
                    .contains(QStringLiteral("picked")));
      }
      // Of the type itself nothing of that is known.
      m_scene.navigator.select({.object = {}, .methodTable = methodTable, .segment = {}});
      QTRY_COMPARE_WITH_TIMEOUT(items().end, open, kPatienceMs);
    }
  }

  void pickingATypeTellsTheNavigator() {
    QVERIFY(m_scene.showType("Shop.NestedStructs"));
    auto* table = m_scene.part<QTableView>("layoutTypes");
    QTRY_VERIFY_WITH_TIMEOUT(table->model()->rowCount() > 0, kPatienceMs);
    const int other = table->currentIndex().row() == 0 ? 1 : 0;
    table->setCurrentIndex(table->model()->index(other, 0));
    const QString name = table->model()->index(other, 0).data().toString();
    QTRY_COMPARE_WITH_TIMEOUT(m_scene.shownName(), name, kPatienceMs);
    QVERIFY(m_scene.navigator.location().selection.methodTable);
  }

  void filterFindsLoadedTypes() {
    auto* filter = m_scene.part<QLineEdit>("layoutTypeFilter");
    auto* table = m_scene.part<QTableView>("layoutTypes");
    QTest::keyClicks(filter, QStringLiteral("nestedstructs"));
    QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 1, kPatienceMs);
    QCOMPARE(table->model()->index(0, 0).data().toString(), QStringLiteral("Shop.NestedStructs"));
    filter->setText(QStringLiteral("no such type anywhere"));
    QTRY_VERIFY_WITH_TIMEOUT(!table->isVisible(), kPatienceMs);
    filter->clear();
    QTRY_VERIFY_WITH_TIMEOUT(table->isVisible() && table->model()->rowCount() > 500, kPatienceMs);
  }

  void withAFilterThatFindsNothingNothingSpins() {
    auto* filter = m_scene.part<QLineEdit>("layoutTypeFilter");
    m_scene.place.clear();
    filter->setText(QStringLiteral("no such type anywhere"));  // while the file is being opened
    m_scene.navigator.reset(PlaceId::Layouts);
    m_scene.place.showSnapshot(m_scene.snapshot());
    QTRY_VERIFY_WITH_TIMEOUT(!m_scene.part<QTableView>("layoutTypes")->isVisible(), kPatienceMs);
    QVERIFY(!gui::test::isLoading(m_scene.place));
    filter->setText(QStringLiteral("nestedstructs"));
    QTRY_COMPARE_WITH_TIMEOUT(m_scene.shownName(), QStringLiteral("Shop.NestedStructs"), kPatienceMs);
    filter->clear();
  }

  void aFilterOfTheLastFileIsDroppedUnlessItFindsSomething() {
    auto* filter = m_scene.part<QLineEdit>("layoutTypeFilter");
    auto* table = m_scene.part<QTableView>("layoutTypes");
    const auto showAnew = [&](const QString& text) {
      filter->setText(text);
      m_scene.place.clear();
      m_scene.navigator.reset(PlaceId::Layouts);
      m_scene.place.showSnapshot(m_scene.snapshot());
    };
    showAnew(QStringLiteral("no such type anywhere"));
    QTRY_VERIFY_WITH_TIMEOUT(table->isVisible() && table->model()->rowCount() > 500, kPatienceMs);
    QCOMPARE(filter->text(), QString());
    QTRY_VERIFY_WITH_TIMEOUT(!gui::test::isLoading(m_scene.place), kPatienceMs);
    showAnew(QStringLiteral("nestedstructs"));
    QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 1, kPatienceMs);
    QCOMPARE(filter->text(), QStringLiteral("nestedstructs"));
    QTRY_COMPARE_WITH_TIMEOUT(m_scene.shownName(), QStringLiteral("Shop.NestedStructs"), kPatienceMs);
    filter->clear();
    QTRY_VERIFY_WITH_TIMEOUT(table->model()->rowCount() > 500, kPatienceMs);
  }

  void whatBelongsTogetherInTheToolbarStandsOnOneLine() {
    QVERIFY(m_scene.showType("Shop.AutoClass"));
    QVERIFY2(!m_scene.part<QToolButton>("layoutOpenAll")->isVisible(), "there is nothing to open");
    auto* smaller = m_scene.part<QToolButton>("layoutSmaller");
    auto* larger = m_scene.part<QToolButton>("layoutLarger");
    QWidget* toolbar = smaller->parentWidget()->parentWidget();
    for (int width = 160; width < 600; width += 7) {
      toolbar->resize(width, 200);
      QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
      QCOMPARE(smaller->mapTo(toolbar, QPoint()).y(), larger->mapTo(toolbar, QPoint()).y());
      // An icon alone, before it would take a line of its own.
      const auto* copy = m_scene.part<QToolButton>("layoutCopyText");
      const bool isBelow = copy->y() > larger->mapTo(toolbar, QPoint()).y() + larger->height() / 2;
      const int leftBeside = width - 12 - larger->mapTo(toolbar, QPoint(larger->width(), 0)).x();
      if (isBelow) QVERIFY2(leftBeside < copy->height() + 16, qPrintable(QString::number(width)));
    }
    QVERIFY(m_scene.showType("Shop.Deep"));
    QVERIFY(m_scene.part<QToolButton>("layoutOpenAll")->isVisible());
  }

  void clickOnAValueOpensAndClosesIt() {
    QVERIFY(m_scene.showType("Shop.Deep"));
    auto* open = m_scene.part<QToolButton>("layoutOpenAll");
    auto* close = m_scene.part<QToolButton>("layoutCloseAll");
    close->click();
    QVERIFY(m_scene.boundsOf("middle").isValid());
    QVERIFY(m_scene.boundsOf("one").isEmpty());
    QTest::mouseClick(&m_scene.canvas(), Qt::LeftButton, {}, m_scene.boundsOf("middle").topLeft() + QPoint(8, 8));
    QVERIFY(m_scene.boundsOf("one").isValid());
    QVERIFY(m_scene.boundsOf("middle").contains(m_scene.boundsOf("one")));
    QTest::mouseClick(&m_scene.canvas(), Qt::LeftButton, {}, m_scene.boundsOf("middle").topLeft() + QPoint(8, 8));
    QVERIFY(m_scene.boundsOf("one").isEmpty());
    open->click();
    QVERIFY(m_scene.boundsOf("m").isValid());
  }

  void tableAndDiagramFollowEachOther() {
    QVERIFY(m_scene.showType("Shop.AutoClass"));
    auto* fields = m_scene.part<QTreeView>("layoutFields");
    QTest::mouseClick(&m_scene.canvas(), Qt::LeftButton, {}, m_scene.boundsOf("e").center());
    QCOMPARE(fields->currentIndex().siblingAtColumn(LayoutFieldsModel::FieldColumn).data().toString(),
             QStringLiteral("e"));
    fields->setCurrentIndex(fields->model()->index(0, 0));
    QCOMPARE(m_scene.selected().part, LayoutPart::Header);
  }

  void expandingInTheTableOpensInTheDiagram() {
    QVERIFY(m_scene.showType("Shop.Deep"));
    m_scene.part<QToolButton>("layoutCloseAll")->click();
    auto* fields = m_scene.part<QTreeView>("layoutFields");
    for (int row = 0; row < fields->model()->rowCount(); ++row) {
      const QModelIndex index = fields->model()->index(row, 0);
      if (fields->model()->hasChildren(index)) fields->expand(index);
    }
    QVERIFY(m_scene.boundsOf("one").isValid());
  }

  void valueTypeIsShownUnboxedAndBoxed() {
    QVERIFY(m_scene.showType("Shop.SequentialStruct"));
    auto* boxed = m_scene.part<QToolButton>("layoutBoxed");
    QVERIFY(boxed->isVisible());
    const auto boxes = m_scene.geometry().boxes.size();
    boxed->click();
    QCOMPARE(m_scene.geometry().rows.front().begin, std::int64_t{-8});
    QVERIFY(m_scene.geometry().boxes.size() > boxes);
    m_scene.part<QToolButton>("layoutUnboxed")->click();
    QVERIFY(m_scene.showType("Shop.AutoClass"));
    QVERIFY(!boxed->isVisible());
  }

  void barShowsOneLine() {
    QVERIFY(m_scene.showType("Shop.AutoClass"));
    QVERIFY(m_scene.geometry().rows.size() > 1);
    m_scene.part<QToolButton>("layoutBar")->click();
    QCOMPARE(m_scene.geometry().rows.size(), std::size_t{1});
    m_scene.part<QToolButton>("layoutRows")->click();
  }

  void keysWalkThroughTheBoxes() {
    QVERIFY(m_scene.showType("Shop.AutoClass"));
    QTest::keyClick(&m_scene.canvas(), Qt::Key_Down, Qt::ControlModifier);
    QTest::keyClick(&m_scene.canvas(), Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(m_scene.selected().part, LayoutPart::MethodTable);
  }

  void keysGoFromTypeToTypeWhileTheDiagramKeepsTheFocus() {
    QVERIFY(m_scene.showType("Shop.AutoClass"));
    auto* table = m_scene.part<QTableView>("layoutTypes");
    QTRY_VERIFY(table->currentIndex().isValid() && table->currentIndex().row() > 0);
    const int row = table->currentIndex().row();
    m_scene.canvas().setFocus();
    QTest::keyClick(&m_scene.canvas(), Qt::Key_Up);
    QCOMPARE(table->currentIndex().row(), row - 1);
    QTRY_COMPARE_WITH_TIMEOUT(m_scene.shownName(), table->model()->index(row - 1, 0).data().toString(), kPatienceMs);
    QCOMPARE(m_scene.canvas().window()->focusWidget(), static_cast<QWidget*>(&m_scene.canvas()));
    QTest::keyClick(&m_scene.canvas(), Qt::Key_Down);
    QCOMPARE(table->currentIndex().row(), row);
  }

  void whatCouldBeSavedOrdersTheTypesTheReadersOwnFirst() {
    const auto& rows = m_scene.types().rows();
    const auto at = [&](int line) -> const LayoutTypeRow& { return rows.list()->as<LayoutTypeRow>(rows.rowAt(line)); };
    QTRY_VERIFY_WITH_TIMEOUT(rows.rowCount() > 500 && at(0).savedBytes.has_value(), kPatienceMs);
    QCOMPARE(at(0).owner, engine::CodeOwner::Own);
    QVERIFY(*at(0).savedBytes > 0);
    for (int line = 1; line < rows.rowCount(); ++line) {
      QVERIFY(at(line - 1).owner <= at(line).owner);
      if (at(line - 1).owner == at(line).owner) QVERIFY(*at(line - 1).savedBytes >= *at(line).savedBytes);
    }
    QCOMPARE(at(rows.rowCount() - 1).owner, engine::CodeOwner::Framework);
  }

  void onlyTypesThatDifferAreListedOnDemand() {
    auto* differs = m_scene.part<QToolButton>("layoutTypesDiffer");
    const auto& rows = m_scene.types().rows();
    const auto lineOf = [&](const char* name) { return rows.lineAbout(m_scene.typeNamed(name)); };
    QTRY_VERIFY_WITH_TIMEOUT(lineOf("System.String") >= 0, kPatienceMs);
    const int all = rows.rowCount();
    differs->click();
    QTRY_VERIFY_WITH_TIMEOUT(rows.rowCount() > 0 && rows.rowCount() < all / 2, kPatienceMs);
    QCOMPARE(lineOf("System.String"), -1);  // laid out in one way alone
    QVERIFY(lineOf("Shop.SequentialClass") >= 0);
    for (int line = 0; line < rows.rowCount(); ++line)
      QVERIFY(rows.list()->as<LayoutTypeRow>(rows.rowAt(line)).differs);
    differs->click();
    QTRY_COMPARE_WITH_TIMEOUT(rows.rowCount(), all, kPatienceMs);
  }

  void aPinnedPictureHasTheSizesOfItsColumns() {
    QVERIFY(m_scene.showType("Shop.SequentialClass"));
    QTRY_VERIFY(m_scene.panel().columns().size() > 1);
    SideBySideCanvas& canvas = m_scene.canvas();
    const engine::ReviewPage page = picturePage(
        &canvas, [&](QPainter& painter, QSize) { canvas.paintPicture(painter); }, {}, PictureContents::None);
    const auto& picture = std::get<engine::ReviewPicture>(page.content);
    QVERIFY(picture.svg.find("on this heap") != std::string::npos);
    const auto& feet = *m_scene.part<ColumnFeet>("layoutFeet");
    QVERIFY(picture.height * 4 / 3 >= canvas.height() + feet.pinnedHeight());
  }

  void layoutIsCopiedAsText() {
    QVERIFY(m_scene.showType("Shop.AutoClass"));
    m_scene.part<QToolButton>("layoutCopyText")->click();
    const QString text = QGuiApplication::clipboard()->text();
    QVERIFY(text.contains(QStringLiteral("Shop.AutoClass\n")));
    QVERIFY(text.contains(QStringLiteral("object header")));
  }

  void missingTypeSaysWhy() {
    m_scene.navigator.select({{}, {0x1234}, {}});
    auto isFailed = [this] {
      for (const StatePanel* panel : m_scene.place.findChildren<StatePanel*>()) {
        if (panel->isVisible() && panel->state() == StatePanel::State::Failed) return true;
      }
      return false;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isFailed(), kPatienceMs);
    QVERIFY(m_scene.showType("Shop.AutoClass"));
    QTRY_VERIFY(m_scene.panel().isVisible());
  }

  void clearingDropsEverything() {
    m_scene.bridge.close();
    m_scene.place.clear();
    QCOMPARE(m_scene.part<QTableView>("layoutTypes")->model()->rowCount(), 0);
    QVERIFY(!m_scene.panel().isVisible());
  }

 private:
  gui::test::SettingsFolder m_settings;
  Scene m_scene;
};

HEAPSCAPE_WINDOW_TEST(LayoutsPlaceTest)
#include "tst_layouts_place.moc"
