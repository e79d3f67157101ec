// SPDX-License-Identifier: MIT
#include "query/objects/object_search.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>

#include "base/progress.h"
#include "graph/heap_chunk.h"
#include "query/objects/object_fields.h"
#include "query/objects/object_order.h"
#include "query/objects/object_values.h"
#include "session/objects/object_query.h"

namespace heapscape::engine {
namespace {

/// A query made ready for millions of objects: what follows from the type is decided once a type, what is one of few
/// texts once a text, and what is cheap comes first. Refers to query and fields. Safe from any thread.
class ObjectPlan {
 public:
  /// `includesFree`: gaps can fit, too, as they can where the query names them.
  ObjectPlan(const Query& query, const ObjectFields& fields, const ValueReader& values, bool includesFree = false);

  /// Whether no object of the type can fit.
  bool isExcluded(TypeId type) const { return m_verdicts[type.value] == Verdict::No; }
  bool accepts(const ObjectView& object, ObjectValues& values, std::uint64_t& unreadable) const {
    const Verdict verdict = m_verdicts[object.facts.type.value];
    return verdict == Verdict::Yes || (verdict == Verdict::Open && holds(m_root, object, values, unreadable));
  }
  /// Paths of field("…") that begin with a field which no type on the heap has.
  const std::vector<std::string>& unknownFields() const { return m_unknownFields; }

 private:
  enum class Verdict : std::uint8_t { No, Yes, Open };
  struct Node {
    QueryNode::Kind kind = QueryNode::Kind::And;
    std::vector<Node> children = {};
    const QueryComparison* comparison = nullptr;
    ObjectFieldForm form = ObjectFieldForm::Memory;
    std::vector<bool> accepted = {};  // of a Symbol: by symbol
    bool acceptsNull = false;
    std::optional<WholeNumbers> numbers = {};  // of a Number that is asked for as one
    int cost = 0;
  };

  Node prepare(const QueryNode& node) const;
  void prepareComparison(Node& node) const;
  void decideTypes(const ValueReader& values);
  void findUnknownFields(const Query& query, const ValueReader& values);
  Verdict verdictOf(const Node& node, TypeId type, ObjectValues& values) const;
  Verdict verdictOfComparison(const Node& node, TypeId type, ObjectValues& values) const;
  bool holds(const Node& node, const ObjectView& object, ObjectValues& values, std::uint64_t& unreadable) const;
  bool holdsComparison(const Node& node, const ObjectView& object, ObjectValues& values,
                       std::uint64_t& unreadable) const;

