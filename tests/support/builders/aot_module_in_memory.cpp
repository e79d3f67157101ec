// SPDX-License-Identifier: MIT
#include "support/builders/aot_module_in_memory.h"

#include <cstring>
#include <span>

namespace heapscape::test {
namespace {

using engine::Address;

constexpr std::uint64_t kAotHeaderAt = 0x200;

template <class T>
void appendRaw(FileBytes& bytes, T value) {
  const auto raw = std::as_bytes(std::span(&value, 1));
  bytes.insert(bytes.end(), raw.begin(), raw.end());
}

template <class T>
void putRaw(FileBytes& bytes, std::uint64_t at, T value) {
  if (bytes.size() < at + sizeof value) bytes.resize(at + sizeof value);
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

std::int32_t relativeTo(Address from, Address to) {
  return static_cast<std::int32_t>(static_cast<std::int64_t>(to.value - from.value));
}

/// One bucket with an entry for each content, which follow it.
FileBytes nativeHashtable(const std::vector<FileBytes>& contents) {
  constexpr std::size_t kEntryBytes = 6;  // a byte of the hash, and a distance in its longest form
  const std::size_t start = 1 + 2 * sizeof(std::uint32_t);
  FileBytes table{std::byte{2}};  // one bucket, whose places have four bytes
  appendRaw(table, static_cast<std::uint32_t>(start - 1));
  appendRaw(table, static_cast<std::uint32_t>(start - 1 + kEntryBytes * contents.size()));
  std::size_t content = start + kEntryBytes * contents.size();
  for (const FileBytes& each : contents) {
    table.push_back(std::byte{0x5a});
    const std::size_t from = table.size();
    table.push_back(std::byte{0x0f});
    appendRaw(table, static_cast<std::int32_t>(content - from));
    content += each.size();
  }
  for (const FileBytes& each : contents) table.insert(table.end(), each.begin(), each.end());
  return table;
}

}  // namespace

void appendNativeUnsigned(FileBytes& bytes, std::uint32_t value) {
  for (unsigned more = 0; more < 4; ++more) {
    if (value >> (7 * (more + 1)) != 0) continue;
    const std::uint32_t whole = value << (more + 1) | ((1u << more) - 1);
    for (unsigned i = 0; i <= more; ++i) bytes.push_back(static_cast<std::byte>(whole >> (8 * i)));
    return;
  }
  bytes.push_back(std::byte{0x0f});
  appendRaw(bytes, value);
}

void appendNativeSigned(FileBytes& bytes, std::int32_t value) {
  for (unsigned more = 0; more < 4; ++more) {
    const std::int32_t limit = 1 << (7 * (more + 1) - 1);
    if (value < -limit || value >= limit) continue;
    const std::uint32_t whole = static_cast<std::uint32_t>(value) << (more + 1) | ((1u << more) - 1);
    for (unsigned i = 0; i <= more; ++i) bytes.push_back(static_cast<std::byte>(whole >> (8 * i)));
    return;
  }
  bytes.push_back(std::byte{0x0f});
  appendRaw(bytes, value);
}

void appendNativeText(FileBytes& bytes, std::string_view text) {
  appendNativeUnsigned(bytes, static_cast<std::uint32_t>(text.size()));
  const FileBytes raw = bytesOfText(text);
  bytes.insert(bytes.end(), raw.begin(), raw.end());
}

std::uint32_t AotModuleInMemory::text(std::string_view text) {
  const auto at = static_cast<std::uint32_t>(m_metadata.size());
  appendNativeText(m_metadata, text);
  return at;
}

std::uint32_t AotModuleInMemory::record(const std::vector<std::uint32_t>& numbers) {
  const auto at = static_cast<std::uint32_t>(m_metadata.size());
  for (const std::uint32_t number : numbers) appendNativeUnsigned(m_metadata, number);
  return at;
}

std::uint32_t AotModuleInMemory::packed(std::uint8_t kind, std::uint32_t offset) const {
  return offset << (m_release < 10 ? 8 : 7) | kind;
}

std::uint32_t AotModuleInMemory::token(std::uint8_t kind, std::uint32_t offset) const {
  return std::uint32_t{kind} << (m_release < 10 ? 24 : 25) | offset;
}

std::uint32_t AotModuleInMemory::space(std::string_view name, std::uint32_t parent) {
  const std::uint32_t named = text(name);
  return record({parent ? packed(0x2f, parent) : packed(0x38, 4), named, 0, 0, 0});
}

std::uint32_t AotModuleInMemory::type(std::uint32_t space, std::string_view name, std::uint32_t enclosing,
                                      const std::vector<std::string_view>& parameters) {
  const std::uint32_t named = text(name);
  std::vector<std::uint32_t> records;
  for (const std::string_view parameter : parameters) {
    const std::uint32_t parameterName = text(parameter);
    records.push_back(record({0, 0, 0, parameterName, 0, 0}));
  }
  std::vector<std::uint32_t> numbers{
      0, 0, space, named, 0, 0, enclosing, 0, 0, 0, 0, 0, static_cast<std::uint32_t>(records.size())};
  numbers.insert(numbers.end(), records.begin(), records.end());
  return record(numbers);
}

std::uint32_t AotModuleInMemory::signature(const std::vector<std::pair<std::uint8_t, std::uint32_t>>& parameters) {
  std::vector<std::uint32_t> numbers{0, 0, 0, static_cast<std::uint32_t>(parameters.size())};
  for (const auto& [kind, offset] : parameters) numbers.push_back(packed(kind, offset));
  return record(numbers);
}

std::uint32_t AotModuleInMemory::method(std::string_view name, std::uint32_t signature) {
  const std::uint32_t named = text(name);
  return record({0, 0, named, signature, 0, 0, 0});
}

Address AotModuleInMemory::methodTable(const Type& type) {
  m_types.resize((m_types.size() + 7) / 8 * 8);
  const Address address = kStart + kTypesAt + m_types.size();
  const bool isGeneric = !type.arguments.empty();
  appendRaw(m_types, type.kind << 16 | type.element << 26 | type.flags | (isGeneric ? 0x0200'0000u : 0) |
                         (type.isDynamic ? 0x0008'0000u : 0));
  appendRaw(m_types, type.baseSize);
  appendRaw(m_types, type.related.value);
  appendRaw(m_types, type.slots);
  appendRaw(m_types, static_cast<std::uint16_t>(type.interfaces.size()));
  appendRaw(m_types, std::uint32_t{0});
  m_types.resize(m_types.size() + 8u * type.slots);
  for (const Address interface : type.interfaces) appendRaw(m_types, interface.value);
  const auto here = [&] { return kStart + kTypesAt + m_types.size(); };
  const auto point = [&](Address target) {
    if (type.isDynamic)
      appendRaw(m_types, target.value);
    else
      appendRaw(m_types, relativeTo(here(), target));
  };
  point(kStart + 0x180);  // where the TypeManager's address lies
  point(kStart + 0x180);
  for (const std::uint32_t member : {0x0004'0000u, 0x0010'0000u, 0x0040'0000u})
    if (type.flags & member) point(kStart);
  if (!isGeneric) return address;
  point(type.definition);
  if (type.arguments.size() == 1) {
    point(type.arguments.front());
    return address;
  }
  point(here() + (type.isDynamic ? 8 : 4));
  for (const Address argument : type.arguments) point(argument);
  return address;
}

Address AotModuleInMemory::definition(std::uint16_t arity) {
  if (m_release < 9) return methodTable({.kind = 3, .flags = 0x8000'0000u | arity, .baseSize = 0});
  return methodTable({.kind = 3, .baseSize = arity});
}

void AotModuleInMemory::trace(Address start, std::uint32_t type, std::uint32_t name, std::uint32_t signature,
                              std::uint32_t argumentNames) {
  m_traces.push_back(argumentNames ? std::byte{0x0b} : std::byte{0x07});
  appendRaw(m_traces, type);
  appendNativeUnsigned(m_traces, name);
  appendNativeUnsigned(m_traces, signature);
  if (argumentNames) appendNativeUnsigned(m_traces, argumentNames);
  m_traceStarts.emplace_back(m_traces.size(), start);
  appendRaw(m_traces, std::int32_t{0});
}

FileBytes AotModuleInMemory::build() const {
  FileBytes image(sectionsAt());
  std::memcpy(image.data() + kTypesAt, m_types.data(), m_types.size());

  std::vector<Address> fixups;
  const auto fixup = [&](FileBytes& entry, Address target) {
    appendNativeUnsigned(entry, static_cast<std::uint32_t>(fixups.size()));
    fixups.push_back(target);
  };
  std::vector<FileBytes> types, invokable;
  for (const auto& [methodTable, token] : m_map) {
    fixup(types.emplace_back(), methodTable);
    appendNativeUnsigned(types.back(), token);
  }
  for (const Invokable& each : m_invokable) {
    appendNativeUnsigned(invokable.emplace_back(), 0x24);
    appendNativeUnsigned(invokable.back(), each.method);
    fixup(invokable.back(), each.methodTable);
    fixup(invokable.back(), each.start);
  }

  std::vector<std::pair<std::uint32_t, engine::AddressRange>> sections;
  const auto addSection = [&](std::uint32_t id, const FileBytes& bytes) {
    image.resize((image.size() + 7) / 8 * 8);
    const Address start = kStart + image.size();
    image.insert(image.end(), bytes.begin(), bytes.end());
    sections.emplace_back(id, engine::AddressRange{start, start + bytes.size()});
    return start - kStart;
  };
  addSection(301, nativeHashtable(types));
  addSection(306, nativeHashtable(invokable));
  const std::uint64_t fixupsAt = addSection(308, FileBytes(4 * fixups.size()));
  for (std::size_t i = 0; i < fixups.size(); ++i)
    putRaw(image, fixupsAt + 4 * i, relativeTo(kStart + fixupsAt + 4 * i, fixups[i]));
  FileBytes metadata = m_metadata;
  putRaw(metadata, 0, std::uint32_t{0xdeaddffd});
  addSection(313, metadata);
  FileBytes traces;
  appendRaw(traces, static_cast<std::uint32_t>(m_traceStarts.size()));
  traces.insert(traces.end(), m_traces.begin(), m_traces.end());
  const std::uint64_t tracesAt = addSection(327, traces);
  for (const auto& [offset, start] : m_traceStarts) {
    const std::uint64_t at = tracesAt + 4 + offset;
    putRaw(image, at, relativeTo(kStart + at, start));
  }

  putRaw(image, m_release < 11 ? 48 : 40, (kStart + 0x100).value);
  putRaw(image, 0x108, kTypeManager.value);
  putRaw(image, 0x148, (kStart + kAotHeaderAt).value);
  putRaw(image, 0x180, kTypeManager.value);
  const bool hasEnds = m_release < 11;
  putRaw(image, kAotHeaderAt, std::uint32_t{0x00525452});
  putRaw(image, kAotHeaderAt + 12, static_cast<std::uint16_t>(sections.size()));
  putRaw(image, kAotHeaderAt + 14, static_cast<std::uint8_t>(hasEnds ? 24 : 16));
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const auto& [id, range] = sections[i];
    const std::uint64_t at = kAotHeaderAt + 16 + (hasEnds ? 24 : 16) * i;
    putRaw(image, at, id);
    putRaw(image, at + 4, hasEnds ? 1u : static_cast<std::uint32_t>(range.sizeBytes()));
    putRaw(image, at + 8, range.start.value);
    if (hasEnds) putRaw(image, at + 16, range.end.value);
  }
  return image;
}

}  // namespace heapscape::test
