// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>

#include "bridge/navigator.h"
#include "session/stacks/stacks_query.h"

namespace heapscape::gui {

/// A frame's full name, and how much of its start says where rather than what: the type, the library.
struct FrameName {
  QString text;
  int dimmedLetters = 0;
};
FrameName frameName(const engine::FrameRow& frame);
/// "Warehouse.Restock".
QString shortFrameName(const std::string& type, const std::string& method);
/// "Warehouse.Restock(Int32)", for where there is no room for the full one; empty if that is none of managed code.
QString shortFrameName(const engine::FrameRow& frame);
/// "Orders.PlaceAsync" of "Shop.Orders.PlaceAsync".
QString shortMethodName(const QString& fullName);
/// Marks for what is special about it, a word or two each: "async", "handler", "⚠ not exact".
QStringList frameMarks(const engine::FrameRow& frame);
/// "74,769 times".
QString repeatsText(std::uint64_t times);
/// "Warehouse.cs:42", else the assembly or library; what a runtime frame is.
QString framePlace(const engine::FrameRow& frame);
/// All that is known of it, in lines.
QString frameTip(const engine::FrameRow& frame);

/// What the inspector says of it.
PickedThing thingOf(const engine::FrameRow& frame);

/// "order", else the register or slot.
QString localName(const engine::StackRootRow& local);
/// Where the frame keeps it: "rbx", "slot 0x7ffe12345678".
QString localPlace(const engine::StackRootRow& local);
QStringList localMarks(const engine::StackRootRow& local);
QString localTip(const engine::StackRootRow& local);

/// "order", "this", else "parameter 1" or "local 3".
QString variableName(const engine::VariableRow& variable);
/// Where the code keeps it: "rbx", "slot 0x7ffe12345678", "by reference, at 0x7f…".
QString variablePlace(const engine::VariableRow& variable);
/// `root`: what the GC knows of it; may be null.
QStringList variableMarks(const engine::VariableRow& variable, const engine::StackRootRow* root);
QString variableTip(const engine::VariableRow& variable, const engine::StackRootRow* root);
/// Whether what the GC knows of a frame's reference is about this variable, or a part of it.
bool isOfVariable(const engine::StackRootRow& root, const engine::VariableRow& variable);
/// The value of a register; no contents where these are hidden.
QString registerText(const engine::RegisterRow& reg);
/// The words for a stack that ends early or lacks frames, and why; empty for one that is whole.
QString gapText(const engine::ThreadStackRow& stack);

/// The whole stack with its locals, to be pasted somewhere.
QString stackAsText(const engine::ThreadStackRow& stack);

}  // namespace heapscape::gui