  const ObjectFields& m_fields;
  bool m_includesFree = false;
  Node m_root;
  std::vector<Verdict> m_verdicts;  // by TypeId
  std::vector<std::string> m_unknownFields;
};

bool followsFromType(ObjectField field) {
  return field == ObjectField::Type || field == ObjectField::Assembly || field == ObjectField::LoadContext ||
         field == ObjectField::Namespace;
}

int costOf(const QueryFieldReference& reference) {
  constexpr int kOfHead = 1, kOfArrays = 2, kOfReferrers = 3, kOfMemory = 10;
  switch (formOf(reference)) {
    case ObjectFieldForm::Memory:
      return kOfMemory;
    case ObjectFieldForm::Symbol:
      return followsFromType(static_cast<ObjectField>(reference.field)) ? 0 : kOfArrays;
    case ObjectFieldForm::Number:
    case ObjectFieldForm::Flag:
      break;
  }
  switch (static_cast<ObjectField>(reference.field)) {
    case ObjectField::Retained:
    case ObjectField::RetainedObjects:
    case ObjectField::References:
      return kOfArrays;
    case ObjectField::Referrers:
      return kOfReferrers;
    default:
      return kOfHead;
  }
}

// Whether a comparison looks for the digits of an address.
bool isTextOfAddress(const QueryComparison& comparison) {
  const bool isAddress =
      comparison.field == referenceTo(ObjectField::Address) || comparison.field == referenceTo(ObjectField::Segment);
  return isAddress && comparison.test.isAboutText();
}

ObjectPlan::ObjectPlan(const Query& query, const ObjectFields& fields, const ValueReader& values, bool includesFree)
    : m_fields(fields), m_root(prepare(query.root)) {
  m_includesFree = includesFree || std::ranges::any_of(fieldsOf(query), [](const QueryFieldReference& each) {
                     return each == referenceTo(ObjectField::Free);
                   });
  decideTypes(values);
  findUnknownFields(query, values);
}

ObjectPlan::Node ObjectPlan::prepare(const QueryNode& node) const {
  Node prepared{.kind = node.kind};
  for (const QueryNode& child : node.children) {
    prepared.children.push_back(prepare(child));
    prepared.cost = std::max(prepared.cost, prepared.children.back().cost);
  }
  std::ranges::stable_sort(prepared.children, {}, &Node::cost);
  if (node.kind != QueryNode::Kind::Comparison) return prepared;
  prepared.comparison = &node.comparison.front();
  prepareComparison(prepared);
  return prepared;
}

void ObjectPlan::prepareComparison(Node& node) const {
  node.form = formOf(node.comparison->field);
  node.cost = costOf(node.comparison->field);
  const ValueTest& test = node.comparison->test;
  if (node.form == ObjectFieldForm::Number && !isTextOfAddress(*node.comparison)) {
    node.numbers = test.acceptedWholeNumbers();
  }
  if (node.form != ObjectFieldForm::Symbol) return;
  for (const std::string& text : m_fields.symbols(static_cast<ObjectField>(node.comparison->field.field)))
    node.accepted.push_back(test.acceptsText(text));
  node.acceptsNull = test.acceptsNull();
}

void ObjectPlan::decideTypes(const ValueReader& values) {
  ObjectValues reader(m_fields, values);
  const std::vector<TypeRow>& types = m_fields.snapshot().types();
  m_verdicts.resize(types.size(), Verdict::No);
  for (std::uint32_t i = 0; i < types.size(); ++i) {
    if (!types[i].isFree || m_includesFree) m_verdicts[i] = verdictOf(m_root, {i}, reader);
  }
}

void ObjectPlan::findUnknownFields(const Query& query, const ValueReader& values) {
  ObjectValues reader(m_fields, values);
  const std::vector<TypeRow>& types = m_fields.snapshot().types();
  for (const QueryFieldReference& field : fieldsOf(query)) {
    if (field.field != QueryFieldReference::kObjectField) continue;
    bool isKnown = false;
    for (std::uint32_t i = 0; i < types.size() && !isKnown; ++i)
      isKnown = !types[i].isFree && reader.isPossible(field, {i});
    if (!isKnown) m_unknownFields.push_back(field.path);
  }
}

ObjectPlan::Verdict ObjectPlan::verdictOf(const Node& node, TypeId type, ObjectValues& values) const {
  if (node.kind == QueryNode::Kind::Comparison) return verdictOfComparison(node, type, values);
  if (node.kind == QueryNode::Kind::Not) {
    const Verdict inner = verdictOf(node.children.front(), type, values);
    return inner == Verdict::Open ? inner : inner == Verdict::Yes ? Verdict::No : Verdict::Yes;
  }
  const Verdict decisive = node.kind == QueryNode::Kind::And ? Verdict::No : Verdict::Yes;
  Verdict verdict = node.kind == QueryNode::Kind::And ? Verdict::Yes : Verdict::No;
  for (const Node& child : node.children) {
    const Verdict of = verdictOf(child, type, values);
    if (of == decisive) return of;
    if (of == Verdict::Open) verdict = Verdict::Open;
  }
  return verdict;
}

ObjectPlan::Verdict ObjectPlan::verdictOfComparison(const Node& node, TypeId type, ObjectValues& values) const {
  const QueryFieldReference& reference = node.comparison->field;
  const TypeRow& row = m_fields.snapshot().types()[type.value];
  if (node.form == ObjectFieldForm::Memory) {
    // Gaps have no contents.
    return !row.isFree && values.isPossible(reference, type) ? Verdict::Open : Verdict::No;
  }
  const auto field = static_cast<ObjectField>(reference.field);
  if (field == ObjectField::Length && (row.componentSize == 0 || row.isFree)) return Verdict::No;
  const auto decided = [](bool isMet) { return isMet ? Verdict::Yes : Verdict::No; };
  if (field == ObjectField::Free) return decided(node.comparison->test.acceptsFlag(row.isFree));
  if (!followsFromType(field)) return Verdict::Open;
  return decided(node.accepted[m_fields.symbolOfType(field, type)]);
}

bool ObjectPlan::holds(const Node& node, const ObjectView& object, ObjectValues& values,
                       std::uint64_t& unreadable) const {
  switch (node.kind) {
    case QueryNode::Kind::And:
      return std::ranges::all_of(node.children,
                                 [&](const Node& child) { return holds(child, object, values, unreadable); });
    case QueryNode::Kind::Or:
      return std::ranges::any_of(node.children,
                                 [&](const Node& child) { return holds(child, object, values, unreadable); });
    case QueryNode::Kind::Not:
      return !holds(node.children.front(), object, values, unreadable);
    case QueryNode::Kind::Comparison:
      break;
  }
  return holdsComparison(node, object, values, unreadable);
}

bool ObjectPlan::holdsComparison(const Node& node, const ObjectView& object, ObjectValues& values,
                                 std::uint64_t& unreadable) const {
  const ValueTest& test = node.comparison->test;
  const auto field = static_cast<ObjectField>(node.comparison->field.field);
  switch (node.form) {
    case ObjectFieldForm::Symbol: {
      const std::uint32_t symbol = m_fields.symbol(field, object);
      return symbol == ObjectFields::kNoSymbol ? node.acceptsNull : node.accepted[symbol];
    }
    case ObjectFieldForm::Flag:
      return test.acceptsFlag(m_fields.flag(field, object));
    case ObjectFieldForm::Number: {
      const auto number = m_fields.number(field, object);
      if (!number) return false;
      return node.numbers ? node.numbers->contain(*number) : test.accepts(QueryValue::ofAddress(*number));
    }
    case ObjectFieldForm::Memory:
      break;
  }
  return values.holds(*node.comparison, object, unreadable);
}

constexpr std::uint64_t kChunkBytes = 1 << 20;

// Cost of an object beside one that does not fit by its type alone, from measurements.
constexpr double kCostOfReading = 30;  // if its memory has to be read for the query
constexpr double kCostOfTaking = 5;
constexpr double kCostOfKey = 5;  // what it is sorted by
constexpr double kCostOfReadKey = 50;
constexpr double kCostOfSorting = 12;
constexpr double kCostOfSortingByMemory = 40;

/// Matches of one chunk of the heap.
struct ChunkMatches {
  std::vector<std::uint32_t> ids;
  std::uint64_t bytes = 0;
  std::uint64_t unreadable = 0;
  ObjectOrder::Notes notes = {};
};

/// How far a search is, sorting included: how many there will be to sort is guessed from what was found so far. It
/// never goes back, even if the guess was too low.
class SearchProgress {
 public:
  SearchProgress(const ObjectSearch& search, const Contents& contents, ProgressSink* sink)
      : m_sink(sink), m_finding(sink, kSearchingObjects, 0, 1) {
    const auto isRead = [](const QueryFieldReference& field) { return formOf(field) == ObjectFieldForm::Memory; };
    const auto looked = static_cast<double>(search.among ? search.among->size() : contents.heap->index.objectCount());
    m_costOfLooking = looked * (std::ranges::any_of(fieldsOf(search.query), isRead) ? kCostOfReading : 1);
    if (!search.sortBy) return;
    m_costOfTaking += isRead(*search.sortBy) ? kCostOfReadKey : kCostOfKey;
    m_costOfSorting = isRead(*search.sortBy) ? kCostOfSortingByMemory : kCostOfSorting;
  }

