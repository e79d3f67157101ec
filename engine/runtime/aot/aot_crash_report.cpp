// SPDX-License-Identifier: MIT
#include "runtime/aot/aot_crash_report.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/limits.h"

namespace heapscape::engine {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostReportBytes = 64 << 10;  // the runtime's own buffer has 8 KB
constexpr std::string_view kReportStart = R"({"version":"1.)";

std::string memberText(const Json& json, const char* name) {
  const auto found = json.is_object() ? json.find(name) : json.end();
  return json.is_object() && found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::uint64_t memberNumber(const Json& json, const char* name) {
  const std::string text = memberText(json, name);
  return text.empty() ? 0 : std::strtoull(text.c_str(), nullptr, 0);
}

/// .NET 11 does not tell where it lies: among the program's variables, as the only such text.
std::string findReport(const ClrRuntime& runtime) {
  const std::boyer_moore_horspool_searcher start(kReportStart.begin(), kReportStart.end());
  for (const AddressRange& range : runtime.library().data) {
    for (const AddressRange& part : runtime.memory().present(range)) {
      const auto view = runtime.memory().view(part);
      if (!view) continue;
      const std::string_view text(reinterpret_cast<const char*>(view->bytes.data()), view->bytes.size());
      const auto found = std::search(text.begin(), text.end(), start);
      if (found == text.end()) continue;
      const std::string_view rest = text.substr(static_cast<std::size_t>(found - text.begin()), kMostReportBytes);
      return std::string(rest.substr(0, rest.find('\0')));
    }
  }
  return {};
}

std::string reportText(const ClrRuntime& runtime) {
  const auto buffer = runtime.globalPointer("CrashInfo");
  if (!buffer) return findReport(runtime);
  return runtime.memory().readText(*buffer, kMostReportBytes).value_or(std::string());
}

CrashReport::Exception exceptionOf(const Json& json) {
  CrashReport::Exception exception;
  exception.object = {memberNumber(json, "address")};
  exception.hresult = static_cast<std::int32_t>(memberNumber(json, "hr"));
  exception.message = memberText(json, "message");
  exception.type = memberText(json, "type");
  const auto stack = json.find("stack");
  if (stack == json.end() || !stack->is_array()) return exception;
  for (const Json& frame : *stack) {
    if (exception.stack.size() >= kLimits.stackFrames) break;
    exception.stack.push_back({.instruction = {memberNumber(frame, "ip")},
                               .offset = static_cast<std::uint32_t>(memberNumber(frame, "offset")),
                               .method = memberText(frame, "name")});
  }
  return exception;
}

}  // namespace

std::optional<CrashReport> readCrashReport(const ClrRuntime& runtime) {
  if (!runtime.aot()) return std::nullopt;
  const std::string text = reportText(runtime);
  const Json json = text.starts_with(kReportStart) ? Json::parse(text, nullptr, false) : Json();
  if (!json.is_object()) return std::nullopt;
  CrashReport report;
  const std::uint64_t reason = memberNumber(json, "reason");
  if (reason <= static_cast<std::uint64_t>(CrashReason::InternalFailFast))
    report.reason = static_cast<CrashReason>(reason);
  report.osThreadId = static_cast<std::uint32_t>(memberNumber(json, "thread"));
  report.message = memberText(json, "message");
  if (const auto exception = json.find("exception"); exception != json.end() && exception->is_object())
    report.exception = exceptionOf(*exception);
  return report;
}

}  // namespace heapscape::engine
