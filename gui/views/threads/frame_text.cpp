// SPDX-License-Identifier: MIT
#include "views/threads/frame_text.h"

#include <algorithm>
#include <string_view>

#include "models/names/frame_place.h"
#include "models/names/type_name.h"
#include "session/stacks/folded_frames.h"
#include "views/threads/thread_rows.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/hidden_contents.h"
#include "widgets/text/value_text.h"

namespace heapscape::gui {

using engine::FrameKind;
using engine::FrameRow;
using engine::RegisterRow;
using engine::StackRootRow;
using engine::VariableRow;

namespace {

QString kindText(const FrameRow& frame) {
  switch (frame.kind) {
    case FrameKind::Runtime:
      return u"A frame that the runtime itself put on the stack"_s;
    case FrameKind::Native:
      return u"Native code of %1"_s.arg(frame.origin.empty() ? u"no file"_s : fromEngine(frame.origin));
    case FrameKind::Managed:
      break;
  }
  return frame.origin.empty() ? u"Managed code"_s : u"Managed code of %1"_s.arg(fromEngine(frame.origin));
}

// As the tree has it, of an object with its address.
QString shownValue(const engine::Value& value) {
  QString text = valueText(value);
  const QString suffix = valueSuffix(value);
  if (!suffix.isEmpty()) text += QLatin1Char(' ') + suffix;
  return engine::isContents(value) ? contentsText(text) : text;
}

}  // namespace

FrameName frameName(const FrameRow& frame) {
  FrameName name{.text = fromEngine(engine::nameOf(frame)), .dimmedLetters = 0};
  if (frame.kind == FrameKind::Managed && !frame.type.empty()) {
    const QString prefix = fromEngine(frame.type) + QLatin1Char('.');
    if (name.text.startsWith(prefix)) name.dimmedLetters = static_cast<int>(prefix.size());
  } else if (frame.kind == FrameKind::Native) {
    name.dimmedLetters = static_cast<int>(name.text.indexOf(QLatin1Char('!')) + 1);
  }
  return name;
}

QString shortFrameName(const std::string& type, const std::string& method) {
  const QString name = fromEngine(method);
  return type.empty() ? name : u"%1.%2"_s.arg(shortTypeName(type), name);
}

QString shortFrameName(const FrameRow& frame) {
  if (frame.kind != FrameKind::Managed) return {};
  return shortFrameName(frame.type, frame.method) + shortTypeName(frame.parameters);
}

QString shortMethodName(const QString& fullName) {
  const qsizetype dot = fullName.lastIndexOf(QLatin1Char('.'));
  return dot <= 0 ? fullName : shortFrameName(fullName.first(dot).toStdString(), fullName.mid(dot + 1).toStdString());
}

QStringList frameMarks(const FrameRow& frame) {
  QStringList marks;
  if (frame.kind == FrameKind::Native) marks << u"native"_s;
  if (frame.kind == FrameKind::Runtime) marks << u"runtime"_s;
  if (frame.isAsync) marks << u"async"_s;
  if (frame.isFunclet) marks << u"handler"_s;
  if (!frame.exception.empty()) marks << fromEngine(frame.exception);
  if (!frame.isExact) marks << u"⚠ not exact"_s;
  return marks;
}

QString framePlace(const FrameRow& frame) {
  if (frame.file.empty()) return frame.kind == FrameKind::Managed ? fromEngine(frame.origin) : QString();
  return frameSourceName(frame);
}

QString frameTip(const FrameRow& frame) {
  QStringList lines{frameName(frame).text, kindText(frame)};
  if (!frame.file.empty()) lines << frameSource(frame);
  if (frame.isFunclet) lines << u"A handler, finally block or filter of this method is running"_s;
  if (frame.isAsync) lines << u"Its locals live in an object of the heap while it waits"_s;
  if (!frame.exception.empty()) lines << u"On an exception's way: %1"_s.arg(fromEngine(frame.exception));
  if (!frame.isExact) {
    lines << u"Its locals are not known exactly; words of its part of the stack stand in for them"_s
          << fromEngine(frame.problem);
  }
  if (frame.instruction) lines << u"Instruction %1"_s.arg(addressText(frame.instruction));
  lines << u"Stack pointer %1"_s.arg(addressText(frame.stackPointer));
  if (frame.ilOffset) lines << u"IL offset 0x%1"_s.arg(*frame.ilOffset, 0, 16);
  lines.removeAll(QString());
  return lines.join(QLatin1Char('\n'));
}

PickedThing thingOf(const FrameRow& frame) {
  PickedThing thing{.kind = u"Frame"_s, .title = frameName(frame).text, .facts = {}};
  const auto add = [&](const QString& label, const QString& value) {
    if (!value.isEmpty()) thing.facts.push_back({label, value});
  };
  add(u"Is"_s, kindText(frame));
  add(u"Code"_s, typeFamilyText(familyOf(frame.owner)));
  if (!frame.file.empty()) add(u"Source"_s, frameSource(frame));
  if (frame.isAsync) add(u"Async"_s, u"its locals live in an object of the heap while it waits"_s);
  add(u"Exception"_s, fromEngine(frame.exception));
  if (!frame.isExact) add(u"Not exact"_s, fromEngine(frame.problem));
  if (frame.instruction) add(u"Instruction"_s, addressText(frame.instruction));
  add(u"Stack pointer"_s, addressText(frame.stackPointer));
  if (frame.ilOffset) add(u"IL offset"_s, u"0x%1"_s.arg(*frame.ilOffset, 0, 16));
  if (frame.rootCount > 0) add(u"References"_s, countText(frame.rootCount));
  return thing;
}

QString localPlace(const StackRootRow& local) {
  return local.reg.empty() ? u"slot %1"_s.arg(addressText(local.slot)) : fromEngine(local.reg);
}

QString localName(const StackRootRow& local) {
  return local.variable.empty() ? localPlace(local) : fromEngine(local.variable);
}

QStringList localMarks(const StackRootRow& local) {
  QStringList marks;
  if (local.isPinned) marks << u"pinned"_s;
  if (local.isInterior) marks << u"interior"_s;
  if (!local.isExact) marks << u"⚠ not exact"_s;
  return marks;
}

QString localTip(const StackRootRow& local) {
  QStringList lines{localName(local), fromEngine(local.typeName), localPlace(local)};
  if (local.isInterior) lines << u"Points into the object: %1"_s.arg(addressText(local.value));
  if (!local.object) lines << u"Leads to no object of the heap"_s;
  if (local.isPinned) lines << u"Keeps the GC from moving the object"_s;
  if (!local.isExact) lines << u"A word of the stack: it may be left over from before"_s;
  lines.removeAll(QString());
  lines.removeDuplicates();
  return lines.join(QLatin1Char('\n'));
}

QString variableName(const VariableRow& variable) {
  if (!variable.name.empty()) return fromEngine(variable.name);
  return (variable.isParameter ? u"parameter %1"_s : u"local %1"_s).arg(variable.index);
}

QString variablePlace(const VariableRow& variable) {
  if (variable.target) return u"by reference, at %1"_s.arg(addressText(variable.target));
  if (!variable.reg.empty()) return fromEngine(variable.reg);
  return variable.value.address ? u"slot %1"_s.arg(addressText(variable.value.address)) : QString();
}

QStringList variableMarks(const VariableRow& variable, const StackRootRow* root) {
  QStringList marks;
  if (variable.isParameter && variable.name != "this") marks << u"parameter"_s;
  if (root) marks << localMarks(*root);
  if (!variable.isTypeExact) marks << u"⚠ type not exact"_s;
  return marks;
}

QString variableTip(const VariableRow& variable, const StackRootRow* root) {
  QStringList lines{variableName(variable), fromEngine(variable.value.typeName), variablePlace(variable)};
  if (!variable.isTypeExact)
    lines << u"Its code is shared by instantiations, and which of them this is, is not known"_s;
  if (!variable.problem.empty()) lines << fromEngine(variable.problem);
  if (root) lines << localTip(*root).split(QLatin1Char('\n'));
  lines.removeAll(QString());
  lines.removeDuplicates();
  return lines.join(QLatin1Char('\n'));
}

bool isOfVariable(const StackRootRow& root, const VariableRow& variable) {
  if (!root.variable.empty() && !variable.name.empty()) return root.variable == variable.name;
  const engine::FieldValue& value = variable.value;
  if (root.slot && value.address)
    return root.slot >= value.address && root.slot - value.address < std::max<std::uint64_t>(value.sizeBytes, 1);
  return !root.slot && !root.reg.empty() && root.reg == variable.reg;
}

QString registerText(const RegisterRow& reg) {
  const QString text = u"0x%1"_s.arg(reg.value, 16, 16, QLatin1Char('0'));
  return reg.isPlace ? text : contentsText(text);
}

QString gapText(const engine::ThreadStackRow& stack) {
  if (stack.isComplete) return {};
  const QString why = fromEngine(stack.problem);
  return stack.gap ? u"⚠ Frames are missing here: %1"_s.arg(why) : u"⚠ The stack ends early: %1"_s.arg(why);
}

QString repeatsText(std::uint64_t times) {
  return u"%1 times"_s.arg(countText(times));
}

QString stackAsText(const engine::ThreadStackRow& stack) {
  QString text = u"Thread %1, OS id %2"_s.arg(threadText(stack.managedId, stack.name)).arg(stack.osId);
  if (!stack.doing.empty()) text += u": %1"_s.arg(fromEngine(stack.doing));
  std::optional<std::uint32_t> gap = stack.gap;
  for (const engine::WrittenFrame& each : engine::writtenFrames(engine::foldedFrames(stack.frames))) {
    const FrameRow& frame = stack.frames[each.frame];
    if (gap && each.frame > *gap) {
      text += u"\n  %1"_s.arg(gapText(stack));
      gap.reset();
    }
    text += u"\n  %1"_s.arg(frameName(frame).text);
    if (!frame.file.empty()) text += u" in %1"_s.arg(frameSource(frame));
    QStringList marks = frameMarks(frame);
    if (each.times > 1) marks.prepend(repeatsText(each.times));
    if (!marks.isEmpty()) {
      text += u"  [%1]"_s.arg(marks.join(u", "_s));
    }
    for (const VariableRow& variable : frame.variables) {
      const QString value = variable.problem.empty() ? shownValue(variable.value.value) : fromEngine(variable.problem);
      text += u"\n      %1  %2  = %3"_s.arg(variableName(variable), fromEngine(variable.value.typeName), value);
    }
    for (std::size_t i = 0; i < frame.rootCount && frame.firstRoot + i < stack.roots.size(); ++i) {
      const StackRootRow& local = stack.roots[frame.firstRoot + i];
      const auto tells = [&](const VariableRow& variable) { return isOfVariable(local, variable); };
      if (std::ranges::any_of(frame.variables, tells)) continue;
      text += u"\n      %1  %2  %3"_s.arg(localName(local), fromEngine(local.typeName),
                                          addressText(local.object ? local.object : local.value));
    }
  }
  if (!stack.isComplete && !stack.gap) text += u"\n  %1"_s.arg(gapText(stack));
  return text + QLatin1Char('\n');
}

}  // namespace heapscape::gui
