// SPDX-License-Identifier: MIT
// What a screen reader finds in the painted pictures of the real window, and how keys go through them.
#include <QAbstractScrollArea>
#include <QAccessible>
#include <QContextMenuEvent>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTest>
#include <algorithm>
#include <memory>
#include <set>

#include "app/place_info.h"
#include "support/dumps.h"
#include "support/window_driver.h"
#include "support/window_test.h"
#include "views/segments/segment_map.h"
#include "widgets/accessible/picture_items.h"
#include "widgets/treemap/treemap.h"

namespace heapscape::gui {

namespace {

constexpr int kMostChildren = 60;  // of a picture that are looked at

/// The item that a screen reader finds to have the focus; -1 for none.
int focusedItem(QWidget& picture) {
  QAccessibleInterface* list = QAccessible::queryAccessibleInterface(&picture);
  QAccessibleInterface* child = list->focusChild();
  return child && child->state().focused && child->state().selected ? list->indexOfChild(child) : -1;
}

bool takesFocus(QWidget& picture) {
  picture.window()->activateWindow();
  picture.setFocus(Qt::TabFocusReason);
  return QTest::qWaitFor([&picture] { return picture.hasFocus(); });
}

QWidget& surface(QWidget& picture) {
  auto* area = qobject_cast<QAbstractScrollArea*>(&picture);
  return area ? *area->viewport() : picture;
}

std::vector<QWidget*> picturesIn(QWidget& place) {
  std::vector<QWidget*> pictures;
  for (QWidget* part : place.findChildren<QWidget*>()) {
    if (part->isVisible() && pictureItemsOf(part)) pictures.push_back(part);
  }
  return pictures;
}

/// A picture of two groups, for what has to be known exactly.
std::vector<TreemapPart> groups() {
  const auto part = [](const char* name, std::uint64_t bytes) {
    return TreemapPart{.name = QString::fromLatin1(name), .bytes = bytes, .facts = {QStringLiteral("a fact")}};
  };
  TreemapPart large{
      .name = QStringLiteral("Large"), .bytes = 3000, .parts = {part("first", 2000), part("second", 1000)}};
  return {large, part("Small", 1000)};
}

}  // namespace

class PictureItemsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void aPictureIsAListOfItsItems();
  void anItemSaysWhereItIs();
  void anItemIsPressedAndGoneTo();
  void whatIsGoneIsNotValid();
  void keysGoFromItemToItem();
  void theMenuOpensAtTheCurrentItem();
  void everyPictureOfAPlaceHasItems_data();
  void everyPictureOfAPlaceHasItems();
  void noPictureWasForgotten();
  void keysLeadToSegmentsAndTheirObjects();
  void cleanupTestCase();

 private:
  bool comesToRest();
  void lookAt(QWidget& place);
  void lookAtPicture(QWidget& picture);
  void walk(QWidget& picture, PictureItems& items);

  std::unique_ptr<test::WindowDriver> m_driver;
  std::set<QString> m_names;  // of the pictures that were looked at
};

void PictureItemsTest::initTestCase() {
  m_driver = std::make_unique<test::WindowDriver>();
  QVERIFY(m_driver->openAndWait(test::dataFile(QStringLiteral("shop-10.core.zst"))));
  m_driver->window().navigator().select(m_driver->someObject());
}

void PictureItemsTest::cleanupTestCase() {
  m_driver.reset();
}

