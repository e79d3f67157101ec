// SPDX-License-Identifier: MIT
#include "capture/heap_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "base/unicode.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kRuntimeProvider = "Microsoft-Windows-DotNETRuntime";
constexpr std::string_view kRundownProvider = "Microsoft-Windows-DotNETRuntimeRundown";

/// Numbers of events (src/coreclr/vm/ClrEtwAll.man in dotnet/runtime).
enum RuntimeEventId : std::uint32_t {
  kCollectionStart = 1,
  kCollectionEnd = 2,
  kTypesTold = 15,
  kRootsTold = 16,
  kDependentHandlesTold = 17,
  kObjectsTold = 18,
  kReferencesTold = 19,
  kStaticsTold = 38,
  kModuleLoaded = 152,
  kModuleEnd = 154,  // of the rundown
};

constexpr std::uint32_t kOldestGeneration = 2;
constexpr std::uint32_t kInduced = 1;   // why there was a collection
constexpr std::uint32_t kBlocking = 0;  // how it was done
constexpr std::uint32_t kWeakRoot = 2;  // flags of roots
constexpr std::uint32_t kPinningRoot = 1;
constexpr std::uint32_t kCountedRoot = 8;
constexpr std::uint32_t kArrayType = 8;       // flags of types
constexpr std::uint32_t kStaticOfThread = 1;  // of statics
constexpr std::size_t kMostToldText = 64 * 1024;
constexpr std::uint64_t kMostTold = UINT32_MAX;

/// UTF-16 up to a zero.
std::string readToldText(BoundedReader& reader) {
  std::u16string units;
  while (units.size() < kMostToldText) {
    const auto unit = reader.read<char16_t>();
    if (reader.failed() || unit == u'\0') return toUtf8(units);
    units.push_back(unit);
  }
  reader.readBytes(UINT64_MAX);
  return {};
}

std::string_view groupOfRoot(std::uint8_t kind, std::uint32_t flags) {
  enum : std::uint8_t { kStack, kFinalizer, kHandle };
  if (kind == kStack) return "[local vars]";
  if (flags & kCountedRoot) return "[COM/WinRT Objects]";
  if (kind == kFinalizer) return "[finalizer Handles]";
  if (kind != kHandle) return "[other Handles]";
  return flags == kPinningRoot ? "[pinning Handles]" : "[strong Handles]";
}

/// As files of dotnet-gcdump have it: without the numbers of type parameters, and brackets of arguments as C# has them,
/// in which ranks of arrays are taken in.
std::string graphTypeName(std::string_view told) {
  std::string name;
  for (std::size_t i = 0; i < told.size(); ++i) {
    const auto isDigit = [&](std::size_t at) { return at < told.size() && told[at] >= '0' && told[at] <= '9'; };
    if (told[i] == '`' && isDigit(i + 1)) {
      while (isDigit(i + 1)) ++i;
      continue;
    }
    const char one = told[i] == '[' ? '<' : told[i] == ']' ? '>' : told[i];
    if (one == '>' && !name.empty() && name.back() == '<') {
      name.back() = '[';
      name += ']';
    } else {
      name += one;
    }
  }
  return name;
}

