// SPDX-License-Identifier: MIT
#include "insight/detectors/detectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/figures.h"
#include "base/limits.h"
#include "insight/holders.h"
#include "runtime/managed_objects.h"
#include "runtime/modules/loader_allocators.h"

namespace heapscape::engine {
namespace {

/// Finds collectible AssemblyLoadContexts that were told to unload and cannot, because something outside still leads to
/// an object, type or method of theirs. One insight for each class of contexts. The bytes are what would be freed if
/// they unloaded: their objects, loader allocators and what their statics hold, with all that only these hold.
class StuckLoadContexts : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::StuckLoadContext}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) override;

  static constexpr std::size_t kMaximumClasses = 24;  // each takes a pass over the graph
};

constexpr std::string_view kContextType = "System.Runtime.Loader.AssemblyLoadContext";
constexpr std::int32_t kUnloading = 1;  // AssemblyLoadContext.InternalState
constexpr std::size_t kNameUnits = 200;
constexpr std::size_t kTriedPaths = 64;
constexpr std::size_t kTriedAllocators = 100;  // of a class

/// A collectible context, as its object tells of it.
struct Context {
  std::uint32_t object = 0;  // ObjectId
  Address binder;
  bool isUnloading = false;
  std::string name = {};
};

/// Contexts of one class, and what they loaded.
struct ContextClass {
  std::vector<Context> contexts;
  std::vector<std::pair<Address, TypeId>> types;  // with objects, each with the binder that it belongs to
  std::map<std::uint32_t, Address> allocators;    // binders by ObjectId of their LoaderAllocator objects
  std::set<std::string> assemblies;
  std::set<Address> binders;
};

class ContextFinder {
 public:
  ContextFinder(const InsightInput& input, std::stop_token stop)
      : m_input(input), m_heap(input), m_holders(input, m_heap), m_stop(std::move(stop)) {}

  Outcome<void> find(FoundInsights& found, StageProgress& progress) {
    std::map<std::pair<std::uint32_t, bool>, ContextClass> classes = contextClasses();
    std::size_t judged = 0, done = 0;
    for (auto& [key, contexts] : classes) {
      findContents(contexts);
      if (key.second && judged++ < StuckLoadContexts::kMaximumClasses)
        HEAPSCAPE_CHECK(judge(contexts, found));
      else
        mention(contexts, found);
      progress.report(static_cast<double>(++done) / static_cast<double>(classes.size()));
    }
    return {};
  }

 private:
  /// By TypeId, and whether they are unloading.
  std::map<std::pair<std::uint32_t, bool>, ContextClass> contextClasses() {
    std::map<std::pair<std::uint32_t, bool>, ContextClass> classes;
    for (const std::uint32_t object : m_input.objectsOf(contextTypes())) {
      const auto context = read(object);
      if (context) classes[{m_heap.typeOf(object).value, context->isUnloading}].contexts.push_back(*context);
    }
    return classes;
  }