  /// `done`: the share of what is looked through.
  void found(double done, std::uint64_t objects) {
    const double all = static_cast<double>(objects) / done;
    const double finding = m_costOfLooking + all * m_costOfTaking;
    m_reached = std::max(m_reached, done * finding / (finding + all * m_costOfSorting));
    m_finding.report(m_reached);
  }
  /// Progress of the sorting, which is the rest.
  StageProgress sorting() const { return StageProgress(m_sink, kSortingObjects, m_reached, 1); }

 private:
  ProgressSink* m_sink;
  StageProgress m_finding;
  double m_costOfLooking = 0;
  double m_costOfTaking = kCostOfTaking;
  double m_costOfSorting = 0;
  double m_reached = 0;
};

/// One search, on all cores.
class Search {
 public:
  Search(const ObjectSearch& search, const ObjectFields& fields, const ValueReader& values, const ObjectPlan& plan,
         ObjectOrder& order)
      : m_search(search),
        m_fields(fields),
        m_plan(plan),
        m_order(order),
        m_readers([&] { return ObjectValues(fields, values); }),
        m_chunks(makeChunks(fields.contents().heap->index, *fields.contents().segments, kChunkBytes)) {
    if (!search.methodTable) return;
    const TypeIndex::Slot* slot = fields.contents().heap->types.find(search.methodTable.value);
    m_type = slot ? TypeId{slot->type} : TypeId{};
  }