/// What tells large objects apart: " (Bytes > 10K)"; empty for small ones.
std::string_view suffixOfSize(std::uint32_t bytes) {
  struct Step {
    std::uint32_t below;
    std::string_view suffix;
  };
  constexpr std::array<Step, 5> kSteps{{{10'000, " (Bytes > 1K)"},
                                        {100'000, " (Bytes > 10K)"},
                                        {1'000'000, " (Bytes > 100K)"},
                                        {10'000'000, " (Bytes > 1M)"},
                                        {100'000'000, " (Bytes > 10M)"}}};
  if (bytes <= 1000) return {};
  for (const Step& step : kSteps)
    if (bytes < step.below) return step.suffix;
  return " (Bytes > 100M)";
}

}  // namespace

void HeapEvents::take(const NativeTraceEvent& event) {
  const BoundedReader reader(event.payload);
  const bool isOfRundown = event.provider == kRundownProvider;
  if (event.provider != kRuntimeProvider && !isOfRundown) return;
  if (event.id == kModuleLoaded || event.id == kModuleEnd) return takeModule(reader);
  if (isOfRundown || m_isDamaged) return;
  if (event.id == kTypesTold) return takeTypes(reader);  // whatever they are told for
  if (event.id == kCollectionStart) return takeStart(reader);
  if (m_state != State::During) return;
  switch (event.id) {
    case kCollectionEnd:
      return takeEnd(reader);
    case kRootsTold:
      return takeRoots(reader);
    case kDependentHandlesTold:
      return takeDependent(reader);
    case kObjectsTold:
      return takeObjects(reader);
    case kReferencesTold:
      return takeReferences(reader);
    case kStaticsTold:
      return takeStatics(reader);
    default:
      return;
  }
}

void HeapEvents::takeStart(BoundedReader reader) {
  const auto collection = reader.read<std::uint32_t>();
  const auto generation = reader.read<std::uint32_t>();
  const auto reason = reader.read<std::uint32_t>();
  const auto kind = reader.read<std::uint32_t>();
  if (reader.failed() || m_state != State::Before) return;
  if (generation != kOldestGeneration || reason != kInduced || kind != kBlocking) return;
  m_collection = collection;
  m_state = State::During;
}

// One that the program has asked for itself tells nothing; the one that was asked for here may follow.
void HeapEvents::takeEnd(BoundedReader reader) {
  const auto collection = reader.read<std::uint32_t>();
  if (reader.failed() || collection != m_collection) return;
  m_state = m_objects.empty() && m_references.empty() ? State::Before : State::After;
}

std::uint32_t HeapEvents::readCount(BoundedReader& reader, std::uint32_t& next) {
  const auto number = reader.read<std::uint32_t>();
  const auto count = reader.read<std::uint32_t>();
  reader.read<std::uint16_t>();  // of the runtime in its process
  m_isDamaged = m_isDamaged || reader.failed() || number != next;
  ++next;
  return m_isDamaged ? 0 : count;
}

void HeapEvents::takeTypes(BoundedReader reader) {
  const auto count = reader.read<std::uint32_t>();
  reader.read<std::uint16_t>();
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto id = reader.read<std::uint64_t>();
    ToldType type;
    type.module = reader.read<std::uint64_t>();
    const auto nameId = reader.read<std::uint32_t>();
    const auto flags = reader.read<std::uint32_t>();
    reader.read<std::uint8_t>();  // what it is an element of signatures
    type.name = readToldText(reader);
    const auto arguments = reader.read<std::uint32_t>();
    reader.readBytes(std::uint64_t{arguments} * sizeof(std::uint64_t));
    if (reader.failed()) break;
    if (type.name.empty()) type.name = fmt::format("{}Type(0x{:x})", flags & kArrayType ? "Array" : "", nameId);
    m_types.insert_or_assign(id, std::move(type));
  }
  m_isDamaged = m_isDamaged || reader.failed();
}

void HeapEvents::takeRoots(BoundedReader reader) {
  const std::uint32_t count = readCount(reader, m_nextRoots);
  for (std::uint32_t i = 0; i < count && !reader.failed(); ++i) {
    ToldRoot root;
    root.object = reader.read<std::uint64_t>();
    const auto kind = reader.read<std::uint8_t>();
    const auto flags = reader.read<std::uint32_t>();
    reader.read<std::uint64_t>();  // where the root is
    root.group = groupOfRoot(kind, flags);
    root.isAmongOthers = kind != 0;
    if (!(flags & kWeakRoot)) m_roots.push_back(root);
  }
  m_isDamaged = m_isDamaged || reader.failed();
}

void HeapEvents::takeDependent(BoundedReader reader) {
  const std::uint32_t count = readCount(reader, m_nextDependents);
  for (std::uint32_t i = 0; i < count && !reader.failed(); ++i) {
    const auto key = reader.read<std::uint64_t>();
    const auto value = reader.read<std::uint64_t>();
    reader.read<std::uint64_t>();  // where the handle is
    if (key) m_roots.push_back({value, "[Dependent Handles]", true});
  }
  m_isDamaged = m_isDamaged || reader.failed();
}

void HeapEvents::takeObjects(BoundedReader reader) {
  const std::uint32_t count = readCount(reader, m_nextObjects);
  for (std::uint32_t i = 0; i < count && !reader.failed(); ++i) {
    ToldObject object;
    object.address = reader.read<std::uint64_t>();
    const auto bytes = reader.read<std::uint64_t>();
    object.bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, NodeGraph::kMostBytes));
    object.type = reader.read<std::uint64_t>();
    object.references = reader.read<std::uint64_t>();
    m_objects.push_back(object);
  }
  m_isDamaged = m_isDamaged || reader.failed() || m_objects.size() > kMostTold;
}

void HeapEvents::takeReferences(BoundedReader reader) {
  const std::uint32_t count = readCount(reader, m_nextReferences);
  for (std::uint32_t i = 0; i < count && !reader.failed(); ++i) {
    m_references.push_back(reader.read<std::uint64_t>());
    reader.read<std::uint32_t>();  // a field, which no runtime tells
  }
  m_isDamaged = m_isDamaged || reader.failed() || m_references.size() > kMostTold;
}

