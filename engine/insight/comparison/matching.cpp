// SPDX-License-Identifier: MIT
#include "insight/comparison/matching.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <map>
#include <set>
#include <utility>

#include "layout/framework_assembly.h"

namespace heapscape::engine {

NamedModules namedModulesOf(const Snapshot& snapshot) {
  NamedModules modules;
  for (const ModuleRow& module : snapshot.modules()) {
    modules.all.insert(module.name);
    if (module.metadata == MetadataSource::Missing) modules.unnamed.insert(module.name);
  }
  return modules;
}

std::set<std::string> modulesNamedElsewhere(const NamedModules& here, const NamedModules& other) {
  std::set<std::string> modules = here.unnamed;
  std::erase_if(modules,
                [&](const std::string& name) { return other.unnamed.contains(name) || !other.all.contains(name); });
  return modules;
}

namespace {

using NameAndAssembly = std::pair<std::string_view, std::string_view>;

struct OriginKey {
  std::string_view name;
  std::string_view assembly;
  std::string_view loadContext;  // empty where no dump has the type in several
  auto operator<=>(const OriginKey&) const = default;
};
using TypesByKey = std::map<OriginKey, MatchedType>;

void addTo(TypeFigures& type, const Snapshot& snapshot, std::uint32_t id, const TypeRow& row) {
  type.isFree = row.isFree;
  type.types.push_back(TypeId{id});
  type.count += snapshot.typeCounts().count[id];
  type.bytes += snapshot.typeCounts().bytes[id];
  if (id < snapshot.typePaddingBytes().size()) type.padding += snapshot.typePaddingBytes()[id];
  if (id < snapshot.typeRetained().size()) type.retained += snapshot.typeRetained()[id].retainedBytes;
  if (row.componentSize == 0) type.instanceBytes = std::max<std::uint64_t>(type.instanceBytes, row.baseSize);
}

// Addresses are another in each dump.
std::string_view withoutAddress(const TypeRow& row) {
  std::string_view name = row.loadContext;
  const std::string address = " " + toString(row.loadContextObject);
  if (row.loadContextObject && name.ends_with(address)) name.remove_suffix(address.size());
  return name;
}

bool isInAll(const MatchedType& type) {
  return std::ranges::find(type.dumps, nullptr) == type.dumps.end();
}

std::size_t lastDumpOf(const MatchedType& type) {
  std::size_t last = 0;
  for (std::size_t i = 0; i < type.dumps.size(); ++i)
    if (type.dumps[i]) last = i;
  return last;
}

// Where several may be meant, as of internal ones that many assemblies have a copy of, none is.
void joinMovedTypes(TypesByKey& types, std::size_t dumps) {
  std::map<std::string_view, std::vector<OriginKey>> places;  // by name
  for (const auto& [key, type] : types)
    if (isFrameworkAssembly(key.assembly) && !isInAll(type)) places[key.name].push_back(key);
  for (const auto& [name, keys] : places) {
    std::vector<int> inDump(dumps);
    for (const OriginKey& key : keys)
      for (std::size_t i = 0; i < dumps; ++i) inDump[i] += types.at(key).dumps[i] != nullptr;
    if (keys.size() < 2 || std::ranges::any_of(inDump, [](int count) { return count > 1; })) continue;
    const OriginKey latest =
        *std::ranges::max_element(keys, {}, [&](const OriginKey& key) { return lastDumpOf(types.at(key)); });
    MatchedType& joined = types.at(latest);
    for (const OriginKey& key : keys) {
      if (key == latest) continue;
      for (std::size_t i = 0; i < dumps; ++i)
        if (const TypeFigures* figures = types.at(key).dumps[i]) joined.dumps[i] = figures;
      types.erase(key);
    }
  }
}

/// Joins what a recorded heap calls by a short name with the one nested type of the other dumps that it can mean. The
/// compiler's types have the same short names over and over ("<>c"), so these stay apart.
void joinNestedTypes(TypesByKey& types, std::size_t dumps) {
  struct Meant {
    std::vector<OriginKey> recorded, nested;
  };
  std::map<std::pair<std::string, std::string_view>, Meant> meant;  // by short name and assembly
  for (const auto& [key, type] : types) {
    if (isInAll(type)) continue;
    const TypeFigures& figures = type.latest();
    if (figures.isRecorded)
      meant[{std::string(key.name), key.assembly}].recorded.push_back(key);
    else if (std::string name = nameInGcDump(key.name); name != key.name)
      meant[{std::move(name), key.assembly}].nested.push_back(key);
  }
  for (const auto& [name, keys] : meant) {
    if (keys.recorded.size() != 1 || keys.nested.size() != 1) continue;
    MatchedType& nested = types.at(keys.nested.front());
    const MatchedType& recorded = types.at(keys.recorded.front());
    bool isTwice = false;
    for (std::size_t i = 0; i < dumps; ++i) isTwice = isTwice || (nested.dumps[i] && recorded.dumps[i]);
    if (isTwice) continue;
    for (std::size_t i = 0; i < dumps; ++i)
      if (recorded.dumps[i]) nested.dumps[i] = recorded.dumps[i];
    types.erase(keys.recorded.front());
  }
}

}  // namespace

std::string nameInGcDump(std::string_view name) {
  std::string arguments;  // of all types around it, and its own
  std::string own;        // its name without them
  std::size_t depth = 0;  // of angle brackets
  std::size_t from = 0;   // where the arguments begin that are being read
  bool isInArguments = false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char one = name[i];
    // Names of the compiler's begin with brackets of their own: "<>c", "<Main>d__0".
    if (one == '<' && depth++ == 0) {
      isInArguments = !own.empty() && own.back() != '.';
      from = i + 1;
    }
    if (one == '>' && depth > 0 && --depth == 0 && isInArguments) {
      arguments += (arguments.empty() ? "" : ", ") + std::string(name.substr(from, i - from));
      isInArguments = false;
      continue;
    }
    if (isInArguments) continue;
    if (one == '+' && depth == 0) {
      own.clear();
    } else {
      own += one;
    }
  }
  if (arguments.empty()) return own;
  const std::size_t end = std::min(own.find('['), own.size());
  return own.substr(0, end) + '<' + arguments + '>' + own.substr(end);
}

