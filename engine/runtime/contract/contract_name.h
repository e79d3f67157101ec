// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heapscape::engine {

/// The name of a structure, a member or a constant as a number, which stands for it in look-ups. The compiler makes the
/// numbers of names that stand in the sources, so that asking for a member costs one look-up and no text.
class ContractName {
 public:
  template <std::size_t Size>
  consteval ContractName(const char (&name)[Size]) : ContractName(std::string_view(name, Size - 1)) {}
  template <std::convertible_to<std::string_view> Name>
  constexpr ContractName(const Name& name) : ContractName(std::string_view(name), kStart) {}

  constexpr std::uint64_t number() const { return m_number; }
  /// Of a member of this structure.
  constexpr std::uint64_t numberOf(ContractName member) const {
    return (m_number ^ (member.m_number >> 31)) * kFactor + member.m_number;
  }

 private:
  static constexpr std::uint64_t kStart = 0xcbf29ce484222325ull;  // FNV-1a
  static constexpr std::uint64_t kFactor = 0x100000001b3ull;

  constexpr ContractName(std::string_view name, std::uint64_t number) : m_number(number) {
    for (const char letter : name) m_number = (m_number ^ static_cast<unsigned char>(letter)) * kFactor;
  }

  std::uint64_t m_number;
};

}  // namespace heapscape::engine
