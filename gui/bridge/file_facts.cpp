// SPDX-License-Identifier: MIT
#include "bridge/file_facts.h"

#include <QFileInfo>
#include <utility>

#include "bridge/file_work.h"

namespace heapscape::gui {

namespace {

FileFacts factsOf(const QString& path) {
  const QFileInfo file(path);
  if (path.isEmpty() || !file.isFile()) return {};
  return {.isThere = true, .sizeBytes = static_cast<std::uint64_t>(file.size()), .written = file.lastModified()};
}

}  // namespace

void askForFiles(const QStringList& paths, QObject* receiver, std::function<void(const std::vector<FileFacts>&)> done) {
  const auto look = [paths] {
    std::vector<FileFacts> facts;
    for (const QString& path : paths) facts.push_back(factsOf(path));
    return facts;
  };
  workWithFiles(FileDesk::Lookout, receiver, look, std::move(done));
}

}  // namespace heapscape::gui
