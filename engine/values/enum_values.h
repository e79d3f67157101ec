// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "metadata/metadata.h"
#include "metadata/signature.h"

namespace heapscape::engine {

/// The members of an enum, from its literal fields.
struct EnumNames {
  struct Member {
    std::uint64_t value = 0;  // as wide as the underlying type, not sign-extended
    std::string name;
  };
  std::vector<Member> members;  // by value
  bool isFlags = false;
};

/// Reads the literals of a type definition; none if there are none.
EnumNames readEnumNames(const Metadata& metadata, std::uint32_t typeDefRow, ElementType underlying);

/// "Friday", of a [Flags] enum "Read | Write"; the number where no member, or set of members, has the value.
std::string enumText(const EnumNames& names, ElementType underlying, std::uint64_t bits);

}  // namespace heapscape::engine
