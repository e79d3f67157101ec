// SPDX-License-Identifier: MIT
#include "cli/shell/line_editor.h"

#include <fmt/format.h>
#include <histedit.h>

#include <algorithm>
#include <clocale>
#include <cstdio>

#include "base/command_words.h"

namespace heapscape::cli {

namespace {

constexpr int kHistoryLines = 2000;
constexpr std::size_t kCandidatesShown = 60;
constexpr char kInterruptKey[] = "^C";

}  // namespace

/// libedit calls its functions with its own object, which has the address of this one.
struct LineEditor::Parts {
  std::string prompt;
  std::filesystem::path historyFile;
  Completer completer;
  EditLine* editor = nullptr;
  History* history = nullptr;
  HistEvent event{};

  static Parts& of(EditLine* editor) {
    void* parts = nullptr;
    el_get(editor, EL_CLIENTDATA, &parts);
    return *static_cast<Parts*>(parts);
  }
  static char* showPrompt(EditLine* editor) { return of(editor).prompt.data(); }
  static unsigned char emptyLine(EditLine* editor, int key);
  static unsigned char completeWord(EditLine* editor, int key);
};

unsigned char LineEditor::Parts::emptyLine(EditLine* editor, int) {
  const LineInfo* line = el_line(editor);
  el_cursor(editor, static_cast<int>(line->lastchar - line->cursor));
  el_deletestr(editor, static_cast<int>(line->lastchar - line->buffer));
  std::fputs("^C\n", stdout);
  return CC_REDISPLAY;
}

/// Completes the word at the cursor as far as there is one way to, or shows what it may become.
unsigned char LineEditor::Parts::completeWord(EditLine* editor, int) {
  const LineInfo* line = el_line(editor);
  const std::string_view text(line->buffer, static_cast<std::size_t>(line->cursor - line->buffer));
  const std::size_t typed = engine::lastWordOf(text).size();
  const std::vector<std::string> candidates = of(editor).completer(text);
  if (candidates.empty()) return CC_REFRESH_BEEP;
  std::string insertion = engine::commonBeginning(candidates);
  if (candidates.size() == 1) insertion += ' ';
  if (insertion.size() > typed) {
    el_deletestr(editor, static_cast<int>(typed));  // it may differ in case
    return el_insertstr(editor, insertion.c_str()) == 0 ? CC_REFRESH : CC_REFRESH_BEEP;
  }
  std::fputc('\n', stdout);
  for (std::size_t i = 0; i < std::min(candidates.size(), kCandidatesShown); ++i) fmt::print("{}\n", candidates[i]);
  if (candidates.size() > kCandidatesShown) fmt::print("… {} more\n", candidates.size() - kCandidatesShown);
  return CC_REDISPLAY;
}

LineEditor::LineEditor(std::string prompt, std::filesystem::path historyFile, Completer completer)
    : m_parts(std::make_unique<Parts>()) {
  Parts& parts = *m_parts;
  parts.prompt = std::move(prompt);
  parts.historyFile = std::move(historyFile);
  parts.completer = std::move(completer);
  std::setlocale(LC_CTYPE, "");  // to know how wide characters are
  parts.editor = el_init("heapscape-cli", stdin, stdout, stderr);
  parts.history = history_init();
  if (!parts.editor || !parts.history) return;
  history(parts.history, &parts.event, H_SETSIZE, kHistoryLines);
  history(parts.history, &parts.event, H_SETUNIQUE, 1);
  if (!parts.historyFile.empty()) history(parts.history, &parts.event, H_LOAD, parts.historyFile.c_str());
  el_set(parts.editor, EL_CLIENTDATA, &parts);
  el_set(parts.editor, EL_PROMPT, &Parts::showPrompt);
  el_set(parts.editor, EL_EDITOR, "emacs");
  el_set(parts.editor, EL_HIST, history, parts.history);
  el_set(parts.editor, EL_ADDFN, "heapscape-complete", "Complete the word", &Parts::completeWord);
  el_set(parts.editor, EL_BIND, "^I", "heapscape-complete", nullptr);
  el_set(parts.editor, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  // While a line is edited Ctrl+C is a key as any other one.
  el_set(parts.editor, EL_SETTY, "-d", "-isig", nullptr);
  el_set(parts.editor, EL_ADDFN, "heapscape-empty", "Empty the line", &Parts::emptyLine);
  el_set(parts.editor, EL_BIND, kInterruptKey, "heapscape-empty", nullptr);
}

LineEditor::~LineEditor() {
  Parts& parts = *m_parts;
  if (parts.history && !parts.historyFile.empty())
    history(parts.history, &parts.event, H_SAVE, parts.historyFile.c_str());
  if (parts.history) history_end(parts.history);
  if (parts.editor) el_end(parts.editor);
}

std::optional<std::string> LineEditor::read() {
  if (!m_parts->editor) return std::nullopt;
  int count = 0;
  const char* line = el_gets(m_parts->editor, &count);
  if (!line || count <= 0) return std::nullopt;
  std::string text(line, static_cast<std::size_t>(count));
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  if (!text.empty()) history(m_parts->history, &m_parts->event, H_ENTER, text.c_str());
  return text;
}

}  // namespace heapscape::cli
