// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "limited_run.h"

namespace heapscape::test {

/// What a damage did to an answer.
enum class Verdict : std::uint8_t {
  Same,     // the answer of the healthy file
  Told,     // another one that says so: by a finding, as incomplete, or by what is missing
  Refused,  // an error with its reason
  Silent,   // another one that says nothing
  Crashed,  // ended by a signal, by a sanitizer, or with a status that no error has
  TooSlow,
  TooLarge,
};
/// "same", "told", "refused", "silent", "crashed", "too slow", "too large".
const char* toString(Verdict verdict);

struct Judgement {
  Verdict verdict = Verdict::Same;
  std::string difference = {};  // of a silent one: where the answers differ first, "/info/objects: 12 → 11"
};

/// Compares the JSON of a run with that of the healthy file.
Judgement judge(const std::string& healthy, const LimitedRun& run, std::uint64_t mostBytes);

}  // namespace heapscape::test
