// SPDX-License-Identifier: MIT
#include "engine/async/async_heap.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "session/details/object_details.h"

namespace heapscape::test {

using namespace engine;

namespace {

/// Looks into value types, too; the compiler's names of awaiters stand in the state machine.
const FieldValue* findField(const std::vector<FieldValue>& fields, std::string_view name) {
  for (const FieldValue& field : fields) {
    if (field.name == name) return &field;
    if (const FieldValue* inner = findField(field.nested, name)) return inner;
  }
  return nullptr;
}

}  // namespace

std::vector<nlohmann::json> plantedIn(const std::string& dump) {
  std::ifstream file(std::string(HEAPSCAPE_TEST_DATA) + "/" + dump + ".planted.jsonl");
  std::vector<nlohmann::json> rows;
  for (std::string line; std::getline(file, line);) rows.push_back(nlohmann::json::parse(line));
  if (rows.empty()) throw std::runtime_error("Nothing is planted in " + dump);
  return rows;
}

AsyncList chainsOf(const Snapshot& snapshot, bool equalTogether) {
  auto list = listAsync(snapshot, {.equalTogether = equalTogether}, {});
  if (!list) throw std::runtime_error(list.error().isCancelled() ? "cancelled" : list.error().error().what);
  return std::move(*list);
}

std::vector<std::string> methodsOf(const AsyncList& list, const AsyncChain& chain) {
  std::vector<std::string> methods;
  for (const AsyncFrame& frame : list.framesOf(chain)) {
    if (frame.isMethod) methods.emplace_back(list.nameOf(frame.name));
  }
  return methods;
}

const AsyncChain* findChain(const AsyncList& list, std::string_view innermost) {
  const auto found = std::ranges::find_if(
      list.chains, [&](const AsyncChain& chain) { return methodsOf(list, chain).front() == innermost; });
  return found == list.chains.end() ? nullptr : &*found;
}

Address fieldOf(const Snapshot& snapshot, Address object, std::string_view name) {
  const auto details = objectDetails(snapshot, object);
  const FieldValue* field = details ? findField(details->fields, name) : nullptr;
  if (!field) throw std::runtime_error("No field " + std::string(name) + " at " + toString(object));
  return field->address;
}

}  // namespace heapscape::test
