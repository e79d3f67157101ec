// SPDX-License-Identifier: MIT
#include "support/opened_snapshot.h"

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

const Snapshot& openedDump(const std::string& dump) {
  static std::string name;
  static std::optional<Snapshot> opened;
  if (name != dump) {
    opened.reset();
    name.clear();
    opened = openSnapshot(dumpPath(dump));
    name = dump;
  }
  return *opened;
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
