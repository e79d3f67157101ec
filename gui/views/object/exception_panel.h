// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "bridge/engine_bridge.h"
#include "widgets/hex_view/object_page.h"

class QLabel;
class QTableWidget;
class QVBoxLayout;

namespace heapscape::gui {

/// An exception that another one carries along.
struct InnerException {
  engine::Address address;
  std::string typeName;
  std::string message;
};

/// From an exception's inner one inwards; on the engine thread. Ends where the chain bites its own tail.
std::vector<InnerException> innerExceptions(const engine::Snapshot& snapshot, const engine::ExceptionDetails& outer,
                                            std::stop_token stop);

/// What an exception says, what caused it, and where it was thrown.
class ExceptionPanel : public QWidget {
  Q_OBJECT

 public:
  explicit ExceptionPanel(EngineBridge& bridge, QWidget* parent = nullptr);

  void show(std::shared_ptr<const ObjectPage> page);  // null, or no exception: nothing

 Q_SIGNALS:
  void followWanted(heapscape::engine::Address object, const QString& via);

 private:
  void askForInner();
  void showInner(const std::vector<InnerException>& inner);
  void showStack();

  EngineBridge& m_bridge;
  QLabel* m_message;
  QLabel* m_facts;
  QLabel* m_carried;
  QWidget* m_inner = nullptr;
  QVBoxLayout* m_head;
  QTableWidget* m_stack;
  std::shared_ptr<const ObjectPage> m_page;
};

}  // namespace heapscape::gui
