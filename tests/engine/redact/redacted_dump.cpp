// SPDX-License-Identifier: MIT
#include "engine/redact/redacted_dump.h"

#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>

#include "session/details/object_details.h"
#include "session/snapshot/contents.h"
#include "support/dump_path.h"

namespace heapscape::test {

using namespace engine;

RedactedDump::RedactedDump(const std::string& name, const RedactOptions& options)
    : m_dump(openSnapshot(dumpPath(name), Stage::Retained)), m_report(writeCopy(m_dump, path(), options)) {
  m_copy = openSnapshot(path(), Stage::Retained);
}

const RedactedDump& redactedDump(const std::string& name) {
  static std::map<std::string, std::unique_ptr<const RedactedDump>> made;
  auto& one = made[name];
  if (!one) one = std::make_unique<const RedactedDump>(name);
  return *one;
}

RedactionReport writeCopy(const Snapshot& snapshot, const std::filesystem::path& target, const RedactOptions& options) {
  auto written = writeRedacted(snapshot, target, options, nullptr, {});
  if (!written)
    throw std::runtime_error(written.error().isCancelled() ? "cancelled" : written.error().error().message());
  return std::move(*written);
}

std::string bytesOf(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot read " + file.string());
  std::string bytes(std::filesystem::file_size(file), '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

bool haveSameBytes(const std::filesystem::path& one, const std::filesystem::path& other) {
  return std::filesystem::file_size(one) == std::filesystem::file_size(other) && bytesOf(one) == bytesOf(other);
}

std::vector<ObjectRow> objectsIn(const Snapshot& snapshot) {
  std::vector<ObjectRow> rows;
  forEachObject(snapshot, {}, [&](const ObjectRow& row) {
    if (!snapshot.types()[row.type.value].isFree) rows.push_back(row);
    return true;
  });
  return rows;
}

std::vector<ObjectRow> objectsOfType(const Snapshot& snapshot, const std::string& type) {
  std::vector<ObjectRow> rows;
  const TypeId id = findType(snapshot, type);
  if (id.isNone()) return rows;
  ObjectFilter filter;
  filter.type = id;
  forEachObject(snapshot, filter, [&](const ObjectRow& row) {
    rows.push_back(row);
    return true;
  });
  return rows;
}

std::vector<ObjectRow> someOfEachType(const Snapshot& snapshot) {
  constexpr std::uint32_t kMost = 6;
  std::vector<std::uint32_t> counts(snapshot.types().size());
  std::vector<ObjectRow> some;
  for (const ObjectRow& row : objectsIn(snapshot))
    if (counts[row.type.value]++ < kMost) some.push_back(row);
  return some;
}

void forEachLeaf(const std::vector<FieldValue>& fields, const std::function<void(const FieldValue&)>& visit) {
  for (const FieldValue& field : fields) {
    if (field.nested.empty())
      visit(field);
    else
      forEachLeaf(field.nested, visit);
  }
}

StringDetails stringAt(const Snapshot& snapshot, Address string) {
  constexpr std::size_t kMostUnits = 1 << 20;
  const Contents& contents = snapshot.contents();
  return readStringDetails(contents.readers->runtime, *contents.heap, string, kMostUnits);
}

std::string textAt(const Snapshot& snapshot, Address string) {
  return stringAt(snapshot, string).text;
}

}  // namespace heapscape::test
