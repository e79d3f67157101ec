// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "session/cache/answer_cache.h"
#include "session/layouts/declared_layouts.h"
#include "session/open/open_assembly.h"
#include "session/open/retained_stage.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {
class AnswerCache;
struct OpenOptions;
}  // namespace heapscape::engine

namespace heapscape::gui {

class EngineThread;
class Mailbox;

/// Whether it is known who holds what; that begins by itself when a dump is open.
enum class RetainedState { None, Computing, Ready, Stopped, Failed };

/// The window's only way to the engine. Opening and every query run on one engine thread, long questions on another;
/// answers come back on the GUI thread, and those of a dump that is no longer open are dropped.
class EngineBridge : public QObject {
  Q_OBJECT

 public:
  explicit EngineBridge(QObject* parent = nullptr);
  ~EngineBridge() override;  // stops what runs and waits for it

  /// Opens a dump or an assembly, whichever the file is, instead of what is open; the old one's memory is released once
  /// nobody shows it any more. Files that a dump lacks parts of are looked for in these folders, too.
  void open(const QString& path, const QStringList& searchFolders = {});
  /// An assembly alone; there is no snapshot then, only the layouts of what it declares.
  void openAssembly(const QString& path, const engine::AssemblyOptions& options);
  /// Stops opening; openCancelled() follows within 100 ms. What earlier stages have found is dropped.
  void cancel();
  void close();

  /// Where to look for what was found of a dump when it was open before, and to write what is found anew, beside all
  /// else; null for nowhere, as it is at first. For what is computed from now on.
  void setCache(std::shared_ptr<const engine::AnswerCache> cache) { m_cache = std::move(cache); }
  bool hasCache() const { return m_cache != nullptr; }

  bool isOpening() const { return m_isOpening; }
  /// Whether all that was asked for is here: nothing is being opened, computed or answered.
  bool isAtRest() const { return !m_isOpening && m_retainedState != RetainedState::Computing && m_questions.empty(); }
  /// Whether what is open or being opened is an assembly rather than a dump.
  bool isAssembly() const { return m_isAssembly; }
  /// Path of the dump or assembly that is open or being opened; empty if there is none.
  QString path() const { return m_path; }
  /// Where files that the dump lacks parts of are looked for, too.
  const QStringList& searchFolders() const { return m_searchFolders; }
  /// The newest stage of the open dump; null for an assembly, and if nothing is open. Not to be kept.
  const engine::Snapshot* snapshot() const { return std::get_if<engine::Snapshot>(&m_open); }
  /// All stages of the open dump so far, as stageReady() told them: who is made later hears them one after the other.
  /// Not to be kept.
  const std::vector<engine::Snapshot>& stages() const { return m_stages; }
  /// Whether layouts can be asked for: from the stage Layouts on, and of an open assembly.
  bool hasLayouts() const {
    return std::holds_alternative<engine::DeclaredLayouts>(m_open) ||
           (snapshot() && snapshot()->has(engine::Stage::Layouts));
  }

  RetainedState retainedState() const { return m_retainedState; }
  /// Only if it failed.
  const std::optional<engine::Error>& retainedError() const { return m_retainedError; }
  /// The newest of what the computation told.
  const engine::Progress& retainedProgress() const { return m_retainedProgress; }
  /// Roots of the newest computation; for the next dump, too.
  const engine::RootOptions& rootOptions() const { return m_roots; }
  /// Computes references and retained sizes, or computes them anew from other roots; stageReady() brings them. Until
  /// then, and if it is stopped or fails, the open dump shows what it had, and rootOptions() are these again.
  void computeRetained(const engine::RootOptions& roots);
  /// Computes them for who asks again: if there was not enough memory the last time, it is tried all the same.
  void computeRetainedAnyway();
  /// Whether it failed because it would take more memory than is free.
  bool lacksMemory() const { return m_retainedError && m_retainedError->code == engine::ErrorCode::NotEnoughMemory; }
  /// Bytes that retained sizes may take, in place of what is free. For tests.
  void setRetainedMemory(std::uint64_t bytes) { m_retainedMemory = bytes; }
  void stopRetained();

