// SPDX-License-Identifier: MIT
#include "layout/advice/separation.h"

#include <fmt/format.h>
#include <algorithm>
#include <vector>

#include "layout/rules/placed_field.h"
#include "metadata/names/generated_names.h"

namespace heapscape::engine {
namespace {

// Beside it there is room for one number in the same line.
constexpr std::uint32_t kLeastNamedBytes = kCacheLineBytes - 8;

bool isLower(char letter) {
  return letter >= 'a' && letter <= 'z';
}

/// Without namespace, enclosing types and type arguments.
std::string_view lastPart(std::string_view name) {
  std::size_t depth = 0;
  std::size_t end = name.size();
  for (std::size_t at = name.size(); at-- > 0;) {
    if (name[at] == '>') ++depth;
    if (name[at] == '<' && depth && --depth == 0) end = at;
    if (depth == 0 && (name[at] == '.' || name[at] == '+')) return name.substr(at + 1, end - at - 1);
  }
  return name.substr(0, end);
}

class SeparationSearch {
 public:
  SeparationSearch(const TypeDeclaration& declaration, const FieldPlacement& placement)
      : m_declaration(declaration), m_placement(placement) {
    for (std::size_t i = 0; i < placement.offsets.size(); ++i) {
      const std::uint64_t bytes = std::uint64_t{placement.sizes[i]} * placement.repeat;
      m_fields.push_back({placement.offsets[i] - std::min(placement.offsets[i], placement.start), bytes, i});
    }
    std::ranges::sort(m_fields, {}, &Field::offset);
  }

  std::string why(std::string_view name) const {
    if (m_fields.empty() || m_declaration.inlineArrayLength) return {};
    if (const std::string size = bySize(); !size.empty()) return size;
    if (const std::string offset = byOffset(); !offset.empty()) return offset;
    const std::uint32_t own = m_placement.fieldBytes - std::min(m_placement.fieldBytes, m_placement.start);
    return own >= kLeastNamedBytes && namesSeparation(name) ? "its name says so" : std::string();
  }

 private:
  struct Field {
    std::uint64_t offset = 0;  // from where own fields may begin
    std::uint64_t bytes = 0;
    std::size_t index = 0;
  };

  std::string bySize() const {
    const std::uint32_t size = m_declaration.size;
    if (m_placement.effective == LayoutKind::Auto || size == 0 || size % kCacheLineBytes != 0) return {};
    std::uint64_t used = 0;
    std::uint64_t reached = 0;
    for (const Field& field : m_fields) {
      const std::uint64_t end = field.offset + field.bytes;
      used += end - std::min(end, std::max(field.offset, reached));
      reached = std::max(reached, end);
    }
    if (used > size / 2) return {};
    return fmt::format("its Size of {} bytes is whole cache lines of {} around {} bytes of fields", size,
                       kCacheLineBytes, used);
  }

  std::string byOffset() const {
    if (m_declaration.layoutKind != LayoutKind::Explicit) return {};
    std::uint64_t reached = 0;
    for (const Field& field : m_fields) {
      const FieldDeclaration& declared = m_declaration.fields[field.index];
      const std::uint32_t offset = declared.explicitOffset.value_or(0);
      if (offset && offset % kCacheLineBytes == 0 && field.offset >= reached + kCacheLineBytes / 2) {
        return fmt::format("{} lies at offset {}, where a cache line of {} bytes begins, behind {} empty ones",
                           csharpFieldName(declared.name), offset, kCacheLineBytes, field.offset - reached);
      }
      reached = std::max(reached, field.offset + field.bytes);
    }
    return {};
  }

  const TypeDeclaration& m_declaration;
  const FieldPlacement& m_placement;
  std::vector<Field> m_fields;  // own ones, by offset
};

}  // namespace

bool namesSeparation(std::string_view typeName) {
  const std::string_view name = lastPart(typeName);
  for (const std::string_view word : {"Padded", "Padding"}) {
    const std::size_t at = name.find(word);
    if (at == std::string_view::npos) continue;
    const std::size_t end = at + word.size();
    if (end == name.size() || !isLower(name[end])) return true;
  }
  std::string letters;
  for (const char letter : name) {
    if (letter != '_') letters += letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  }
  return letters.find("cacheline") != std::string::npos || letters.find("falsesharing") != std::string::npos;
}

Result<std::string> separationOf(LayoutRules& rules, ClosedTypeId type) {
  HEAPSCAPE_TRY(const TypeDeclaration* declaration, rules.types().declarationOf(type));
  if (declaration->kind != TypeKind::Class && declaration->kind != TypeKind::Struct) return std::string();
  HEAPSCAPE_TRY(const FieldPlacement* placement, rules.placementOf(type));
  const std::string why = SeparationSearch(*declaration, *placement).why(rules.types().nameOf(type));
  return why.empty() ? why : fmt::format("Separated on purpose, for processors' caches: {}.", why);
}

}  // namespace heapscape::engine
