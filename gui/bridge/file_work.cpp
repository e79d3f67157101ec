// SPDX-License-Identifier: MIT
#include "bridge/file_work.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QPointer>
#include <algorithm>
#include <array>
#include <future>

#include "bridge/engine_thread.h"
#include "bridge/literals.h"

namespace heapscape::gui {

namespace {

/// A thread that waits for disks, and where its answers arrive; goes with the application.
class FileThread : public Mailbox {
 public:
  static FileThread& of(FileDesk desk) {
    static std::array<QPointer<FileThread>, 2> threads;
    QPointer<FileThread>& thread = threads[static_cast<std::size_t>(desk)];
    if (!thread) (thread = new FileThread)->setParent(QCoreApplication::instance());
    return *thread;
  }

  EngineThread& jobs() { return m_jobs; }

 private:
  EngineThread m_jobs;
};

}  // namespace

void postFileWork(FileDesk desk, QObject* receiver, std::function<std::function<void()>()> work) {
  FileThread& thread = FileThread::of(desk);
  thread.jobs().post([&thread, guard = QPointer<QObject>(receiver), work = std::move(work)] {
    thread.post([guard, answer = work()] {
      if (guard) answer();
    });
  });
}

void waitForFileWork(FileDesk desk) {
  auto done = std::make_shared<std::promise<void>>();
  FileThread::of(desk).jobs().post([done] { done->set_value(); });
  done->get_future().wait();
}

namespace {

FileFacts factsOf(const QString& path) {
  const QFileInfo file(path);
  if (path.isEmpty() || !file.isFile()) return {};
  return {.isThere = true, .sizeBytes = static_cast<std::uint64_t>(file.size()), .written = file.lastModified()};
}

bool isDump(const QFileInfo& file) {
  constexpr std::array kPacked{u".zst", u".gz", u".xz", u".lz4", u".tar"};
  const QString name = file.fileName();
  const bool isPacked =
      std::ranges::any_of(kPacked, [&](const char16_t* ending) { return name.endsWith(QStringView(ending)); });
  if (isPacked) return name.contains(u"core"_s);
  QFile opened(file.filePath());
  // Magic, and behind it the kind of file: a core.
  constexpr qsizetype kKindOffset = 16;
  const QByteArray head = opened.open(QIODevice::ReadOnly) ? opened.read(kKindOffset + 2) : QByteArray();
  return head.size() == kKindOffset + 2 &&
         head.startsWith(
             "\x7f"
             "ELF") &&
         head[kKindOffset] == 4;
}

}  // namespace

void askForDumpsBeside(const QString& path, qsizetype most, QObject* receiver,
                       std::function<void(const QStringList&)> done) {
  constexpr qsizetype kMostLookedAt = 500;
  const auto look = [path, most, kMostLookedAt] {
    QStringList dumps;
    const QFileInfo own(path);
    const QFileInfoList files = own.dir().entryInfoList(QDir::Files | QDir::Readable, QDir::Time);
    for (const QFileInfo& file : files.first(std::min(kMostLookedAt, files.size()))) {
      if (dumps.size() == most) break;
      if (file != own && isDump(file)) dumps << file.absoluteFilePath();
    }
    return dumps;
  };
  workWithFiles(FileDesk::Lookout, receiver, look, std::move(done));
}

void askForFiles(const QStringList& paths, QObject* receiver, std::function<void(const std::vector<FileFacts>&)> done) {
  const auto look = [paths] {
    std::vector<FileFacts> facts;
    for (const QString& path : paths) facts.push_back(factsOf(path));
    return facts;
  };
  workWithFiles(FileDesk::Lookout, receiver, look, std::move(done));
}

}  // namespace heapscape::gui