  /// Runs `query(const engine::Snapshot&, std::stop_token)` of the open dump, or
  /// `query(const engine::DeclaredLayouts&, std::stop_token)` of the open dump or assembly, on the engine thread and
  /// hands what it returns to `done` on the GUI thread. A question about layouts gives a Result or an Outcome, in which
  /// `done` also hears why there are none. A newer question of the same receiver on the same channel stops and replaces
  /// the older one. Nothing is called if what the question needs is not open (see snapshot() and hasLayouts()), if
  /// another file is opened meanwhile, or if the receiver is gone.
  template <class Query, class Done>
  void ask(QObject* receiver, const char* channel, Query query, Done done) {
    using Needed = NeededBy<Query, std::stop_token>;
    auto call = [query = std::move(query)](const Needed& needed, engine::ProgressSink*, std::stop_token stop) {
      return query(needed, stop);
    };
    pose<Needed>({receiver, channel, {}}, std::move(call), std::move(done));
  }

  /// As ask(), for a question that takes long: the query gets an engine::ProgressSink* before the std::stop_token and
  /// runs beside the short ones, and `onProgress(const engine::Progress&)` hears on the GUI thread how far it is.
  template <class Query, class OnProgress, class Done>
  void askLong(QObject* receiver, const char* channel, Query query, OnProgress onProgress, Done done) {
    using Needed = NeededBy<Query, engine::ProgressSink*, std::stop_token>;
    pose<Needed>({receiver, channel, std::move(onProgress)}, std::move(query), std::move(done));
  }

  /// As ask(), for work on what was asked before, like sorting: `query(std::stop_token)`.
  template <class Query, class Done>
  void compute(QObject* receiver, const char* channel, Query query, Done done) {
    auto call = [query = std::move(query)](const Nothing&, engine::ProgressSink*, std::stop_token stop) {
      return query(stop);
    };
    pose<Nothing>({receiver, channel, {}}, std::move(call), std::move(done));
  }

  /// Stops what the receiver has asked on that channel; nothing of it is delivered any more.
  void stopAsking(QObject* receiver, const char* channel);

 Q_SIGNALS:
  void openStarted(const QString& path);
  void progressed(const heapscape::engine::Progress& progress);
  /// Summary, Segments, Objects, Layouts, References, Retained, in this order; the last one again for other roots.
  void stageReady(const heapscape::engine::Snapshot& snapshot);
  /// All but references and retained sizes, which follow by themselves.
  void openFinished();
  /// Emitted in place of the two before, for an assembly.
  void assemblyOpened(const heapscape::engine::DeclaredLayouts& layouts);
  void retainedProgressed(const heapscape::engine::Progress& progress);
  void retainedStateChanged();
  void openFailed(const heapscape::engine::Error& error);
  void openCancelled();
  void closed();

 private:
  class Relay;
  class RetainedRelay;
  class QuestionProgress;
  using Nothing = std::monostate;
  /// The open file: nothing, a dump as far as it has been read, or an assembly.
  using OpenFile = std::variant<Nothing, engine::Snapshot, engine::DeclaredLayouts>;
  using MaybeLayouts = engine::Result<engine::DeclaredLayouts>;
  using OnProgress = std::function<void(const engine::Progress&)>;
  using Channel = std::pair<const QObject*, QByteArray>;
  enum class Need { Nothing, Dump, Layouts };
  /// The asker, and what has to be open. A question that reports its progress takes long.
  struct Asking {
    QObject* receiver;
    const char* channel;
    OnProgress onProgress;
    Need need = Need::Nothing;
  };
  /// The subject of a question, on an engine thread; the other is null.
  struct Asked {
    const engine::Snapshot* snapshot = nullptr;
    const MaybeLayouts* layouts = nullptr;
  };
  using Work = std::function<void(const Asked&, engine::ProgressSink*, std::stop_token)>;
  using Reading = std::function<engine::Outcome<OpenFile>(std::uint64_t generation, std::stop_token stop)>;

  /// The subject of a query: the first thing that it takes.
  template <class Query, class... Rest>
  using NeededBy = std::conditional_t<std::is_invocable_v<Query, const engine::Snapshot&, Rest...>, engine::Snapshot,
                                      engine::DeclaredLayouts>;

  struct Question {
    std::uint64_t number;
    std::stop_source stop;
  };

  /// Only inside a catch block: what was thrown, as a sentence.
  static engine::Error unforeseen();

  // An answer that can tell of a failure does so; of any other, nothing arrives.
  template <class Answer, class Call>
  static Answer guarded(const Call& call) {
    if constexpr (std::is_constructible_v<Answer, tl::unexpected<engine::Error>>) {
      try {
        return call();
      } catch (...) {
        return tl::unexpected(unforeseen());
      }
    } else {
      return call();
    }
  }