void HeapEvents::takeStatics(BoundedReader reader) {
  const auto count = reader.read<std::uint32_t>();
  reader.read<std::uint64_t>();  // domain
  reader.read<std::uint16_t>();
  for (std::uint32_t i = 0; i < count && !reader.failed(); ++i) {
    ToldStatic one;
    reader.read<std::uint64_t>();  // where it is
    one.object = reader.read<std::uint64_t>();
    one.type = reader.read<std::uint64_t>();
    one.isOfThread = reader.read<std::uint32_t>() & kStaticOfThread;
    one.field = readToldText(reader);
    m_statics.push_back(std::move(one));
  }
  m_isDamaged = m_isDamaged || reader.failed();
}

void HeapEvents::takeModule(BoundedReader reader) {
  const auto module = reader.read<std::uint64_t>();
  reader.read<std::uint64_t>();  // assembly
  reader.read<std::uint64_t>();  // flags, and nothing
  std::string path = readToldText(reader);
  if (!reader.failed()) m_modules.try_emplace(module, std::move(path));
}

/// The graph on its way: first the nodes above the objects, then the objects in the order they were told in, then what
/// only references tell of.
class HeapEvents::Graph {
 public:
  explicit Graph(HeapEvents& events) : m_events(events) { m_root = groupBelow(kNoNode, "[.NET Roots]"); }

  Result<NodeGraph> make() {
    makeGroups();
    HEAPSCAPE_CHECK(addObjects());
    addRoots();
    fillReferences();
    return std::move(m_graph);
  }

 private:
  static constexpr std::uint32_t kNoNode = UINT32_MAX;

  /// A node above the objects: what it leads to, groups first.
  struct Group {
    std::uint32_t type = 0;
    std::vector<std::uint32_t> children;
  };

  std::uint32_t typeNumber(const std::string& name, const std::string& module) {
    const auto [known, isNew] =
        m_typeNumbers.try_emplace(std::pair(name, module), static_cast<std::uint32_t>(m_graph.types.size()));
    if (isNew) m_graph.types.push_back({name, module});
    return known->second;
  }

  std::uint32_t groupBelow(std::uint32_t parent, const std::string& name) {
    const auto [known, isNew] = m_groupNumbers.try_emplace({parent, name}, static_cast<std::uint32_t>(m_groups.size()));
    if (!isNew) return known->second;
    m_groups.push_back({typeNumber(name, {}), {}});
    if (parent != kNoNode) m_groups[parent].children.push_back(known->second);
    return known->second;
  }

  std::string nameOfType(std::uint64_t id) const {
    const auto type = m_events.m_types.find(id);
    return type == m_events.m_types.end() ? fmt::format("Type(0x{:x})", id) : graphTypeName(type->second.name);
  }

  /// All groups, so that they have the first numbers.
  void makeGroups() {
    const std::uint32_t statics = groupBelow(m_root, "[static vars]");
    for (const ToldRoot& root : m_events.m_roots) m_groupOfRoots.push_back(groupOf(root));
    groupBelow(m_root, "[COM/WinRT Objects]");
    for (const ToldStatic& one : m_events.m_statics) {
      const std::uint32_t parent = one.isOfThread ? groupBelow(m_root, "[thread static vars]") : statics;
      m_groupOfStatics.push_back(
          groupBelow(parent, fmt::format("[static var {}.{}]", nameOfType(one.type), one.field)));
    }
  }
  std::uint32_t groupOf(const ToldRoot& root) {
    const std::uint32_t parent = root.isAmongOthers ? groupBelow(m_root, "[other roots]") : m_root;
    return groupBelow(parent, std::string(root.group));
  }

  std::uint32_t typeOf(const ToldObject& object) {
    const std::string_view suffix = suffixOfSize(object.bytes);
    const auto [known, isNew] = m_knownTypes.try_emplace({object.type, suffix.data()});
    if (!isNew) return known->second;
    const auto type = m_events.m_types.find(object.type);
    if (type == m_events.m_types.end()) {
      known->second = typeNumber(fmt::format("UNKNOWN 0x{:x}{}", object.type, suffix), {});
    } else {
      const auto module = m_events.m_modules.find(type->second.module);
      known->second = typeNumber(
          graphTypeName(type->second.name) + std::string(suffix),
          module == m_events.m_modules.end() ? fmt::format("Module(0x{:x})", type->second.module) : module->second);
    }
    return known->second;
  }

  Result<void> addObjects() {
    const auto groups = static_cast<std::uint32_t>(m_groups.size());
    m_places.reserve(m_events.m_objects.size());
    std::uint64_t references = 0;
    for (std::uint32_t i = 0; i < m_events.m_objects.size(); ++i) {
      const ToldObject& object = m_events.m_objects[i];
      m_places.emplace_back(object.address, groups + i);
      references += std::min<std::uint64_t>(object.references, kMostTold);
    }
    if (references != m_events.m_references.size()) return failure(ErrorCode::Damaged, "References are missing.");
    std::ranges::sort(m_places);
    const auto same = std::ranges::adjacent_find(m_places, {}, &std::pair<std::uint64_t, std::uint32_t>::first);
    if (same != m_places.end()) return failure(ErrorCode::Damaged, "An object is told of twice.");
    return {};
  }

