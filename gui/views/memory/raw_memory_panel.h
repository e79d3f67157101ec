// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "models/rows/row_list.h"
#include "session/details/address_query.h"

class QLineEdit;
class QToolButton;

namespace heapscape::gui {

class ElidedText;
class RowsPanel;

/// A word of memory and what it leads to, or a stretch of which nothing is in the dump.
struct RawWord {
  engine::MemoryWord word;
  std::uint64_t missingBytes = 0;  // of a stretch; 0 for a word
  std::optional<engine::AddressMeaning> meaning = {};
};

/// A page of memory with what it belongs to; made on the engine thread.
struct RawMemory {
  std::vector<engine::AddressMeaning> owners;  // of its first byte, the most particular first
  std::vector<RawWord> words;
  /// To explain the next page of the same dump with.
  std::shared_ptr<const engine::AddressMeanings> meanings;
};

RowSchema<RawWord> rawWordSchema();

/// `meanings`: of the same dump, if it was read before.
engine::Outcome<RawMemory> readRawMemory(const engine::Snapshot& snapshot, engine::AddressRange range,
                                         std::shared_ptr<const engine::AddressMeanings> meanings, std::stop_token stop);

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
