// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "memory/dump_file.h"
#include "support/builders/core_builder.h"
#include "support/temporary_folder.h"

namespace heapscape::engine {

/// Opens files of our own as dumps; what they are unpacked to lies in the same folder of our own.
class OpenedDumpFile : public testing::Test {
 protected:
  using Opened = Outcome<std::shared_ptr<const DumpFile>>;

  explicit OpenedDumpFile(const std::string& name, ProgressSink* sink = nullptr)
      : m_path(m_folder / name), m_sink(sink) {}

  Opened open(const test::FileBytes& file, std::stop_token stop = {}) {
    test::writeFile(m_path, file);
    StageProgress progress(m_sink, "opening", 0, 1);
    return DumpFile::open(m_path, progress, stop);
  }

  std::shared_ptr<const DumpFile> opened(const test::FileBytes& file) {
    auto outcome = open(file);
    if (!outcome) throw std::runtime_error(outcome.error().isCancelled() ? "cancelled" : outcome.error().error().what);
    return *outcome;
  }

  Error errorOf(const test::FileBytes& file) {
    const auto outcome = open(file);
    if (outcome || outcome.error().isCancelled()) return {ErrorCode::NotFound, "no error"};
    return outcome.error().error();
  }

  test::TemporaryFolder m_folder;
  test::ScopedVariable m_temporary{"TMPDIR", m_folder.path().string()};
  std::filesystem::path m_path;

 private:
  ProgressSink* m_sink;
};

}  // namespace heapscape::engine
