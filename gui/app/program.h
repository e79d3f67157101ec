// SPDX-License-Identifier: MIT
#pragma once

class QApplication;

namespace heapscape::gui {

struct CommandLine;

/// Writes the saved review that the command line names as a PDF, without a window; the exit status.
int printReview(const CommandLine& line);

/// Shows the window and runs until it is closed; the exit status.
int runProgram(QApplication& application, const CommandLine& line);

}  // namespace heapscape::gui
