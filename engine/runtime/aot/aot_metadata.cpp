// SPDX-License-Identifier: MIT
#include "runtime/aot/aot_metadata.h"

#include <fmt/format.h>

#include "base/limits.h"
#include "metadata/names/type_name.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kAotMetadataMark = 0xdeaddffd;
constexpr std::int32_t kMostAotRank = 32;
constexpr std::size_t kMostRecordsOfName = 4096;

/// Empty where a part is missing, or where the whole would be too long.
std::string joined(std::string before, std::string_view separator, std::string_view name) {
  if (before.empty() || name.empty() || before.size() + name.size() > kLimits.nameBytes) return {};
  before += separator;
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
  return {static_cast<AotRecord>(token >> m_layout->handleKindShift), token & ((1u << m_layout->handleKindShift) - 1)};
}

AotHandle AotMetadata::packedHandle(NativeFormatReader& reader) const {
  const std::uint32_t packed = reader.readUnsigned();
  return {static_cast<AotRecord>(packed & ((1u << m_layout->packedKindBits) - 1)), packed >> m_layout->packedKindBits};
}

std::string_view AotMetadata::text(std::uint32_t offset) const {
  if (offset == 0) return {};
  return at(offset).readString();
}

std::vector<std::string_view> AotMetadata::texts(std::uint32_t offset) const {
  std::vector<std::string_view> found;
  if (offset == 0) return found;
  NativeFormatReader record = at(offset);
  const std::uint32_t count = record.readUnsigned();
  if (count > kLimits.typeArguments) return found;
  for (std::uint32_t i = 0; i < count; ++i) found.push_back(text(packedHandle(record).offset));
  if (record.failed()) found.clear();
  return found;
}

/// Puts one name together. Records may refer to each other in any way, so their number is bounded as well as their
/// depth.
class AotMetadata::TypeNamer {
 public:
  TypeNamer(const AotMetadata& metadata, const AotTypeArguments& arguments)
      : m_metadata(metadata), m_arguments(arguments) {}

  std::string nameOf(AotHandle type, std::size_t depth);
  /// Counted, then one handle after the other; false if one of them has no name.
  bool namesOf(NativeFormatReader& record, std::vector<std::string>& names, std::size_t depth);
  AotHandle next(NativeFormatReader& record) const { return m_metadata.packedHandle(record); }

 private:
  std::string definitionName(NativeFormatReader record, std::size_t depth);
  std::string referenceName(NativeFormatReader record, std::size_t depth);
  std::string inNamespace(AotHandle space, std::string_view name, std::size_t depth);
  std::string instanceName(NativeFormatReader record, std::size_t depth);
  std::string functionPointerName(NativeFormatReader record, std::size_t depth);

  static std::string variableName(NativeFormatReader record, const std::vector<std::string>& arguments,
                                  std::string_view mark) {
    const auto number = static_cast<std::uint32_t>(record.readSigned());
    if (record.failed()) return {};
    return number < arguments.size() ? arguments[number] : fmt::format("{}{}", mark, number);
  }

  const AotMetadata& m_metadata;
  const AotTypeArguments& m_arguments;
  std::size_t m_records = 0;
};

std::string AotMetadata::TypeNamer::nameOf(AotHandle type, std::size_t depth) {
  if (type.offset == 0 || depth > kLimits.nestingDepth || ++m_records > kMostRecordsOfName) return {};
  NativeFormatReader record = m_metadata.at(type.offset);
  switch (type.kind) {
    case AotRecord::TypeDefinition:
      return definitionName(record, depth);
    case AotRecord::TypeReference:
      return referenceName(record, depth);
    case AotRecord::TypeSpecification:
      return nameOf(next(record), depth + 1);
    case AotRecord::TypeInstantiationSignature:
      return instanceName(record, depth);
    case AotRecord::SzArraySignature:
      return joined(nameOf(next(record), depth + 1), {}, "[]");
    case AotRecord::PointerSignature:
      return joined(nameOf(next(record), depth + 1), {}, "*");
    case AotRecord::ByReferenceSignature:
      return joined(nameOf(next(record), depth + 1), {}, "&");
    case AotRecord::ArraySignature: {
      const std::string element = nameOf(next(record), depth + 1);
      const std::int32_t rank = record.readSigned();
      if (record.failed() || rank < 1 || rank > kMostAotRank) return {};
      return joined(element, {}, arraySuffix(static_cast<std::uint32_t>(rank)));
    }
    case AotRecord::ModifiedType:
      record.readUnsigned();  // whether it is optional
      next(record);           // the modifier
      return nameOf(next(record), depth + 1);
    case AotRecord::FunctionPointerSignature:
      return functionPointerName(m_metadata.at(record.readUnsigned()), depth);
    case AotRecord::TypeVariableSignature:
      return variableName(record, m_arguments.ofType, "!");
    case AotRecord::MethodTypeVariableSignature:
      return variableName(record, m_arguments.ofMethod, "!!");
    default:
      return {};
  }
}

