// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/address.h"

namespace heapscape::test {

/// Objects and bytes of a part of the heap; free blocks are counted apart from objects, as in the file.
struct TruthTotals {
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;
  std::uint64_t freeObjects = 0;
  std::uint64_t freeBytes = 0;
  bool operator==(const TruthTotals&) const = default;
};

struct TruthSegment {
  std::string kind;
  std::uint32_t heap = 0;
  engine::AddressRange objects;
  engine::Address committedEnd;
  engine::Address reservedEnd;
  TruthTotals totals;
  bool isComplete = false;  // ClrMD's walk came to the end
  std::uint64_t checksum = 0;
};

struct TruthGeneration {
  std::uint32_t heap = 0;
  std::string generation;
  TruthTotals totals;
};

struct TruthField {
  std::string declaringType;
  std::string name;
  std::uint32_t offset = 0;  // from the object's address: the first field is at 8
  std::uint32_t elementType = 0;
  std::uint32_t sizeBytes = 0;
};

struct TruthType {
  std::string name;
  engine::Address methodTable;
  std::string module;
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
  std::uint64_t exactBytes = 0;
  std::map<std::string, std::uint64_t> generationBytes;
  std::uint32_t baseSize = 0;
  std::uint32_t componentSize = 0;
  std::vector<TruthField> fields;
  std::vector<std::string> staticFields;

  /// Whether ClrMD knows the name: it has none, or a stand-in, for types over emitted ones and function pointers, and
  /// writes arrays of one dimension with a lower bound in a way of its own.
  bool isNameReliable() const;
};

struct TruthModule {
  std::string name;
  std::string path;
  engine::Address imageBase;
  std::uint64_t sizeBytes = 0;
  std::string mvid;
  bool isDynamic = false;
};

/// The expected figures of one dump, made with ClrMD (tests/targets/README.md).
struct Truth {
  std::string runtime;
  std::string gc;
  std::uint32_t heaps = 0;
  bool hasRegions = false;
  bool isWalkable = false;
  bool hasMembers = false;
  std::vector<TruthSegment> segments;
  std::vector<TruthGeneration> generations;
  std::vector<TruthType> types;
  std::vector<TruthModule> modules;

  /// Throws if the file is not there or not as described.
  static Truth read(const std::filesystem::path& path);
  /// Of a dump in tests/data.
  static Truth of(const std::string& dump);
};

/// FNV-1a over address, exact size and method table of one object after the other.
class ObjectChecksum {
 public:
  void add(std::uint64_t address, std::uint64_t exactBytes, std::uint64_t methodTable);
  std::uint64_t value() const { return m_hash; }

 private:
  void addWord(std::uint64_t word);
  std::uint64_t m_hash = 0xcbf29ce484222325;
};

/// Names of all dumps in tests/data, sorted.
std::vector<std::string> allDumps();
/// Those that hold a heap: all but `…-normal` and `…-triage`.
std::vector<std::string> heapDumps();
/// Those whose heap is whole: not taken in the middle of a collection (`…-collecting`) either.
std::vector<std::string> healthyDumps();
/// Those of the shop, with a whole heap and all metadata.
std::vector<std::string> shopDumps();
/// "shop_10_server", as GoogleTest wants it.
std::string testName(std::string dump);

}  // namespace heapscape::test
