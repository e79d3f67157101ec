// SPDX-License-Identifier: MIT
#include <map>
#include <string>
#include <utility>

#include "insight/trend/frame_parts.h"

namespace heapscape::engine {

std::vector<OwnerFigures> ownerFiguresOf(const Ownership& ownership) {
  // Several types, or threads that have ended and begun, may have one name.
  std::map<std::pair<InsightOwner::Kind, std::string>, OwnerFigures> owners;
  for (InsightOwner& owner : ownership.ownersOfAll()) {
    OwnerFigures& figures = owners[{owner.kind, owner.name}];
    figures.kind = owner.kind;
    figures.name = std::move(owner.name);
    figures.objects += owner.objects;
    figures.bytes += owner.bytes;
  }
  std::vector<OwnerFigures> all;
  for (auto& [key, figures] : owners) all.push_back(std::move(figures));
  return all;
}

}  // namespace heapscape::engine
