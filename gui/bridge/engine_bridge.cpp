// SPDX-License-Identifier: MIT
#include "bridge/engine_bridge.h"

#include <QFile>
#include <QPointer>
#include <QtDebug>
#include <filesystem>
#include <limits>
#include <new>

#include "bridge/engine_thread.h"
#include "session/open/open_dump.h"

namespace heapscape::gui {

namespace {

std::filesystem::path fileOf(const QString& path) {
  return QFile::encodeName(path).toStdString();
}

}  // namespace

using engine::DeclaredLayouts;
using engine::Error;
using engine::ErrorCode;
using engine::Outcome;
using engine::Snapshot;

/// Carries what the engine tells while it opens over to the GUI thread.
class EngineBridge::Relay : public engine::OpenListener {
 public:
  Relay(EngineBridge& bridge, std::uint64_t generation) : m_bridge(bridge), m_generation(generation) {}

  void progressed(const engine::Progress& progress) override {
    m_bridge.callBack(m_generation, [&bridge = m_bridge, progress] { Q_EMIT bridge.progressed(progress); });
  }

  void stageReady(const Snapshot& snapshot) override {
    m_bridge.callBack(m_generation, [&bridge = m_bridge, snapshot] {
      bridge.m_open = snapshot;
      bridge.keepStage(snapshot);
      Q_EMIT bridge.stageReady(snapshot);
    });
  }

 private:
  EngineBridge& m_bridge;
  std::uint64_t m_generation;
};

/// Passes on the progress of retained sizes.
class EngineBridge::RetainedRelay : public engine::OpenListener {
 public:
  RetainedRelay(EngineBridge& bridge, std::uint64_t generation, std::uint64_t run)
      : m_bridge(bridge), m_generation(generation), m_run(run) {}

  void progressed(const engine::Progress& progress) override {
    m_bridge.callBack(m_generation, [&bridge = m_bridge, run = m_run, progress] {
      if (run != bridge.m_retainedRuns) return;
      bridge.m_retainedProgress = progress;
      Q_EMIT bridge.retainedProgressed(progress);
    });
  }

  void stageReady(const Snapshot& snapshot) override {
    m_bridge.callBack(m_generation, [&bridge = m_bridge, run = m_run, snapshot] {
      if (run == bridge.m_retainedRuns) bridge.replaceSnapshot(snapshot);
    });
  }

 private:
  EngineBridge& m_bridge;
  std::uint64_t m_generation;
  std::uint64_t m_run;
};

/// Carries how far a long question is over to the GUI thread.
class EngineBridge::QuestionProgress : public engine::ProgressSink {
 public:
  QuestionProgress(EngineBridge& bridge, std::uint64_t generation, OnProgress onProgress)
      : m_bridge(bridge), m_generation(generation), m_onProgress(std::move(onProgress)) {}

  void progressed(const engine::Progress& progress) override {
    m_bridge.callBack(m_generation, [onProgress = m_onProgress, progress] { onProgress(progress); });
  }

