// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "cli/sos/sos_command.h"
#include "heap/segment.h"
#include "session/details/object_details.h"
#include "session/objects/object_query.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::cli {

/// For objects of which only fields are looked at.
inline constexpr engine::DetailLimits kNoElements{.elements = 0};

/// The part of the heap that a command of SOS is asked about.
struct SosScope {
  std::optional<std::uint32_t> heap = {};
  std::optional<engine::Address> segment = {};  // anywhere in it, or its own address
  std::optional<engine::AddressRange> addresses = {};
  std::optional<engine::Generation> generation = {};

  bool isWhole() const { return !heap && !segment && !addresses && !generation; }
};

/// Reads -heap, -segment, -gen where the command has them, and START [END] from an argument on; END may be L and a
/// length. Fails with BadQuery, or NotFound where nothing of the heap lies there.
engine::Outcome<SosScope> readScope(const SosRun& run, const engine::Snapshot& snapshot, std::size_t firstArgument);

/// Segments in SOS's order: by heap, then by the address of the runtime's structure.
std::vector<engine::SegmentId> segmentsInSosOrder(const engine::Snapshot& snapshot, const SosScope& scope);
/// What the GC has committed of a segment: from its structure or its first page on.
engine::AddressRange committedOf(const engine::Segment& segment);

/// Calls `visit` for every object, free ones too, in SOS's order, until it returns false.
void forEachInSosOrder(const engine::Snapshot& snapshot, const SosScope& scope, const std::stop_token& stop,
                       const std::function<bool(const engine::ObjectRow&)>& visit);

/// The object at an address. Fails with NotFound where none begins there, or one that is free.
engine::Result<engine::ObjectRow> sosObject(const engine::Snapshot& snapshot, engine::Address address);

/// Generation by SOS's names: "gen0" … "loh", "poh", "foh"; nothing for another text.
std::optional<engine::Generation> sosGeneration(std::string name);

/// Adds up objects by type and prints "Statistics:" as dumpheap does.
class SosStatistics {
 public:
  enum class Order { BySize, ByCount };

  explicit SosStatistics(const engine::Snapshot& snapshot) : m_snapshot(snapshot) {}
  void add(const engine::ObjectRow& row);
  /// `isFirst`: nothing was printed before, so that no empty line parts it from that.
  void print(SosRun& run, bool isFirst, Order order = Order::BySize) const;

 private:
  struct Sum {
    engine::TypeId type;
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
  };
  const engine::Snapshot& m_snapshot;
  std::vector<Sum> m_sums;  // in the order of their first objects
  std::unordered_map<std::uint32_t, std::size_t> m_places;
};

/// The lines of objects that dumpheap prints, the heading before the first.
class SosObjectLines {
 public:
  SosObjectLines(SosRun& run, const engine::Snapshot& snapshot) : m_run(run), m_snapshot(snapshot) {}
  void add(const engine::ObjectRow& row);
  bool hasAny() const { return m_hasAny; }

 private:
  SosRun& m_run;
  const engine::Snapshot& m_snapshot;
  bool m_hasAny = false;
};

}  // namespace heapscape::cli
