// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "memory/address_space.h"
#include "session/process/process_mappings.h"
#include "session/process/process_memory.h"

namespace heapscape::engine {

/// Gives every mapped byte to one owner: of several that claim it, to the one that was entered first.
class MemoryClaims {
 public:
  /// Bytes that are not mapped are claimed in vain.
  void add(AddressRange range, MemoryOwner owner, std::string name, std::string path = {});

  /// The parts by owner and name, with at least one byte each. Bytes that nobody claims are not in them. Fails only if
  /// it was interrupted.
  Outcome<std::vector<MemoryPart>> divide(const std::vector<Mapping>& mappings, const AddressSpace& memory,
                                          std::stop_token stop) const;

 private:
  struct Claim {
    AddressRange range;
    std::uint32_t party = 0;
  };
  struct Party {
    MemoryOwner owner;
    std::string name;
    std::string path;
  };

  std::vector<Claim> m_claims;
  std::vector<Party> m_parties;
  std::map<std::pair<MemoryOwner, std::string>, std::uint32_t> m_partyOf;
};

}  // namespace heapscape::engine
