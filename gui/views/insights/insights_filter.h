// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "views/insights/insight_groups.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QTimer;

namespace heapscape::gui {

class FlowLayout;
class BarRow;

/// What is asked of the list of insights: words, a choice of the kind and of what they are grouped by, a chip for each
/// meaning, and a switch for the framework's own.
class InsightsFilter : public QWidget {
  Q_OBJECT

 public:
  explicit InsightsFilter(QWidget* parent = nullptr);

  /// All of it but the order.
  const InsightQuestion& question() const { return m_question; }
  bool isNarrowed() const { return !m_question.text.isEmpty() || !m_question.meanings.empty() || m_question.kind; }

  /// Offers what there is among these; the words stay.
  void show(std::shared_ptr<const FoundInsights> found);
  void clear();
  /// How many of them are listed.
  void showListed(std::uint64_t listed);
  /// Told what the question finds: words that were written for what was shown before and find nothing go, and all else
  /// that narrows. True if so, `changed` has been told then.
  bool dropUnlessFound(bool isFound);
  void chooseKind(engine::InsightKind kind);
  void includeFramework();
  /// Lists all again.
  void makeWay();

 Q_SIGNALS:
  void changed();
  /// They are grouped otherwise; before `changed`.
  void regrouped();

 private:
  void buildWords();
  void buildChoices();
  void addParts();
  void showSwitch();
  void showChoices();
  void showKinds(const InsightCounts& counts);
  void showMeanings(const InsightCounts& counts);

  std::shared_ptr<const FoundInsights> m_found;
  InsightQuestion m_question;
  bool m_isTextOld = false;  // written for what was shown before

  QLineEdit* m_words;
  QComboBox* m_kind;
  QComboBox* m_grouping;
  QWidget* m_chipBox;
  FlowLayout* m_chipLine;
  std::vector<BarRow*> m_chips;
  QCheckBox* m_framework;
  QLabel* m_count;
  QTimer* m_rest;
};

}  // namespace heapscape::gui