  std::vector<TypeId> contextTypes() const {
    std::vector<TypeId> types;
    const std::vector<TypeRow>& rows = *m_heap.contents().types;
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      if (isContext(rows[i].methodTable)) types.push_back({i});
    }
    return types;
  }

  bool isContext(Address methodTable) const {
    for (std::size_t depth = 0; methodTable && depth < kLimits.parentDepth; ++depth) {
      if (m_heap.readers().names.nameOf(methodTable) == kContextType) return true;
      const auto type = m_heap.readers().methodTables.read(methodTable);
      if (!type || type->hasComponentSize) return false;
      methodTable = type->parent;
    }
    return false;
  }

  std::optional<Context> read(std::uint32_t object) {
    const auto isCollectible = m_heap.number<std::uint8_t>(object, "_isCollectible");
    const auto state = m_heap.number<std::int32_t>(object, "_state");
    const auto binder = m_heap.number<std::uint64_t>(object, "_nativeAssemblyLoadContext");
    if (!isCollectible.value_or(0) || !state || !binder) return std::nullopt;
    Context context{.object = object, .binder = {*binder}, .isUnloading = *state == kUnloading};
    const std::uint32_t name = m_heap.reference(object, "_name");
    if (name != HeapObjects::kNone) {
      const auto text = readManagedString(m_heap.readers().runtime, m_heap.addressOf(name), kNameUnits);
      if (text) context.name = *text;
    }
    return context;
  }

  void findContents(ContextClass& contexts) const {
    for (const Context& context : contexts.contexts) contexts.binders.insert(context.binder);
    const std::vector<TypeRow>& rows = *m_heap.contents().types;
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      const auto type = m_heap.readers().methodTables.read(rows[i].methodTable);
      const Address binder = type && type->isCollectible ? binderOf(*type) : Address{};
      if (!binder || !contexts.binders.contains(binder)) continue;
      contexts.types.push_back({binder, {i}});
      const auto allocator = loaderAllocatorObject(m_heap.readers().methodTables, *type);
      const std::uint32_t object = allocator && *allocator ? m_heap.objectAt(*allocator) : HeapObjects::kNone;
      if (object != HeapObjects::kNone) contexts.allocators.try_emplace(object, binder);
    }
    for (const Module* module : m_heap.readers().modules.all()) {
      if (const auto binder = m_heap.readers().loadContexts.binderOf(*module);
          binder && contexts.binders.contains(*binder))
        contexts.assemblies.insert(module->name);
    }
    addAllocators(contexts);
  }

  /// Binder of the context that a type's code and tables go with: for an array or generic type, that of its arguments.
  Address binderOf(const MethodTable& type) const {
    const auto module = m_heap.readers().methodTables.loaderModule(type);
    const Module* loaded = module ? m_heap.readers().modules.find(*module) : nullptr;
    const auto binder = loaded ? m_heap.readers().loadContexts.binderOf(*loaded) : failure(ErrorCode::NotFound, {});
    return binder ? *binder : Address{};
  }

  /// Those of assemblies without objects on the heap: the runtime's LoaderAllocator of a module tells its object.
  void addAllocators(ContextClass& contexts) const {
    const ClrRuntime& runtime = m_heap.readers().runtime;
    for (const Module* module : m_heap.readers().modules.all()) {
      const auto binder = m_heap.readers().loadContexts.binderOf(*module);
      if (!binder || !contexts.binders.contains(*binder)) continue;
      const auto handle = runtime.pointerAt(module->loaderAllocator, "LoaderAllocator", "ObjectHandle");
      const auto object = handle && *handle ? runtime.memory().readPointer(*handle) : failure(ErrorCode::NotFound, {});
      if (object && *object && m_heap.objectAt(*object) != HeapObjects::kNone)
        contexts.allocators.try_emplace(m_heap.objectAt(*object), *binder);
    }
  }

  /// Roots that go when the contexts unload: statics of their types, and the handle that Unload() itself makes.
  bool isOwnRoot(const RootRow& root, const ContextClass& contexts) const {
    if (root.kind == RootKind::Static && root.group != RootGroup::kNone) {
      const Address owner = m_heap.contents().retention->roots.groups[root.group].owner;
      const auto type = owner ? m_heap.readers().methodTables.read(owner) : failure(ErrorCode::NotFound, {});
      return type && type->isCollectible && contexts.binders.contains(binderOf(*type));
    }
    const std::uint32_t object = m_heap.objectAt(root.object);
    return root.kind == RootKind::StrongHandle &&
           std::ranges::any_of(contexts.contexts,
                               [object](const Context& context) { return context.object == object; });
  }

  Outcome<std::optional<RootPath>> foreignPath(std::uint32_t allocator, const ContextClass& contexts) {
    const PathOptions options{.paths = kTriedPaths, .steps = 24};
    HEAPSCAPE_TRY(const RootPathList list,
                  pathsToRoots(m_input.snapshot, m_heap.addressOf(allocator), options, nullptr, m_stop));
    for (const RootPath& path : list.paths) {
      if (!isOwnRoot(m_input.snapshot.roots().roots[path.root], contexts)) return path;
    }
    return std::optional<RootPath>();
  }

  /// Leaves those that something else holds, and returns how: one path for each root's name. Without any, nothing but
  /// itself holds a context: it goes with the next collections.
  Outcome<std::map<std::string, RootPath>> keepStuck(ContextClass& contexts) {
    std::map<std::string, RootPath> paths;
    std::set<Address> stuck;
    std::size_t tried = 0;
    for (const auto& [allocator, binder] : contexts.allocators) {
      if (++tried > kTriedAllocators) stuck.insert(binder);  // as the others of its class
      if (stuck.contains(binder)) continue;
      HEAPSCAPE_TRY(auto path, foreignPath(allocator, contexts));
      if (!path) continue;
      stuck.insert(binder);
      paths.try_emplace(Holders::nameOf(m_input.snapshot.roots().roots[path->root]), std::move(*path));
    }
    std::erase_if(contexts.contexts, [&](const Context& context) { return !stuck.contains(context.binder); });
    std::erase_if(contexts.types, [&](const auto& type) { return !stuck.contains(type.first); });
    std::erase_if(contexts.allocators, [&](const auto& allocator) { return !stuck.contains(allocator.second); });
    return paths;
  }

  /// Objects freed if they unloaded.
  Outcome<RetainedParts> partsOf(const ContextClass& contexts) {
    std::vector<TypeId> types;
    for (const auto& [binder, type] : contexts.types) types.push_back(type);
    std::vector<std::uint32_t> members = m_input.objectsOf(types);
    for (const auto& [allocator, binder] : contexts.allocators) members.push_back(allocator);
    for (const Context& context : contexts.contexts) members.push_back(context.object);
    std::vector<std::uint32_t> roots;
    for (const RootRow& root : m_heap.contents().retention->roots.roots) {
      const std::uint32_t object = m_heap.objectAt(root.object);
      if (object != HeapObjects::kNone && !isOwnRoot(root, contexts)) roots.push_back(object);
    }
    auto parts = m_heap.partsFinder(roots).without(members, roots, m_stop);
    if (!parts) return tl::unexpected(Unfinished::cancelled());
    return std::move(*parts);
  }

  Outcome<void> judge(ContextClass& contexts, FoundInsights& all) {
    HEAPSCAPE_TRY(const auto paths, keepStuck(contexts));
    if (paths.empty() || contexts.contexts.empty()) return {};
    HEAPSCAPE_TRY(const RetainedParts parts, partsOf(contexts));
    FoundInsight found = begin(contexts);
    Insight& insight = found.insight;
    insight.meaning = InsightMeaning::Leak;
    insight.title =
        fmt::format("{} of {} cannot unload", countOf(contexts.contexts.size(), "load context"), insight.subject);
    insight.advice =
        "Let go of the object at the end of the path, or hold it weakly: a context unloads only when "
        "nothing outside refers to its objects, types and methods.";
    addParts(m_heap, parts, found);
    insight.path = m_holders.wordsOf(paths.begin()->second);
    insight.facts.push_back({"Objects freed with it", readableCount(parts.objects)});
    for (auto other = std::next(paths.begin()); other != paths.end(); ++other)
      insight.facts.push_back({"Also held by", other->first});
    const bool isStatic = insight.path.front().starts_with("static ");
    insight.owners.push_back({isStatic ? InsightOwner::Kind::Static : InsightOwner::Kind::Other,
                              insight.path.front(),
                              {},
                              {},
                              insight.objects,
                              insight.bytes});
    all.insights.push_back(std::move(found));
    return {};
  }

  void mention(const ContextClass& contexts, FoundInsights& all) const {
    FoundInsight found = begin(contexts);
    const bool isUnloading = contexts.contexts.front().isUnloading;
    found.insight.meaning = InsightMeaning::Held;
    found.insight.title =
        fmt::format("{} of {} {} {}", countOf(contexts.contexts.size(), "load context"), found.insight.subject,
                    contexts.contexts.size() == 1 ? "is" : "are", isUnloading ? "unloading" : "in use");
    found.insight.advice = isUnloading ? "What holds them was not looked for: too many other classes have such ones."
                                       : "Nothing is wrong as long as they are needed; Unload() has not been called.";
    all.insights.push_back(std::move(found));
  }

  FoundInsight begin(const ContextClass& contexts) const {
    FoundInsight found;
    Insight& insight = found.insight;
    const TypeRow& type = m_heap.typeRowOf(contexts.contexts.front().object);
    insight.kind = InsightKind::StuckLoadContext;
    insight.subject = type.name;
    insight.methodTable = type.methodTable;
    insight.objects = contexts.contexts.size();
    insight.contents = contexts.contexts.front().name;
    for (const Context& context : contexts.contexts) {
      insight.items.push_back({m_heap.addressOf(context.object), m_heap.retainedBytesOf(context.object)});
      insight.ids.push_back(context.object);
    }
    std::ranges::sort(insight.ids);
    keepCostliest(insight.items);
    for (const std::string& assembly : contexts.assemblies) insight.facts.push_back({"Assembly", assembly});
    return found;
  }

  const InsightInput& m_input;
  HeapObjects m_heap;
  Holders m_holders;
  std::stop_token m_stop;
};

}  // namespace

Outcome<void> StuckLoadContexts::find(const InsightInput& input, FoundInsights& found, FindingList&,
                                      StageProgress& progress, std::stop_token stop) {
  return ContextFinder(input, std::move(stop)).find(found, progress);
}

std::unique_ptr<Detector> makeStuckLoadContexts() {
  return std::make_unique<StuckLoadContexts>();
}

}  // namespace heapscape::engine
