// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <QString>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/address.h"
#include "base/ids.h"
#include "bridge/literals.h"
#include "insight/insight.h"
#include "session/layouts/declared_layouts.h"
#include "session/types/type_query.h"

namespace heapscape::gui {

Q_NAMESPACE

enum class PlaceId {
  Start,
  Overview,
  Insights,
  Memory,
  Segments,
  Generations,
  Types,
  Layouts,
  References,
  Object,
  Runtime,
  Roots,
  Threads,
  Findings,
  Console,
  Compare,
  Review
};
Q_ENUM_NS(PlaceId)

/// The pages of the place References.
enum class ReferencesPage { Graph, Dominators, WhyAlive, WhatIf };

/// The pages of the place Layouts.
enum class LayoutsPage { Types, Waste, Compare };

/// The pages of the place Types.
enum class TypesPage { Types, Objects };

/// The user's choice; shown by every place that can show it. An object brings its type along.
struct Selection {
  engine::Address object;
  engine::Address methodTable;
  engine::SegmentId segment;
  engine::LayoutTypeId layoutType = {};  // of an assembly, where there is nothing else to pick
  bool operator==(const Selection&) const = default;
  bool isEmpty() const { return !object && !methodTable && segment.isNone() && layoutType.isNone(); }
};

/// An insight, by what it is about: the same after another search. Or an action that several insights are of, by what
/// these have in common.
struct InsightKey {
  engine::InsightKind kind = engine::InsightKind::Suspect;
  engine::InsightMeaning meaning = engine::InsightMeaning::Waste;
  bool isAction = false;
  std::string subject = {};
  std::string contents = {};
  engine::Address methodTable = {};
  engine::Address object = {};  // the costliest
  auto operator<=>(const InsightKey&) const = default;
};

/// Threads that do the same.
struct ActivityKey {
  std::string doing;  // engine::ActivityGroup::doing
  bool operator==(const ActivityKey&) const = default;
};

/// The finalizer queue, those that wait for their finalizer among them.
struct FinalizerQueue {
  bool operator==(const FinalizerQueue&) const = default;
};

/// A thing that a list is to show and that is neither object nor type: a handle or a static by its slot, a thread, a
/// sync block or the first byte of memory by its address; threads that do the same; an insight; the finalizer queue.
using Listed = std::variant<std::monostate, engine::Address, ActivityKey, InsightKey, FinalizerQueue>;

/// Objects that Segments shows in full colour, the others pale: all of a type, or a set that was picked, by name.
struct ShownOnMap {
  engine::Address methodTable = {};
  QString set = {};
  bool operator==(const ShownOnMap&) const = default;
  bool isEmpty() const { return !methodTable && set.isEmpty(); }
};

/// What pictures are zoomed to, by their names, as each of them counts it (models/zoom_steps.h). Those that show all
/// are not there.
using Zooms = std::map<QString, std::uint32_t>;

/// One step of the history: where, what is picked, and which part of the heap the lists are about.
struct Location {
  PlaceId place = PlaceId::Start;
  Selection selection;
  engine::HeapScope scope;
  Listed listed = {};
  /// Which page of References; for the other places, the one that it showed last.
  ReferencesPage page = ReferencesPage::Graph;
  LayoutsPage layoutsPage = LayoutsPage::Types;  // as `page`, of Layouts
  TypesPage typesPage = TypesPage::Types;        // as `page`, of Types
  QString objectsQuery = {};                     // which objects its page of objects shows: those that fit,
  std::optional<InsightKey> objectsOf = {};      // of this insight; without one of the whole heap
  bool areObjectsByType = false;                 // grouped so; else as they were
  ShownOnMap onMap = {};                         // empty: Segments shows all objects alike
  QString set = {};  // what References is about rather than the selection: picked objects, by name; empty for none
  Zooms zooms = {};
  bool operator==(const Location&) const = default;
  /// 0 for a picture that shows all.
  std::uint32_t zoomOf(const QString& picture) const {
    const auto zoom = zooms.find(picture);
    return zoom == zooms.end() ? 0 : zoom->second;
  }
};

/// What is picked where there is neither an object nor a type nor a segment to select: a mapping, a frame, a setting.
struct PickedThing {
  QString kind;  // "Mapping"
  QString title;
  std::vector<std::pair<QString, QString>> facts;  // what it is, and what is said of that
};

/// Carries place, selection, scope and history. Places talk to it, never to each other.
class Navigator : public QObject {
  Q_OBJECT

