// SPDX-License-Identifier: MIT
#include "views/object/object_place.h"

#include <QResizeEvent>
#include <QSplitter>
#include <QStackedLayout>
#include <QTimer>
#include <QVBoxLayout>

#include "models/lacking_heap.h"
#include "models/object_menu.h"
#include "models/retained_offer.h"
#include "views/object/anatomy/memory_panel.h"
#include "views/object/contents_panel.h"
#include "views/object/object_headline.h"
#include "views/object/trail_bar.h"
#include "views/object/values/fields_panel.h"
#include "widgets/arranging/part_tabs.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

constexpr int kPatienceMs = 250;
constexpr int kFewestLines = 36;         // of text, above each other; in fewer both would show a few rows only
constexpr int kSideBySideLetters = 230;  // wide enough for the memory to stand beside the values

}  // namespace

ObjectPlace::ObjectPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent),
      m_trailBar(new TrailBar(this)),
      m_headline(new ObjectHeadline(this)),
      m_contents(new ContentsPanel(bridge, this)),
      m_memory(new MemoryPanel(bridge, this)),
      m_parts(new PartTabs(u"objectParts"_s, this)),
      m_splitter(new QSplitter(Qt::Vertical, this)),
      m_whole(new QWidget(this)),
      m_state(new StatePanel(this)),
      m_pages(new QStackedLayout(this)),
      m_patience(new QTimer(this)) {
  addParts();
  connectParts();
  clear();
}

void ObjectPlace::addParts() {
  m_splitter->addWidget(m_contents);
  m_splitter->addWidget(m_memory);
  m_splitter->setStretchFactor(0, 1);
  m_splitter->setStretchFactor(1, 1);
  m_splitter->setChildrenCollapsible(false);
  m_splitter->setHandleWidth(1);
  m_parts->addPart(u"What it holds"_s, {m_contents});
  m_parts->addPart(u"In memory"_s, {m_memory});
  auto* trail = new QHBoxLayout;
  trail->setContentsMargins(8, 6, 8, 0);
  trail->addWidget(m_trailBar);
  auto* column = new QVBoxLayout(m_whole);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(trail);
  column->addWidget(m_headline);
  column->addWidget(new RetainedOffer(m_bridge, this));
  column->addWidget(m_parts);
  column->addWidget(m_splitter, 1);
  m_pages->addWidget(m_state);
  m_pages->addWidget(m_whole);
  setFocusProxy(m_contents);
}

void ObjectPlace::connectParts() {
  m_patience->setSingleShot(true);
  m_patience->setInterval(kPatienceMs);
  connect(m_patience, &QTimer::timeout, this, [this] {
    m_state->showLoading(u"Reading the object at %1"_s.arg(addressText(m_asked)));
    m_pages->setCurrentWidget(m_state);
  });
  connect(m_trailBar, &TrailBar::objectWanted, this,
          [this](engine::Address object) { m_navigator.showObject(object); });
  connect(m_contents, &ContentsPanel::followWanted, this, &ObjectPlace::goTo);
  connect(m_contents, &ContentsPanel::charactersWanted, this, [this](std::size_t units) {
    engine::DetailLimits limits;
    limits.stringUnits = units;
    ask(limits);
  });
  FieldsPanel& fields = m_contents->fields();
  connect(&fields, &FieldsPanel::spanPicked, m_memory, &MemoryPanel::select);
  connect(&fields, &FieldsPanel::typeWanted, this, [this](engine::Address type) { m_navigator.showType(type); });
  connect(&fields, &FieldsPanel::layoutWanted, this, [this](engine::Address type) { m_navigator.showLayoutOf(type); });
  connect(m_memory, &MemoryPanel::spanPicked, &fields, &FieldsPanel::reveal);
  connect(m_memory, &MemoryPanel::typeWanted, this, [this](engine::Address type) { m_navigator.showType(type); });
  connect(m_memory, &MemoryPanel::threadsWanted, this,
          [this] { m_navigator.showListed(PlaceId::Threads, m_page->address(), selection()); });
  m_memory->setDescription([&fields](const ByteSpan& span) { return fields.valueAt(span); });
  const auto showMemory = [this](engine::Address address) { m_navigator.showMemory(address); };
  connect(&fields, &FieldsPanel::memoryWanted, this, showMemory);
  connect(m_memory, &MemoryPanel::memoryWanted, this, showMemory);
  connect(m_headline, &ObjectHeadline::addressShown, this,
          [this](QWidget* value, engine::Address address) { offerAddressMenu(value, m_navigator, address); });
  connect(m_headline, &ObjectHeadline::layoutWanted, this,
          [this] { m_navigator.go({.place = PlaceId::Layouts, .selection = selection(), .scope = {}}); });
  connect(m_headline, &ObjectHeadline::mapWanted, this, [this] { m_navigator.showInSegments(selection()); });
  connect(m_headline, &ObjectHeadline::typeWanted, this,
          [this] { m_navigator.go({.place = PlaceId::Runtime, .selection = selection(), .scope = {}}); });
  connect(m_headline, &ObjectHeadline::graphWanted, this,
          [this] { m_navigator.showReferences(ReferencesPage::Graph, selection()); });
  connect(m_headline, &ObjectHeadline::reasonWanted, this,
          [this] { m_navigator.showReferences(ReferencesPage::WhyAlive, selection()); });
}

void ObjectPlace::showSnapshot(const engine::Snapshot& snapshot) {
  if (!snapshot.has(engine::Stage::Objects) && !lacksHeap(snapshot)) {
    m_state->showLoading(u"Finding the objects"_s);
    m_pages->setCurrentWidget(m_state);
    return;
  }
  m_contents->setSnapshot(snapshot);
  showRetained();
  if (m_isReady) return;
  m_isReady = true;
  follow(m_navigator.location());
  if (!m_asked) showNothingPicked();
}

