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

}  // namespace

AotMethodNames::AotMethodNames(const AddressSpace& memory, const AotModules& modules, FindingList& findings)
    : m_modules(modules) {
  for (std::uint32_t i = 0; i < modules.items().size(); ++i) {
    if (const auto section = modules.items()[i].sections.find(AotSectionKind::StackTraceMap))
      readMap(memory, i, *section, findings);
  }
  std::ranges::sort(m_methods, {}, &Method::start);
}

void AotMethodNames::readMap(const AddressSpace& memory, std::uint32_t module, AddressRange section,
                             FindingList& findings) {
  const auto view = memory.view(section);
  if (!view) {
    findings.add(FindingKind::MetadataMissing, section.start,
                 "What names the methods of a compiled module is not in the dump.");
    return;
  }
  NativeFormatReader reader(view->bytes);
  const auto count = reader.read<std::uint32_t>();
  Method method{.start = {}, .module = module};
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
      findings.add(FindingKind::RuntimeDataDamaged, section.start + std::min(place, section.sizeBytes()),
                   "A part of what names the methods of a compiled module is damaged.");
      return;
    }
    method.start = {section.start.value + place + static_cast<std::uint64_t>(std::int64_t{distance})};
    if (method.type && method.name) m_methods.push_back(method);  // others are only marked as hidden
  }
}

std::optional<AotMethodName> AotMethodNames::find(Address start) const {
  const auto found = std::ranges::lower_bound(m_methods, start, {}, &Method::start);
  if (found == m_methods.end() || found->start != start) return std::nullopt;
  const AotMetadata& metadata = m_modules.items()[found->module].metadata;
  const AotHandle type = metadata.handle(found->type);
  AotTypeArguments arguments{.ofType = metadata.typeArguments(type)};
  // A generic type stands there without what it is an instance for, so that all instances have one name.
  std::string declaring = metadata.typeName(type);
  if (arguments.ofType.empty()) {
    arguments.ofType = metadata.typeParameters(type);
    declaring = withTypeArguments(declaring, arguments.ofType);
  }
  for (const std::string_view argument : metadata.texts(found->arguments))
    arguments.ofMethod.push_back(runtimeTypeName(argument));
  AotMethodName name{.type = std::move(declaring),
                     .method = std::string(metadata.text(found->name)),
                     .parameters = metadata.parameters(found->signature, arguments)};
  if (name.type.empty() || name.method.empty() || name.method.size() > kLimits.nameBytes) return std::nullopt;
  if (!arguments.ofMethod.empty()) name.method += fmt::format("<{}>", fmt::join(arguments.ofMethod, ", "));
  return name;
}

}  // namespace heapscape::engine
