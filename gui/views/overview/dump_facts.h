// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QWidget>
#include <vector>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "session/process/process_memory.h"
#include "session/snapshot/snapshot.h"
#include "session/threads/crash_query.h"
#include "widgets/fact_list.h"

class QVBoxLayout;

namespace heapscape::gui {

/// Why the process died: the first thing on the page of a dump of its end, hidden for one that lived.
class DeathNotice : public QWidget {
  Q_OBJECT

 public:
  DeathNotice(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  /// Asks once for each dump; nothing of the heap is needed.
  void showSnapshot(const engine::Snapshot& snapshot);
  void clear();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void show(const engine::Crash& crash);
  void addText(const QString& text);
  void addException(const engine::ExceptionDetails& exception);
  void addFrames(const engine::Crash& crash);

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  QWidget* m_body = nullptr;
  QVBoxLayout* m_lines = nullptr;
  bool m_isAsked = false;
};

/// Something that is missing or damaged, as the overview tells it.
struct HealthItem {
  QString title;    // "Taken in the middle of a collection"
  QString text;     // what it is, and what would help
  QString address;  // where, if it is about one place
};

/// Lists what could not be read first, then what was found on the way, but for names of modules; at most `limit`, the
/// rest is counted in `leftOut`.
struct HealthReport {
  std::vector<HealthItem> items;
  std::size_t leftOut = 0;
  bool isComplete = true;
};
HealthReport healthReport(const engine::Snapshot& snapshot, std::size_t limit);

/// One sentence for the banner on top: "Only part of this dump could be read: …". Empty if it is complete.
QString bannerText(const engine::Snapshot& snapshot);

/// The facts: which runtime it was, how its heap was set up, and which kind of file this is.
std::vector<Fact> dumpFacts(const engine::Snapshot& snapshot);

/// How much of the process's memory was in memory: the bounds that the dump gives, never what is mapped alone.
Fact memoryFact(const engine::ProcessMemory& memory);

}  // namespace heapscape::gui