void PictureItemsTest::aPictureIsAListOfItsItems() {
  Treemap treemap(QStringLiteral("Shares"), QStringLiteral("shares"));
  treemap.resize(400, 300);
  treemap.setGroups(groups());
  QAccessibleInterface* list = QAccessible::queryAccessibleInterface(&treemap);
  QVERIFY(list);
  QCOMPARE(list->role(), QAccessible::List);
  QCOMPARE(list->text(QAccessible::Name), QStringLiteral("Shares"));
  QCOMPARE(list->childCount(), 4);
  QStringList names;
  for (int item = 0; item < 4; ++item) {
    QAccessibleInterface* child = list->child(item);
    QCOMPARE(child->role(), QAccessible::ListItem);
    QCOMPARE(child->parent(), list);
    QCOMPARE(list->indexOfChild(child), item);
    QCOMPARE(list->child(item), child);
    names << child->text(QAccessible::Name);
  }
  names.sort();
  QCOMPARE(names, QStringList({QStringLiteral("Large"), QStringLiteral("Large › first"),
                               QStringLiteral("Large › second"), QStringLiteral("Small")}));
  QVERIFY(!list->child(4));
  QVERIFY(!list->child(-1));
}

void PictureItemsTest::anItemSaysWhereItIs() {
  Treemap treemap(QStringLiteral("Shares"), QStringLiteral("shares"));
  treemap.resize(400, 300);
  treemap.setGroups(groups());
  treemap.show();
  QAccessibleInterface* list = QAccessible::queryAccessibleInterface(&treemap);
  const QRect whole(treemap.mapToGlobal(QPoint()), treemap.size());
  for (int item = 0; item < list->childCount(); ++item) {
    const QAccessibleInterface* child = list->child(item);
    QVERIFY(whole.contains(child->rect()));
    QVERIFY(!child->state().invisible);
    // Inside of a group lie its parts.
    const QAccessibleInterface* found = list->childAt(child->rect().center().x(), child->rect().center().y());
    QVERIFY(found && child->rect().contains(found->rect()));
    QVERIFY(child->text(QAccessible::Description).contains(QStringLiteral("of all")));
  }
  QVERIFY(!list->childAt(whole.right() + 20, whole.top()));
}

void PictureItemsTest::anItemIsPressedAndGoneTo() {
  Treemap treemap(QStringLiteral("Shares"), QStringLiteral("shares"));
  treemap.resize(400, 300);
  treemap.setGroups(groups());
  QAccessibleInterface* list = QAccessible::queryAccessibleInterface(&treemap);
  QAccessibleInterface* small = nullptr;
  for (int item = 0; item < list->childCount(); ++item) {
    if (list->child(item)->text(QAccessible::Name) == QStringLiteral("Small")) small = list->child(item);
  }
  QVERIFY(small);
  QAccessibleActionInterface* actions = small->actionInterface();
  QVERIFY(actions->actionNames().contains(QAccessibleActionInterface::pressAction()));
  QVERIFY(!small->state().selected);
  actions->doAction(QAccessibleActionInterface::setFocusAction());
  QVERIFY(small->state().selected);
  QCOMPARE(treemap.marked()->group, std::size_t{1});
  QSignalSpy activated(&treemap, &Treemap::activated);
  actions->doAction(QAccessibleActionInterface::pressAction());
  QCOMPARE(activated.size(), 1);
}

void PictureItemsTest::whatIsGoneIsNotValid() {
  auto treemap = std::make_unique<Treemap>(QStringLiteral("Shares"), QStringLiteral("shares"));
  treemap->resize(400, 300);
  treemap->setGroups(groups());
  QAccessibleInterface* last = QAccessible::queryAccessibleInterface(treemap.get())->child(3);
  const QAccessible::Id id = QAccessible::uniqueId(last);
  QVERIFY(last->isValid());
  treemap->setGroups({groups().back()});
  QVERIFY(!last->isValid());
  QVERIFY(last->rect().isEmpty() && last->text(QAccessible::Name).isEmpty());
  last->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
  treemap.reset();
  QVERIFY(!QAccessible::accessibleInterface(id));
}

void PictureItemsTest::keysGoFromItemToItem() {
  Treemap treemap(QStringLiteral("Shares"), QStringLiteral("shares"));
  treemap.resize(400, 300);
  treemap.setGroups(groups());
  treemap.show();
  QVERIFY(takesFocus(treemap));
  QCOMPARE(focusedItem(treemap), -1);
  for (const Qt::Key key : {Qt::Key_Home, Qt::Key_End, Qt::Key_Left}) {
    const auto before = treemap.currentItem();
    QTest::keyClick(&treemap, key);
    QVERIFY(treemap.currentItem() != before);
    QCOMPARE(focusedItem(treemap), static_cast<int>(*treemap.currentItem()));
  }
  treemap.clearFocus();
  QCOMPARE(focusedItem(treemap), -1);
}

