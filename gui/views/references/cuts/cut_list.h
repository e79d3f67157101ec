// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <memory>
#include <vector>

#include "bridge/engine_bridge.h"
#include "review/board.h"
#include "session/references/what_if.h"

namespace heapscape::gui {

/// A cut of the list that cannot be made, and why: seen from other roots there may be no such root.
struct FailedCut {
  QString cut;
  QString why;
};

/// The effect of some cuts, for all who show it. May be kept and read from any thread.
struct CutAnswer {
  QStringList asked;      // the cuts, in the order of the list
  engine::WhatIf whatIf;  // of those that can be made
  std::vector<FailedCut> failed;
  std::vector<engine::FreedType> types;
  std::vector<engine::RetainedRow> objects;  // the largest of the outermost
};

/// The cuts in the open dump: a list that can be undone step by step, and what it would free. While a new
/// answer is on its way, the old one stays.
class CutList : public QObject {
  Q_OBJECT

 public:
  explicit CutList(EngineBridge& bridge, QObject* parent = nullptr);

  /// The cuts as session/references/cuts.h has them, in the order in which they were made.
  const QStringList& cuts() const { return m_cuts; }
  bool isEmpty() const { return m_cuts.isEmpty(); }
  /// One that is there already is not made again.
  void add(const QString& cut) { addAll({cut}); }
  /// Several in one step.
  void addAll(const QStringList& cuts);
  void remove(const QString& cut);
  void removeAll();
  bool canUndo() const { return !m_past.empty(); }
  bool canRedo() const { return !m_future.empty(); }
  void undo();
  void redo();

  /// Null while there are no cuts, and until the first answer is here.
  const std::shared_ptr<const CutAnswer>& answer() const { return m_answer; }
  /// answer() is not of these cuts yet.
  bool isAsking() const { return m_isAsking; }
  /// Why there is no answer at all; empty if there is one, or one on its way.
  const QString& trouble() const { return m_trouble; }

  /// The dump is seen from other roots, or for the first time.
  void showSnapshot(const engine::Snapshot& snapshot);
  /// Another dump, or none: all cuts are forgotten.
  void clear();

  /// The answer as a command that gives it again; of a set it takes the addresses from a file of the set's name.
  QString command() const;

 Q_SIGNALS:
  /// The list, the answer, or whether one is on its way.
  void changed();
  void progressed(const heapscape::engine::Progress& progress);

 private:
  void change(QStringList cuts);
  void ask();
  void take(engine::Outcome<std::shared_ptr<const CutAnswer>> answer);

  EngineBridge& m_bridge;
  QStringList m_cuts;
  std::vector<QStringList> m_past;    // the last one is what undo() goes back to
  std::vector<QStringList> m_future;  // the last one is what redo() goes to
  std::shared_ptr<const CutAnswer> m_answer;
  bool m_isAsking = false;
  QString m_trouble;
};

/// How many objects an answer lists.
inline constexpr std::size_t kFreedObjects = 1000;

/// A word of a command line, quoted where a shell needs it.
QString shellWord(const QString& word);

/// "2 cuts would free 3.3 MB in 40,210 objects: 12% of what is live".
QString freedText(const CutAnswer& answer);
/// The sum of the cuts one by one, where that is less; else empty.
QString togetherText(const CutAnswer& answer);

/// The cuts with what each frees, and all together, as a page of a review.
engine::ReviewPage cutPage(const CutAnswer& answer);

}  // namespace heapscape::gui