  std::optional<FoundObjects> run(SearchProgress& progress, const std::stop_token& stop) {
    const std::size_t partCount =
        m_search.among ? (m_search.among->size() + kObjectsPerPart - 1) / kObjectsPerPart : m_chunks.size();
    std::vector<ChunkMatches> parts(m_search.methodTable && m_type.isNone() ? 0 : partCount);
    std::atomic<std::uint64_t> objects = 0;
    CountedProgress counted(parts.size(), [&](double done) { progress.found(done, objects); });
    tbb::parallel_for(std::size_t{0}, parts.size(), [&](std::size_t i) {
      if (stop.stop_requested()) return;
      m_search.among ? readAmong(i * kObjectsPerPart, parts[i]) : readChunk(m_chunks[i], parts[i], stop);
      objects += parts[i].ids.size();
      counted.finishOne();
    });
    if (stop.stop_requested()) return std::nullopt;
    return join(parts);
  }

  /// Notes of all that were found, in their order.
  std::vector<ObjectOrder::Notes> takeNotes() { return std::move(m_notes); }

 private:
  static constexpr std::size_t kObjectsPerPart = 1 << 14;  // of those that are given

  void readChunk(const HeapChunk& chunk, ChunkMatches& found, const std::stop_token& stop) {
    const Segment& segment = (*m_fields.contents().segments)[chunk.segment.value];
    const HeapScope& scope = m_search.scope;
    if (scope.heap && *scope.heap != segment.heap) return;
    ObjectValues& values = m_readers.local();
    found.notes = m_order.beginNotes();
    ObjectView view;
    view.segment = chunk.segment;
    std::uint64_t steps = 0;
    for (const GenerationRange& part : segment.generations) {
      const AddressRange range{std::max(part.range.start, chunk.range.start),
                               std::min(part.range.end, chunk.range.end)};
      if (range.isEmpty() || (scope.generation && *scope.generation != part.generation)) continue;
      view.generation = part.generation;
      const ObjectIndex& index = m_fields.contents().heap->index;
      const SegmentObjects& objects = m_fields.segments()[chunk.segment.value];
      std::uint32_t next = index.countBefore(chunk.segment, range.start);
      index.forEachStart(chunk.segment, range, [&](Address address) {
        if (++steps % kStopInterval == 0 && stop.stop_requested()) return false;
        view.id = next++;
        if (objects.tryRead(address, view.facts) && mayFit(view.facts)) take(view, values, found);
        return true;
      });
    }
  }

  void readAmong(std::size_t from, ChunkMatches& found) {
    const HeapScope& scope = m_search.scope;
    ObjectValues& values = m_readers.local();
    found.notes = m_order.beginNotes();
    const auto objects = m_fields.contents().heap->index.objectCount();
    ObjectViews views(m_fields);
    const std::size_t end = std::min(from + kObjectsPerPart, m_search.among->size());
    for (std::size_t i = from; i < end; ++i) {
      const std::uint32_t id = (*m_search.among)[i];
      const ObjectView* const view = id < objects ? views.of(id) : nullptr;
      if (!view || !mayFit(view->facts)) continue;
      if (scope.heap && *scope.heap != (*m_fields.contents().segments)[view->segment.value].heap) continue;
      if (!scope.generation || *scope.generation == view->generation) take(*view, values, found);
    }
  }

