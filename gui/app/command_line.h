// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>
#include <optional>

#include "app/theme.h"
#include "bridge/navigator.h"

namespace heapscape::gui {

/// Request of the command line `heapscape [FILE] [--theme …] [--place …] [--screenshot FILE]`.
struct CommandLine {
  QString dump;  // or assembly, or saved review
  std::optional<Theme> theme;
  std::optional<PlaceId> place;
  QString screenshot;
};

/// The outcome of a command line: run, or print `text` and leave with `exitStatus`.
struct ParsedCommandLine {
  std::optional<CommandLine> value;
  QString text;
  int exitStatus = 0;
};

ParsedCommandLine parseCommandLine(const QStringList& arguments);

}  // namespace heapscape::gui
