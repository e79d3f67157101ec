// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redact/redacted_copy.h"
#include "session/objects/object_query.h"
#include "support/opened_snapshot.h"
#include "support/temporary_folder.h"
#include "values/string_details.h"
#include "values/value.h"

namespace heapscape::test {

/// A dump of tests/data and a copy of it without contents, both with who holds what.
class RedactedDump {
 public:
  explicit RedactedDump(const std::string& name, const engine::RedactOptions& options = {});

  const engine::Snapshot& dump() const { return m_dump; }
  const engine::Snapshot& copy() const { return *m_copy; }
  const engine::RedactionReport& report() const { return m_report; }
  std::filesystem::path path() const { return m_folder / "copy.core"; }

 private:
  TemporaryFolder m_folder;
  engine::Snapshot m_dump;
  engine::RedactionReport m_report;
  std::optional<engine::Snapshot> m_copy;
};

/// The default copy of a dump, made once for all tests of the program.
const RedactedDump& redactedDump(const std::string& name);

/// Throws the message if it cannot be written.
engine::RedactionReport writeCopy(const engine::Snapshot& snapshot, const std::filesystem::path& target,
                                  const engine::RedactOptions& options = {});

std::string bytesOf(const std::filesystem::path& file);
/// Whether two files are equal byte by byte.
bool haveSameBytes(const std::filesystem::path& one, const std::filesystem::path& other);

/// All objects, without free ones.
std::vector<engine::ObjectRow> objectsIn(const engine::Snapshot& snapshot);
/// Those of exactly this type.
std::vector<engine::ObjectRow> objectsOfType(const engine::Snapshot& snapshot, const std::string& type);
/// Some objects of each type, since reading all of one takes long.
std::vector<engine::ObjectRow> someOfEachType(const engine::Snapshot& snapshot);
/// Calls visit(field) for what fields, elements and items of them hold in the end: values that have no parts.
void forEachLeaf(const std::vector<engine::FieldValue>& fields,
                 const std::function<void(const engine::FieldValue&)>& visit);
/// All of a string.
engine::StringDetails stringAt(const engine::Snapshot& snapshot, engine::Address string);
/// Its text; empty if it cannot be read.
std::string textAt(const engine::Snapshot& snapshot, engine::Address string);

}  // namespace heapscape::test