  bool mayFit(const ObjectFacts& facts) const {
    const HeapScope& scope = m_search.scope;
    return !m_plan.isExcluded(facts.type) && (m_type.isNone() || facts.type == m_type) &&
           facts.sizeBytes >= scope.minimumBytes && facts.sizeBytes <= scope.maximumBytes;
  }

  void take(const ObjectView& view, ObjectValues& values, ChunkMatches& found) const {
    if (!m_plan.accepts(view, values, found.unreadable)) return;
    found.ids.push_back(view.id);
    found.bytes += view.facts.alignedBytes();
    m_order.note(view, values, found.notes);
  }

  FoundObjects join(std::vector<ChunkMatches>& parts) {
    FoundObjects all;
    std::vector<std::size_t> starts;
    for (ChunkMatches& part : parts) {
      starts.push_back(all.objects);
      all.objects += part.ids.size();
      all.bytes += part.bytes;
      all.unreadable += part.unreadable;
      m_notes.push_back(std::move(part.notes));
    }
    all.ids.resize(all.objects);
    tbb::parallel_for(std::size_t{0}, parts.size(), [&](std::size_t i) {
      std::ranges::copy(parts[i].ids, all.ids.begin() + static_cast<std::ptrdiff_t>(starts[i]));
      parts[i].ids = {};
    });
    return all;
  }

