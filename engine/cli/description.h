// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace heapscape::cli {

/// What a shell can offer for a value.
enum class OfferKind {
  None,    // there is no value
  Words,   // one of a few, see `choices`
  Folder,  // a folder
  File,    // a file of any kind
  Dump,    // a file that looks like a dump
  Other,   // a number, an address, a name: nothing that a shell knows
};

/// An option, or an argument that is known by its place.
struct ArgumentDescription {
  std::vector<std::string> names;  // "-o", "--output"; of an argument its only name
  std::string valueName;           // as in --top N; empty without a value
  OfferKind kind = OfferKind::None;
  std::vector<std::string> choices;
  std::string meaning;
  bool isRequired = false;
  bool isRepeated = false;

  bool operator==(const ArgumentDescription&) const = default;
};

/// A verb as its help describes it, `options` without --help.
struct VerbDescription {
  std::string name;
  std::string summary;
  std::vector<ArgumentDescription> options;
  std::vector<ArgumentDescription> arguments;
};

/// Describes every verb that help shows, in its order. All of them need to have their options.
std::vector<VerbDescription> describeVerbs(CLI::App& app);

/// The options that more than half of the verbs have in the very same words.
std::vector<ArgumentDescription> commonOptions(const std::vector<VerbDescription>& verbs);

}  // namespace heapscape::cli
