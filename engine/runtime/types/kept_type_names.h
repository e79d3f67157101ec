// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "base/address.h"

namespace heapscape::engine {

/// Full names of types by their address, so that each is put together once. Not safe from several threads.
class KeptTypeNames {
 public:
  /// `mostBytes`: of all names together that are kept whole.
  explicit KeptTypeNames(std::size_t mostBytes) : m_bytesLeft(mostBytes) {}

  /// Null if it is not kept.
  const std::string* find(Address type) const;
  /// Keeps a name, cut if all together would be too long, and returns it so.
  const std::string& keep(Address type, std::string name);
  /// Of a type that lies too deep in another one, or is none.
  const std::string& unknown(Address type);
  /// How many names are cut; they say so themselves, and have the type's address in place of the rest.
  std::size_t cutNames() const { return m_cutNames; }

 private:
  std::unordered_map<Address, std::string> m_names;
  std::unordered_map<Address, std::string> m_unknown;
  std::size_t m_bytesLeft;
  std::size_t m_cutNames = 0;
};

/// The name of a type that cannot be read.
std::string unknownTypeName(Address type);

}  // namespace heapscape::engine
