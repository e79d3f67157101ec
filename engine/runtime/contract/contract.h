// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"

namespace heapscape::engine {

/// Where the members of the runtime's structures lie, for one version of CoreCLR: data, read from a contract file
/// (resources/contracts) and, where there is one, corrected by the runtime's own contract descriptor.
class Contract {
 public:
  /// An offset so large that every read at it fails: what a structure of this version does not have is never misread.
  static constexpr std::uint64_t kAbsentOffset = 1ull << 62;

  /// Reads one contract file; fails with Damaged.
  static Result<Contract> parse(std::string_view json);
  /// The contracts that this program ships, oldest runtime first.
  static const std::vector<Contract>& shipped();

  /// "8.0".
  const std::string& runtimeVersion() const { return m_runtimeVersion; }
  const std::vector<std::string>& verifiedOn() const { return m_verifiedOn; }
  /// Whether a release, "8.0.29", is of the version that this contract is about.
  bool isFor(std::string_view release) const;
  /// Whether all figures of a release were compared.
  bool isVerifiedOn(std::string_view release) const;

  bool has(std::string_view type, std::string_view field) const;
  /// Bytes from the start of the structure; kAbsentOffset if this version has no such member.
  std::uint64_t offset(std::string_view type, std::string_view field) const;
  /// Size of the whole structure in bytes; 0 if it is not known.
  std::uint64_t sizeOf(std::string_view type) const;
  /// 0 if this version has no such constant.
  std::uint64_t constant(std::string_view name) const;

  /// The layouts of g_dacTable that this version is known to have. Servicing releases insert entries.
  struct GlobalTable {
    std::size_t entryCount = 0;
    std::map<std::string, std::size_t, std::less<>> indexOf;
  };
  const std::vector<GlobalTable>& globalTables() const { return m_globalTables; }

  /// Takes over what the runtime's own descriptor (JSON, docs/design/datacontracts in dotnet/runtime) says of members
  /// that this contract knows too. Gives the number of members that differed, or Damaged.
  Result<std::size_t> applyDescriptor(std::string_view json);

 private:
  static Result<Contract> fromJson(std::string_view text);

  /// Members are asked for by name once for each method table, so names are found by hash and not by comparing texts.
  struct NameHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>{}(name); }
  };
  template <typename Value>
  using ByName = std::unordered_map<std::string, Value, NameHash, std::equal_to<>>;
  using Fields = ByName<std::uint64_t>;

  std::string m_runtimeVersion;
  std::vector<std::string> m_verifiedOn;
  std::vector<GlobalTable> m_globalTables;
  ByName<Fields> m_types;
  Fields m_constants;
};

}  // namespace heapscape::engine
