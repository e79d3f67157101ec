// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "session/open/open_dump.h"

namespace heapscape::test {

/// A dump opened as far as asked; throws the message if it cannot be.
engine::Snapshot openSnapshot(const std::filesystem::path& path, engine::Stage stage = engine::Stage::Layouts);

/// A dump of tests/data with all its stages. The last one asked for stays open for the next test of the same program.
const engine::Snapshot& openedDump(const std::string& dump);

/// The same with who holds what.
const engine::Snapshot& retainedDump(const std::string& dump);

/// The failure's sentence; "cancelled"; or "no error".
std::string messageOf(const engine::Outcome<engine::Snapshot>& opened);

bool hasFinding(const engine::Snapshot& snapshot, engine::FindingKind kind);
/// All findings, a line each, for messages of tests.
std::string findingsText(const engine::Snapshot& snapshot);

/// None if no type on the heap has exactly this name.
engine::TypeId findType(const engine::Snapshot& snapshot, std::string_view name);

/// Notes what opening tells, and can ask it to stop at a certain point.
class RecordingListener : public engine::OpenListener {
 public:
  void progressed(const engine::Progress& progress) override { reports.push_back(progress); }
  void stageReady(const engine::Snapshot& snapshot) override { stages.push_back(snapshot); }

  std::vector<engine::Progress> reports;
  std::vector<engine::Snapshot> stages;
};

}  // namespace heapscape::test
