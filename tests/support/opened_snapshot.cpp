// SPDX-License-Identifier: MIT
#include "support/opened_snapshot.h"
#include "support/dump_path.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "support/truth.h"

namespace heapscape::test {

using namespace engine;

Snapshot openSnapshot(const std::filesystem::path& path, Stage stage) {
  OpenOptions options;
  options.stopAfter = stage;
  auto opened = openDump(path, options, nullptr, {});
  if (!opened) throw std::runtime_error(path.filename().string() + ": " + messageOf(opened));
  return std::move(*opened);
}

namespace {

/// The one dump that stays open.
class KeptDump {
 public:
  explicit KeptDump(Stage stage) : m_stage(stage) {}

  const Snapshot& of(const std::string& dump) {
    if (m_name != dump) {
      m_opened.reset();
      m_name.clear();
      m_opened = openSnapshot(dumpPath(dump), m_stage);
      m_name = dump;
    }
    return *m_opened;
  }

 private:
  const Stage m_stage;
  std::string m_name;
  std::optional<Snapshot> m_opened;
};

}  // namespace

const Snapshot& openedDump(const std::string& dump) {
  static KeptDump kept(Stage::Layouts);
  return kept.of(dump);
}

const Snapshot& retainedDump(const std::string& dump) {
  static KeptDump kept(Stage::Retained);
  return kept.of(dump);
}

std::string messageOf(const Outcome<Snapshot>& opened) {
  if (opened) return "no error";
  return opened.error().isCancelled() ? "cancelled" : opened.error().error().message();
}

bool hasFinding(const Snapshot& snapshot, FindingKind kind) {
  return std::ranges::any_of(snapshot.findings(), [kind](const Finding& finding) { return finding.kind == kind; });
}

std::string findingsText(const Snapshot& snapshot) {
  std::string text;
  for (const Finding& finding : snapshot.findings()) {
    text += std::string(toString(finding.kind)) + " " + toString(finding.address) + " " + finding.message + "\n";
  }
  return text;
}

TypeId findType(const Snapshot& snapshot, std::string_view name) {
  for (std::uint32_t i = 0; i < snapshot.types().size(); ++i) {
    if (snapshot.types()[i].name == name) return {i};
  }
  return {};
}

}  // namespace heapscape::test