void ObjectPlace::clear() {
  m_patience->stop();
  m_isReady = false;
  m_asked = {};
  m_page.reset();
  m_trail.clear();
  m_trailBar->show(m_trail);
  m_contents->show(nullptr);
  m_contents->setSnapshot(std::nullopt);
  m_memory->show(nullptr);
  m_state->showEmpty(u"No dump is open"_s, u"Open a core dump to see what its objects hold."_s);
  m_pages->setCurrentWidget(m_state);
}

void ObjectPlace::follow(const Location& location) {
  if (!m_isReady || location.selection.object == m_asked) return;
  // A type or a segment picked elsewhere does not take the object away that is looked at.
  if (!location.selection.object && (location.place != PlaceId::Object || m_page)) return;
  m_asked = location.selection.object;
  if (!m_asked) {
    showNothingPicked();
    return;
  }
  ask({});
}

void ObjectPlace::ask(const engine::DetailLimits& limits) {
  m_patience->start();
  m_bridge.ask(
      this, "object",
      [object = m_asked, limits](const engine::Snapshot& snapshot, std::stop_token) {
        return readObjectPage(snapshot, object, limits);
      },
      [this, asked = m_asked](Answer answer) { take(asked, std::move(answer)); });
}

void ObjectPlace::take(engine::Address asked, Answer answer) {
  if (asked != m_asked) return;
  m_patience->stop();
  if (answer) {
    showPage(std::move(*answer));
    return;
  }
  m_page.reset();
  m_contents->show(nullptr);
  m_memory->show(nullptr);
  m_state->showFailed(u"No object at %1"_s.arg(addressText(asked)), fromEngine(answer.error().message()));
  m_pages->setCurrentWidget(m_state);
}

void ObjectPlace::showPage(std::shared_ptr<const ObjectPage> page) {
  m_page = std::move(page);
  m_trail.arrive(m_page->address(), shortTypeName(m_page->object.typeName));
  m_isFilled = false;
  if (isVisible()) fill();
  // A reference said no more than an address, and one into the middle of an object at that.
  const bool isPicked = m_navigator.location().selection.object == m_asked;
  m_asked = m_page->address();
  if (isPicked) m_navigator.complete(selection());
}

void ObjectPlace::fill() {
  m_isFilled = true;
  m_trailBar->show(m_trail);
  m_headline->show(*m_page);
  showRetained();
  askForReach();
  m_contents->show(m_page);
  m_memory->show(m_page);
  m_pages->setCurrentWidget(m_whole);
}

// Objects are picked everywhere, one after the other where keys go through a list.
void ObjectPlace::showEvent(QShowEvent* event) {
  Place::showEvent(event);
  if (m_page && !m_isFilled) fill();
}

void ObjectPlace::showRetained() {
  if (!m_page || !m_isFilled || m_page->object.isFree) return;
  if (const auto retained = engine::retainedOf(*m_bridge.snapshot(), m_page->address()))
    m_headline->showRetained(*retained);
}

// A root of everything reaches a whole heap, so that this may take seconds.
void ObjectPlace::askForReach() {
  if (m_page->object.isFree) {
    m_bridge.stopAsking(this, "reach");
    return;
  }
  m_bridge.askLong(
      this, "reach",
      [address = m_page->address()](const engine::Snapshot& snapshot, engine::ProgressSink*, std::stop_token stop) {
        return engine::transitiveSize(snapshot, {address}, stop);
      },
      [](const engine::Progress&) {},
      [this, address = m_page->address()](const engine::Outcome<engine::TransitiveSize>& reach) {
        if (reach && m_page && m_isFilled && m_page->address() == address) m_headline->showReach(*reach);
      });
}

void ObjectPlace::showNothingPicked() {
  if (lacksHeap(*m_bridge.snapshot())) {
    m_state->showEmpty(u"No object picked"_s,
                       u"This dump has no heap, but some objects are in it, as exceptions on their way: "
                       "threads lead to them, and so do addresses in the box above."_s);
    m_state->setAction(u"Go to the threads"_s, [this] { m_navigator.goTo(PlaceId::Threads); });
    m_pages->setCurrentWidget(m_state);
    return;
  }
  m_state->showEmpty(
      u"No object picked"_s,
      u"Pick one among the instances of a type or on the map, or type its address into the box above."_s);
  m_state->setAction(u"Go to the types"_s, [this] { m_navigator.goTo(PlaceId::Types); });
  m_pages->setCurrentWidget(m_state);
}

Selection ObjectPlace::selection() const {
  return {m_page->address(), m_page->object.methodTable, m_page->object.row.segment};
}

void ObjectPlace::goTo(engine::Address object, const QString& via) {
  m_trail.follow(object, via);
  m_navigator.showObject(object);
}

void ObjectPlace::resizeEvent(QResizeEvent* event) {
  Place::resizeEvent(event);
  const bool isWide = event->size().width() >= kSideBySideLetters * fontMetrics().averageCharWidth();
  const Qt::Orientation orientation = isWide ? Qt::Horizontal : Qt::Vertical;
  // Bits of a header want so much room that values would be cut.
  if (isWide && orientation != m_splitter->orientation())
    m_splitter->setSizes({event->size().width() / 2, event->size().width() / 2});
  m_splitter->setOrientation(orientation);
  m_parts->setOneAtATime(!isWide && event->size().height() < kFewestLines * fontMetrics().height());
}

}  // namespace heapscape::gui
