// SPDX-License-Identifier: MIT
#pragma once

#include <QDateTime>
#include <QStringList>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

class QObject;

namespace heapscape::gui {

/// Disks that sleep answer late and shares that are gone may never do: what waits for one does not hold up the others.
enum class FileDesk {
  Lookout,  // whether what is offered is still there
  Files,    // what somebody opens or keeps
};

/// Runs on the desk's thread, one after the other; what it returns is called later on the GUI thread, but not if the
/// receiver is gone.
void postFileWork(FileDesk desk, QObject* receiver, std::function<std::function<void()>()> work);

/// Returns once all that was posted to this desk before is done; answers may still be on their way.
void waitForFileWork(FileDesk desk);

/// postFileWork() with an answer: `done` gets what `work` returned.
template <class Work, class Done>
void workWithFiles(FileDesk desk, QObject* receiver, Work work, Done done) {
  postFileWork(desk, receiver, [work = std::move(work), done = std::move(done)]() -> std::function<void()> {
    auto answer = std::make_shared<decltype(work())>(work());
    return [done, answer] { done(std::move(*answer)); };
  });
}

/// The facts that the file system tells of a path.
struct FileFacts {
  bool isThere = false;  // as a file
  std::uint64_t sizeBytes = 0;
  QDateTime written;
};

/// Dumps in the folder of a file, without it: ELF cores, and packed files that are named as such. The last written come
/// first, at most `most`. `done` is called as with askForFiles().
void askForDumpsBeside(const QString& path, qsizetype most, QObject* receiver,
                       std::function<void(const QStringList&)> done);

/// Looks at files on a thread of its own, since a disk that sleeps answers late and a share that is gone may never do.
/// `done` gets as many facts as there are paths, later on the GUI thread; not if the receiver is gone.
void askForFiles(const QStringList& paths, QObject* receiver, std::function<void(const std::vector<FileFacts>&)> done);

}  // namespace heapscape::gui
