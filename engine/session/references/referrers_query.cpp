// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "session/references/edge_names.h"
#include "session/references/path_edges.h"
#include "session/references/path_index.h"
#include "session/references/paths_query.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

/// The references to one object in order of their sources.
class ReferrerReader {
 public:
  ReferrerReader(const Contents& contents, const ReverseReferences& reverse, ObjectId object)
      : m_contents(contents),
        m_object(contents.heap->index.addressOf(object)),
        m_edges(contents),
        m_reader(contents),
        m_names(contents),
        m_sources(reverse.of(object.value)) {
    // The runtime's arrays of statics have an edge to themselves in place of each that a root stands for.
    const auto [first, last] = std::equal_range(m_sources.begin(), m_sources.end(), object.value);
    m_ownFirst = static_cast<std::size_t>(first - m_sources.begin());
    m_ownEdges = m_edges.between(m_object, m_object).size();
    const auto listed = static_cast<std::size_t>(last - first);
    m_noEdges = listed - std::min(listed, m_ownEdges);
  }

  std::uint64_t total() const { return m_sources.size() - m_noEdges; }

  std::vector<Referrer> read(std::uint64_t skip, std::size_t limit, const std::stop_token& stop) {
    std::vector<Referrer> referrers;
    std::uint64_t position = skip;
    while (position < total() && referrers.size() < limit && !stop.stop_requested()) {
      const std::uint32_t source = sourceAt(position);
      const std::uint64_t first = firstOf(source);
      const std::vector<Edge> edges = m_edges.between(m_contents.heap->index.addressOf({source}), m_object);
      const std::uint64_t before = position;
      // An array of statics may refer to the object by a slot that a root stands for, too.
      const std::uint64_t count = std::min<std::uint64_t>(edges.size(), entriesOf(source));
      for (std::uint64_t i = position - first; i < count && referrers.size() < limit; ++i, ++position)
        referrers.push_back(describe(edges[i], source));
      if (position == before) break;  // memory says otherwise than the graph: the file was changed
    }
    return referrers;
  }

 private:
  // Positions among the edges, as total() counts them.
  std::uint32_t sourceAt(std::uint64_t position) const {
    return m_sources[position < m_ownFirst + m_ownEdges ? position : position + m_noEdges];
  }
  std::uint64_t entriesOf(std::uint32_t source) const {
    const auto [first, last] = std::equal_range(m_sources.begin(), m_sources.end(), source);
    return static_cast<std::uint64_t>(last - first);
  }
  std::uint64_t firstOf(std::uint32_t source) const {
    const auto first =
        static_cast<std::uint64_t>(std::lower_bound(m_sources.begin(), m_sources.end(), source) - m_sources.begin());
    return first > m_ownFirst ? first - m_noEdges : first;
  }

  Referrer describe(const Edge& edge, std::uint32_t source) {
    const TypeIndex::Slot* type = m_reader.typeAt(edge.from);
    return {.object = edge.from,
            .type = type ? TypeId{type->type} : TypeId{},
            .kind = edge.kind,
            .offset = edge.offset,
            .via = m_names.nameOf(edge, type ? Address{type->methodTable} : Address{}),
            .isReachable = m_contents.retention->tree.numberOf(source) != 0};
  }

  const Contents& m_contents;
  Address m_object;
  PathEdges m_edges;
  HeapReader m_reader;
  EdgeNames m_names;
  std::span<const std::uint32_t> m_sources;
  std::size_t m_ownFirst = 0;  // where the object itself stands among the sources
  std::size_t m_ownEdges = 0;  // that lead from it to itself
  std::size_t m_noEdges = 0;   // entries of the object itself that stand for a root
};

}  // namespace

Outcome<ReferrerPage> referrersOf(const Snapshot& snapshot, Address object, std::uint64_t skip, std::size_t limit,
                                  ProgressSink* progress, std::stop_token stop) {
  const Contents& contents = snapshot.contents();
  const ObjectId id = contents.heap ? contents.heap->index.idOf(object) : ObjectId{};
  if (id.isNone()) return failure(ErrorCode::NotFound, fmt::format("There is no object at {}.", toString(object)));
  HEAPSCAPE_TRY(const auto reverse, reverseReferencesOf(snapshot, progress, stop));
  ReferrerReader reader(contents, *reverse, id);
  ReferrerPage page{reader.total(), reader.read(skip, limit, stop)};
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  return page;
}

}  // namespace heapscape::engine