void PictureItemsTest::theMenuOpensAtTheCurrentItem() {
  Treemap treemap(QStringLiteral("Shares"), QStringLiteral("shares"));
  treemap.resize(400, 300);
  treemap.setGroups(groups());
  treemap.show();
  treemap.goToItem(treemap.itemCount() - 1);
  QPoint asked;
  connect(&treemap, &QWidget::customContextMenuRequested, this, [&asked](QPoint at) { asked = at; });
  const QPoint middle = treemap.rect().center();
  QContextMenuEvent menu(QContextMenuEvent::Keyboard, middle, treemap.mapToGlobal(middle));
  QCoreApplication::sendEvent(&treemap, &menu);
  QCOMPARE(asked, treemap.itemRect(treemap.itemCount() - 1).center().toPoint());
  if (QWidget* popup = QApplication::activePopupWidget()) popup->close();
}

void PictureItemsTest::everyPictureOfAPlaceHasItems_data() {
  QTest::addColumn<PlaceId>("place");
  for (const QString& name : placeNames()) {
    const PlaceId place = *placeByName(name);
    if (place != PlaceId::Start && place != PlaceId::Compare && place != PlaceId::Review)
      QTest::addRow("%s", qPrintable(name)) << place;
  }
}

void PictureItemsTest::everyPictureOfAPlaceHasItems() {
  QFETCH(PlaceId, place);
  m_driver->window().navigator().select(
      m_driver->someObject());  // what was looked at before may have led to something else
  QVERIFY(m_driver->show(place));
  QVERIFY(comesToRest());
  lookAt(*m_driver->window().place(place));
}

// Lists ask the engine after a short rest, and what moves needs its time.
bool PictureItemsTest::comesToRest() {
  QTest::qWait(200);
  const bool isAtRest = QTest::qWaitFor([this] { return m_driver->window().bridge().isAtRest(); }, test::kPatienceMs);
  QTest::qWait(200);
  return isAtRest;
}

// All pages of a place, and of pages on them.
void PictureItemsTest::lookAt(QWidget& place) {
  for (QWidget* picture : picturesIn(place)) {
    lookAtPicture(*picture);
    if (QTest::currentTestFailed()) return;
  }
  for (QTabWidget* tabs : place.findChildren<QTabWidget*>()) {
    const int before = tabs->currentIndex();
    for (int tab = 0; tab < tabs->count(); ++tab) {
      if (!tabs->isVisible() || !tabs->isTabVisible(tab) || tab == before) continue;
      tabs->setCurrentIndex(tab);
      QTRY_VERIFY(!test::isLoading(place));
      QVERIFY(comesToRest());
      lookAt(*tabs->widget(tab));
      if (QTest::currentTestFailed()) return;
    }
    tabs->setCurrentIndex(before);
  }
}