std::string AotMetadata::TypeNamer::definitionName(NativeFormatReader record, std::size_t depth) {
  record.readUnsigned();  // flags
  next(record);           // base type
  const std::uint32_t space = record.readUnsigned();
  const std::string_view name = m_metadata.text(record.readUnsigned());
  record.readUnsigned();  // size
  record.readUnsigned();  // packing
  const std::uint32_t enclosing = record.readUnsigned();
  if (record.failed()) return {};
  if (!enclosing) return inNamespace({AotRecord::NamespaceDefinition, space}, name, depth + 1);
  return joined(nameOf({AotRecord::TypeDefinition, enclosing}, depth + 1), "+", name);
}

std::string AotMetadata::TypeNamer::referenceName(NativeFormatReader record, std::size_t depth) {
  const AotHandle parent = next(record);
  const std::string_view name = m_metadata.text(record.readUnsigned());
  if (record.failed()) return {};
  if (parent.kind != AotRecord::TypeReference) return inNamespace(parent, name, depth + 1);
  return joined(nameOf(parent, depth + 1), "+", name);
}

std::string AotMetadata::TypeNamer::inNamespace(AotHandle space, std::string_view name, std::size_t depth) {
  const bool isNamespace = space.kind == AotRecord::NamespaceDefinition || space.kind == AotRecord::NamespaceReference;
  if (!isNamespace || space.offset == 0) return std::string(name);  // in no namespace
  if (depth > kLimits.nestingDepth || ++m_records > kMostRecordsOfName) return {};
  NativeFormatReader record = m_metadata.at(space.offset);
  const AotHandle parent = next(record);
  const std::string_view own = m_metadata.text(record.readUnsigned());
  if (record.failed()) return {};
  if (own.empty()) return std::string(name);  // the namespace of all that are in none
  return joined(inNamespace(parent, own, depth + 1), ".", name);
}

bool AotMetadata::TypeNamer::namesOf(NativeFormatReader& record, std::vector<std::string>& names, std::size_t depth) {
  const std::uint32_t count = record.readUnsigned();
  if (record.failed() || count > kLimits.typeArguments) return false;
  std::size_t bytes = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    names.push_back(nameOf(next(record), depth + 1));
    bytes += names.back().size();
    if (names.back().empty() || bytes > kLimits.nameBytes) return false;
  }
  return true;
}

std::string AotMetadata::TypeNamer::instanceName(NativeFormatReader record, std::size_t depth) {
  const std::string definition = nameOf(next(record), depth + 1);
  std::vector<std::string> arguments;
  if (definition.empty() || !namesOf(record, arguments, depth)) return {};
  return withTypeArguments(definition, arguments);
}

// MethodSignature.
std::string AotMetadata::TypeNamer::functionPointerName(NativeFormatReader record, std::size_t depth) {
  record.readUnsigned();  // flags
  record.readSigned();    // type parameters
  const std::string result = nameOf(next(record), depth + 1);
  std::vector<std::string> parameters;
  if (result.empty() || !namesOf(record, parameters, depth)) return {};
  return fmt::format("{} ({})", result, fmt::join(parameters, ", "));
}

namespace {

/// Goes past what a type's record says of itself, up to its list of type parameters, which follows five others.
bool skipToTypeParameters(NativeFormatReader& record) {
  constexpr int kNumbersInFront = 7, kListsInFront = 5;
  for (int i = 0; i < kNumbersInFront; ++i) record.readUnsigned();
  for (int list = 0; list < kListsInFront; ++list) {
    const std::uint32_t count = record.readUnsigned();
    if (count > kLimits.methodsPerType) return false;
    for (std::uint32_t i = 0; i < count && !record.failed(); ++i) record.readUnsigned();
  }
  return !record.failed();
}

}  // namespace

std::optional<AotMetadata::Declared> AotMetadata::declared(AotHandle definition) const {
  if (definition.kind != AotRecord::TypeDefinition || definition.offset == 0) return std::nullopt;
  NativeFormatReader record = at(definition.offset);
  Declared declared{.flags = record.readUnsigned()};
  packedHandle(record);   // base type
  record.readUnsigned();  // namespace
  record.readUnsigned();  // name
  declared.size = record.readUnsigned();
  declared.pack = record.readUnsigned();
  if (record.failed()) return std::nullopt;
  return declared;
}

