// SPDX-License-Identifier: MIT
#include "engine/capture/captured_dump.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace heapscape::test {

FileBytes smallCore() {
  return CoreBuilder()
      .memory(0x10000, pattern(8192))
      .memory(0x20000, pattern(4096, 2))
      .thread(7, 0x10100, 0x20000)
      .process(7, "shop", "dotnet shop.dll")
      .build();
}

CapturedProcess::CapturedProcess(SeemingRuntime::Answer dump)
    : m_process(m_machine.places, static_cast<std::uint32_t>(::getpid())),
      m_runtime(
          std::make_unique<SeemingRuntime>(m_machine.places.temporary / m_process.socketName(), std::move(dump))) {}

CapturedProcess::CapturedProcess(SeemingRuntime::Answer dump, const std::filesystem::path& root)
    : m_process(m_machine.places, static_cast<std::uint32_t>(::getpid())) {
  m_process.root(root).namespacePid(1).environment({"A=1"});
  std::filesystem::create_directories(root / "tmp");
  m_runtime = std::make_unique<SeemingRuntime>(root / "tmp" / m_process.socketName(), std::move(dump));
}

engine::CaptureRequest CapturedProcess::request() const {
  engine::CaptureRequest request;
  request.places = m_machine.places;
  request.pid = static_cast<std::uint32_t>(::getpid());
  request.target = target();
  using std::chrono::milliseconds;
  request.limits = {.answer = milliseconds(500), .standstill = milliseconds(800), .giveUp = milliseconds(300)};
  return request;
}

std::string CapturedProcess::problem(const engine::CaptureRequest& request) const {
  const auto dump = capture(request);
  if (dump) return {};
  return dump.error().isCancelled() ? "cancelled" : dump.error().error().message();
}

std::size_t CapturedProcess::files() const {
  return static_cast<std::size_t>(std::ranges::distance(std::filesystem::directory_iterator(m_folder.path())));
}

SeemingRuntime::Answer writes(FileBytes dump) {
  return [dump = std::move(dump)](const SeemingRequest& request, const SeemingConnection& connection) {
    writeFile(request.dumpPath(), dump);
    connection.answer(FileBytes(4));
  };
}

std::string contentsOf(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string textOf(const FileBytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace heapscape::test
