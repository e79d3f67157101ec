// SPDX-License-Identifier: MIT
#pragma once

class QApplication;

namespace heapscape::gui {

struct CommandLine;

/// Shows the window and runs until it is closed; the exit status.
int runProgram(QApplication& application, const CommandLine& line);

}  // namespace heapscape::gui
