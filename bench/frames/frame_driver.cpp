// SPDX-License-Identifier: MIT
#include "frames/frame_driver.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QApplication>
#include <QButtonGroup>
#include <QComboBox>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QHeaderView>
#include <QLineEdit>
#include <QPointer>
#include <QScrollBar>
#include <QTabBar>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>
#include <QWheelEvent>
#include <QWindow>
#include <array>

#include "app/place_info.h"
#include "query/objects/object_search.h"
#include "views/compare/compare_place.h"

namespace heapscape::bench {

using gui::Location;
using gui::PlaceId;

namespace {

constexpr int kStepMs = 20;  // between two steps of a hand
constexpr int kRestMs = 240;
constexpr int kLookEachMs = 20;
constexpr int kPatienceMs = 60'000;
constexpr int kWheelSteps = 12;
constexpr auto kTyped = "string";

constexpr std::array kPlaces = {PlaceId::Overview,    PlaceId::Insights, PlaceId::Memory,  PlaceId::Segments,
                                PlaceId::Generations, PlaceId::Types,    PlaceId::Layouts, PlaceId::References,
                                PlaceId::Object,      PlaceId::Runtime,  PlaceId::Roots,   PlaceId::Threads,
                                PlaceId::Findings,    PlaceId::Console,  PlaceId::Compare, PlaceId::Review};

template <class Kind>
std::vector<QPointer<Kind>> seen(QWidget& page) {
  std::vector<QPointer<Kind>> all;
  for (Kind* part : page.findChildren<Kind*>()) {
    if (part->isVisible() && part->isEnabled() && part->width() > 40 && part->height() > 12) all.push_back(part);
  }
  return all;
}

// What is painted by the program itself takes the wheel as a zoom.
bool isPicture(const QWidget& part) {
  const QByteArray name = part.metaObject()->className();
  for (const char* kind :
       {"SegmentLane", "Icicle", "Treemap", "Sunburst", "Canvas", "Picture", "Diagram", "Chart", "Map"}) {
    if (name.contains(kind) && !part.inherits("QAbstractItemView")) return true;
  }
  return false;
}

}  // namespace

void FrameDriver::wait(int milliseconds) {
  QEventLoop loop;
  QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
  loop.exec();
}

void FrameDriver::settle() {
  QElapsedTimer patience;
  patience.start();
  int resting = 0;
  while (resting < kRestMs && patience.elapsed() < kPatienceMs) {
    wait(kLookEachMs);
    resting = m_window.bridge().isAtRest() ? resting + kLookEachMs : 0;
  }
}

void FrameDriver::measure(const QString& where, const QString& what, const std::function<void()>& act) {
  settle();
  m_meter.take();
  act();
  settle();
  m_told({where, what, m_meter.take()});
}

void FrameDriver::run(const QString& dump, const QString& only, const QString& other) {
  settle();
  m_told({QStringLiteral("window"), QStringLiteral("first shown"), m_meter.take()});
  open(dump);
  const engine::Snapshot* snapshot = m_window.bridge().snapshot();
  if (!snapshot || !snapshot->has(engine::Stage::Retained)) return;
  std::vector<PlaceId> places;
  for (PlaceId place : kPlaces) {
    if (only.isEmpty() || gui::placeName(place) == only) places.push_back(place);
  }
  for (PlaceId place : places) {
    measure(gui::placeName(place), QStringLiteral("first shown"), [&] { m_window.navigator().goTo(place); });
  }
  for (PlaceId place : places) {
    measure(gui::placeName(place), QStringLiteral("shown again"), [&] { m_window.navigator().goTo(place); });
  }
  // Something that every place can show.
  engine::ObjectSearch search;
  search.sortBy = engine::referenceTo(engine::ObjectField::Retained);
  search.limit = 1;
  const auto found = engine::findObjects(*snapshot, search, nullptr, {});
  if (!found || found->rows.empty()) return;
  Location location;
  location.selection.object = found->rows.front().row.address;
  location.selection.methodTable = snapshot->types()[found->rows.front().row.type.value].methodTable;
  if (!other.isEmpty()) compare(other);
  for (PlaceId place : places) {
    location.place = place;
    visit(location, gui::placeName(place));
  }
  measure(QStringLiteral("segments"), QStringLiteral("a type on it"), [&] {
    m_window.navigator().showInSegments({.object = {}, .methodTable = location.selection.methodTable, .segment = {}});
  });
  measure(QStringLiteral("types › Objects"), QStringLiteral("garbage"), [&] { m_window.navigator().showGarbage(); });
  measure(QStringLiteral("window"), QStringLiteral("theme"), [&] {
    for (gui::Theme theme : {gui::Theme::Dark, gui::Theme::Light}) {
      m_window.setTheme(theme);
      wait(kRestMs);
    }
  });
  measure(QStringLiteral("window"), QStringLiteral("closing"), [&] { m_window.bridge().close(); });
}

void FrameDriver::compare(const QString& other) {
  auto& place = static_cast<gui::ComparePlace&>(*m_window.place(PlaceId::Compare));
  m_window.navigator().goTo(PlaceId::Compare);
  measure(QStringLiteral("compare"), QStringLiteral("comparing"), [&] { place.compareWith(other); });
  auto* swap = place.findChild<QAbstractButton*>(QStringLiteral("comparisonSwap"));
  if (swap) measure(QStringLiteral("compare"), QStringLiteral("swapping"), [&] { swap->click(); });
}

void FrameDriver::open(const QString& dump) {
  measure(QStringLiteral("window"), QStringLiteral("opening"), [&] {
    QElapsedTimer opening;
    opening.start();
    m_window.open(dump);
    while (!m_window.bridge().snapshot() || !m_window.bridge().isAtRest()) wait(1);
    m_openedMs = static_cast<double>(opening.nsecsElapsed()) / 1e6;
  });
}

void FrameDriver::visit(const Location& location, const QString& where) {
  m_window.navigator().go(location);
  settle();
  QWidget& page = *m_window.place(location.place);
  useTabs(page, where, 0);
  measure(where, QStringLiteral("resizing"), [&] { resize(); });
}

void FrameDriver::useTabs(QWidget& page, const QString& where, int depth) {
  std::vector<QPointer<QTabBar>> bars = seen<QTabBar>(page);
  if (bars.empty() || depth > 2) return use(page, where);
  QTabBar& bar = *bars.front();
  for (int tab = 0; tab < bar.count(); ++tab) {
    const QString name = where + QStringLiteral(" › ") + bar.tabText(tab);
    if (!bar.isTabEnabled(tab) || !bar.isVisible()) continue;
    const QPoint point = bar.tabRect(tab).center();
    measure(name, QStringLiteral("shown"), [&] { QTest::mouseClick(&bar, Qt::LeftButton, {}, point); });
    use(page, name);
  }
}

void FrameDriver::use(QWidget& page, const QString& where) {
  measure(where, QStringLiteral("pointer"), [&] { leadPointerOver(page); });
  measure(where, QStringLiteral("scrolling"), [&] {
    for (const auto& area : seen<QAbstractScrollArea>(page)) {
      if (area) scroll(*area);
    }
  });
  const std::vector<QPointer<QWidget>> parts = seen<QWidget>(page);
  std::vector<QPointer<QWidget>> pictures;
  for (const auto& part : parts) {
    if (part && isPicture(*part) && part->width() > 200 && part->height() > 40) pictures.push_back(part);
  }
  if (!pictures.empty()) {
    measure(where, QStringLiteral("zooming"), [&] {
      for (const auto& picture : pictures) {
        if (picture && picture->isVisible()) zoom(*picture);
      }
    });
    const Location before = m_window.navigator().location();
    measure(where, QStringLiteral("dragging"), [&] {
      for (const auto& picture : pictures) {
        if (picture && picture->isVisible()) dragZoomed(*picture);
      }
    });
    // What was pressed there was a link.
    if (m_window.navigator().location().place != before.place) m_window.navigator().go(before);
  }
  measure(where, QStringLiteral("typing"), [&] {
    for (const auto& line : seen<QLineEdit>(page)) {
      if (line && line->isVisible() && !line->isReadOnly()) typeInto(*line);
    }
  });
  sortLists(page, where);
  const Location before = m_window.navigator().location();
  measure(where, QStringLiteral("choosing"), [&] { choose(page); });
  m_window.navigator().go(before);
  measure(where, QStringLiteral("opening rows"), [&] {
    for (const auto& tree : seen<QTreeView>(page)) {
      if (tree && tree->isVisible()) open(*tree);
    }
  });
  m_window.navigator().go(before);
  measure(where, QStringLiteral("working"), [&] {
    for (const auto& picture : pictures) {
      if (picture && picture->isVisible()) work(*picture);
    }
  });
  m_window.navigator().go(before);
  measure(where, QStringLiteral("picking all"), [&] {
    for (const auto& list : seen<QAbstractItemView>(page)) {
      if (!list || !list->isVisible() || list->selectionMode() != QAbstractItemView::ExtendedSelection) continue;
      list->setFocus();
      QTest::keyClick(m_window.windowHandle(), Qt::Key_A, Qt::ControlModifier);
      settle();
      if (list) list->clearSelection();
    }
  });
}

void FrameDriver::sortLists(QWidget& page, const QString& where) {
  measure(where, QStringLiteral("sorting"), [&] {
    for (const auto& heading : seen<QHeaderView>(page)) {
      if (!heading || heading->orientation() != Qt::Horizontal || !heading->sectionsClickable()) continue;
      for (int visual = 0; visual < std::min(3, heading->count()) && heading; ++visual) {
        const int section = heading->logicalIndex(visual);
        const QPoint point(heading->sectionViewportPosition(section) + heading->sectionSize(section) / 2,
                           heading->height() / 2);
        if (!heading->viewport()->rect().contains(point)) continue;
        QTest::mouseClick(heading->viewport(), Qt::LeftButton, {}, point);
        wait(kStepMs);
        settle();
      }
    }
  });
}

void FrameDriver::press(Qt::Key key, Qt::KeyboardModifiers modifiers) {
  QTest::keyClick(m_window.windowHandle(), key, modifiers);
  wait(kStepMs);
}

void FrameDriver::choose(QWidget& page) {
  const auto closePopups = [] {
    for (QWidget* popup = QApplication::activePopupWidget(); popup; popup = QApplication::activePopupWidget())
      popup->close();
  };
  for (const auto& box : seen<QComboBox>(page)) {
    if (!box || !box->isVisible() || box->isEditable()) continue;
    box->setFocus();
    for (int choice = 1; box && choice < box->count(); ++choice) {
      press(Qt::Key_Down);
      settle();
      closePopups();
    }
    if (box) box->setFocus();
    press(Qt::Key_Home);
    settle();
  }
  for (const auto& button : seen<QAbstractButton>(page)) {
    if (!button || !button->isVisible() || !button->isCheckable()) continue;
    const auto* tool = qobject_cast<QToolButton*>(button.data());
    if (tool && tool->menu()) continue;
    const bool isOneOfSeveral = button->group() && button->group()->exclusive();
    const QPointer<QAbstractButton> chosen = isOneOfSeveral ? button->group()->checkedButton() : button.data();
    for (const auto& pressed : {button, chosen}) {
      if (!pressed || !pressed->isVisible()) continue;
      QTest::mouseClick(pressed, Qt::LeftButton);
      wait(kStepMs);
      settle();
      closePopups();
    }
  }
}

void FrameDriver::open(QTreeView& tree) {
  const QPointer<QTreeView> guard(&tree);
  constexpr int kRows = 24;
  tree.setFocus();
  press(Qt::Key_Home);
  for (int row = 0; row < kRows && guard; ++row) {
    press(Qt::Key_Right);
    press(Qt::Key_Down);
  }
  for (int row = 0; row < kRows && guard; ++row) {
    press(Qt::Key_Left);
    press(Qt::Key_Up);
  }
}

void FrameDriver::work(QWidget& picture) {
  const QPointer<QWidget> guard(&picture);
  drag(picture, Qt::ShiftModifier);
  settle();
  press(Qt::Key_Escape);
  const Location before = m_window.navigator().location();
  for (int time = 0; time < 4 && guard && guard->isVisible(); ++time) {
    QTest::mouseDClick(m_window.windowHandle(), Qt::LeftButton, {}, picture.mapTo(&m_window, picture.rect().center()));
    wait(kStepMs);
    settle();
    if (m_window.navigator().location().place != before.place) m_window.navigator().go(before);
  }
}

void FrameDriver::typeInto(QLineEdit& line) {
  const QPointer<QLineEdit> guard(&line);
  line.setFocus();
  for (const char letter : QByteArray(kTyped)) {
    if (!guard) return;
    QTest::keyClick(m_window.windowHandle(), letter);
    wait(kStepMs * 3);
  }
  settle();
  for (std::size_t letter = 0; letter < std::char_traits<char>::length(kTyped) && guard; ++letter) {
    QTest::keyClick(m_window.windowHandle(), Qt::Key_Backspace);
    wait(kStepMs * 3);
  }
  // Completion and the box to go to would cover what comes next.
  for (QWidget* popup = QApplication::activePopupWidget(); popup; popup = QApplication::activePopupWidget())
    popup->close();
  settle();
}

void FrameDriver::wheel(QWidget& target, QPoint point, int steps, Qt::KeyboardModifiers modifiers) {
  const QPointer<QWidget> guard(&target);
  for (int step = 0; step < std::abs(steps) && guard; ++step) {
    const QPoint place = target.mapTo(&m_window, point);
    QWheelEvent event(place, m_window.mapToGlobal(place), {}, {0, steps > 0 ? 120 : -120}, Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(m_window.windowHandle(), &event);
    wait(kStepMs);
  }
}

void FrameDriver::scroll(QAbstractScrollArea& area) {
  const QPointer<QAbstractScrollArea> guard(&area);
  QScrollBar& bar = *area.verticalScrollBar();
  wheel(*area.viewport(), area.viewport()->rect().center(), -kWheelSteps);
  if (!guard || bar.maximum() == 0) return;
  // The slider is drawn over the whole way.
  constexpr int kParts = 20;
  for (int part = 0; part <= kParts && guard; ++part) {
    bar.setSliderPosition(static_cast<int>(static_cast<qint64>(bar.maximum()) * part / kParts));
    wait(kStepMs);
  }
  if (guard && qobject_cast<QAbstractItemView*>(guard)) {
    guard->setFocus();
    for (Qt::Key key : {Qt::Key_Home, Qt::Key_PageDown, Qt::Key_PageDown, Qt::Key_Down, Qt::Key_Down, Qt::Key_Home}) {
      QTest::keyClick(m_window.windowHandle(), key);
      wait(kStepMs);
    }
    QTest::keyClick(m_window.windowHandle(), 'z');  // looks for a row that begins so
    wait(kStepMs);
  }
}

void FrameDriver::zoom(QWidget& picture) {
  const QPointer<QWidget> guard(&picture);
  const QPoint point(picture.width() / 3, picture.height() / 2);
  wheel(picture, point, kWheelSteps);
  if (guard) wheel(picture, point, -kWheelSteps);
  if (guard) wheel(picture, point, kWheelSteps, Qt::ControlModifier);
  if (guard) wheel(picture, point, -kWheelSteps, Qt::ControlModifier);
}

void FrameDriver::dragZoomed(QWidget& picture) {
  const QPointer<QWidget> guard(&picture);
  const QPoint point(picture.width() / 3, picture.height() / 2);
  wheel(picture, point, kWheelSteps);
  if (guard) drag(picture);
  if (guard) wheel(picture, point, -kWheelSteps);
}

void FrameDriver::drag(QWidget& picture, Qt::KeyboardModifiers modifiers) {
  QWindow* window = m_window.windowHandle();
  const QPoint from = picture.mapTo(&m_window, QPoint(picture.width() / 2, picture.height() / 2));
  QTest::mousePress(window, Qt::LeftButton, modifiers, from);
  for (int step = 1; step <= kWheelSteps; ++step) {
    QTest::mouseMove(window, from + QPoint(step * 8, step));
    wait(kStepMs);
  }
  QTest::mouseRelease(window, Qt::LeftButton, modifiers, from + QPoint(kWheelSteps * 8, kWheelSteps));
}

void FrameDriver::leadPointerOver(QWidget& page) {
  constexpr int kAcross = 24;
  constexpr int kDown = 8;
  for (int row = 0; row < kDown; ++row) {
    for (int column = 0; column < kAcross; ++column) {
      const QPoint point(page.width() * (2 * column + 1) / (2 * kAcross), page.height() * (2 * row + 1) / (2 * kDown));
      QTest::mouseMove(m_window.windowHandle(), page.mapTo(&m_window, point));
      wait(5);
    }
  }
}

void FrameDriver::resize() {
  const QSize size = m_window.size();
  constexpr int kSteps = 16;
  const QSize least(900, 600);
  for (int step = 0; step <= 2 * kSteps; ++step) {
    const int part = step <= kSteps ? step : 2 * kSteps - step;
    m_window.resize(size + (least - size) * part / kSteps);
    wait(kStepMs);
  }
}

}  // namespace heapscape::bench
