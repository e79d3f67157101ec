// SPDX-License-Identifier: MIT
#include "verdict.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace heapscape::test {
namespace {

using nlohmann::json;

constexpr int kDone = 0;
constexpr int kUnusable = 1;
constexpr int kWrongQuery = 2;  // no type on the heap has the field that is asked for
constexpr int kExceeded = 3;

// The length of the file tells of a cut, but nobody knows how long it was.
void forgetLength(json& answer) {
  if (answer.contains("info")) answer["info"]["dump"].erase("bytes");
}

bool tells(const json& answer, const json& healthy) {
  if (answer.value("complete", true) != healthy.value("complete", true)) return true;
  if (answer.value("findings", json()) != healthy.value("findings", json())) return true;
  const auto info = [](const json& from, const char* member) {
    return from.contains("info") ? from["info"].value(member, json()) : json();
  };
  return info(answer, "missing") != info(healthy, "missing") || info(answer, "coverage") != info(healthy, "coverage");
}

std::string firstDifference(const json& healthy, const json& answer) {
  const json patch = json::diff(healthy, answer);
  if (patch.empty()) return {};
  const std::string path = patch.front().value("path", "");
  const json::json_pointer at(path);
  const auto text = [&](const json& from) {
    std::string shown = from.contains(at) ? from.at(at).dump() : std::string("nothing");
    constexpr std::size_t kLongest = 60;
    if (shown.size() > kLongest) shown = shown.substr(0, kLongest) + "...";
    return shown;
  };
  return fmt::format("{}: {} -> {}", path, text(healthy), text(answer));
}

}  // namespace

const char* toString(Verdict verdict) {
  switch (verdict) {
    case Verdict::Same:
      return "same";
    case Verdict::Told:
      return "told";
    case Verdict::Refused:
      return "refused";
    case Verdict::Silent:
      return "silent";
    case Verdict::Crashed:
      return "crashed";
    case Verdict::TooSlow:
      return "too slow";
    case Verdict::TooLarge:
      return "too large";
  }
  return "unknown";
}

Judgement judge(const std::string& healthy, const LimitedRun& run, std::uint64_t mostBytes) {
  if (run.isTooSlow) return {Verdict::TooSlow};
  const bool isReported =
      run.errors.find("Sanitizer") != std::string::npos || run.errors.find("runtime error:") != std::string::npos;
  if (isReported || run.status < kDone || run.status > kExceeded) return {Verdict::Crashed};
  if (run.peakBytes > mostBytes) return {Verdict::TooLarge};
  if (run.status == kUnusable || run.status == kWrongQuery)
    return {run.errors.empty() ? Verdict::Crashed : Verdict::Refused};
  if (run.output == healthy) return {Verdict::Same};
  json answer = json::parse(run.output, nullptr, false);
  json expected = json::parse(healthy, nullptr, false);
  if (answer.is_discarded()) return {Verdict::Crashed};
  forgetLength(answer);
  forgetLength(expected);
  if (tells(answer, expected)) return {Verdict::Told};
  std::string difference = firstDifference(expected, answer);
  return difference.empty() ? Judgement{Verdict::Same} : Judgement{Verdict::Silent, std::move(difference)};
}

}  // namespace heapscape::test
