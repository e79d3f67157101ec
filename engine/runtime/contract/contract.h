// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.h"
#include "base/architecture.h"
#include "base/result.h"
#include "runtime/contract/contract_name.h"

namespace heapscape::engine {

/// The texts of resources/contracts, compiled in so that the program needs no installed files; oldest runtime first.
extern const std::array<std::string_view, 4> kShippedContracts;
/// The versions of .NET that they are of: "8.0".
extern const std::array<std::string_view, 4> kShippedVersions;
/// What differs from them on arm64, as JSON merge patches (RFC 7396): of all versions, then of each, in the same order.
extern const std::string_view kDifferencesOfArm64;
extern const std::array<std::string_view, 4> kDifferencesOfArm64Versions;

/// Those of programs compiled ahead of time: what differs from CoreCLR of the same version, whose GC they have.
extern const std::array<std::string_view, 4> kShippedNativeAotContracts;

/// Where the members of the runtime's structures lie, for one version of CoreCLR or of Native AOT: data, read from a
/// contract file (resources/contracts) and, where there is one, corrected by the runtime's own contract descriptor.
class Contract {
 public:
  /// An offset so large that every read at it fails: what a structure of this version does not have is never misread.
  static constexpr std::uint64_t kAbsentOffset = 1ull << 62;

  /// Reads one contract file; fails with Damaged. `differences`: files that change it, each the ones before.
  static Result<Contract> parse(std::string_view json, std::span<const std::string_view> differences = {});
  /// The contracts that this program ships for a processor, oldest runtime first.
  static const std::vector<Contract>& shipped(Architecture architecture = Architecture::X64);
  /// Of these the one for a release, "8.0.29", none if it is of no such version, all if the release is not known
  /// (empty). No other is parsed for it.
  static std::span<const Contract> shippedFor(std::string_view release, Architecture architecture);

  /// The contracts of programs compiled ahead of time, oldest first: each names what it takes over from CoreCLR's
  /// contract of that version, and adds what is its own.
  static const std::vector<Contract>& shippedForNativeAot();

  /// "8.0".
  const std::string& runtimeVersion() const { return m_runtimeVersion; }
  Architecture architecture() const { return m_architecture; }
  const std::vector<std::string>& verifiedOn() const { return m_verifiedOn; }
  /// Whether a release, "8.0.29", is of the version that this contract is about.
  bool isFor(std::string_view release) const;
  /// Whether all figures of a release were compared.
  bool isVerifiedOn(std::string_view release) const;

  bool has(ContractName type, ContractName field) const { return offset(type, field) != kAbsentOffset; }
  /// Bytes from the start of the structure; kAbsentOffset if this version has no such member.
  std::uint64_t offset(ContractName type, ContractName field) const {
    return m_numbers.find(type.numberOf(field), kAbsentOffset);
  }
  /// Size of the whole structure in bytes; 0 if it is not known.
  std::uint64_t sizeOf(ContractName type) const { return m_numbers.find(type.numberOf(kSizeMember), 0); }
  /// 0 if this version has no such constant.
  std::uint64_t constant(ContractName name) const { return m_numbers.find(name.number(), 0); }
  /// Of Native AOT: what the program's own description calls a global; empty if it does not tell of it.
  std::string_view describedName(std::string_view global) const;
  /// Of Native AOT since .NET 11: the members of GcDacVars whose content the descriptor tells, with its names of them.
  const std::map<std::string, std::string, std::less<>>& gcVariables() const { return m_gcVariables; }
  /// Of Native AOT: types whose method tables are found by their names, as globals are called: "StringMethodTable".
  const std::map<std::string, std::string, std::less<>>& wellKnownTypes() const { return m_wellKnownTypes; }

  /// The layouts of g_dacTable that this version is known to have. Servicing releases insert entries.
  struct GlobalTable {
    std::size_t entryCount = 0;
    std::map<std::string, std::size_t, std::less<>> indexOf;
  };
  const std::vector<GlobalTable>& globalTables() const { return m_globalTables; }

  /// How a descriptor compares with this contract.
  struct Agreement {
    std::size_t members = 0;    // that both know
    std::size_t differing = 0;  // where they do not agree
    Agreement& operator+=(const Agreement& other);
  };
  /// Takes over what the runtime's own descriptor (JSON, docs/design/datacontracts in dotnet/runtime) says of members
  /// that this contract knows too, by their own names or by those that the contract file gives them. Fails with
  /// Damaged.
  Result<Agreement> applyDescriptor(std::string_view json);
  /// A table of globals with as many entries as one that is known has no more, after what a descriptor says: the
  /// entries that it tells lie where their addresses are found, and those between two of them that have moved by as
  /// much have moved by that, too. Returns nullopt if too little is told. `addressOf`: of a global by the descriptor's
  /// name, 0 for none; `entries`: of g_dacTable, in order.
  std::optional<GlobalTable> movedTable(const GlobalTable& known,
                                        const std::function<Address(std::string_view)>& addressOf,
                                        std::span<const Address> entries) const;

 private:
  static Result<Contract> fromJson(std::string_view text, std::span<const std::string_view> differences);

  /// Members are asked for several times for each method table, so what they are is found by the number of their name.
  class Numbers {
   public:
    void set(std::uint64_t name, std::uint64_t value);
    std::uint64_t find(std::uint64_t name, std::uint64_t otherwise) const {
      for (std::size_t i = name % kSlots; m_slots[i].name; i = (i + 1) % kSlots)
        if (m_slots[i].name == name) return m_slots[i].value;
      return otherwise;
    }

   private:
    struct Slot {
      std::uint64_t name = 0;  // 0: free
      std::uint64_t value = 0;
    };
    static constexpr std::size_t kSlots = 4096;
    std::vector<Slot> m_slots = std::vector<Slot>(kSlots);
    std::size_t m_taken = 0;
  };

  static constexpr std::string_view kSizeMember = "!";  // the descriptor's own sign for the size of a whole structure

  template <typename Value>
  using ByName = std::map<std::string, Value, std::less<>>;
  using Fields = ByName<std::uint64_t>;

  /// "Thread.OSId", or what the descriptor calls it.
  std::string_view descriptorName(std::string_view name) const;

  std::string m_runtimeVersion;
  Architecture m_architecture = Architecture::X64;
  std::vector<std::string> m_verifiedOn;
  std::vector<GlobalTable> m_globalTables;
  ByName<std::string> m_descriptorNames;  // of members and globals that have another one there
  ByName<Fields> m_types;
  Numbers m_numbers;  // of members and constants
  ByName<std::string> m_describedGlobals;
  std::map<std::string, std::string, std::less<>> m_gcVariables;
  std::map<std::string, std::string, std::less<>> m_wellKnownTypes;
};

}  // namespace heapscape::engine