 public:
  explicit Navigator(QObject* parent = nullptr) : QObject(parent) {}

  const Location& location() const { return m_location; }

  /// Each of these is a step that back() undoes; the same location twice is one step.
  void go(const Location& location);
  void goTo(PlaceId place);
  void select(const Selection& selection);  // stays in the place
  /// Tells more of what is picked already, its type and segment, without a step.
  void complete(const Selection& selection);
  void showTypesIn(const engine::HeapScope& scope);  // Types, limited to a part of the heap
  /// Types, its page of objects: those of the whole heap that fit a query, or of one insight.
  void showObjectsOf(const QString& query, std::optional<InsightKey> insight = {});
  /// The same page: the objects of a part of the heap that no root leads to, by type.
  void showGarbage(const engine::HeapScope& scope = {});
  /// The query of that page was changed there; no step.
  void keepObjectsQuery(const QString& query);
  void showLayoutOf(engine::Address methodTable);  // Layouts, its page of types
  void showLayouts(LayoutsPage page);              // Layouts; keeps the selection
  void showLayoutOf(engine::LayoutTypeId type);    // Layouts, of an assembly
  /// Segments: a segment, an object, or all objects of a type where no object is picked.
  void showInSegments(const Selection& selection);
  /// Segments, all objects of a set that was picked (models/rows/picked_sets.h), by its name.
  void showSetInSegments(const QString& set);
  /// Segments shows all objects alike again.
  void showAllInSegments();
  void showObject(engine::Address object);                               // Object
  void showType(engine::Address methodTable);                            // Runtime, the type's page
  void showReferences(ReferencesPage page, const Selection& selection);  // References
  /// References, about a set that was picked (models/rows/picked_sets.h), by its name.
  void showReferencesOf(ReferencesPage page, const QString& set);
  /// Another page of References, about the same.
  void showReferences(ReferencesPage page);
  /// A place whose list has it: Roots, Threads, Insights, Memory.
  void showListed(PlaceId place, Listed listed, const Selection& selection);
  /// Shows memory from an address on; the selection stays.
  void showMemory(engine::Address address) { showListed(PlaceId::Memory, address, location().selection); }

  /// A picture was zoomed by the user.
  void zoom(const QString& picture, std::uint32_t step);
  /// The same as a part of the step before, or by itself, so that back() finds it so; no step.
  void keepZoom(const QString& picture, std::uint32_t step);

  /// Thinks something away, to see what would be freed: a cut as session/references/cuts.h has it. No step.
  void cut(const QString& cut) { Q_EMIT cutWanted(cut); }

  /// Tells of such a thing, until something is selected or another place is shown; no step.
  void tell(const PickedThing& thing);

  bool canGoBack() const { return m_step > 0; }
  bool canGoForward() const { return m_step + 1 < m_history.size(); }
  void back();
  void forward();
  /// Forgets the history; for a new dump.
  void reset(PlaceId place);

 Q_SIGNALS:
  void locationChanged(const heapscape::gui::Location& location);
  /// Only if the selection differs from the one before, or ends what was told of a thing.
  void selectionChanged(const heapscape::gui::Selection& selection);
  void thingPicked(const heapscape::gui::PickedThing& thing);
  void cutWanted(const QString& cut);

 private:
  /// Where the next step begins: what was to be listed is so only once.
  Location here() const;
  void enter(const Location& location);

  std::vector<Location> m_history = std::vector<Location>(1);
  std::size_t m_step = 0;
  std::uint64_t m_entered = 0;  // counts the locations
  bool m_isThingTold = false;
  Location m_location;
};

}  // namespace heapscape::gui
