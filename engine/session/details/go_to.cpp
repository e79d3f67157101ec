// SPDX-License-Identifier: MIT
#include "session/details/go_to.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/ascii.h"
#include "base/figures.h"
#include "metadata/names/parsed_type_name.h"
#include "session/snapshot/contents.h"
#include "session/types/type_query.h"

namespace heapscape::engine {
namespace {

// 0 is the best match; nothing if the name does not hold the text.
std::optional<int> rankOf(const std::string& name, const std::string& text) {
  const std::string low = lowerCase(name);
  if (low == text) return 0;
  const std::size_t at = low.find(text);
  if (at == std::string::npos) return std::nullopt;
  const std::string_view nameSpace = namespaceOf(low);
  const std::size_t own = nameSpace.empty() ? 0 : nameSpace.size() + 1;
  if (low.compare(own, std::string::npos, text) == 0) return 1;
  if (at == 0 || at == own) return 2;
  return 3;
}

void addAddress(const Snapshot& snapshot, Address address, std::vector<Destination>& destinations) {
  const Contents& contents = snapshot.contents();
  if (const auto object = objectAt(snapshot, address)) {
    const TypeRow& type = snapshot.types()[object->type.value];
    destinations.push_back({Destination::Kind::Object, type.name,
                            fmt::format("object at {}, {} bytes{}", toString(object->address), object->sizeBytes,
                                        object->generation ? fmt::format(", {}", toString(*object->generation)) : ""),
                            object->address, type.methodTable, object->segment});
  }
  if (const TypeId type = snapshot.typeOf(address); !type.isNone()) {
    destinations.push_back({Destination::Kind::Type,
                            snapshot.typeName(type),
                            fmt::format("method table {}", toString(address)),
                            {},
                            address,
                            {}});
  }
  for (std::uint32_t i = 0; i < contents.segments->size(); ++i) {
    const Segment& segment = (*contents.segments)[i];
    if (!segment.objects.contains(address) && segment.address != address) continue;
    destinations.push_back({Destination::Kind::Segment,
                            fmt::format("{} segment of heap {}", toString(segment.kind), segment.heap),
                            fmt::format("{} to {}", toString(segment.objects.start), toString(segment.objects.end)),
                            {},
                            {},
                            {i}});
  }
}

}  // namespace

std::vector<Destination> findDestinations(const Snapshot& snapshot, const std::string& text, std::size_t limit) {
  std::vector<Destination> destinations;
  if (text.empty()) return destinations;
  Address address;
  if (tryParseAddress(text, address)) addAddress(snapshot, address, destinations);

  struct Match {
    int rank;
    TypeId type;
  };
  std::vector<Match> matches;
  const std::string wanted = lowerCase(text);
  const TypeNameSearch search(text);
  for (std::uint32_t i = 0; i < snapshot.types().size(); ++i) {
    const std::string& name = snapshot.types()[i].name;
    auto rank = rankOf(name, wanted);
    if ((!rank || *rank > 1) && search.isNameOf(name)) rank = 1;
    if (rank) matches.push_back({*rank, {i}});
  }
  const TypeCounts& counts = snapshot.typeCounts();
  std::sort(matches.begin(), matches.end(), [&](const Match& a, const Match& b) {
    return a.rank != b.rank ? a.rank < b.rank : counts.bytes[a.type.value] > counts.bytes[b.type.value];
  });
  for (const Match& match : matches) {
    if (destinations.size() >= limit) break;
    const TypeRow& type = snapshot.types()[match.type.value];
    destinations.push_back({Destination::Kind::Type,
                            type.name,
                            fmt::format("{}, {}", countOf(counts.count[match.type.value], "object"),
                                        countOf(counts.bytes[match.type.value], "byte")),
                            {},
                            type.methodTable,
                            {}});
  }
  if (destinations.size() > limit) destinations.resize(limit);
  return destinations;
}

}  // namespace heapscape::engine
