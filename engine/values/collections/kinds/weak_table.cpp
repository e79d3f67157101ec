// SPDX-License-Identifier: MIT
#include "values/collections/kinds/collection_makers.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/gc/handles.h"
#include "values/collections/indexed_items.h"

namespace heapscape::engine {
namespace {

class WeakItems : public Collection {
 public:
  struct Storage {
    ManagedArray entries;
    std::uint32_t used = 0;    // entries up to the first that was never used
    std::uint32_t handle = 0;  // in an entry
  };

  WeakItems(CollectionFacts facts, const ClrRuntime& runtime, const Storage& storage)
      : Collection(std::move(facts)), m_runtime(runtime), m_storage(storage) {}

  std::string collect(ItemCollector& items) const override {
    return walk([&](Address handle) {
      const auto value = secondaryOfDependentHandle(m_runtime, handle);
      ItemPlace place{handle, value.value_or(Address{})};
      if (!value) place.known = Value{.kind = ValueKind::Damaged, .damage = value.error().what};
      return items.offer(std::move(place));
    });
  }

  std::uint64_t countItems() const {
    std::uint64_t items = 0;
    walk([&](Address) { return ++items; });
    return items;
  }

 private:
  /// Calls visit(handle) for the entries whose key is alive.
  template <class Visit>
  std::string walk(Visit visit) const {
    const std::uint32_t end = std::min(m_storage.used, m_storage.entries.count);
    for (std::uint32_t index = 0; index < end; ++index) {
      Address handle;
      if (!m_runtime.memory().tryRead(m_storage.entries.element(index) + m_storage.handle, handle))
        return fmt::format("Entry {} is not in the dump.", index);
      if (!handle) continue;
      Address key;
      if (!m_runtime.memory().tryRead(handle, key))
        return fmt::format("The handle of entry {} is not in the dump.", index);
      if (key && !visit(handle)) return {};
    }
    return {};
  }

  const ClrRuntime& m_runtime;
  Storage m_storage;
};

}  // namespace

Result<std::unique_ptr<Collection>> makeWeakTable(const Instance& table) {
  HEAPSCAPE_TRY(CollectionFacts facts, keyedFacts(table));
  HEAPSCAPE_TRY(const Instance container, table.follow("_container"));
  WeakItems::Storage storage;
  HEAPSCAPE_TRY(storage.entries, readArray(container, "_entries"));
  HEAPSCAPE_TRY(storage.used, container.count("_firstFreeEntry"));
  HEAPSCAPE_TRY(const Instance entry, storage.entries.elementShape(table.sources()));
  HEAPSCAPE_TRY(storage.handle, entry.offsetOf("depHnd"));
  HEAPSCAPE_TRY(const Instance handle, entry.inner("depHnd"));
  HEAPSCAPE_TRY(const std::uint32_t offset, handle.offsetOf("_handle"));
  storage.handle += offset;
  facts.capacity = storage.entries.count;
  facts.damage = countDamage(storage.used, storage.entries.count);
  const ClrRuntime& runtime = table.sources().readers.runtime;
  facts.count = WeakItems(facts, runtime, storage).countItems();
  return std::make_unique<WeakItems>(std::move(facts), runtime, storage);
}

}  // namespace heapscape::engine
