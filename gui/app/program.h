// SPDX-License-Identifier: MIT
#pragma once

namespace heapscape::gui {

class MeteredApplication;
struct CommandLine;

/// Writes the saved review that the command line names as a PDF, without a window; the exit status.
int printReview(const CommandLine& line);

/// Shows the window and runs until it is closed; the exit status.
int runProgram(MeteredApplication& application, const CommandLine& line);

}  // namespace heapscape::gui
