// SPDX-License-Identifier: MIT
#include "cli/manual_page.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <ctime>
#include <string_view>

namespace heapscape::cli {
namespace {

constexpr std::size_t kLineWidth = 76;
constexpr const char* kMonths[] = {"January", "February", "March",     "April",   "May",      "June",
                                   "July",    "August",   "September", "October", "November", "December"};

constexpr const char* kAboutInput = R"(.Pp
Most verbs take a core dump of a .NET process as
.Ar INPUT ,
plain or packed;
.Sq \-
is the standard input.
Neither .NET nor a debugger nor a network is needed.
)";

constexpr const char* kBelow = R"(.Sh ENVIRONMENT
.Bl -tag -width Ds
.It Ev HEAPSCAPE_CACHE
The folder for computed answers instead of the user's own cache, or
.Cm off .
.It Ev TMPDIR
Where packed dumps are unpacked to, in files without a name;
.Pa /tmp
otherwise.
.It Ev XDG_CACHE_HOME
The folder with the user's caches.
.El
.Sh FILES
.Bl -tag -width Ds
.It Pa ~/.cache/heapscape
What took long to find in a dump.
It is taken again only for the very same file.
.El
.Sh EXIT STATUS
.Bl -tag -width Ds
.It 0
Done.
.It 1
The input cannot be used, or the output cannot be written.
.It 2
Wrong usage.
.It 3
A budget of
.Cm check
is exceeded.
.It 130
Interrupted.
.El
.Sh EXAMPLES
The five types with the most bytes:
.Pp
.Dl heapscape-cli types core.zst --top 5
.Pp
Why an object is alive:
.Pp
.Dl heapscape-cli path core.zst 0x7fda5d000028
.Pp
What has grown between two dumps, for another program:
.Pp
.Dl heapscape-cli compare monday.core friday.core --json
.Pp
A dump of another machine, which is not stored here:
.Pp
.Dl ssh host cat core.zst | heapscape-cli info -
.Sh SEE ALSO
.Xr coredumpctl 1 ,
.Xr heapscape 1 ,
.Xr core 5
)";

std::string today() {
  std::time_t now = std::time(nullptr);
  if (const char* fixed = std::getenv("SOURCE_DATE_EPOCH")) now = std::strtoll(fixed, nullptr, 10);
  const std::tm day = fmt::gmtime(now);
  return fmt::format("{} {}, {}", kMonths[day.tm_mon], day.tm_mday, 1900 + day.tm_year);
}

/// Text as mdoc takes it, on one line.
std::string escaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto isLetter = [&text](std::size_t at) { return at < text.size() && std::isalpha(text[at] & 0xff) != 0; };
    switch (text[i]) {
      case '\\':
        result += "\\e";
        break;
      case '-':
        result += i > 0 && isLetter(i - 1) && isLetter(i + 1) ? "-" : "\\-";
        break;  // a hyphen, or a minus
      case '\'':
        result += "\\(aq";
        break;
      case '"':
        result += "\\(dq";
        break;
      case '`':
        result += "\\(ga";
        break;
      case '^':
        result += "\\(ha";
        break;
      case '~':
        result += "\\(ti";
        break;
      default:
        result += text[i];
    }
  }
  return result;
}

/// A paragraph, a new line for each sentence and where one becomes too long. A dot in front would be a macro.
std::string paragraph(std::string_view text) {
  std::string lines;
  std::size_t length = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string shown = escaped(word);
    if (length > 0) {
      const bool isNewSentence = lines.ends_with('.');
      const bool isTooLong = length + 1 + shown.size() > kLineWidth;
      lines += isNewSentence || isTooLong ? '\n' : ' ';
      length = lines.back() == '\n' ? 0 : length + 1;
    }
    if (length == 0 && shown.starts_with('.')) lines += "\\&";
    lines += shown;
    length += shown.size();
  }
  return lines + "\n";
}

