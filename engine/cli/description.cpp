// SPDX-License-Identifier: MIT
#include "cli/description.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "cli/arguments.h"

namespace heapscape::cli {
namespace {

/// The name of a value, as in --top N, without the choices that the parser puts behind it.
std::string valueNameOf(const CLI::Option& option) {
  std::string name = option.get_type_name();
  if (const auto choices = name.find(":{"); choices != std::string::npos) name.resize(choices);
  return name.find('|') == std::string::npos ? name : "NAME";
}

bool isFile(std::string_view valueName) {
  return valueName.ends_with("FILE") || valueName.ends_with("PLACE");
}

OfferKind kindOfValue(const ArgumentDescription& option) {
  if (option.valueName.empty()) return OfferKind::None;
  if (!option.choices.empty()) return OfferKind::Words;
  if (option.valueName == "FOLDER") return OfferKind::Folder;
  return isFile(option.valueName) ? OfferKind::File : OfferKind::Other;
}

/// What a verb is about is a dump, or an assembly where it says so. Of the others those with a name for their kind are
/// files; addresses, names of types and questions have none.
OfferKind kindOfPlaced(const ArgumentDescription& argument) {
  if (!argument.choices.empty()) return OfferKind::Words;
  if (argument.names.front() == "INPUT")
    return argument.meaning.find(" assembly") == std::string::npos ? OfferKind::Dump : OfferKind::File;
  return argument.valueName == "TEXT" || argument.valueName == "ADDRESS" ? OfferKind::Other : OfferKind::File;
}

ArgumentDescription describe(CLI::Option& option) {
  ArgumentDescription description;
  for (const std::string& name : option.get_snames()) description.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) description.names.push_back("--" + name);
  const bool isPlaced = option.get_positional();
  if (isPlaced) description.names = {option.get_name(true)};
  if (isPlaced || option.get_items_expected_max() > 0) description.valueName = valueNameOf(option);
  description.choices = choicesOf(option);
  description.meaning = option.get_description();
  description.isRequired = option.get_required();
  description.isRepeated =
      option.get_items_expected_max() > 1 || option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  description.kind = isPlaced ? kindOfPlaced(description) : kindOfValue(description);
  return description;
}

/// Adds what a verb understands, groups of options with it.
void addOptionsOf(CLI::App& app, VerbDescription& verb) {
  for (CLI::Option* option : app.get_options([](CLI::Option* each) { return !each->get_group().empty(); })) {
    if (option == app.get_help_ptr()) continue;
    (option->get_positional() ? verb.arguments : verb.options).push_back(describe(*option));
  }
  for (CLI::App* group : app.get_subcommands([](CLI::App* each) { return each->get_name().empty(); }))
    addOptionsOf(*group, verb);
}

}  // namespace

std::vector<VerbDescription> describeVerbs(CLI::App& app) {
  std::vector<VerbDescription> verbs;
  for (CLI::App* sub : app.get_subcommands([](CLI::App* each) { return !each->get_group().empty(); })) {
    VerbDescription& verb = verbs.emplace_back();
    verb.name = sub->get_name();
    verb.summary = sub->get_description();
    addOptionsOf(*sub, verb);
  }
  return verbs;
}

std::vector<ArgumentDescription> commonOptions(const std::vector<VerbDescription>& verbs) {
  std::vector<ArgumentDescription> common;
  for (const VerbDescription& verb : verbs) {
    for (const ArgumentDescription& option : verb.options) {
      const auto hasIt = [&option](const VerbDescription& each) {
        return std::ranges::count(each.options, option) > 0;
      };
      if (std::ranges::count(common, option) == 0 && 2 * std::ranges::count_if(verbs, hasIt) > std::ssize(verbs))
        common.push_back(option);
    }
  }
  return common;
}

}  // namespace heapscape::cli
