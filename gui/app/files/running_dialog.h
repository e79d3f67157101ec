// SPDX-License-Identifier: MIT
#pragma once

#include <QDialog>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "capture/dump_capture.h"
#include "capture/running_programs.h"

class QCheckBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QTreeWidget;

namespace heapscape::gui {

class LivePrograms;

/// A process that was dumped, so that the next dump of it can be held against this one.
struct DumpedProcess {
  std::uint32_t pid = 0;
  std::uint64_t startTicks = 0;
  bool operator==(const DumpedProcess&) const = default;
};

/// Running .NET processes of this machine and of its containers; has one of them write a dump of itself, and shows how
/// far that is, or what forbids it.
class RunningDialog : public QDialog {
  Q_OBJECT

 public:
  explicit RunningDialog(QWidget* parent = nullptr);

  /// Has the selected process write its dump.
  void capture(const QString& path);
  bool isWriting() const;
  /// Gives up the dump that is being written; otherwise closes.
  void reject() override;

 Q_SIGNALS:
  /// A dump is there, to be shown.
  void captured(const QString& path, const heapscape::gui::DumpedProcess& process);

 private:
  enum Page { Programs, Writing };

  QWidget* makePrograms();
  QWidget* makeWriting();
  void look();
  void show(const std::vector<engine::RunningProgram>& programs);
  void showProgress(const engine::Progress& progress);
  void finish(const engine::CapturedDump& dump);
  void tell(const engine::Error& error);
  void choosePath();
  void follow();
  void showPage(Page page);
  /// Null if no process is selected.
  const engine::RunningProgram* selected() const;

  LivePrograms* m_live;
  std::vector<engine::RunningProgram> m_programs;
  DumpedProcess m_dumped;
  QStackedWidget* m_pages;
  QTreeWidget* m_list = nullptr;
  QLabel* m_note = nullptr;
  QCheckBox* m_withoutContents = nullptr;
  QLabel* m_activity = nullptr;
  QProgressBar* m_progress = nullptr;
  QPushButton* m_refresh;
  QPushButton* m_dump;
  QPushButton* m_close;
};

}  // namespace heapscape::gui
