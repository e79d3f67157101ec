// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "views/memory/raw_memory_rows.h"

class QLineEdit;
class QToolButton;

namespace heapscape::gui {

class ElidedText;
class RowsPanel;

/// Memory from any address on, word by word: its bytes, what they stand for as characters, and what each word leads to.
class RawMemoryPanel : public QWidget {
  Q_OBJECT

 public:
  RawMemoryPanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  /// Whether addresses can be explained by now.
  void setReady(bool isReady);
  void showMemory(engine::Address address);
  void clear();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* buildHead();
  QToolButton* addStep(const QString& name, const QString& text, const QString& tip, bool isForward);
  void goToTyped();
  /// A page earlier or later.
  void step(bool forward);
  void go(engine::Address address);
  void ask();
  void take(const engine::Outcome<RawMemory>& answer);
  void showHead();

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  engine::Address m_address;  // 0 for none
  bool m_isReady = false;
  bool m_isAsked = false;
  std::shared_ptr<const engine::AddressMeanings> m_meanings;  // of the open dump, once they were needed
  QLineEdit* m_typed;
  QToolButton* m_earlier;
  QToolButton* m_later;
  ElidedText* m_owner;
  RowsPanel* m_words;
};

}  // namespace heapscape::gui
