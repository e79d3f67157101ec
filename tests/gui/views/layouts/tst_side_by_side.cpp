// SPDX-License-Identifier: MIT
// Layouts beside each other on a real dump, driven as a person does.
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTest>
#include <QToolButton>
#include <algorithm>

#include "support/settings_folder.h"
#include "support/window_test.h"
#include "views/layouts/advice_panel.h"
#include "views/layouts/array_strip.h"
#include "views/layouts/instance_panel.h"
#include "views/layouts/layouts_scene.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/hex_view/hex_view.h"
#include "widgets/text/elided_text.h"

using namespace heapscape;
using namespace heapscape::gui;
using engine::LayoutItem;
using engine::LayoutItems;
using engine::LayoutPart;

namespace {

using gui::test::kPatienceMs;

struct SideBySideScene : gui::test::LayoutsScene {
  bool open() { return PlaceScene::open(gui::test::dataFile(QStringLiteral("shop-10.core.zst"))); }

  InstancePanel& instance() { return *place.findChild<InstancePanel*>(); }
  const std::vector<DiagramColumn>& columns() { return canvas().columns(); }

  /// Until the type and all its rule sets are shown.
  bool showType(const char* name) {
    if (!typeNamed(name)) return false;
    navigator.showLayoutOf(typeNamed(name));
    return QTest::qWaitFor(
        [&] {
          return !panel().shown().columns.empty() && panel().shown().layout().typeName == name &&
                 !panel().shown().type.isNone();
        },
        kPatienceMs);
  }

  std::uint32_t fieldNamed(const char* name) {
    const LayoutItems& items = *columns().front().items;
    const auto found = std::ranges::find(items.items, name, &LayoutItem::name);
    return found == items.items.end()
               ? FieldMatches::kNone
               : canvas().matches().fieldOf(0, static_cast<std::uint32_t>(found - items.items.begin()));
  }

  void choose(const char* menu, const QString& text, bool isChosen) {
    for (QAction* action : part<QToolButton>(menu)->menu()->actions()) {
      if (action->text() == text) action->setChecked(isChosen);
    }
  }
};

}  // namespace

class SideBySideTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    QVERIFY(m_settings.isValid());
    QVERIFY(m_scene.open());
  }

  void whatComesToTheSameIsDrawnOnce() {
    QVERIFY(m_scene.showType("Shop.SequentialStruct"));
    const PreparedLayout& shown = m_scene.panel().shown();
    QVERIFY(shown.columns.size() >= 4);
    QVERIFY(m_scene.columns().size() < m_scene.panel().chosenColumns().size());
    QVERIFY(m_scene.columns().front().title.startsWith(QStringLiteral("Actual")));
    QVERIFY(m_scene.columns().front().title.contains(QStringLiteral("Declared")));
  }

  void columnsAreSwitchedOnAndOff() {
    QVERIFY(m_scene.showType("Shop.SequentialStruct"));
    const std::size_t chosen = m_scene.panel().chosenColumns().size();
    auto* chip = m_scene.part<QToolButton>("layoutColumnAuto");
    QVERIFY(chip && chip->isVisible() && !chip->isChecked());
    chip->click();
    QCOMPARE(m_scene.panel().chosenColumns().size(), chosen + 1);
    const auto isAuto = [](const DiagramColumn& column) { return column.title.contains(QStringLiteral("Auto")); };
    QVERIFY(std::ranges::any_of(m_scene.columns(), isAuto));
    m_scene.part<QToolButton>("layoutColumnAuto")->click();
    QCOMPARE(m_scene.panel().chosenColumns().size(), chosen);
  }

  void bestSavesWhatItsHeadSays() {
    QVERIFY(m_scene.showType("Shop.SequentialStruct"));
    QCOMPARE(m_scene.columns().size(), std::size_t{2});
    const LayoutItems& actual = *m_scene.columns()[0].items;
    const LayoutItems& best = *m_scene.columns()[1].items;
    const std::int64_t saved = (actual.end - actual.begin) - (best.end - best.begin);
    QVERIFY(saved > 0);
    QVERIFY(m_scene.columns()[1].facts.contains(QStringLiteral("saves %1 B a value").arg(saved)));
    QVERIFY(!m_scene.canvas().geometry().curves.empty());
  }

  void arraysCountByTheElement() {
    QVERIFY(m_scene.showType("Shop.SequentialStruct[]"));
    QTRY_COMPARE_WITH_TIMEOUT(m_scene.columns().size(), std::size_t{2}, kPatienceMs);
    QCOMPARE(m_scene.columns()[0].figure, QStringLiteral("24 B an element"));
    const DiagramColumn& best = m_scene.columns()[1];
    QCOMPARE(best.figure, QStringLiteral("16 B an element"));
    const QString padding = best.facts.first();
    QVERIFY2(padding.startsWith(QStringLiteral("4 B padding")) && padding.endsWith(QStringLiteral("of 16 B")),
             qPrintable(padding));
    QVERIFY(best.facts.contains(QStringLiteral("saves 8 B an element")));
    QVERIFY(best.facts.contains(QStringLiteral("56 B in 2 arrays")));  // of 7 elements in all
    QVERIFY(best.isGain);
    int headings = 0;
    for (const QLabel* label : m_scene.panel().findChild<AdvicePanel*>()->findChildren<QLabel*>()) {
      QVERIFY2(!label->text().contains(QStringLiteral("an object")), qPrintable(label->text()));
      QVERIFY2(!label->text().contains(QStringLiteral("every value")), qPrintable(label->text()));
      headings += label->text() == QStringLiteral("Saves 8 B an element") ? 1 : 0;
    }
    QVERIFY(headings > 0);
  }

  void whatIsDeclaredStaysSoInEveryColumn() {
    QVERIFY(m_scene.showType("Shop.SequentialStruct"));
    auto* chip = m_scene.part<QToolButton>("layoutColumnAuto");
    if (!chip->isChecked()) chip->click();
    m_scene.part<QToolButton>("layoutCopyText")->click();
    const QString text = QGuiApplication::clipboard()->text();
    QVERIFY2(text.contains(QStringLiteral("declared sequential, laid out auto")), qPrintable(text));
    m_scene.part<QToolButton>("layoutColumnAuto")->click();
  }

  void separatedTypesAreToldSo() {
    PreparedLayout padded = m_scene.panel().shown();
    padded.best.separation = "Separated on purpose, for processors' caches: its name says so.";
    padded.best.means = engine::AdviceKind::NothingToGain;
    AdvicePanel panel;
    panel.show(padded, {});
    QVERIFY(panel.findChildren<QLabel*>().isEmpty());  // nobody sees it yet
    panel.setVisible(true);
    QStringList texts;
    for (const QLabel* label : panel.findChildren<QLabel*>()) texts << label->text();
    QVERIFY(texts.contains(QStringLiteral("Separated on purpose")));
    QVERIFY(texts.contains(QString::fromStdString(padded.best.separation)));
    QVERIFY(!texts.contains(QStringLiteral("Nothing to gain")));
  }

  void selectionIsFollowedInAllColumns() {
    QVERIFY(m_scene.showType("Shop.SequentialStruct"));
    QVERIFY(!m_scene.canvas().geometry().curves.empty());
    const FieldCurve& curve = m_scene.canvas().geometry().curves.front();
    const QRect right = m_scene.canvas().boundsOf(1, curve.field);
    QVERIFY(right.isValid());
    QTest::mouseClick(&m_scene.canvas(), Qt::LeftButton, {}, right.center());
    QCOMPARE(m_scene.canvas().selected(), curve.field);
    QVERIFY(m_scene.canvas().boundsOf(0, curve.field).isValid());
    const SideBySideCanvas& canvas = m_scene.canvas();
    QCOMPARE(canvas.itemText(canvas.currentItem().value()).facts.first(), m_scene.columns()[1].title);
  }

  void selectedFieldSaysWhyItLiesThere() {
    QVERIFY(m_scene.showType("Shop.SequentialStruct"));
    const FieldCurve curve = m_scene.canvas().geometry().curves.front();
    QTest::mouseClick(&m_scene.canvas(), Qt::LeftButton, {}, m_scene.canvas().boundsOf(0, curve.field).center());
    auto* why = m_scene.part<QWidget>("layoutWhy");
    QTRY_VERIFY(why->findChildren<QLabel*>().size() >= 3);  // a heading, and a reason for each column
  }

  void fieldThatPreventsTheDeclaredOrderIsShown() {
    QVERIFY(m_scene.showType("Shop.AsksSequential"));
    auto* show = m_scene.part<QPushButton>("layoutObstacle");
    QVERIFY(show);
    show->click();
    const std::uint32_t item = m_scene.canvas().matches().itemOf(0, m_scene.canvas().selected());
    QVERIFY(item != LayoutItem::kNoItem);
    QCOMPARE((*m_scene.columns().front().items)[item].name, std::string("s"));
  }

  void valuesOpenInAllColumnsTogether() {
    QVERIFY(m_scene.showType("Shop.Deep"));
    m_scene.part<QToolButton>("layoutCloseAll")->click();
    const std::uint32_t inner = m_scene.fieldNamed("one");
    QVERIFY(inner != FieldMatches::kNone);
    m_scene.part<QToolButton>("layoutOpenAll")->click();
    for (std::size_t column = 0; column < m_scene.columns().size(); ++column) {
      QVERIFY(m_scene.canvas().boundsOf(column, inner).isValid());
    }
  }

  void packIsAColumnOnDemand() {
    QVERIFY(m_scene.showType("Shop.SequentialStruct"));
    m_scene.choose("layoutPack", QStringLiteral("Pack 1"), true);
    const auto isPack = [](const DiagramColumn& column) { return column.title.contains(QStringLiteral("Pack 1")); };
    QTRY_VERIFY_WITH_TIMEOUT(std::ranges::any_of(m_scene.columns(), isPack), kPatienceMs);
    const auto pack = std::ranges::find_if(m_scene.columns(), isPack);
    const auto hasPadding = [](const LayoutItem& item) { return item.part == LayoutPart::Padding; };
    QVERIFY(std::ranges::none_of(pack->items->items, hasPadding));
    m_scene.choose("layoutPack", QStringLiteral("Pack 1"), false);
    QVERIFY(std::ranges::none_of(m_scene.columns(), isPack));
  }

  void anotherRuntimeIsAColumnOnDemand() {
    QVERIFY(m_scene.showType("Shop.SequentialStruct"));
    m_scene.choose("layoutRuntime", QStringLiteral(".NET 8"), true);
    const auto isRuntime = [](const DiagramColumn& column) { return column.title.contains(QStringLiteral(".NET 8")); };
    QTRY_VERIFY_WITH_TIMEOUT(std::ranges::any_of(m_scene.columns(), isRuntime), kPatienceMs);
    m_scene.choose("layoutRuntime", QStringLiteral(".NET 8"), false);
  }

  void barsStandBelowEachOther() {
    QVERIFY(m_scene.showType("Shop.SequentialStruct"));
    m_scene.part<QToolButton>("layoutBar")->click();
    const auto& columns = m_scene.canvas().geometry().columns;
    QCOMPARE(columns.size(), std::size_t{2});
    QCOMPARE(columns[0].bytes.left(), columns[1].bytes.left());
    QVERIFY(columns[1].bytes.top() > columns[0].bytes.bottom());
    m_scene.part<QToolButton>("layoutRows")->click();
  }

  void bestDeclarationIsCopied() {
    QVERIFY(m_scene.showType("Shop.SequentialStruct"));
    auto* code = m_scene.part<QPlainTextEdit>("layoutDeclaration");
    QVERIFY(code && code->toPlainText().contains(QStringLiteral("struct SequentialStruct")));
    m_scene.part<QToolButton>("layoutCopyDeclaration")->click();
    QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("struct SequentialStruct")));
  }

  void arraysAreToldOfValueTypesAlone() {
    QVERIFY(m_scene.showType("Shop.SequentialStruct"));
    auto* strip = m_scene.place.findChild<ArrayStrip*>();
    QVERIFY(!strip->lines().empty());
    QCOMPARE(strip->lines().front().elements.stride,
             static_cast<std::int64_t>(*m_scene.panel().shown().layout().valueSize));
    QVERIFY(m_scene.showType("Shop.AutoClass"));
    QVERIFY(strip->lines().empty());
  }

  void anObjectsBytesFollowTheSelection() {
    QVERIFY(m_scene.showType("Shop.AutoClass"));
    QTRY_VERIFY_WITH_TIMEOUT(m_scene.instance().shown(), kPatienceMs);
    auto* tabs = m_scene.part<QTabWidget>("layoutDetails");
    tabs->setCurrentWidget(&m_scene.instance());
    auto* hex = m_scene.place.findChild<ObjectHexView*>();
    const std::uint32_t field = m_scene.fieldNamed("e");
    QTest::mouseClick(&m_scene.canvas(), Qt::LeftButton, {}, m_scene.canvas().boundsOf(0, field).center());
    const LayoutItem& item = (*m_scene.columns()[0].items)[m_scene.canvas().matches().itemOf(0, field)];
    QCOMPARE(hex->selected(), (ByteSpan{item.begin, item.end}));
    QTRY_VERIFY(m_scene.part<ElidedText>("layoutInstanceValue")->text().startsWith(QStringLiteral("e = ")));
    tabs->setCurrentIndex(0);
  }

  void objectsOfTheTypeAreSteppedThrough() {
    QVERIFY(m_scene.showType("System.String"));
    QTRY_VERIFY_WITH_TIMEOUT(m_scene.instance().shown(), kPatienceMs);
    const engine::Address first = m_scene.instance().shown();
    QVERIFY(!m_scene.part<QToolButton>("layoutInstanceBefore")->isEnabled());
    m_scene.part<QToolButton>("layoutInstanceAfter")->click();
    QTRY_VERIFY_WITH_TIMEOUT(m_scene.instance().shown() != first, kPatienceMs);
    m_scene.part<QToolButton>("layoutInstanceBefore")->click();
    QTRY_VERIFY_WITH_TIMEOUT(m_scene.instance().shown() == first, kPatienceMs);
  }

  void pictureOfAllColumnsIsSaved() {
    QVERIFY(m_scene.showType("Shop.SequentialStruct"));
    SideBySideCanvas& canvas = m_scene.canvas();
    const QString path = m_settings.filePath(QStringLiteral("layout.svg"));
    QVERIFY(writePictureSvg(
        &canvas, [&canvas](QPainter& painter, QSize) { canvas.paintPicture(painter); }, path));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray svg = file.readAll();
    for (const DiagramColumn& column : m_scene.columns()) QVERIFY(svg.contains(column.facts.first().toUtf8()));
  }

  void textHasEveryColumn() {
    QVERIFY(m_scene.showType("Shop.SequentialStruct"));
    m_scene.part<QToolButton>("layoutCopyText")->click();
    const QString text = QGuiApplication::clipboard()->text();
    QCOMPARE(text.count(QStringLiteral("Shop.SequentialStruct\n")), qsizetype{2});
    QVERIFY(text.contains(QStringLiteral("Best\n")));
  }

  void pagesAreStepsOfTheHistory() {
    QVERIFY(m_scene.showType("Shop.AutoClass"));
    auto* pages = m_scene.part<QTabWidget>("layoutsPages");
    m_scene.navigator.showLayouts(LayoutsPage::Waste);
    QCOMPARE(pages->currentIndex(), 1);
    m_scene.navigator.showLayoutOf(m_scene.navigator.location().selection.methodTable);
    QCOMPARE(pages->currentIndex(), 0);
    m_scene.navigator.back();
    QCOMPARE(pages->currentIndex(), 1);
  }

 private:
  gui::test::SettingsFolder m_settings;
  SideBySideScene m_scene;
};

HEAPSCAPE_WINDOW_TEST(SideBySideTest)
#include "tst_side_by_side.moc"
