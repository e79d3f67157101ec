// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>

#include "base/finding.h"
#include "heap/walk_types.h"
#include "heap/walk_unit.h"
#include "memory/address_space.h"

namespace heapscape::engine {

/// Walks one unit object by object with every read checked, and finds its way again behind damage and holes. For what
/// the fast walk cannot do; its figures are the same on a healthy heap.
class CarefulWalk {
 public:
  CarefulWalk(const AddressSpace& memory, WalkTypes& types, FindingList& findings, std::stop_token stop)
      : m_memory(memory), m_types(types), m_findings(findings), m_stop(std::move(stop)) {}

  /// Goes on at an address of the unit where an object is expected.
  void run(WalkUnit& unit, Address from);

 private:
  struct Candidate {
    const TypeIndex::Slot* type = nullptr;
    std::uint32_t components = 0;
    std::uint64_t alignedBytes = 0;
  };

  bool tryObject(const WalkUnit& unit, Address address, Candidate& candidate);
  /// Where a chain of objects begins again, at or behind an address; the unit's end if there is none.
  Address resynchronise(const WalkUnit& unit, Address from);
  bool isChain(const WalkUnit& unit, Address address);
  void skipTo(WalkUnit& unit, Address from, Address to);
  void record(WalkUnit& unit, Address address, const Candidate& candidate);

  const AddressSpace& m_memory;
  WalkTypes& m_types;
  FindingList& m_findings;
  std::stop_token m_stop;
};

/// Where the walk goes on from an address at which a gap of an allocation context begins; the address itself if none
/// does, or if the context was full and the GC has already made a free object of its slack.
Address skipGaps(const WalkUnit& unit, Address address, WalkTypes& types, const AddressSpace& memory);

}  // namespace heapscape::engine
