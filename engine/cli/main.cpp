// SPDX-License-Identifier: MIT
#include "cli/program.h"

int main(int argc, char** argv) {
  return heapscape::cli::runProgram(argc, argv);
}
