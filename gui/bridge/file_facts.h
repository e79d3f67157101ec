// SPDX-License-Identifier: MIT
#pragma once

#include <QDateTime>
#include <QStringList>
#include <cstdint>
#include <functional>
#include <vector>

class QObject;

namespace heapscape::gui {

/// What the file system says of a path.
struct FileFacts {
  bool isThere = false;  // as a file
  std::uint64_t sizeBytes = 0;
  QDateTime written;
};

/// Looks at files on a thread of its own, since a disk that sleeps answers late and a share that is gone may never do.
/// `done` gets as many facts as there are paths, later on the GUI thread; not if the receiver is gone.
void askForFiles(const QStringList& paths, QObject* receiver, std::function<void(const std::vector<FileFacts>&)> done);

}  // namespace heapscape::gui
