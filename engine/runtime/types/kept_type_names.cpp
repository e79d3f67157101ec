// SPDX-License-Identifier: MIT
#include "runtime/types/kept_type_names.h"

#include <fmt/format.h>

#include <string_view>

#include "base/limits.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kCutNameBytes = 60;

}  // namespace

std::string unknownTypeName(Address type) {
  return fmt::format("<unknown type {}>", toString(type));
}

const std::string* KeptTypeNames::find(Address type) const {
  const auto known = m_names.find(type);
  return known == m_names.end() ? nullptr : &known->second;
}

const std::string& KeptTypeNames::unknown(Address type) {
  return m_unknown.try_emplace(type, unknownTypeName(type)).first->second;
}

/// A name that says that it was cut is not longer than what is left of it and an address: how many there are of these,
/// the dump's own size bounds.
const std::string& KeptTypeNames::keep(Address type, std::string name) {
  if (name.size() > kLimits.nameBytes) name = unknownTypeName(type);
  if (name.size() <= m_bytesLeft) {
    m_bytesLeft -= name.size();
  } else {
    m_bytesLeft = 0;
    if (name.size() > kCutNameBytes) {
      ++m_cutNames;
      std::size_t end = kCutNameBytes;
      while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0) == 0x80) --end;  // not within a letter of UTF-8
      name = fmt::format("{}… (cut, {})", std::string_view(name).substr(0, end), toString(type));
    }
  }
  return m_names.emplace(type, std::move(name)).first->second;
}

}  // namespace heapscape::engine