  template <class Needed, class Call, class Done>
  void pose(Asking asking, Call call, Done done) {
    using Answer = std::invoke_result_t<Call, const Needed&, engine::ProgressSink*, std::stop_token>;
    constexpr bool isOfDump = std::is_same_v<Needed, engine::Snapshot>;
    constexpr bool isOfLayouts = std::is_same_v<Needed, engine::DeclaredLayouts>;
    auto answer = std::make_shared<std::optional<Answer>>();
    auto ask = [call = std::move(call)](const Asked& asked, engine::ProgressSink* progress,
                                        std::stop_token stop) -> Answer {
      if constexpr (isOfDump) {
        return call(*asked.snapshot, progress, stop);
      } else if constexpr (isOfLayouts) {
        if (!*asked.layouts) return tl::unexpected(asked.layouts->error());
        return call(**asked.layouts, progress, stop);
      } else {
        return call(Nothing(), progress, stop);
      }
    };
    asking.need = isOfDump ? Need::Dump : isOfLayouts ? Need::Layouts : Need::Nothing;
    poseErased(
        std::move(asking),
        [answer, ask = std::move(ask)](const Asked& asked, engine::ProgressSink* progress, std::stop_token stop) {
          answer->emplace(guarded<Answer>([&] { return ask(asked, progress, stop); }));
        },
        [answer, done = std::move(done)]() { done(std::move(**answer)); });
  }
  void poseErased(Asking asking, Work work, std::function<void()> deliver);
  bool has(Need need) const;
  std::shared_ptr<QuestionProgress> progressOf(const Channel& channel, const Question& question, OnProgress onProgress);
  /// A new question on a channel; an older one is stopped.
  Question begin(const Channel& channel);
  bool isAsked(const Channel& channel, std::uint64_t number) const;
  void run(EngineThread& thread, const Channel& channel, const Question& question,
           std::function<void(std::stop_token)> work, std::function<void()> deliver);
  void beginOpening(const QString& path, bool isAssembly, Reading read);
  void finishOpening(engine::Outcome<OpenFile>& outcome);
  void failOpening(const engine::Unfinished& why);
  void finishRetained(const engine::Outcome<engine::Snapshot>& outcome);
  /// Called from an engine thread: what was found of the dump and waits to be kept is written; nothing waits.
  void keepAnswers(std::uint64_t generation, const engine::Snapshot& snapshot);
  bool keepShownRoots();
  /// Called from an engine thread, after a read: if others have changed a file, the open dump gets a finding.
  void checkFiles(std::uint64_t generation, const engine::FileChanges& files);
  void setRetainedState(RetainedState state);
  void startRetained(const engine::RetainedOptions& options);
  /// Shows a later stage; memory that only the older snapshot held is given back on an engine thread.
  void replaceSnapshot(const engine::Snapshot& snapshot);
  /// Called from any thread: `call` runs on the GUI thread unless the dump of that generation is gone by then.
  void callBack(std::uint64_t generation, std::function<void()> call);
  void stopEverything();
  OpenFile takeOut();
  void keepStage(const engine::Snapshot& snapshot);
  void releaseLater(OpenFile opened);

  std::uint64_t m_generation = 0;  // counts dumps: whatever arrives for an older one is dropped
  std::uint64_t m_questionsAsked = 0;
  bool m_isOpening = false;
  bool m_isAssembly = false;
  bool m_isChangeTold = false;  // that a file of the open dump was changed
  QString m_path;
  QStringList m_searchFolders;
  OpenFile m_open;
  std::vector<engine::Snapshot> m_stages;
  std::stop_source m_openStop;
  engine::RootOptions m_roots;
  engine::RootOptions m_shownRoots;  // of the retained sizes that the snapshot has, if it has some
  RetainedState m_retainedState = RetainedState::None;
  std::optional<std::uint64_t> m_retainedMemory;
  std::optional<engine::Error> m_retainedError;
  engine::Progress m_retainedProgress;
  std::uint64_t m_retainedRuns = 0;  // whatever arrives of an older one is dropped
  std::stop_source m_retainedStop;
  std::map<Channel, Question> m_questions;
  std::unique_ptr<Mailbox> m_mailbox;  // what callBack() posts to; outlives the thread
  std::unique_ptr<EngineThread> m_thread;
  std::unique_ptr<EngineThread> m_longThread;  // a check of the whole heap does not keep the lists waiting
  std::shared_ptr<const engine::AnswerCache> m_cache;
  std::stop_source m_keepingStop;
  std::unique_ptr<EngineThread> m_keepingThread;  // a disk may be slow
};

}  // namespace heapscape::gui
