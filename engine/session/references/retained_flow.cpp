// SPDX-License-Identifier: MIT
#include "session/references/retained_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/progress.h"
#include "session/references/adjacents.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kMostOnTheWay = 200'000;  // objects that are passed in search of ways

}  // namespace

Outcome<RetainedAccount> retainedAccountOf(const Snapshot& snapshot, Address object, bool foldCollections,
                                           std::stop_token stop) {
  const ObjectId id = snapshot.has(Stage::Retained) ? snapshot.contents().heap->index.idOf(object) : ObjectId{};
  if (id.isNone()) return failure(ErrorCode::NotFound, fmt::format("There is no object at {}.", toString(object)));
  FoldedCollections folding(snapshot.contents());
  const RetainedFlow flow(snapshot.contents(), foldCollections ? &folding : nullptr);
  const auto account = flow.accountOf(id.value, stop);
  if (!account) return tl::unexpected(Unfinished::cancelled());
  return *account;
}

std::uint32_t RetainedFlow::immediateDominatorOf(std::uint32_t object) const {
  const DominatorTree& tree = retention().tree;
  const std::uint32_t number = tree.numberOf(object);
  const std::uint32_t dominator = number ? tree.dominatingObjectOf(number) : 0;
  return dominator ? tree.vertexOf(dominator) : kNone;
}

std::uint32_t RetainedFlow::ownerOf(std::uint32_t object) const {
  const std::uint32_t owner = immediateDominatorOf(object);
  if (!m_folding || owner == kNone) return owner;
  // Between the parts of a collection, each is for itself.
  const std::uint32_t around = m_folding->collectionAround(owner);
  return around == FoldedCollections::kNone || m_folding->collectionAround(object) == around ? owner : around;
}

bool RetainedFlow::flows(std::uint32_t from, std::uint32_t to) const {
  if (ownerOf(to) == from) return true;
  // What is asked about the storage of a collection itself is answered without the collection.
  return m_folding && m_folding->collectionAround(from) != FoldedCollections::kNone && immediateDominatorOf(to) == from;
}

bool RetainedFlow::dominates(std::uint32_t above, std::uint32_t below) const {
  const std::uint32_t first = retention().tree.numberOf(above);
  const std::uint32_t number = retention().tree.numberOf(below);
  return first && number > first && number < first + retention().sizes.objects[first];
}

template <class Visit>
bool RetainedFlow::forEachChild(std::uint32_t object, const Visit& visit) const {
  const std::uint32_t first = retention().tree.numberOf(object);
  if (!first) return true;
  const RetainedSizes& sizes = retention().sizes;
  const std::uint32_t end = first + sizes.objects[first];
  for (std::uint32_t child = first + 1; child < end; child += sizes.objects[child]) {
    if (!visit(retention().tree.vertexOf(child))) return false;
  }
  return true;
}

bool RetainedFlow::isStorageOf(std::uint32_t object, std::uint32_t collection) const {
  return m_folding && m_folding->collectionAround(object) == collection;
}

std::optional<std::vector<std::uint32_t>> RetainedFlow::partsOf(std::uint32_t object,
                                                                const std::stop_token& stop) const {
  std::vector<std::uint32_t> parts{object};
  if (!m_folding || !m_folding->isCollection(object)) return parts;
  std::uint64_t steps = 0;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const bool goesOn = forEachChild(parts[part], [&](std::uint32_t child) {
      if (isStorageOf(child, object)) parts.push_back(child);
      return ++steps % kStopInterval != 0 || !stop.stop_requested();
    });
    if (!goesOn) return std::nullopt;
  }
  return parts;
}

std::optional<std::vector<std::uint32_t>> RetainedFlow::childrenOf(std::uint32_t object,
                                                                   const std::stop_token& stop) const {
  const auto parts = partsOf(object, stop);
  if (!parts) return std::nullopt;
  const bool isFolded = parts->size() > 1;
  std::vector<std::uint32_t> children;
  std::uint64_t steps = 0;
  for (const std::uint32_t part : *parts) {
    const bool goesOn = forEachChild(part, [&](std::uint32_t child) {
      if (!isFolded || !isStorageOf(child, object)) children.push_back(child);
      return ++steps % kStopInterval != 0 || !stop.stop_requested();
    });
    if (!goesOn) return std::nullopt;
  }
  return children;
}

