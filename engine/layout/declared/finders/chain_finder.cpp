// SPDX-License-Identifier: MIT
#include "layout/declared/finders/chain_finder.h"

#include <iterator>
#include <optional>

#include "layout/declared/finders/folder_finder.h"

namespace heapscape::engine {

Result<AssemblySource> ChainFinder::find(std::string_view simpleName) {
  std::optional<Error> unreadable;
  for (const auto& finder : m_finders) {
    auto found = finder->find(simpleName);
    if (found) return found;
    if (found.error().code != ErrorCode::NotFound && !unreadable) unreadable = found.error();
  }
  if (unreadable) return tl::unexpected<Error>(*unreadable);
  return notFoundIn(simpleName, places());
}

std::vector<std::string> ChainFinder::places() const {
  std::vector<std::string> all;
  for (const auto& finder : m_finders) {
    std::vector<std::string> places = finder->places();
    all.insert(all.end(), std::make_move_iterator(places.begin()), std::make_move_iterator(places.end()));
  }
  return all;
}

}  // namespace heapscape::engine