const TypeFigures& MatchedType::latest() const {
  return *dumps[lastDumpOf(*this)];
}

bool mayHaveMoved(std::string_view assembly, std::string_view other) {
  return isFrameworkAssembly(assembly) && isFrameworkAssembly(other);
}

std::vector<TypeFigures> typeFiguresOf(const Snapshot& snapshot) {
  struct Key {
    std::string_view name, assembly, loadContext;
    Address context;
    auto operator<=>(const Key&) const = default;
  };
  std::map<Key, TypeFigures> types;
  const std::vector<TypeRow>& rows = snapshot.types();
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    if (!snapshot.typeCounts().count[i]) continue;
    const std::string_view context = withoutAddress(rows[i]);
    TypeFigures& type = types[{rows[i].name, rows[i].assembly, context, rows[i].loadContextObject}];
    addTo(type, snapshot, i, rows[i]);
    type.name = rows[i].name;
    type.assembly = rows[i].assembly;
    type.loadContext = context;
    type.isRecorded = snapshot.isRecorded();
  }
  std::vector<TypeFigures> figures;
  const Key* previous = nullptr;
  std::size_t sameBefore = 0;  // contexts of one name that have the type
  for (auto& [key, type] : types) {
    const bool isSame = previous && previous->name == key.name && previous->assembly == key.assembly &&
                        previous->loadContext == key.loadContext;
    sameBefore = isSame ? sameBefore + 1 : 0;
    if (sameBefore > 0) type.loadContext = fmt::format("{} ({})", key.loadContext, sameBefore + 1);
    previous = &key;
    figures.push_back(std::move(type));
  }
  return figures;
}

std::vector<MatchedType> matchTypes(std::span<const std::vector<TypeFigures>* const> dumps) {
  std::map<NameAndAssembly, bool> isInSeveral;
  for (const std::vector<TypeFigures>* dump : dumps) {
    std::set<NameAndAssembly> seen;
    for (const TypeFigures& figures : *dump) {
      bool& isSeveral = isInSeveral[{figures.name, figures.assembly}];
      isSeveral = !seen.insert({figures.name, figures.assembly}).second || isSeveral;
    }
  }
  TypesByKey types;
  for (std::size_t i = 0; i < dumps.size(); ++i) {
    for (const TypeFigures& figures : *dumps[i]) {
      const bool isSeveral = isInSeveral.at({figures.name, figures.assembly});
      const std::string_view context = isSeveral ? std::string_view(figures.loadContext) : std::string_view();
      MatchedType& type = types[{figures.name, figures.assembly, context}];
      type.isInSeveralContexts = isSeveral;
      type.dumps.resize(dumps.size());
      type.dumps[i] = &figures;
    }
  }
  joinMovedTypes(types, dumps.size());
  joinNestedTypes(types, dumps.size());
  std::vector<MatchedType> matched;
  for (auto& [key, type] : types) matched.push_back(std::move(type));
  return matched;
}

std::map<InsightKey, InsightFigures> insightFiguresOf(const InsightList& list) {
  std::map<InsightKey, InsightFigures> all;
  for (const Insight& insight : list.insights) {
    InsightFigures& figures = all[{insight.kind, insight.subject, insight.contents}];
    figures.meaning = insight.meaning;
    figures.title = insight.title;
    figures.bytes += insight.bytes;
    figures.objects += insight.objects;
  }
  return all;
}

}  // namespace heapscape::engine
