// SPDX-License-Identifier: MIT
#include "bridge/file_facts.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QPointer>
#include <utility>

#include "bridge/engine_thread.h"
#include "bridge/mailbox.h"

namespace heapscape::gui {

namespace {

/// The one thread of the program that waits for disks, and where its answers arrive; goes with the application.
class FileLookout : public Mailbox {
 public:
  static FileLookout& instance() {
    static QPointer<FileLookout> lookout;
    if (!lookout) (lookout = new FileLookout)->setParent(QCoreApplication::instance());
    return *lookout;
  }

  EngineThread& thread() { return m_thread; }

 private:
  EngineThread m_thread;
};

FileFacts factsOf(const QString& path) {
  const QFileInfo file(path);
  if (path.isEmpty() || !file.isFile()) return {};
  return {.isThere = true, .sizeBytes = static_cast<std::uint64_t>(file.size()), .written = file.lastModified()};
}

}  // namespace

void askForFiles(const QStringList& paths, QObject* receiver, std::function<void(const std::vector<FileFacts>&)> done) {
  FileLookout& lookout = FileLookout::instance();
  lookout.thread().post([&lookout, paths, guard = QPointer<QObject>(receiver), done = std::move(done)] {
    std::vector<FileFacts> facts;
    for (const QString& path : paths) facts.push_back(factsOf(path));
    lookout.post([guard, done, facts = std::move(facts)] {
      if (guard) done(facts);
    });
  });
}

}  // namespace heapscape::gui
