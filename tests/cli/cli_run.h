// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace heapscape::cli::test {

/// What one run of heapscape-cli left behind.
struct CliRun {
  int status = -1;  // of the exit; -1 if a signal ended it
  std::string output;
  std::string errors;

  nlohmann::json json() const { return nlohmann::json::parse(output); }
  std::size_t errorLines() const;
};

/// Runs it to its end.
CliRun runCli(const std::vector<std::string>& arguments);

/// Runs it to its end with this on its standard input.
CliRun runCliWith(const std::vector<std::string>& arguments, const std::string& input);

/// Runs it, reads `bytes` of its output and closes the pipe.
CliRun runCliAndClose(const std::vector<std::string>& arguments, std::size_t bytes);

/// Runs it, reads `bytes` of its output, interrupts it and reads the rest.
CliRun runCliAndInterrupt(const std::vector<std::string>& arguments, std::size_t bytes);

/// Runs it, reads `bytes` of its output, does something and reads the rest.
CliRun runCliAndAct(const std::vector<std::string>& arguments, std::size_t bytes, const std::function<void()>& action);

/// The JSON of a run that has to end well.
nlohmann::json answerOf(const std::vector<std::string>& arguments);

std::vector<std::string> linesOf(const std::string& text);

/// Path of a file in tests/data.
std::string testData(const std::string& name);
/// A dump of tests/data, unpacked as for all programs of tests: "shop-10".
std::string unpackedDump(const std::string& dump);

/// The dumps in tests/data with a heap that was not being collected, without ".core.zst".
std::vector<std::string> calmDumps();

/// The expected figures of a dump.
nlohmann::json truthOf(const std::string& dump);

}  // namespace heapscape::cli::test
