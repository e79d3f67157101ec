// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/bounded_reader.h"

namespace heapscape::engine {

/// What a copy of a dump says of how it was made (engine/redact). Of a copy without contents nothing but addresses can
/// be believed of what values hold.
struct Redaction {
  std::string date;               // "2026-11-30"
  bool hasContents = false;       // only memory that nothing reads was left out
  std::vector<std::string> kept;  // by choice, in words
  std::string dumpKind;           // of the dump that it is a copy of, as info names it
  std::string text;               // all of it as it stands in the copy: JSON

  bool keeps(const std::string& choice) const;
};

/// Choices of what a copy keeps, in the words that it says them in.
inline constexpr const char* kKeptLengths = "lengths of strings and arrays";
inline constexpr const char* kKeptEnums = "values of enums";
inline constexpr const char* kKeptBooleans = "booleans";
inline constexpr const char* kKeptCounts = "counts of collections";
inline constexpr const char* kKeptHashes = "hashes of strings";
inline constexpr const char* kKeptNames = "names of types, methods and fields";
inline constexpr const char* kRenamed = "names of types, methods and fields but those of some namespaces";

/// Reads the note of a copy. What it does not tell stays empty; whatever it says, it is taken for one without contents
/// unless it clearly says otherwise.
Redaction parseRedaction(Bytes note);
/// The note that says this, but for its text.
std::string writeRedaction(const Redaction& redaction);

}  // namespace heapscape::engine
