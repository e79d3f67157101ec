// SPDX-License-Identifier: MIT
#include "cli/completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace heapscape::cli {
namespace {

/// How files that are offered first are called, as shells match names. Any other file is offered where there is none.
constexpr std::array<std::string_view, 9> kDumpNames = {"*core*", "*dump*", "*.dmp", "*.gcdump", "*.zst",
                                                        "*.gz",   "*.xz",   "*.lz4", "*.tar"};

std::string_view shellKind(const ArgumentDescription& described, std::string& choices) {
  switch (described.kind) {
    case OfferKind::Words:
      return choices = fmt::format("{}", fmt::join(described.choices, ","));
    case OfferKind::Folder:
      return "FOLDER";
    case OfferKind::File:
      return "FILE";
    case OfferKind::Dump:
      return "DUMP";
    case OfferKind::None:
    case OfferKind::Other:
      break;
  }
  return "OTHER";
}

std::string withReplaced(std::string_view text, std::string_view what, std::string_view with) {
  std::string result;
  for (std::size_t end; (end = text.find(what)) != std::string_view::npos; text.remove_prefix(end + what.size()))
    result.append(text.substr(0, end)).append(with);
  return result.append(text);
}

/// In single quotes of bash and zsh.
std::string inQuotes(std::string_view text) {
  return "'" + withReplaced(text, "'", "'\\''") + "'";
}

// Words are read one by one, since names, values and places of arguments may be mixed; "=" is a word of its own.
constexpr const char* kBashBelow = R"(    esac

    # Which argument stands here, not counting options with their values.
    local argument=0 kind=OTHER each
    for ((++at; at < COMP_CWORD; ++at)); do
        each=${COMP_WORDS[at]}
        if [[ $each != -* || $each == - ]]; then
            argument=$((argument + 1))
        elif [[ " $values" == *" $each="* ]]; then
            [[ ${COMP_WORDS[at + 1]} != = ]] || at=$((at + 1))
            at=$((at + 1))
        fi
    done

    if [[ -n $verb && $before == -* && " $values" == *" $before="* ]]; then
        kind=" $values"
        kind=${kind##*" $before="}
        kind=${kind%% *}
    elif [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
        return
    elif [[ -z $verb ]]; then
        kind=$verbs
    elif ((argument < ${#arguments[@]})); then
        kind=${arguments[argument]}
    elif [[ $repeats == yes ]]; then
        kind=${arguments[${#arguments[@]} - 1]}
    fi

    case $kind in
    OTHER) compopt +o default 2>/dev/null ;;
    FOLDER) mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
    FILE) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    DUMP)
        while IFS= read -r each; do
            case ${each##*/} in
            @DUMPS@) COMPREPLY+=("$each") ;;
            *) [[ ! -d $each ]] || COMPREPLY+=("$each") ;;
            esac
        done < <(compgen -f -- "$word")
        ;;
    *)
        compopt +o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -W "${kind//,/ }" -- "$word")
        ;;
    esac
}
complete -o default -o filenames -F _heapscape_cli heapscape-cli
)";

std::string bashCase(const VerbDescription& verb) {
  std::string options = "--help";
  std::string values;
  std::string arguments;
  std::string choices;
  for (const ArgumentDescription& option : verb.options) {
    for (const std::string& name : option.names) {
      options += " " + name;
      if (option.kind != OfferKind::None) values += fmt::format("{}={} ", name, shellKind(option, choices));
    }
  }
  for (const ArgumentDescription& argument : verb.arguments)
    arguments += (arguments.empty() ? "" : " ") + std::string(shellKind(argument, choices));
  const bool repeats = !verb.arguments.empty() && verb.arguments.back().isRepeated;
  return fmt::format("    {})\n        options='{}'\n        values='{}'\n        arguments=({}) repeats={} ;;\n",
                     verb.name, options, values, arguments, repeats ? "yes" : "no");
}

/// Square brackets and colons divide what zsh is told of an option.
std::string zshText(std::string_view text) {
  std::string result(text);
  for (const char* mark : {"\\", "[", "]", ":"}) result = withReplaced(result, mark, "\\" + std::string(mark));
  return result;
}

std::string zshAction(const ArgumentDescription& described) {
  switch (described.kind) {
    case OfferKind::Words:
      return fmt::format("({})", fmt::join(described.choices, " "));
    case OfferKind::Folder:
      return "_files -/";
    case OfferKind::File:
      return "_files";
    case OfferKind::Dump:
      return fmt::format("_files -g \"({})(-.)\"", fmt::join(kDumpNames, "|"));
    case OfferKind::None:
    case OfferKind::Other:
      break;
  }
  return " ";
}

std::string zshCase(const VerbDescription& verb) {
  std::string text =
      fmt::format("        {})\n          _arguments \\\n            '--help[show the options]'", verb.name);
  const auto add = [&text](const std::string& spec) { text += " \\\n            " + inQuotes(spec); };
  for (const ArgumentDescription& option : verb.options) {
    for (const std::string& name : option.names) {
      const std::string value =
          option.kind == OfferKind::None ? "" : fmt::format(":{}:{}", zshText(option.valueName), zshAction(option));
      add(fmt::format("{}{}[{}]{}", option.isRepeated ? "*" : "", name, zshText(option.meaning), value));
    }
  }
  int place = 0;
  for (const ArgumentDescription& argument : verb.arguments) {
    const std::string where = argument.isRepeated ? "*" : std::to_string(++place) + (argument.isRequired ? "" : ":");
    add(fmt::format("{}:{}:{}", where, zshText(argument.names.front()), zshAction(argument)));
  }
  return text + " ;;\n";
}

