// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QWidget>
#include <functional>

class QLabel;
class QProgressBar;
class QPushButton;

namespace heapscape::gui {

/// The panel of a place that has no picture: still loading, nothing there, or failed. An icon, a heading, a sentence
/// and at most one button, in the middle of whatever room there is.
class StatePanel : public QWidget {
  Q_OBJECT

 public:
  enum class State { Loading, Empty, Failed };

  explicit StatePanel(QWidget* parent = nullptr);

  State state() const { return m_state; }

  /// "Reading segments": a stage that is still to come.
  void showLoading(const QString& text);
  /// Nothing is there, and why that is so.
  void showEmpty(const QString& heading, const QString& text);
  /// Something went wrong: what it is, and what would help.
  void showFailed(const QString& heading, const QString& text);

  /// The one button; every show…() takes it away again.
  void setAction(const QString& text, const std::function<void()>& action);

  /// Height without the picture, which gives way where room is short.
  QSize minimumSizeHint() const override;

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void show(State state, const QString& heading, const QString& text);
  void updateLook();
  int pictureHeight() const;
  void showPictureIfItFits();

  State m_state = State::Empty;
  QLabel* m_icon;
  QLabel* m_heading;
  QLabel* m_text;
  QProgressBar* m_busy;
  QPushButton* m_button;
  std::function<void()> m_action;
};

/// A sentence that must not be missed: what is shown below is not the whole.
class Banner : public QWidget {
  Q_OBJECT

 public:
  explicit Banner(QWidget* parent = nullptr);

  /// An empty text hides it.
  void setText(const QString& text);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QLabel* m_text;
};

}  // namespace heapscape::gui