std::optional<RetainedAccount> RetainedFlow::accountOf(std::uint32_t object, const std::stop_token& stop) const {
  const DominatorTree& tree = retention().tree;
  const std::uint32_t number = tree.numberOf(object);
  if (!number) return RetainedAccount{};
  auto parts = partsOf(object, stop);
  if (!parts) return std::nullopt;
  std::ranges::sort(*parts);
  const auto isPart = [&](std::uint32_t other) { return std::ranges::binary_search(*parts, other); };
  RetainedAccount account;
  for (const std::uint32_t part : *parts) account.ownBytes += m_contents.graph->bytesOf(part);
  const auto held = findHeld(m_contents, object, m_folding, stop);
  if (!held) return std::nullopt;
  std::vector<std::uint32_t> direct;
  for (const Adjacent& adjacent : held->objects) {
    const std::uint32_t of = tree.numberOf(adjacent.object);
    const std::uint32_t dominator = of ? tree.dominatingObjectOf(of) : 0;
    if (dominator && isPart(tree.vertexOf(dominator)) && !isPart(adjacent.object)) direct.push_back(of);
  }
  for (const std::uint32_t child : direct) account.fieldBytes += retention().sizes.bytes[child];
  account.restBytes = retention().sizes.bytes[number] - account.ownBytes - account.fieldBytes;
  return account;
}

std::optional<RetainedAccount> RetainedFlow::accountOfChain(std::uint32_t object,
                                                            const std::vector<std::uint32_t>& chain,
                                                            const std::stop_token& stop) const {
  auto account = accountOf(chain.empty() ? object : chain.back(), stop);
  if (!account) return std::nullopt;
  if (chain.empty()) return account;
  for (std::size_t step = 0; step < chain.size(); ++step) {
    const auto parts = partsOf(step == 0 ? object : chain[step - 1], stop);
    if (!parts) return std::nullopt;
    for (const std::uint32_t part : *parts) account->ownBytes += m_contents.graph->bytesOf(part);
  }
  account->restBytes = retainedBytesOf(m_contents, object) - account->ownBytes - account->fieldBytes;
  return account;
}

std::vector<std::uint32_t> RetainedFlow::chainBelow(std::uint32_t object, const std::stop_token& stop) const {
  std::vector<std::uint32_t> chain;
  for (std::uint32_t at = object; chain.size() < kLongestChain;) {
    const std::uint64_t retained = retainedBytesOf(m_contents, at);
    const auto children = childrenOf(at, stop);
    if (!children) break;
    const auto goesOn = std::ranges::find_if(*children, [&](std::uint32_t child) {
      return retainedBytesOf(m_contents, child) * 100 >= retained * kChainPercent;
    });
    if (goesOn == children->end()) break;
    at = *goesOn;
    chain.push_back(at);
  }
  return chain;
}

std::map<std::uint32_t, std::vector<std::uint32_t>> RetainedFlow::waysTo(std::uint32_t from,
                                                                         const std::vector<std::uint32_t>& targets,
                                                                         const std::stop_token& stop) const {
  // All that lies between an object and one that it dominates it dominates as well.
  std::unordered_map<std::uint32_t, std::uint32_t> metFrom{{from, kNone}};
  std::unordered_set<std::uint32_t> missing(targets.begin(), targets.end());
  std::vector<std::uint32_t> waiting{from};
  for (std::size_t next = 0; next < waiting.size() && !missing.empty() && metFrom.size() < kMostOnTheWay; ++next) {
    if (next % kStopInterval == 0 && stop.stop_requested()) break;
    for (const std::uint32_t target : m_contents.graph->targetsOf(waiting[next])) {
      if (!dominates(from, target) || !metFrom.try_emplace(target, waiting[next]).second) continue;
      missing.erase(target);
      waiting.push_back(target);
    }
  }
  std::map<std::uint32_t, std::vector<std::uint32_t>> ways;
  for (const std::uint32_t target : targets) {
    if (!metFrom.contains(target)) continue;
    std::vector<std::uint32_t>& way = ways[target];
    for (std::uint32_t at = target; at != kNone; at = metFrom.at(at)) way.push_back(at);
    std::ranges::reverse(way);
  }
  return ways;
}

}  // namespace heapscape::engine