std::string fishText(std::string_view text) {
  return "'" + withReplaced(withReplaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

std::string fishValue(const ArgumentDescription& described) {
  switch (described.kind) {
    case OfferKind::Words:
      return fmt::format(" -x -a '{}'", fmt::join(described.choices, " "));
    case OfferKind::Folder:
      return " -x -a '(__fish_complete_directories)'";
    case OfferKind::File:
    case OfferKind::Dump:
      return " -r -F";
    case OfferKind::Other:
      return " -x";
    case OfferKind::None:
      break;
  }
  return "";
}

std::string fishOption(const std::string& verbs, const ArgumentDescription& option) {
  std::string names;
  for (const std::string& name : option.names)
    names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  return fmt::format("complete -c heapscape-cli -n '__fish_seen_subcommand_from {}'{}{} -d {}\n", verbs, names,
                     fishValue(option), fishText(option.meaning));
}

std::string namesOf(const std::vector<VerbDescription>& verbs, const auto& isWanted, std::string_view between) {
  std::string names;
  for (const VerbDescription& verb : verbs) {
    if (isWanted(verb)) names.append(names.empty() ? "" : between).append(verb.name);
  }
  return names;
}

}  // namespace

std::string bashCompletion(const std::vector<VerbDescription>& verbs) {
  const auto all = [](const VerbDescription&) { return true; };
  std::string text =
      "# bash completion for heapscape-cli, written by: heapscape-cli completion bash\n"
      "_heapscape_cli() {\n"
      "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb='' at\n"
      "    local options='--help --version' values='' arguments=() repeats=no\n"
      "    local verbs='" +
      namesOf(verbs, all, ",") +
      "'\n"
      "    COMPREPLY=()\n"
      "    if [[ $word == = ]]; then\n"
      "        word=''\n"
      "    elif [[ $before == = ]]; then\n"
      "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
      "    fi\n"
      "    for ((at = 1; at < COMP_CWORD; ++at)); do\n"
      "        [[ ${COMP_WORDS[at]} == -* ]] || { verb=${COMP_WORDS[at]}; break; }\n"
      "    done\n"
      "    case $verb in\n";
  for (const VerbDescription& verb : verbs) text += bashCase(verb);
  return text + withReplaced(kBashBelow, "@DUMPS@", fmt::format("{}", fmt::join(kDumpNames, " | ")));
}

std::string zshCompletion(const std::vector<VerbDescription>& verbs) {
  std::string text =
      "#compdef heapscape-cli\n"
      "# Written by: heapscape-cli completion zsh\n"
      "_heapscape-cli() {\n"
      "  local context state line\n"
      "  local -a verbs\n"
      "  verbs=(\n";
  for (const VerbDescription& verb : verbs)
    text += "    " + inQuotes(verb.name + ":" + withReplaced(verb.summary, ":", "\\:")) + "\n";
  text +=
      "  )\n"
      "  _arguments -C '(- *)--help[show the verbs]' '(- *)--version[show the version]' '1: :->verb' '*:: :->rest'\n"
      "  case $state in\n"
      "    verb) _describe -t verbs verb verbs ;;\n"
      "    rest)\n"
      "      case $words[1] in\n";
  for (const VerbDescription& verb : verbs) text += zshCase(verb);
  return text +
         "      esac ;;\n"
         "  esac\n"
         "}\n"
         "if [ \"$funcstack[1]\" = _heapscape-cli ]; then _heapscape-cli \"$@\"; else compdef _heapscape-cli "
         "heapscape-cli; fi\n";
}

std::string fishCompletion(const std::vector<VerbDescription>& verbs) {
  std::string text =
      "# fish completion for heapscape-cli, written by: heapscape-cli completion fish\n"
      "complete -c heapscape-cli -f\n"
      "complete -c heapscape-cli -n __fish_use_subcommand -l version -d 'Show the version'\n"
      "complete -c heapscape-cli -l help -d 'Show the options'\n";
  for (const VerbDescription& verb : verbs)
    text += fmt::format("complete -c heapscape-cli -n __fish_use_subcommand -a {} -d {}\n", verb.name,
                        fishText(verb.summary));
  // An option that many verbs have is told once.
  std::vector<ArgumentDescription> told;
  for (const VerbDescription& verb : verbs) {
    for (const ArgumentDescription& option : verb.options) {
      if (std::ranges::count(told, option) > 0) continue;
      told.push_back(option);
      const auto hasIt = [&](const VerbDescription& each) { return std::ranges::count(each.options, option) > 0; };
      text += fishOption(namesOf(verbs, hasIt, " "), option);
    }
  }
  const auto takesFiles = [](const VerbDescription& verb) {
    return std::ranges::any_of(verb.arguments, [](const ArgumentDescription& each) {
      return each.kind == OfferKind::Dump || each.kind == OfferKind::File;
    });
  };
  text += fmt::format("complete -c heapscape-cli -n '__fish_seen_subcommand_from {}' -F\n",
                      namesOf(verbs, takesFiles, " "));
  for (const VerbDescription& verb : verbs) {
    for (const ArgumentDescription& argument : verb.arguments) {
      if (argument.kind == OfferKind::Words)
        text += fmt::format("complete -c heapscape-cli -n '__fish_seen_subcommand_from {}'{}\n", verb.name,
                            fishValue(argument));
    }
  }
  return text;
}

}  // namespace heapscape::cli
