// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/address.h"
#include "support/builders/core_builder.h"

namespace heapscape::test {

/// Numbers and texts of NativeFormat, in the shortest form.
void appendNativeUnsigned(FileBytes& bytes, std::uint32_t value);
void appendNativeSigned(FileBytes& bytes, std::int32_t value);
void appendNativeText(FileBytes& bytes, std::string_view text);

/// A compiled module as a program of .NET 8 to 11 has it in memory: types, metadata with the tables that lead to it,
/// ReadyToRun header, TypeManager and RuntimeInstance, all in one piece. What is asked for is not checked.
class AotModuleInMemory {
 public:
  static constexpr engine::Address kStart{0x40'0000};
  static constexpr engine::Address kRuntimeInstance = kStart;
  static constexpr engine::Address kTypeManager = kStart + 0x140;
  static constexpr std::uint64_t kTypesAt = 0x400;              // where the first type lies, from kStart
  static constexpr engine::Address kCode = kStart + 0x10'0000;  // what is here has names and nothing else

  explicit AotModuleInMemory(std::uint32_t release) : m_release(release), m_metadata(8) {}

  // Records of metadata, by their offset.
  std::uint32_t text(std::string_view text);
  /// `parent` 0: in no other namespace.
  std::uint32_t space(std::string_view name, std::uint32_t parent = 0);
  std::uint32_t type(std::uint32_t space, std::string_view name, std::uint32_t enclosing = 0,
                     const std::vector<std::string_view>& parameters = {});
  std::uint32_t signature(const std::vector<std::pair<std::uint8_t, std::uint32_t>>& parameters);
  std::uint32_t method(std::string_view name, std::uint32_t signature);
  /// A record of numbers, as they are.
  std::uint32_t record(const std::vector<std::uint32_t>& numbers);
  /// A handle within metadata, and one from outside.
  std::uint32_t packed(std::uint8_t kind, std::uint32_t offset) const;
  std::uint32_t token(std::uint8_t kind, std::uint32_t offset) const;

  /// A MethodTable of this release with an object's sizes; flags beyond the kind and the element type are given as they
  /// are. `arguments`: of a generic instance of `definition`.
  struct Type {
    std::uint32_t kind = 0;
    std::uint32_t element = 0x14;
    std::uint32_t flags = 0;
    std::uint32_t baseSize = 24;
    engine::Address related = {};
    std::uint16_t slots = 0;
    std::vector<engine::Address> interfaces = {};
    engine::Address definition = {};
    std::vector<engine::Address> arguments = {};
    bool isDynamic = false;  // with pointers in place of distances
  };
  engine::Address methodTable(const Type& type);
  engine::Address definition(std::uint16_t arity);

  void map(engine::Address methodTable, std::uint32_t token) { m_map.emplace_back(methodTable, token); }
  void mayInvoke(engine::Address start, engine::Address methodTable, std::uint32_t method) {
    m_invokable.push_back({start, methodTable, method});
  }
  /// An entry of the names for stack traces, whole; `argumentNames` 0: no generic method.
  void trace(engine::Address start, std::uint32_t type, std::uint32_t name, std::uint32_t signature,
             std::uint32_t argumentNames = 0);

  /// Where the types end and the sections begin, from kStart.
  std::uint64_t sectionsAt() const { return kTypesAt + (m_types.size() + 7) / 8 * 8; }
  /// All of it, from kStart on.
  FileBytes build() const;

 private:
  struct Invokable {
    engine::Address start;
    engine::Address methodTable;
    std::uint32_t method = 0;
  };

  std::uint32_t m_release;
  FileBytes m_metadata;
  FileBytes m_types;
  std::vector<std::pair<engine::Address, std::uint32_t>> m_map;
  std::vector<Invokable> m_invokable;
  FileBytes m_traces;
  std::vector<std::pair<std::size_t, engine::Address>> m_traceStarts;  // where their distances lie
};

}  // namespace heapscape::test
