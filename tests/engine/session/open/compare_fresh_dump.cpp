// SPDX-License-Identifier: MIT
// Makes a dump on this machine's own .NET and compares what the engine reads in it with what ClrMD does.
// Exit status 77 where no dump can be made. With DUMP and FIGURES it compares those.
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <map>

#include "session/layouts/layout_query.h"
#include "session/objects/object_query.h"
#include "support/opened_snapshot.h"
#include "support/temporary_folder.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using namespace engine;

constexpr int kSkipped = 77;

class Comparison {
 public:
  Comparison(const Snapshot& snapshot, const Truth& truth) : m_snapshot(snapshot), m_truth(truth) {}

  int run() {
    expect(m_snapshot.summary().runtime.version == m_truth.runtime, "version " + m_snapshot.summary().runtime.version);
    expect(m_snapshot.segments().size() == m_truth.segments.size(), "number of segments");
    expect(m_snapshot.types().size() == m_truth.types.size(), "number of types");
    expect(m_snapshot.modules().size() == m_truth.modules.size(), "number of modules");
    compareObjects();
    compareTypes();
    std::printf("%llu objects, %zu types, %d differences\n",
                static_cast<unsigned long long>(m_snapshot.totals().objects), m_snapshot.types().size(), m_differences);
    return m_differences == 0 ? 0 : 1;
  }

 private:
  void expect(bool isEqual, const std::string& what) {
    if (isEqual) return;
    ++m_differences;
    std::fprintf(stderr, "differs: %s\n", what.c_str());
  }

  void compareObjects() {
    std::vector<ObjectChecksum> checksums(m_snapshot.segments().size());
    forEachObject(m_snapshot, {}, [&](const ObjectRow& row) {
      checksums[row.segment.value].add(row.address.value, row.sizeBytes,
                                       m_snapshot.types()[row.type.value].methodTable.value);
      return true;
    });
    for (std::size_t i = 0; i < std::min(checksums.size(), m_truth.segments.size()); ++i) {
      if (!m_truth.segments[i].isComplete) continue;
      expect(checksums[i].value() == m_truth.segments[i].checksum,
             "objects of the segment at " + toString(m_truth.segments[i].objects.start));
    }
  }

  void compareTypes() {
    std::map<Address, std::uint32_t> rows;
    for (std::uint32_t i = 0; i < m_snapshot.types().size(); ++i) rows[m_snapshot.types()[i].methodTable] = i;
    for (const TruthType& type : m_truth.types) {
      const auto row = rows.find(type.methodTable);
      expect(row != rows.end(), type.name + " is missing");
      if (row == rows.end()) continue;
      expect(m_snapshot.typeCounts().count[row->second] == type.count, type.name + "'s count");
      expect(m_snapshot.typeCounts().bytes[row->second] == type.bytes, type.name + "'s bytes");
      if (type.isNameReliable()) expect(m_snapshot.types()[row->second].name == type.name, type.name + "'s name");
      if (type.name != "Free") compareFields(type);
    }
  }

  void compareFields(const TruthType& type) {
    const auto layout = layoutOf(m_snapshot, type.methodTable);
    expect(layout.has_value(), type.name + "'s layout");
    if (!layout) return;
    using Place = std::pair<std::uint32_t, std::string>;
    std::vector<Place> theirs;
    std::vector<Place> ours;
    for (const TruthField& field : type.fields) theirs.emplace_back(field.offset, field.name);
    for (const LayoutField& field : layout->fields) {
      const bool isSavedLocal = !layout->continues.empty() && field.declaringType == layout->typeName;  // not ClrMD's
      if (!isSavedLocal) ours.emplace_back(field.offset + 8, field.name);
    }
    std::ranges::sort(theirs);
    std::ranges::sort(ours);
    expect(ours == theirs, type.name + "'s fields");
  }

  const Snapshot& m_snapshot;
  const Truth& m_truth;
  int m_differences = 0;
};

int compare(const std::filesystem::path& dump, const std::filesystem::path& figures) {
  const Snapshot snapshot = openSnapshot(dump);
  return Comparison(snapshot, Truth::read(figures)).run();
}

int makeAndCompare() {
  const TemporaryFolder folder;
  const int status = std::system((std::string(FRESH_DUMP_SCRIPT) + " " + folder.path().string()).c_str());
  if (!WIFEXITED(status)) return 1;
  if (WEXITSTATUS(status) != 0) return WEXITSTATUS(status) == kSkipped ? kSkipped : 1;
  return compare(folder / "fresh.core", folder / "fresh.truth.json");
}

}  // namespace
}  // namespace heapscape::test

int main(int count, char** arguments) {
  try {
    return count == 3 ? heapscape::test::compare(arguments[1], arguments[2]) : heapscape::test::makeAndCompare();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