// Their records are listed right behind the mark.
std::vector<std::string_view> AotMetadata::assemblies() const {
  std::vector<std::string_view> names;
  NativeFormatReader list = at(sizeof(kAotMetadataMark));
  const std::uint32_t count = list.readUnsigned();
  for (std::uint32_t i = 0; i < count && i < kMostRecordsOfName; ++i) {
    NativeFormatReader scope = at(list.readUnsigned());
    scope.readUnsigned();  // flags
    const std::string_view name = text(scope.readUnsigned());
    if (list.failed() || scope.failed()) break;
    if (!name.empty()) names.push_back(name);
  }
  return names;
}

std::vector<std::string> AotMetadata::typeParameters(AotHandle definition) const {
  std::vector<std::string> names;
  if (definition.kind != AotRecord::TypeDefinition || definition.offset == 0) return names;
  NativeFormatReader record = at(definition.offset);
  const std::uint32_t count = skipToTypeParameters(record) ? record.readUnsigned() : 0;
  if (count > kLimits.typeArguments) return names;
  for (std::uint32_t i = 0; i < count; ++i) {
    NativeFormatReader parameter = at(record.readUnsigned());
    parameter.readUnsigned();  // its number
    parameter.readUnsigned();  // flags
    parameter.readUnsigned();  // whether it is a method's
    const std::string_view name = text(parameter.readUnsigned());
    if (record.failed() || parameter.failed() || name.empty() || name.size() > kLimits.nameBytes / count) return {};
    names.emplace_back(name);
  }
  return names;
}

std::optional<bool> AotMetadata::hasAttribute(AotHandle definition, std::string_view fullName) const {
  if (definition.kind != AotRecord::TypeDefinition || definition.offset == 0) return std::nullopt;
  NativeFormatReader record = at(definition.offset);
  if (!skipToTypeParameters(record)) return std::nullopt;
  constexpr int kListsBehind = 2;  // of type parameters, of interfaces
  for (int list = 0; list < kListsBehind; ++list) {
    const std::uint32_t count = record.readUnsigned();
    if (count > kLimits.methodsPerType) return std::nullopt;
    for (std::uint32_t i = 0; i < count && !record.failed(); ++i) record.readUnsigned();
  }
  const std::uint32_t count = record.readUnsigned();
  if (record.failed() || count > kLimits.methodsPerType) return std::nullopt;
  for (std::uint32_t i = 0; i < count && !record.failed(); ++i)
    if (attributeName(record.readUnsigned()) == fullName) return true;
  return record.failed() ? std::nullopt : std::optional(false);
}

/// The class of a custom attribute, by its constructor.
std::string AotMetadata::attributeName(std::uint32_t attribute) const {
  if (attribute == 0) return {};
  NativeFormatReader record = at(attribute);
  const AotHandle constructor = packedHandle(record);
  NativeFormatReader method = at(constructor.offset);
  AotHandle type;
  if (constructor.kind == AotRecord::QualifiedMethod) {
    method.readUnsigned();  // the method itself
    type = {AotRecord::TypeDefinition, method.readUnsigned()};
  } else if (constructor.kind == AotRecord::MemberReference) {
    type = packedHandle(method);
  }
  return record.failed() || method.failed() ? std::string() : typeName(type);
}

std::string AotMetadata::typeName(AotHandle type, const AotTypeArguments& arguments) const {
  return TypeNamer(*this, arguments).nameOf(type, 0);
}

std::vector<std::string> AotMetadata::typeArguments(AotHandle type) const {
  if (type.offset == 0) return {};
  if (type.kind == AotRecord::TypeSpecification) {
    NativeFormatReader record = at(type.offset);
    type = packedHandle(record);
  }
  if (type.kind != AotRecord::TypeInstantiationSignature) return {};
  NativeFormatReader record = at(type.offset);
  packedHandle(record);  // the definition
  const AotTypeArguments none;
  std::vector<std::string> names;
  if (!TypeNamer(*this, none).namesOf(record, names, 0)) names.clear();
  return names;
}

AotMetadata::Method AotMetadata::method(std::uint32_t offset) const {
  if (offset == 0) return {};
  NativeFormatReader record = at(offset);
  record.readUnsigned();  // flags
  record.readUnsigned();  // those of its implementation
  const std::string_view name = text(record.readUnsigned());
  const std::uint32_t signature = record.readUnsigned();
  return record.failed() ? Method{} : Method{name, signature};
}

std::string AotMetadata::parameters(std::uint32_t signature, const AotTypeArguments& arguments) const {
  if (signature == 0) return {};
  NativeFormatReader record = at(signature);
  record.readUnsigned();  // flags
  record.readSigned();    // type parameters
  packedHandle(record);   // what it returns
  std::vector<std::string> names;
  if (!TypeNamer(*this, arguments).namesOf(record, names, 0)) return {};
  return fmt::format("({})", fmt::join(names, ", "));
}

}  // namespace heapscape::engine
