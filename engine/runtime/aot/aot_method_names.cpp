// SPDX-License-Identifier: MIT
#include "runtime/aot/aot_method_names.h"

#include <fmt/format.h>
#include <algorithm>

#include "metadata/names/parsed_type_name.h"
#include "metadata/names/type_name.h"

namespace heapscape::engine {
namespace {

// StackTraceDataCommand: what each entry changes of the one before. Further bits are of no interest.
constexpr std::uint8_t kNewOwningType = 0x01;
constexpr std::uint8_t kNewMethodName = 0x02;
constexpr std::uint8_t kNewSignature = 0x04;
constexpr std::uint8_t kNewGenericSignature = 0x08;
constexpr std::uint8_t kTraceCommands = 0x1f;

// InvokeTableFlags.
constexpr std::uint32_t kInvokeHasEntry = 0x20;
constexpr std::uint32_t kInvokeHasHandle = 0x04;  // until .NET 9; later all have one
constexpr std::uint32_t kFirstWithAllHandles = 10;

std::optional<AotMethodName> ifWhole(AotMethodName name, const std::vector<std::string>& arguments) {
  if (name.type.empty() || name.method.empty() || name.method.size() > kLimits.nameBytes) return std::nullopt;
  if (!arguments.empty()) name.method += fmt::format("<{}>", fmt::join(arguments, ", "));
  return name;
}

}  // namespace

AotMethodNames::AotMethodNames(const AddressSpace& memory, const AotMethodTables& methodTables,
                               const AotModules& modules, const AotTypeNames& types, FindingList& findings)
    : m_methodTables(methodTables), m_modules(modules), m_types(types) {
  for (std::uint32_t i = 0; i < modules.items().size(); ++i) {
    readStackTraceMap(memory, i, findings);
    readInvokeMap(memory, i, findings);
  }
  // The method of code that several share is the same each time.
  std::ranges::stable_sort(m_methods, {}, &Method::start);
}

void AotMethodNames::readStackTraceMap(const AddressSpace& memory, std::uint32_t module, FindingList& findings) {
  const auto section = m_modules.items()[module].sections.find(AotSectionKind::StackTraceMap);
  if (!section) return;
  const auto view = memory.view(*section);
  if (!view) {
    findings.add(FindingKind::MetadataMissing, section->start,
                 "What names the methods of a compiled module is not in the dump.");
    return;
  }
  NativeFormatReader reader(view->bytes);
  const auto count = reader.read<std::uint32_t>();
  Method method{.start = {}, .methodTable = {}, .module = module};
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto command = reader.read<std::uint8_t>();
    if (command & kNewOwningType) method.type = reader.read<std::uint32_t>();
    if (command & kNewMethodName) method.name = reader.readUnsigned();
    if (command & (kNewSignature | kNewGenericSignature)) {
      method.signature = reader.readUnsigned();
      method.arguments = command & kNewGenericSignature ? reader.readUnsigned() : 0;
    }
    const std::uint64_t place = reader.position();
    const auto distance = reader.read<std::int32_t>();
    if (reader.failed() || (command & ~kTraceCommands) || m_methods.size() >= kLimits.codeEntriesOfModule) {
      findings.add(FindingKind::RuntimeDataDamaged, section->start + std::min(place, section->sizeBytes()),
                   "A part of what names the methods of a compiled module is damaged.");
      return;
    }
    method.start = {section->start.value + place + static_cast<std::uint64_t>(std::int64_t{distance})};
    if (method.type && method.name) m_methods.push_back(method);  // others are only marked as hidden
  }
}

// Entries: flags, the metadata of the method, the type that declares it, and its code; the last two by their places
// among the common fixups.
void AotMethodNames::readInvokeMap(const AddressSpace& memory, std::uint32_t module, FindingList& findings) {
  const AotSections& sections = m_modules.items()[module].sections;
  const auto section = sections.find(AotSectionKind::InvokeMap);
  if (!section) return;
  const auto view = memory.view(*section);
  const AotFixups fixups(memory, sections);
  if (!view || !fixups.areThere()) {
    findings.add(FindingKind::MetadataMissing, section->start,
                 "What names the methods that reflection may call is not in the dump.");
    return;
  }
  const std::uint32_t needed =
      m_methodTables.layout().release < kFirstWithAllHandles ? kInvokeHasEntry | kInvokeHasHandle : kInvokeHasEntry;
  NativeHashtable table(view->bytes);
  bool isDamaged = false;
  while (const auto entry = table.next()) {
    NativeFormatReader reader(view->bytes, *entry);
    const std::uint32_t flags = reader.readUnsigned();
    const std::uint32_t name = reader.readUnsigned();
    const Address methodTable = fixups.target(reader.readUnsigned());
    if ((flags & needed) != needed && !reader.failed()) continue;
    const Address start = fixups.target(reader.readUnsigned());
    isDamaged = reader.failed() || !methodTable || !start || m_methods.size() >= kLimits.codeEntriesOfModule;
    if (isDamaged) break;
    m_methods.push_back({.start = start, .methodTable = methodTable, .module = module, .name = name});
  }
  if (isDamaged || table.isDamaged()) {
    findings.add(FindingKind::RuntimeDataDamaged, section->start,
                 "A part of what names the methods that reflection may call is damaged.");
  }
}

std::optional<AotMethodName> AotMethodNames::find(Address start) const {
  const auto found = std::ranges::lower_bound(m_methods, start, {}, &Method::start);
  if (found == m_methods.end() || found->start != start) return std::nullopt;
  return found->methodTable ? invokeName(*found) : traceName(*found);
}

std::optional<AotMethodName> AotMethodNames::traceName(const Method& method) const {
  const AotMetadata& metadata = m_modules.items()[method.module].metadata;
  const AotHandle type = metadata.handle(method.type);
  AotTypeArguments arguments{.ofType = metadata.typeArguments(type)};
  // A generic type stands there without what it is an instance for, so that all instances have one name.
  std::string declaring = metadata.typeName(type);
  if (arguments.ofType.empty()) {
    arguments.ofType = metadata.typeParameters(type);
    declaring = withTypeArguments(declaring, arguments.ofType);
  }
  for (const std::string_view argument : metadata.texts(method.arguments))
    arguments.ofMethod.push_back(runtimeTypeName(argument));
  return ifWhole({.type = std::move(declaring),
                  .method = std::string(metadata.text(method.name)),
                  .parameters = metadata.parameters(method.signature, arguments)},
                 arguments.ofMethod);
}

std::optional<AotMethodName> AotMethodNames::invokeName(const Method& method) const {
  const AotMetadata& metadata = m_modules.items()[method.module].metadata;
  const AotMetadata::Method read = metadata.method(method.name);
  AotTypeArguments arguments;
  const auto type = m_methodTables.read(method.methodTable);
  const auto ofType = type ? m_methodTables.typeArguments(*type) : tl::unexpected<Error>(type.error());
  if (ofType)
    for (const Address argument : *ofType) arguments.ofType.push_back(m_types.nameOf(argument));
  return ifWhole({.type = m_types.nameOf(method.methodTable),
                  .method = std::string(read.name),
                  .parameters = metadata.parameters(read.signature, arguments)},
                 {});
}

}  // namespace heapscape::engine