 private:
  EngineBridge& m_bridge;
  std::uint64_t m_generation;
  OnProgress m_onProgress;
};

EngineBridge::EngineBridge(QObject* parent)
    : QObject(parent),
      m_mailbox(std::make_unique<Mailbox>()),
      m_thread(std::make_unique<EngineThread>()),
      m_longThread(std::make_unique<EngineThread>()),
      m_keepingThread(std::make_unique<EngineThread>()) {}

EngineBridge::~EngineBridge() {
  stopEverything();
  m_keepingStop.request_stop();
  m_longThread.reset();
  m_thread.reset();
  m_keepingThread.reset();
}

void EngineBridge::open(const QString& path, const QStringList& searchFolders) {
  if (engine::looksLikeAssembly(fileOf(path))) {
    openAssembly(path, {});
    return;
  }
  m_searchFolders = searchFolders;
  engine::OpenOptions options;
  for (const QString& folder : searchFolders) options.searchFolders.push_back(fileOf(folder));
  beginOpening(path, false, [this, path, options](std::uint64_t generation, std::stop_token stop) {
    Relay relay(*this, generation);
    return engine::openDump(fileOf(path), options, &relay, stop).map([](Snapshot snapshot) {
      return OpenFile(std::move(snapshot));
    });
  });
}

void EngineBridge::openAssembly(const QString& path, const engine::AssemblyOptions& options) {
  beginOpening(path, true, [path, options](std::uint64_t, std::stop_token stop) {
    return engine::openAssemblyFile(fileOf(path), options, stop).map([](DeclaredLayouts layouts) {
      return OpenFile(std::move(layouts));
    });
  });
}

// On the engine thread `read` touches nothing of the bridge but callBack(), and the bridge waits for the thread.
void EngineBridge::beginOpening(const QString& path, bool isAssembly, Reading read) {
  OpenFile old = takeOut();
  m_path = path;
  m_isAssembly = isAssembly;
  m_isOpening = true;
  m_openStop = std::stop_source();
  Q_EMIT openStarted(path);
  releaseLater(std::move(old));
  m_thread->post([this, generation = m_generation, read = std::move(read), stop = m_openStop.get_token()] {
    if (stop.stop_requested()) return;
    auto outcome = std::make_shared<Outcome<OpenFile>>(tl::unexpected(engine::Unfinished::cancelled()));
    try {
      *outcome = read(generation, stop);
    } catch (...) {
      *outcome = tl::unexpected(engine::Unfinished(unforeseen()));
    }
    callBack(generation, [this, outcome] { finishOpening(*outcome); });
  });
}

void EngineBridge::cancel() {
  if (!m_isOpening) return;
  OpenFile old = takeOut();
  Q_EMIT openCancelled();
  releaseLater(std::move(old));
}

void EngineBridge::close() {
  OpenFile old = takeOut();
  Q_EMIT closed();
  releaseLater(std::move(old));
}

EngineBridge::OpenFile EngineBridge::takeOut() {
  stopEverything();
  m_path.clear();
  m_isAssembly = m_isChangeTold = false;
  if (!m_stages.empty())
    m_thread->post([held = std::make_shared<std::vector<Snapshot>>(std::move(m_stages))] { held->clear(); });
  m_stages.clear();
  return std::exchange(m_open, OpenFile());
}

// What a stage is told anew, it is told in place of the old.
void EngineBridge::keepStage(const Snapshot& snapshot) {
  if (!m_stages.empty() && m_stages.back().stage() == snapshot.stage()) m_stages.pop_back();
  m_stages.push_back(snapshot);
}

void EngineBridge::stopEverything() {
  ++m_generation;
  m_openStop.request_stop();
  m_retainedStop.request_stop();
  for (auto& [channel, question] : m_questions) question.stop.request_stop();
  m_questions.clear();
  m_isOpening = false;
  m_retainedState = RetainedState::None;
}

// Unmapping a dump takes a while; the window does not wait for it.
void EngineBridge::releaseLater(OpenFile opened) {
  if (std::holds_alternative<Nothing>(opened)) return;
  m_thread->post([held = std::make_shared<OpenFile>(std::move(opened))] { *held = {}; });
}

void EngineBridge::finishOpening(Outcome<OpenFile>& outcome) {
  m_isOpening = false;
  if (!outcome) {
    failOpening(outcome.error());
    return;
  }
  m_open = *outcome;
  if (m_isAssembly) {
    Q_EMIT assemblyOpened(std::get<DeclaredLayouts>(*outcome));
    return;
  }
  Q_EMIT openFinished();
  computeRetained(m_roots);
}

void EngineBridge::failOpening(const engine::Unfinished& why) {
  if (why.isCancelled()) return;  // whoever cancelled has said so already
  OpenFile partial = takeOut();
  Q_EMIT openFailed(why.error());
  releaseLater(std::move(partial));
}

void EngineBridge::computeRetained(const engine::RootOptions& roots) {
  startRetained({.roots = roots, .cache = m_cache, .memoryBytes = m_retainedMemory});
}

void EngineBridge::computeRetainedAnyway() {
  constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();
  startRetained({.roots = m_roots, .cache = m_cache, .memoryBytes = lacksMemory() ? kAll : m_retainedMemory});
}

void EngineBridge::startRetained(const engine::RetainedOptions& options) {
  m_roots = options.roots;
  if (!snapshot() || m_isOpening) return;
  m_retainedStop.request_stop();
  m_retainedStop = std::stop_source();
  m_retainedError.reset();
  m_retainedProgress = {};
  const std::uint64_t run = ++m_retainedRuns;
  m_longThread->post(
      [this, generation = m_generation, run, options, snapshot = *snapshot(), stop = m_retainedStop.get_token()] {
        if (stop.stop_requested()) return;
        RetainedRelay relay(*this, generation, run);
        auto outcome = std::make_shared<Outcome<Snapshot>>(tl::unexpected(engine::Unfinished::cancelled()));
        try {
          *outcome = engine::addRetained(snapshot, options, &relay, stop);
        } catch (...) {
          *outcome = tl::unexpected(engine::Unfinished(unforeseen()));
        }
        checkFiles(generation, engine::FileChanges(snapshot));
        callBack(generation, [this, run, outcome] {
          if (run == m_retainedRuns) finishRetained(*outcome);
        });
        if (*outcome) keepAnswers(generation, **outcome);
      });
  setRetainedState(RetainedState::Computing);
}

void EngineBridge::stopRetained() {
  if (m_retainedState != RetainedState::Computing) return;
  m_retainedStop.request_stop();
  ++m_retainedRuns;
  setRetainedState(keepShownRoots() ? RetainedState::Ready : RetainedState::Stopped);
}

// Whether the open dump has retained sizes all the same, from the roots that were chosen before.
bool EngineBridge::keepShownRoots() {
  if (!snapshot() || !snapshot()->has(engine::Stage::Retained)) return false;
  m_roots = m_shownRoots;
  return true;
}

void EngineBridge::finishRetained(const Outcome<Snapshot>& outcome) {
  if (!outcome && !outcome.error().isCancelled()) m_retainedError = outcome.error().error();
  if (outcome) {
    m_shownRoots = m_roots;
  } else {
    keepShownRoots();
  }
  setRetainedState(outcome ? RetainedState::Ready : RetainedState::Failed);
}

void EngineBridge::setRetainedState(RetainedState state) {
  m_retainedState = state;
  Q_EMIT retainedStateChanged();
}

void EngineBridge::replaceSnapshot(const Snapshot& snapshot) {
  OpenFile old = std::exchange(m_open, snapshot);
  keepStage(snapshot);
  Q_EMIT stageReady(snapshot);
  releaseLater(std::move(old));
}

void EngineBridge::keepAnswers(std::uint64_t generation, const Snapshot& snapshot) {
  if (!engine::hasAnswersToKeep(snapshot)) return;
  callBack(generation, [this, snapshot] {
    m_keepingThread->post([snapshot, stop = m_keepingStop.get_token()] {
      // What could not be kept is computed anew the next time.
      try {
        static_cast<void>(engine::keepAnswers(snapshot, stop));
      } catch (...) {
        qWarning().noquote() << QString::fromStdString(unforeseen().message());
      }
    });
  });
}

void EngineBridge::checkFiles(std::uint64_t generation, const engine::FileChanges& files) {
  const auto changed = files.error();
  if (!changed) return;
  callBack(generation, [this, error = *changed] {
    if (m_isChangeTold || !snapshot()) return;
    m_isChangeTold = true;
    replaceSnapshot(engine::withChangedFiles(*snapshot(), error));
  });
}

void EngineBridge::callBack(std::uint64_t generation, std::function<void()> call) {
  m_mailbox->post([this, generation, call = std::move(call)] {
    if (generation == m_generation) call();
  });
}

EngineBridge::Question EngineBridge::begin(const Channel& channel) {
  if (const auto older = m_questions.find(channel); older != m_questions.end()) older->second.stop.request_stop();
  const Question question{++m_questionsAsked, std::stop_source()};
  m_questions.insert_or_assign(channel, question);
  return question;
}

bool EngineBridge::isAsked(const Channel& channel, std::uint64_t number) const {
  const auto asked = m_questions.find(channel);
  return asked != m_questions.end() && asked->second.number == number;
}

void EngineBridge::run(EngineThread& thread, const Channel& channel, const Question& question,
                       std::function<void(std::stop_token)> work, std::function<void()> deliver) {
  auto answer = [this, channel, number = question.number, guard = QPointer<const QObject>(channel.first),
                 deliver = std::move(deliver)](bool isThere) {
    if (!isAsked(channel, number)) return;
    m_questions.erase(channel);
    if (guard && isThere) deliver();
  };
  thread.post([this, generation = m_generation, stop = question.stop.get_token(), work = std::move(work),
               answer = std::move(answer)] {
    if (stop.stop_requested()) return;
    bool isThere = true;
    try {
      work(stop);
    } catch (...) {
      isThere = false;
      qWarning().noquote() << QString::fromStdString(unforeseen().message());
    }
    callBack(generation, [answer, isThere] { answer(isThere); });
  });
}

std::shared_ptr<EngineBridge::QuestionProgress> EngineBridge::progressOf(const Channel& channel,
                                                                         const Question& question,
                                                                         OnProgress onProgress) {
  auto hear = [this, channel, number = question.number, guard = QPointer<const QObject>(channel.first),
               onProgress = std::move(onProgress)](const engine::Progress& progress) {
    if (guard && isAsked(channel, number)) onProgress(progress);
  };
  return std::make_shared<QuestionProgress>(*this, m_generation, std::move(hear));
}

bool EngineBridge::has(Need need) const {
  return need == Need::Nothing || (need == Need::Dump ? snapshot() != nullptr : hasLayouts());
}

void EngineBridge::poseErased(Asking asking, Work work, std::function<void()> deliver) {
  if (!has(asking.need)) return;
  const Channel key(asking.receiver, asking.channel);
  const Question question = begin(key);
  EngineThread& thread = asking.onProgress ? *m_longThread : *m_thread;
  const auto sink = asking.onProgress ? progressOf(key, question, std::move(asking.onProgress)) : nullptr;
  auto task = [this, generation = m_generation, need = asking.need,
               open = asking.need == Need::Nothing ? OpenFile() : m_open, work = std::move(work),
               sink](std::stop_token stop) {
    const auto* snapshot = std::get_if<Snapshot>(&open);
    if (need == Need::Layouts) {
      const MaybeLayouts layouts =
          snapshot ? DeclaredLayouts::ofDump(*snapshot) : MaybeLayouts(std::get<DeclaredLayouts>(open));
      work({.snapshot = nullptr, .layouts = &layouts}, sink.get(), stop);
    } else {
      work({.snapshot = snapshot, .layouts = nullptr}, sink.get(), stop);
    }
    if (!snapshot) return;
    checkFiles(generation, engine::FileChanges(*snapshot));
    keepAnswers(generation, *snapshot);
  };
  run(thread, key, question, std::move(task), std::move(deliver));
}

void EngineBridge::stopAsking(QObject* receiver, const char* channel) {
  const auto asked = m_questions.find(Channel(receiver, channel));
  if (asked == m_questions.end()) return;
  asked->second.stop.request_stop();
  m_questions.erase(asked);
}

Error EngineBridge::unforeseen() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return {ErrorCode::NotEnoughMemory, "There is not enough memory for this.",
            "Close other programs, or open the dump on a machine with more memory."};
  } catch (const std::exception& exception) {
    return {ErrorCode::Damaged, std::string("Something unforeseen happened: ") + exception.what() + ".",
            "Please report it together with the version of this program."};
  } catch (...) {
    return {ErrorCode::Damaged, "Something unforeseen happened.",
            "Please report it together with the version of this program."};
  }
}

}  // namespace heapscape::gui
