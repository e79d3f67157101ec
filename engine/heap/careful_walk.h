// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>

#include "base/finding.h"
#include "heap/object_chain.h"
#include "memory/address_space.h"

namespace heapscape::engine {

/// Walks one unit object by object with every read checked, and finds its way again behind damage and holes. For what
/// the fast walk cannot do; its figures are the same on a healthy heap.
class CarefulWalk {
 public:
  CarefulWalk(const AddressSpace& memory, WalkTypes& types, FindingList& findings, std::stop_token stop)
      : m_memory(memory), m_types(types), m_chain(memory, types), m_findings(findings), m_stop(std::move(stop)) {}

  /// Goes on at an address of the unit where an object is expected.
  void run(WalkUnit& unit, Address from);

  /// Takes back an object that the walk believed, and walks what lies under it from an address on. Only once all units
  /// are walked. False if the types of this walk never met it.
  bool reopen(WalkUnit& unit, Address object, Address from);

 private:
  /// Where a chain of objects begins again, at or behind an address; the unit's end if there is none.
  Address resynchronise(const WalkUnit& unit, Address from);
  /// Takes back the array that ends at an address where no object begins, if others begin inside of it and lie over
  /// its end. Gives where the first of those begins, else 0.
  Address reopenBefore(WalkUnit& unit, Address end);
  void takeBack(WalkUnit& unit, Address object, const ObjectCandidate& candidate);
  void countMissing(WalkUnit& unit, Address object, std::uint64_t bytes);
  void skipTo(WalkUnit& unit, Address from, Address to);
  void skipSwallowing(WalkUnit& unit, Address from, Address to, std::uint64_t claimedBytes);
  void record(WalkUnit& unit, Address address, const ObjectCandidate& candidate);

  const AddressSpace& m_memory;
  WalkTypes& m_types;
  ObjectChain m_chain;
  FindingList& m_findings;
  std::stop_token m_stop;
  Address m_presentEnd;         // of the memory in one piece in which the walk is
  std::uint64_t m_missing = 0;  // bytes of objects that begin in memory that the dump holds
  Address m_firstMissing;
  int m_looksBack = 0;
};

}  // namespace heapscape::engine
