// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/builders/core_builder.h"

namespace heapscape::test {

/// Writes a program's file of debugging information as the compiler of .NET programs does: one unit of DWARF 4 with
/// types, symbols and a build-id. A type is known by its place, which is what others refer to. What is asked for is not
/// checked.
class DebugFileBuilder {
 public:
  static constexpr std::string_view kBuildId = "00112233445566778899";

  using Place = std::uint32_t;
  struct Member {
    std::string_view name;
    Place type = 0;
    std::uint32_t offset = 0;
    bool isStatic = false;
  };

  explicit DebugFileBuilder(std::string_view producer = "NetRuntime");

  Place number(std::string_view name, std::uint8_t encoding, std::uint8_t sizeBytes);
  Place reference(Place target);
  Place pointer(Place target);
  Place declaration(std::string_view name);
  /// `base` 0: it derives from nothing.
  Place type(std::string_view name, std::uint32_t sizeBytes, Place base, const std::vector<Member>& members);
  Place enumeration(std::string_view name, Place underlying, std::uint8_t sizeBytes,
                    const std::vector<std::pair<std::string_view, std::int64_t>>& literals);
  /// A place of a static field, which `member` of the type that was made last is said to have.
  void staticPlace(std::size_t member, std::uint64_t base, std::uint32_t offset, bool isInObject);
  void symbol(std::string_view name, std::uint64_t address);

  FileBytes build() const;

 private:
  void put(std::uint64_t value, std::size_t bytes);
  void putUnsigned(std::uint64_t value);
  void putSigned(std::int64_t value);
  void putText(std::string_view text);
  Place begin(std::uint8_t abbreviation);

  FileBytes m_info;
  std::vector<Place> m_members;  // of the type that was made last
  std::vector<std::pair<std::string, std::uint64_t>> m_symbols;
};

}  // namespace heapscape::test