  const ObjectSearch& m_search;
  const ObjectFields& m_fields;
  const ObjectPlan& m_plan;
  ObjectOrder& m_order;
  std::vector<ObjectOrder::Notes> m_notes;
  tbb::enumerable_thread_specific<ObjectValues> m_readers;
  const std::vector<HeapChunk> m_chunks;
  TypeId m_type;
};

std::vector<QueryFieldReference> knownOf(const Snapshot& snapshot, std::vector<QueryFieldReference> fields) {
  std::erase_if(fields, [&](const QueryFieldReference& field) { return !isFieldKnown(snapshot, field); });
  return fields;
}

std::vector<QueryFieldReference> allFields(const Snapshot& snapshot, const ObjectSearch& search) {
  std::vector<QueryFieldReference> fields = fieldsOf(search.query);
  std::ranges::copy(knownOf(snapshot, search.columns), std::back_inserter(fields));
  if (search.sortBy) fields.push_back(*search.sortBy);
  return fields;
}

Outcome<std::vector<FoundObject>> describeAll(const ObjectFields& fields, const ValueReader& values,
                                              const std::vector<QueryFieldReference>& columns,
                                              std::span<const std::uint32_t> ids, const std::stop_token& stop) {
  const Snapshot& snapshot = fields.snapshot();
  std::vector<bool> isKnown;
  for (const QueryFieldReference& column : columns) isKnown.push_back(isFieldKnown(snapshot, column));
  ObjectValues reader(fields, values);
  const auto describe = [&](const ObjectView& view) {
    FoundObject found;
    found.row = {{view.id},       view.facts.address, view.facts.sizeBytes, view.facts.alignedBytes(),
                 view.facts.type, view.segment};
    if (!snapshot.isRecorded()) found.row.generation = view.generation;
    if (snapshot.has(Stage::Retained)) found.retainedBytes = retainedBytesOf(snapshot, {view.id});
    for (std::size_t i = 0; i < columns.size(); ++i)
      found.columns.push_back(isKnown[i] ? reader.value(columns[i], view) : QueryValue());
    return found;
  };
  ObjectViews views(fields);
  std::vector<FoundObject> rows;
  rows.reserve(ids.size());
  for (const std::uint32_t id : ids) {
    if (rows.size() % kStopInterval == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    const ObjectView* const view = views.of(id);
    rows.push_back(view ? describe(*view) : FoundObject{{}, {}, std::vector<QueryValue>(columns.size())});
  }
  return rows;
}

}  // namespace

Outcome<FoundObjects> findObjects(const Snapshot& snapshot, const ObjectSearch& search, ProgressSink* progress,
                                  std::stop_token stop) {
  HEAPSCAPE_TRY(const ObjectFields fields,
                ObjectFields::make(snapshot, allFields(snapshot, search), nullptr, stop, search.sets));
  const ValueReader values({*snapshot.contents().readers, snapshot.contents().heap.get()});
  const ObjectPlan plan(search.query, fields, values, search.among != nullptr);
  SearchProgress finding(search, snapshot.contents(), progress);
  ObjectOrder order(fields, values, search);
  Search searching(search, fields, values, plan, order);
  auto found = searching.run(finding, stop);
  if (!found) return tl::unexpected(Unfinished::cancelled());
  found->unknownFields = plan.unknownFields();
  StageProgress sorting = finding.sorting();
  std::vector<ObjectOrder::Notes> notes = searching.takeNotes();
  HEAPSCAPE_TRY(found->order, order.first(found->ids, notes, sorting, stop));
  const std::span<const std::uint32_t> first =
      std::span(found->order).first(std::min(search.rows, found->order.size()));
  HEAPSCAPE_TRY(found->rows, describeAll(fields, values, search.columns, first, stop));
  sorting.report(1);
  return std::move(*found);
}

struct ObjectDescriber::Prepared {
  ObjectFields fields;
  ValueReader values;
};

ObjectDescriber::ObjectDescriber(Snapshot snapshot, std::vector<QueryFieldReference> columns,
                                 std::shared_ptr<const ObjectSets> sets)
    : m_snapshot(std::move(snapshot)), m_columns(std::move(columns)), m_sets(std::move(sets)) {}

ObjectDescriber::~ObjectDescriber() = default;

Outcome<std::vector<FoundObject>> ObjectDescriber::describe(std::span<const std::uint32_t> ids,
                                                            std::stop_token stop) const {
  std::shared_ptr<const Prepared> prepared;
  {
    const std::lock_guard lock(m_mutex);
    if (!m_prepared) {
      HEAPSCAPE_TRY(ObjectFields fields,
                    ObjectFields::make(m_snapshot, knownOf(m_snapshot, m_columns), nullptr, stop, m_sets));
      ValueReader values({*m_snapshot.contents().readers, m_snapshot.contents().heap.get()});
      m_prepared = std::make_shared<const Prepared>(Prepared{std::move(fields), std::move(values)});
    }
    prepared = m_prepared;
  }
  return describeAll(prepared->fields, prepared->values, m_columns, ids, stop);
}

Outcome<std::vector<FoundObject>> describeObjects(const Snapshot& snapshot, const ObjectSearch& search,
                                                  std::span<const std::uint32_t> ids, std::stop_token stop) {
  return ObjectDescriber(snapshot, search.columns, search.sets).describe(ids, std::move(stop));
}

bool isFieldKnown(const Snapshot& snapshot, const QueryFieldReference& field) {
  const bool isOfObject = field.field == QueryFieldReference::kObjectField;
  if (snapshot.isRecorded() && (isOfObject || !isRecordedField(static_cast<ObjectField>(field.field)))) return false;
  return isOfObject || !needsRetained(static_cast<ObjectField>(field.field)) || snapshot.has(Stage::Retained);
}

Address addressOfObject(const Snapshot& snapshot, std::uint32_t id) {
  return snapshot.contents().heap->index.addressOf({id});
}

std::optional<std::uint32_t> idOfObject(const Snapshot& snapshot, Address object) {
  const ObjectId id = snapshot.contents().heap->index.idOf(object);
  return id.isNone() ? std::nullopt : std::optional(id.value);
}

Outcome<RetainedSet> retainedWith(const Snapshot& snapshot, const std::vector<std::uint32_t>& ids,
                                  ProgressSink* progress, std::stop_token stop) {
  std::vector<bool> isMember(snapshot.contents().heap->index.objectCount());
  for (const std::uint32_t id : ids) isMember[id] = true;
  return retainedOfMembers(snapshot, isMember, progress, std::move(stop));
}

}  // namespace heapscape::engine
