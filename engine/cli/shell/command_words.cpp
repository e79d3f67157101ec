// SPDX-License-Identifier: MIT
#include "cli/shell/command_words.h"

namespace heapscape::cli {

using engine::ErrorCode;
using engine::failure;
using engine::Result;

namespace {

constexpr std::string_view kBlanks = " \t\r\n";

struct Word {
  std::string text;
  bool isQuoted = false;
};

/// Takes the next word off the line, which begins with it.
Result<Word> takeWord(std::string_view& line) {
  Word word;
  while (!line.empty() && kBlanks.find(line.front()) == std::string_view::npos) {
    const char first = line.front();
    line.remove_prefix(1);
    if (first != '"' && first != '\'') {
      word.text += first;
      continue;
    }
    const std::size_t end = line.find(first);
    if (end == std::string_view::npos) return failure(ErrorCode::BadQuery, "A quotation mark has no second one.");
    word.text += line.substr(0, end);
    word.isQuoted = true;
    line.remove_prefix(end + 1);
  }
  return word;
}

void skipBlanks(std::string_view& line) {
  const std::size_t begin = line.find_first_not_of(kBlanks);
  line.remove_prefix(begin == std::string_view::npos ? line.size() : begin);
}

Result<std::string> takeFile(std::string_view& line) {
  skipBlanks(line);
  HEAPSCAPE_TRY(Word file, takeWord(line));
  skipBlanks(line);
  if (file.text.empty()) return failure(ErrorCode::BadQuery, "There is no file behind >.");
  if (!line.empty()) return failure(ErrorCode::BadQuery, "There is more than one file behind >.");
  return std::move(file.text);
}

}  // namespace

Result<CommandWords> splitCommand(std::string_view line) {
  CommandWords command;
  skipBlanks(line);
  if (line.starts_with('#')) return command;
  for (; !line.empty(); skipBlanks(line)) {
    HEAPSCAPE_TRY(Word word, takeWord(line));
    if (!word.isQuoted && word.text == ">") {
      HEAPSCAPE_TRY(command.file, takeFile(line));
      break;
    }
    if (!word.isQuoted && word.text == "|") {
      skipBlanks(line);
      if (line.empty()) return failure(ErrorCode::BadQuery, "There is no command behind |.");
      command.pipe = line;
      break;
    }
    command.words.push_back(std::move(word.text));
  }
  if (command.words.empty() && !(command.pipe.empty() && command.file.empty()))
    return failure(ErrorCode::BadQuery, "There is no command in front of > or |.");
  return command;
}

}  // namespace heapscape::cli
