// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <optional>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"

class QLabel;
class QPushButton;
class QTimer;
class QToolButton;

namespace heapscape::gui {

class PartMark;
struct GuideStep;
struct GuidedQuestion;

/// Leads through a guided question: a strip above the places with one step at a time, and an edge around the part of
/// the window that it is about. A step that the person does goes on to the next one by itself; *Next* does it for them.
/// Hidden while there is no question.
class GuideBar : public QWidget {
  Q_OBJECT

 public:
  /// The mark is drawn over the window that the bar is in.
  GuideBar(EngineBridge& bridge, Navigator& navigator, QWidget* window);

  /// Begins a question (an index into guidedQuestions()) on the open dump, which has to be the sample.
  void begin(std::size_t question);
  void end();
  /// Empty if none is being asked.
  std::optional<std::size_t> question() const { return m_question; }
  /// As many as there are steps once the answer is shown.
  std::size_t step() const { return m_step; }

 Q_SIGNALS:
  /// Another question was chosen behind the answer.
  void questionWanted(std::size_t question);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  const GuidedQuestion& asked() const;
  const GuideStep* current() const;
  void goOn();
  void goBack();
  void enter(std::size_t step, bool leads);
  void lead(const GuideStep& step);
  void goTo(const Location& location);
  void showStep();
  void follow(const Location& location);
  void markPart();

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  std::optional<std::size_t> m_question;
  std::size_t m_step = 0;
  bool m_isLeading = false;  // it is the bar itself that goes somewhere
  QLabel* m_title;
  QLabel* m_count;
  QLabel* m_text;
  QPushButton* m_back;
  QPushButton* m_next;
  QToolButton* m_close;
  PartMark* m_mark;
  QTimer* m_looking;  // for the part, which may come later or move
};

}  // namespace heapscape::gui
