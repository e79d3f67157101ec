// SPDX-License-Identifier: MIT
#include "bridge/navigator.h"

#include <utility>

namespace heapscape::gui {

namespace {

constexpr std::size_t kMostSteps = 500;

void setZoom(Location& location, const QString& picture, std::uint32_t step) {
  if (step == 0) {
    location.zooms.erase(picture);
  } else {
    location.zooms[picture] = step;
  }
}

}  // namespace

void Navigator::go(const Location& location) {
  if (location == m_location) return;
  m_history.resize(m_step + 1);
  m_history.push_back(location);
  if (m_history.size() > kMostSteps) m_history.erase(m_history.begin());
  m_step = m_history.size() - 1;
  enter(location);
}

Location Navigator::here() const {
  Location location = m_location;
  location.listed = {};
  return location;
}

void Navigator::goTo(PlaceId place) {
  Location location = here();
  location.place = place;
  go(location);
}

void Navigator::select(const Selection& selection) {
  Location location = here();
  location.selection = selection;
  const bool endsThing = m_isThingTold && selection == m_location.selection;
  if (endsThing) m_isThingTold = false;
  go(location);
  if (endsThing) Q_EMIT selectionChanged(selection);
}

void Navigator::tell(const PickedThing& thing) {
  m_isThingTold = true;
  Q_EMIT thingPicked(thing);
}

void Navigator::complete(const Selection& selection) {
  m_history[m_step].selection = selection;
  if (selection != m_location.selection) enter(m_history[m_step]);
}

void Navigator::showTypesIn(const engine::HeapScope& scope) {
  Location location = here();
  location.place = PlaceId::Types;
  location.scope = scope;
  location.typesPage = TypesPage::Types;
  go(location);
}

void Navigator::showObjectsOf(const QString& query, std::optional<InsightKey> insight) {
  Location location = here();
  location.place = PlaceId::Types;
  location.scope = {};
  location.typesPage = TypesPage::Objects;
  location.objectsQuery = query;
  location.objectsOf = std::move(insight);
  location.areObjectsByType = false;
  go(location);
}

void Navigator::showGarbage(const engine::HeapScope& scope) {
  Location location = here();
  location.place = PlaceId::Types;
  location.scope = scope;
  location.typesPage = TypesPage::Objects;
  location.objectsQuery = u"garbage = true"_s;
  location.objectsOf = {};
  location.areObjectsByType = true;
  go(location);
}

void Navigator::keepObjectsQuery(const QString& query) {
  m_history[m_step].objectsQuery = query;
  m_location.objectsQuery = query;
}

void Navigator::zoom(const QString& picture, std::uint32_t step) {
  Location location = here();
  setZoom(location, picture, step);
  go(location);
}

void Navigator::keepZoom(const QString& picture, std::uint32_t step) {
  setZoom(m_history[m_step], picture, step);
  setZoom(m_location, picture, step);
}

void Navigator::showLayoutOf(engine::Address methodTable) {
  Location location = here();
  location.place = PlaceId::Layouts;
  location.layoutsPage = LayoutsPage::Types;
  // The object stays picked as long as it is one of this type.
  if (location.selection.methodTable != methodTable) {
    location.selection = Selection{.object = {}, .methodTable = methodTable, .segment = {}};
  }
  go(location);
}

void Navigator::showLayoutOf(engine::LayoutTypeId type) {
  Location location = here();
  location.place = PlaceId::Layouts;
  location.selection = Selection{.object = {}, .methodTable = {}, .segment = {}, .layoutType = type};
  go(location);
}

void Navigator::showLayouts(LayoutsPage page) {
  Location location = here();
  location.place = PlaceId::Layouts;
  location.layoutsPage = page;
  go(location);
}

void Navigator::showObject(engine::Address object) {
  Location location = here();
  location.place = PlaceId::Object;
  // What is already known of it stays: its type and its segment.
  if (location.selection.object != object) {
    location.selection = Selection{.object = object, .methodTable = {}, .segment = {}};
  }
  go(location);
}

void Navigator::showType(engine::Address methodTable) {
  Location location = here();
  location.place = PlaceId::Runtime;
  if (location.selection.methodTable != methodTable) {
    location.selection = Selection{.object = {}, .methodTable = methodTable, .segment = {}};
  }
  go(location);
}

void Navigator::showReferences(ReferencesPage page, const Selection& selection) {
  Location location = here();
  location.place = PlaceId::References;
  location.page = page;
  location.selection = selection;
  location.set.clear();
  go(location);
}

void Navigator::showReferencesOf(ReferencesPage page, const QString& set) {
  Location location = here();
  location.place = PlaceId::References;
  location.page = page;
  location.set = set;
  go(location);
}

void Navigator::showReferences(ReferencesPage page) {
  showReferencesOf(page, m_location.set);
}

void Navigator::showListed(PlaceId place, Listed listed, const Selection& selection) {
  Location location = here();
  location.place = place;
  location.selection = selection;
  location.listed = std::move(listed);
  go(location);
}

void Navigator::showInSegments(const Selection& selection) {
  Location location = here();
  location.place = PlaceId::Segments;
  location.selection = selection;
  location.onMap = {};
  if (!selection.object) location.onMap.methodTable = selection.methodTable;
  go(location);
}

void Navigator::showSetInSegments(const QString& set) {
  Location location = here();
  location.place = PlaceId::Segments;
  location.onMap = {.set = set};
  go(location);
}

void Navigator::showAllInSegments() {
  Location location = here();
  location.onMap = {};
  go(location);
}

void Navigator::back() {
  if (canGoBack()) enter(m_history[--m_step]);
}

void Navigator::forward() {
  if (canGoForward()) enter(m_history[++m_step]);
}

void Navigator::reset(PlaceId place) {
  const Location location{.place = place, .selection = {}, .scope = {}};
  m_history.assign(1, location);
  m_step = 0;
  enter(location);
}

void Navigator::enter(const Location& location) {
  const Location entered = location;  // a listener may change the history it comes from
  const bool isOtherPlace = entered.place != m_location.place;
  const bool isOtherSelection =
      entered.selection != m_location.selection || (isOtherPlace && std::exchange(m_isThingTold, false));
  if (isOtherSelection) m_isThingTold = false;
  const std::uint64_t entering = ++m_entered;
  m_location = entered;
  Q_EMIT locationChanged(entered);
  if (isOtherSelection && m_entered == entering) Q_EMIT selectionChanged(entered.selection);
}

}  // namespace heapscape::gui
