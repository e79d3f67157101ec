// SPDX-License-Identifier: MIT
#include "runtime/aot/aot_metadata.h"

#include <fmt/format.h>
#include <vector>

#include "base/limits.h"
#include "metadata/names/type_name.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kAotMetadataMark = 0xdeaddffd;
constexpr std::uint32_t kMostAotRank = 32;

std::string joined(std::string before, std::string_view separator, std::string_view name) {
  if (before.size() + name.size() > kLimits.nameBytes) return {};
  if (!before.empty()) before += separator;
  before += name;
  return before;
}

}  // namespace

Result<AotMetadata> AotMetadata::read(const AddressSpace& memory, const AotLayout& layout, AddressRange section) {
  if (section.sizeBytes() > kLimits.metadataBytes)
    return failure(ErrorCode::Damaged, "The metadata of a compiled module is too large.");
  HEAPSCAPE_TRY(MemoryView view, memory.view(section));
  std::uint32_t mark = 0;
  if (!tryReadAt(view.bytes, 0, mark) || mark != kAotMetadataMark) {
    return failure(ErrorCode::Damaged,
                   fmt::format("There is no metadata of a compiled module at {}.", toString(section.start)));
  }
  return AotMetadata(layout, std::move(view));
}

AotHandle AotMetadata::handle(std::uint32_t token) const {
  return {static_cast<AotRecord>(token >> m_layout->handleKindShift), tokenOffset(token)};
}

AotHandle AotMetadata::packedHandle(NativeFormatReader& reader) const {
  const std::uint32_t packed = reader.readUnsigned();
  return {static_cast<AotRecord>(packed & ((1u << m_layout->packedKindBits) - 1)), packed >> m_layout->packedKindBits};
}

std::string_view AotMetadata::text(std::uint32_t offset) const {
  if (offset == 0) return {};
  return at(offset).readString();
}

std::string AotMetadata::typeName(AotHandle type) const {
  return typeName(type, 0);
}

std::string AotMetadata::typeName(AotHandle type, std::size_t depth) const {
  if (type.offset == 0 || depth > kLimits.nestingDepth) return {};
  NativeFormatReader record = at(type.offset);
  const auto suffixed = [&](std::string_view suffix) {
    std::string name = typeName(packedHandle(record), depth + 1);
    return name.empty() ? name : joined(std::move(name), {}, suffix);
  };
  switch (type.kind) {
    case AotRecord::TypeDefinition: {
      record.readUnsigned();  // flags
      packedHandle(record);   // base type
      const std::uint32_t space = record.readUnsigned();
      const std::string_view name = text(record.readUnsigned());
      record.readUnsigned();  // size
      record.readUnsigned();  // packing
      const std::uint32_t enclosing = record.readUnsigned();
      if (record.failed() || name.empty()) return {};
      if (!enclosing) return joined(namespaceName({AotRecord::NamespaceDefinition, space}, depth + 1), ".", name);
      const std::string outer = typeName({AotRecord::TypeDefinition, enclosing}, depth + 1);
      return outer.empty() ? outer : joined(outer, "+", name);
    }
    case AotRecord::TypeReference: {
      const AotHandle parent = packedHandle(record);
      const std::string_view name = text(record.readUnsigned());
      if (record.failed() || name.empty()) return {};
      if (parent.kind != AotRecord::TypeReference) return joined(namespaceName(parent, depth + 1), ".", name);
      const std::string outer = typeName(parent, depth + 1);
      return outer.empty() ? outer : joined(outer, "+", name);
    }
    case AotRecord::TypeSpecification:
      return typeName(packedHandle(record), depth + 1);
    case AotRecord::TypeInstantiationSignature:
      return instantiation(type.offset, depth);
    case AotRecord::SzArraySignature:
      return suffixed("[]");
    case AotRecord::PointerSignature:
      return suffixed("*");
    case AotRecord::ByReferenceSignature:
      return suffixed("&");
    case AotRecord::ArraySignature: {
      std::string element = typeName(packedHandle(record), depth + 1);
      const std::uint32_t rank = record.readUnsigned();
      if (record.failed() || rank > kMostAotRank || element.empty()) return {};
      return joined(std::move(element), {}, arraySuffix(rank));
    }
    case AotRecord::ModifiedType:
      record.readUnsigned();  // whether it is optional
      packedHandle(record);   // the modifier
      return typeName(packedHandle(record), depth + 1);
    case AotRecord::TypeVariableSignature:
      return fmt::format("!{}", record.readUnsigned());
    case AotRecord::MethodTypeVariableSignature:
      return fmt::format("!!{}", record.readUnsigned());
    default:
      return {};
  }
}

std::string AotMetadata::namespaceName(AotHandle space, std::size_t depth) const {
  const bool isNamespace = space.kind == AotRecord::NamespaceDefinition || space.kind == AotRecord::NamespaceReference;
  if (!isNamespace || space.offset == 0 || depth > kLimits.nestingDepth) return {};
  NativeFormatReader record = at(space.offset);
  const AotHandle parent = packedHandle(record);
  const std::string_view name = text(record.readUnsigned());
  if (record.failed()) return {};
  return joined(namespaceName(parent, depth + 1), ".", name);  // that of a scope has no name
}

std::string AotMetadata::instantiation(std::uint32_t offset, std::size_t depth) const {
  NativeFormatReader record = at(offset);
  const std::string definition = typeName(packedHandle(record), depth + 1);
  const std::uint32_t count = record.readUnsigned();
  if (definition.empty() || record.failed() || count > kLimits.typeArguments) return {};
  std::vector<std::string> arguments;
  std::size_t bytes = 0;
  for (std::uint32_t i = 0; i < count && !record.failed(); ++i) {
    std::string argument = typeName(packedHandle(record), depth + 1);
    bytes += argument.size();
    if (argument.empty() || bytes > kLimits.nameBytes) return {};
    arguments.push_back(std::move(argument));
  }
  return withTypeArguments(definition, arguments);
}

}  // namespace heapscape::engine