  /// The node of an object: one of which nothing else is told gets one, too.
  std::uint32_t nodeOf(std::uint64_t address) {
    const auto place = std::ranges::lower_bound(m_places, address, {}, &std::pair<std::uint64_t, std::uint32_t>::first);
    if (place != m_places.end() && place->first == address) return place->second;
    const auto next = static_cast<std::uint32_t>(m_groups.size() + m_events.m_objects.size() + m_untold.size());
    const auto [known, isNew] = m_untoldNumbers.try_emplace(address, next);
    if (isNew) m_untold.push_back(address);
    return known->second;
  }

  void addRoots() {
    for (std::size_t i = 0; i < m_groupOfRoots.size(); ++i)
      m_groups[m_groupOfRoots[i]].children.push_back(nodeOf(m_events.m_roots[i].object));
    for (std::size_t i = 0; i < m_groupOfStatics.size(); ++i)
      m_groups[m_groupOfStatics[i]].children.push_back(nodeOf(m_events.m_statics[i].object));
  }

  void fillReferences() {
    for (std::uint64_t& reference : m_events.m_references) reference = nodeOf(reference);
    const std::size_t groups = m_groups.size(), objects = m_events.m_objects.size();
    const std::size_t nodes = groups + objects + m_untold.size();
    std::size_t children = m_events.m_references.size();
    for (const Group& group : m_groups) children += group.children.size();
    m_graph.root = m_root;
    m_graph.typeOf = LargeArray<std::uint32_t>(nodes);
    m_graph.sizeOf = LargeArray<std::uint32_t>(nodes);
    m_graph.addressOf = LargeArray<std::uint64_t>(nodes);
    m_graph.firstChild = LargeArray<std::uint32_t>(nodes + 1);
    m_graph.children = LargeArray<std::uint32_t>(children);
    std::uint32_t next = 0;
    for (std::uint32_t i = 0; i < groups; ++i) {
      m_graph.typeOf[i] = m_groups[i].type;
      m_graph.firstChild[i] = next;
      for (const std::uint32_t child : m_groups[i].children) m_graph.children[next++] = child;
    }
    std::size_t reference = 0;
    for (std::size_t i = 0; i < objects; ++i) {
      const ToldObject& object = m_events.m_objects[i];
      m_graph.typeOf[groups + i] = typeOf(object);
      m_graph.sizeOf[groups + i] = object.bytes;
      m_graph.addressOf[groups + i] = object.address;
      m_graph.firstChild[groups + i] = next;
      for (std::uint64_t one = 0; one < object.references; ++one)
        m_graph.children[next++] = static_cast<std::uint32_t>(m_events.m_references[reference++]);
    }
    for (std::size_t i = groups + objects; i < nodes; ++i) {
      m_graph.typeOf[i] = typeNumber(NodeGraph::kUndefined, {});
      m_graph.addressOf[i] = m_untold[i - groups - objects];
      m_graph.firstChild[i] = next;
    }
    m_graph.firstChild[nodes] = next;
  }

  HeapEvents& m_events;
  NodeGraph m_graph;
  std::uint32_t m_root = 0;
  std::vector<Group> m_groups;
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> m_groupNumbers;
  std::vector<std::uint32_t> m_groupOfRoots, m_groupOfStatics;                  // by root, by static
  std::map<std::pair<std::string, std::string>, std::uint32_t> m_typeNumbers;   // by name and module
  std::map<std::pair<std::uint64_t, const char*>, std::uint32_t> m_knownTypes;  // by method table and suffix
  std::vector<std::pair<std::uint64_t, std::uint32_t>> m_places;                // addresses of objects, sorted
  std::unordered_map<std::uint64_t, std::uint32_t> m_untoldNumbers;
  std::vector<std::uint64_t> m_untold;  // addresses
};

Result<NodeGraph> HeapEvents::finish() {
  if (m_state == State::Before)
    return failure(ErrorCode::NotFound, "The runtime has told nothing of its heap.", "Try it again.");
  // Every program has roots.
  if (m_state == State::During || m_isDamaged || m_nextRoots == 0) {
    return failure(ErrorCode::Damaged,
                   "The runtime has told of its heap in part only: events are missing, which it drops if they are not "
                   "taken fast enough.",
                   "Try it again, or take a dump.");
  }
  auto graph = Graph(*this).make();
  *this = HeapEvents();
  if (graph) return graph;
  return failure(graph.error().code, "The runtime has told of its heap in part only. " + graph.error().what,
                 "Try it again, or take a dump.");
}

}  // namespace heapscape::engine
