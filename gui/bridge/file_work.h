// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <utility>

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

/// The same as postFileWork() with an answer: `done` gets what `work` returned.
template <class Work, class Done>
void workWithFiles(FileDesk desk, QObject* receiver, Work work, Done done) {
  postFileWork(desk, receiver, [work = std::move(work), done = std::move(done)]() -> std::function<void()> {
    auto answer = std::make_shared<decltype(work())>(work());
    return [done, answer] { done(std::move(*answer)); };
  });
}

}  // namespace heapscape::gui
