// SPDX-License-Identifier: MIT
#include "shop_objects.h"

#include <algorithm>
#include <stdexcept>

#include "support/opened_snapshot.h"

namespace heapscape::test {

std::vector<engine::ObjectRow> rowsOf(const engine::Snapshot& snapshot, const std::string& type, std::size_t limit,
                                      std::uint64_t minimumBytes) {
  engine::ObjectFilter filter;
  filter.type = findType(snapshot, type);
  filter.minimumBytes = minimumBytes;
  if (filter.type->isNone()) return {};
  return engine::listObjects(snapshot, filter, 0, limit);
}

std::vector<engine::ObjectDetails> objectsOf(const engine::Snapshot& snapshot, const std::string& type) {
  std::vector<engine::ObjectDetails> objects;
  for (const engine::ObjectRow& row : rowsOf(snapshot, type)) {
    if (auto details = engine::objectDetails(snapshot, row.address)) objects.push_back(std::move(*details));
  }
  return objects;
}

engine::ObjectDetails onlyObjectOf(const engine::Snapshot& snapshot, const std::string& type) {
  auto objects = objectsOf(snapshot, type);
  if (objects.size() != 1) throw std::runtime_error(type + ": not one object");
  return std::move(objects.front());
}

const engine::FieldValue& fieldOf(const std::vector<engine::FieldValue>& fields, const std::string& name) {
  const auto found = std::ranges::find(fields, name, &engine::FieldValue::name);
  if (found == fields.end()) throw std::runtime_error("no field " + name);
  return *found;
}

}  // namespace heapscape::test