/// What stands behind a name in help, as a sentence.
std::string sentence(std::string text) {
  return text.empty() || text.ends_with('.') ? text : text + ".";
}

std::string meaningOf(const ArgumentDescription& described) {
  std::string text = sentence(described.meaning);
  const auto isNamed = [&text](const std::string& choice) { return text.find(choice) != std::string::npos; };
  if (described.choices.empty() || std::ranges::all_of(described.choices, isNamed)) return text;
  return fmt::format("{} One of {}.", text, fmt::join(described.choices, ", "));
}

/// -o , --output FILE in one .It
std::string optionItem(const ArgumentDescription& option) {
  std::string item = ".It";
  for (const std::string& name : option.names) {
    item += fmt::format("{} Fl {}", &name == &option.names.front() ? "" : " ,", escaped(name.substr(1)));
    if (!option.valueName.empty()) item += " Ar " + escaped(option.valueName);
  }
  return item + "\n" + paragraph(meaningOf(option));
}

std::string list(const std::string& items) {
  return items.empty() ? items : ".Bl -tag -width Ds\n" + items + ".El\n";
}

std::string synopsis(const VerbDescription& verb) {
  std::string text = ".Nm\n.Cm " + verb.name + "\n";
  if (!verb.options.empty()) text += ".Op Ar options\n";
  for (const ArgumentDescription& argument : verb.arguments) {
    const std::string repeat = argument.isRepeated ? " ..." : "";
    text += fmt::format("{}Ar {}{}\n", argument.isRequired ? "." : ".Op ", argument.names.front(), repeat);
  }
  return text;
}

/// A verb with what it alone understands; of common options only the names.
std::string section(const VerbDescription& verb, const std::vector<ArgumentDescription>& common) {
  std::string items;
  std::string others;
  for (const ArgumentDescription& argument : verb.arguments) {
    if (argument.names.front() != "INPUT")
      items += ".It Ar " + argument.names.front() + "\n" + paragraph(meaningOf(argument));
  }
  for (const ArgumentDescription& option : verb.options) {
    if (std::ranges::count(common, option) == 0) {
      items += optionItem(option);
    } else {
      others += (others.empty() ? "" : ", ") + option.names.back();
    }
  }
  return ".Ss " + verb.name + "\n" + synopsis(verb) + ".Pp\n" + paragraph(sentence(verb.summary)) + list(items) +
         (others.empty() ? "" : ".Pp\n" + paragraph("Common options: " + others + "."));
}

}  // namespace

std::string manualPage(const std::vector<VerbDescription>& verbs, const std::string& meaning) {
  const std::vector<ArgumentDescription> common = commonOptions(verbs);
  std::string page = ".\\\" Written by heapscape-cli man.\n.Dd " + today() +
                     "\n.Dt HEAPSCAPE-CLI 1\n.Os\n.Sh NAME\n.Nm heapscape-cli\n"
                     ".Nd show a .NET program's memory from its core dump\n"
                     ".Sh SYNOPSIS\n.Nm\n.Ar VERB\n.Op Ar options\n.Op Ar INPUT\n.Op Ar arguments\n"
                     ".Nm\n.Cm help\n.Ar VERB\n.Nm\n.Fl -version\n.Sh DESCRIPTION\n";
  page += paragraph(meaning) + kAboutInput;
  std::string items;
  for (const VerbDescription& verb : verbs) items += ".It Cm " + verb.name + "\n" + paragraph(sentence(verb.summary));
  page += ".Pp\nThe verbs are:\n.Pp\n.Bl -tag -width generations -compact\n" + items + ".El\n";
  page += ".Sh COMMON OPTIONS\nMost verbs understand these.\n";
  items.clear();
  for (const ArgumentDescription& option : common) items += optionItem(option);
  page += list(items) + ".Sh VERBS\n";
  for (const VerbDescription& verb : verbs) page += section(verb, common);
  return page + kBelow;
}

}  // namespace heapscape::cli
