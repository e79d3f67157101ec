// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

#include "capture/dump_capture.h"
#include "engine/capture/seeming_process.h"
#include "engine/capture/seeming_runtime.h"
#include "support/builders/core_builder.h"
#include "support/temporary_folder.h"

namespace heapscape::test {

/// A small core file, whole.
FileBytes smallCore();

/// A process that is this one, so that its socket is believed, with a runtime that does what the test says when it is
/// asked for a dump, and a folder for the dump.
class CapturedProcess {
 public:
  explicit CapturedProcess(SeemingRuntime::Answer dump);
  /// Another one with its socket there.
  CapturedProcess(SeemingRuntime::Answer dump, const std::filesystem::path& root);

  /// Into "app.core" with short waits.
  engine::CaptureRequest request() const;
  engine::Outcome<engine::CapturedDump> capture() const { return capture(request()); }
  engine::Outcome<engine::CapturedDump> capture(const engine::CaptureRequest& request) const {
    return engine::captureDump(request, nullptr, {});
  }
  /// Both sentences of why there is none; empty if there is one.
  std::string problem() const { return problem(request()); }
  std::string problem(const engine::CaptureRequest& request) const;

  std::filesystem::path target() const { return m_folder / "app.core"; }
  /// Files in the folder of the dump.
  std::size_t files() const;
  const std::filesystem::path& folder() const { return m_folder.path(); }
  SeemingProcess& process() { return m_process; }
  const SeemingRuntime& runtime() const { return *m_runtime; }

 private:
  SeemingMachine m_machine;
  TemporaryFolder m_folder;
  SeemingProcess m_process;
  std::unique_ptr<SeemingRuntime> m_runtime;
};

/// Writes a file where the request wants it, and says that it is done.
SeemingRuntime::Answer writes(FileBytes dump);

std::string contentsOf(const std::filesystem::path& file);
std::string textOf(const FileBytes& bytes);

}  // namespace heapscape::test