void PictureItemsTest::lookAtPicture(QWidget& picture) {
  PictureItems& items = *pictureItemsOf(&picture);
  QAccessibleInterface* list = QAccessible::queryAccessibleInterface(&picture);
  const QString name = list->text(QAccessible::Name);
  const QString which = QStringLiteral("%1 (%2)").arg(name, QLatin1String(picture.metaObject()->className()));
  QVERIFY2(!name.isEmpty(), picture.metaObject()->className());
  QCOMPARE(list->role(), QAccessible::List);
  QCOMPARE(list->childCount(), static_cast<int>(items.itemCount()));
  if (list->childCount() == 0) return;
  m_names.insert(name);
  const QWidget& shown = surface(picture);
  const QRect whole(shown.mapToGlobal(QPoint()), shown.size());
  int seen = 0;
  for (int child = 0; child < std::min(list->childCount(), kMostChildren); ++child) {
    const QAccessibleInterface* item = list->child(child);
    QVERIFY2(!item->text(QAccessible::Name).isEmpty(), qPrintable(which));
    QVERIFY2(!item->text(QAccessible::Description).isEmpty(), qPrintable(which + item->text(QAccessible::Name)));
    const QRect rect = item->rect();
    constexpr int kLeastSide = 4;  // smaller ones may have no pixel of their own
    if (rect.width() < kLeastSide || rect.height() < kLeastSide || !whole.contains(rect.center())) continue;
    ++seen;
    const QAccessibleInterface* found = list->childAt(rect.center().x(), rect.center().y());
    QVERIFY2(found && found->rect().contains(rect.center()), qPrintable(which));
  }
  QVERIFY2(seen > 0, qPrintable(which));
  if (picture.focusPolicy() != Qt::NoFocus) walk(picture, items);
}

// Each key either leads to an item, which then has the focus and looks different, or stays.
void PictureItemsTest::walk(QWidget& picture, PictureItems& items) {
  const QString which = QLatin1String(picture.metaObject()->className());
  QVERIFY2(takesFocus(picture), qPrintable(which));
  std::set<std::size_t> visited;
  for (const Qt::Key key : {Qt::Key_Down, Qt::Key_Down, Qt::Key_Right, Qt::Key_Down, Qt::Key_Right, Qt::Key_End}) {
    QTest::keyClick(&picture, key);
    QTest::qWait(30);
    const auto current = items.currentItem();
    if (!current) continue;
    visited.insert(*current);
    // What is picked may lead the focus elsewhere.
    if (!picture.hasFocus()) return;
    QCOMPARE(focusedItem(picture), static_cast<int>(*current));
  }
  QVERIFY2(!visited.empty(), qPrintable(which));
  if (items.itemCount() > 1) QVERIFY2(visited.size() > 1 || items.currentItem(), qPrintable(which));
  const QImage with = surface(picture).grab().toImage();
  picture.clearFocus();
  QTest::qWait(30);
  QVERIFY2(with != surface(picture).grab().toImage(), qPrintable(QStringLiteral("no focus is seen: ") + which));
}

void PictureItemsTest::noPictureWasForgotten() {
  for (const char* name :
       {"Bytes by generation", "Reference graph", "Segment map", "Layout diagram", "Dominators as an icicle", "Bytes",
        "Bits of the object header", "Object, method table and EEClass"}) {
    QVERIFY2(m_names.contains(QString::fromLatin1(name)),
             qPrintable(QString::fromLatin1(name) + QStringLiteral(" is not among ") +
                        QStringList(m_names.begin(), m_names.end()).join(QStringLiteral(", "))));
  }
}

void PictureItemsTest::keysLeadToSegmentsAndTheirObjects() {
  QVERIFY(m_driver->show(PlaceId::Segments));
  auto* map = m_driver->window().place(PlaceId::Segments)->findChild<SegmentMap*>();
  QVERIFY(takesFocus(*map));
  QTest::keyClick(map, Qt::Key_Down);
  QAccessibleInterface* list = QAccessible::queryAccessibleInterface(map);
  QCOMPARE(focusedItem(*map), static_cast<int>(*map->currentLane()));
  QVERIFY(list->focusChild()->text(QAccessible::Description).contains(QStringLiteral("committed")));
  const auto before = map->markedObject();
  QTest::keyClick(map, Qt::Key_Right, Qt::ControlModifier);
  QTRY_VERIFY(map->markedObject() && (!before || map->markedObject()->address != before->address));
  QTRY_COMPARE(focusedItem(*map), static_cast<int>(map->state().lanes().size()));
  QVERIFY(list->focusChild()->text(QAccessible::Description).contains(QStringLiteral("heap")));
}

HEAPSCAPE_WINDOW_TEST(PictureItemsTest)

}  // namespace heapscape::gui

#include "tst_picture_items.moc"
