// SPDX-License-Identifier: MIT
#include "views/threads/frame_text.h"

#include <QObject>

#include "session/threads/folded_frames.h"
#include "views/threads/thread_rows.h"
#include "widgets/text/counted_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/short_type_name.h"

namespace heapscape::gui {

using engine::FrameKind;
using engine::FrameRow;
using engine::StackRootRow;

namespace {

// Of a path of any system.
QString fileName(const QString& path) {
  return path.mid(std::max(path.lastIndexOf(QLatin1Char('/')), path.lastIndexOf(QLatin1Char('\\'))) + 1);
}

QString kindText(const FrameRow& frame) {
  switch (frame.kind) {
    case FrameKind::Runtime:
      return QStringLiteral("A frame that the runtime itself put on the stack");
    case FrameKind::Native:
      return QStringLiteral("Native code of %1")
          .arg(frame.origin.empty() ? QStringLiteral("no file") : fromEngine(frame.origin));
    case FrameKind::Managed:
      break;
  }
  return frame.origin.empty() ? QStringLiteral("Managed code")
                              : QStringLiteral("Managed code of %1").arg(fromEngine(frame.origin));
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
  return type.empty() ? name : QStringLiteral("%1.%2").arg(shortTypeName(type), name);
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
  if (frame.kind == FrameKind::Native) marks << QStringLiteral("native");
  if (frame.kind == FrameKind::Runtime) marks << QStringLiteral("runtime");
  if (frame.isAsync) marks << QStringLiteral("async");
  if (frame.isFunclet) marks << QStringLiteral("handler");
  if (!frame.exception.empty()) marks << fromEngine(frame.exception);
  if (!frame.isExact) marks << QStringLiteral("⚠ not exact");
  return marks;
}

QString frameSource(const FrameRow& frame) {
  return frame.line == 0 ? fromEngine(frame.file) : QStringLiteral("%1:%2").arg(fromEngine(frame.file)).arg(frame.line);
}

QString framePlace(const FrameRow& frame) {
  if (frame.file.empty()) return frame.kind == FrameKind::Managed ? fromEngine(frame.origin) : QString();
  return fileName(frameSource(frame));
}

QString frameTip(const FrameRow& frame) {
  QStringList lines{frameName(frame).text, kindText(frame)};
  if (!frame.file.empty()) lines << frameSource(frame);
  if (frame.isFunclet) lines << QStringLiteral("A handler, finally block or filter of this method is running");
  if (frame.isAsync) lines << QStringLiteral("Its locals live in an object of the heap while it waits");
  if (!frame.exception.empty()) lines << QStringLiteral("On an exception's way: %1").arg(fromEngine(frame.exception));
  if (!frame.isExact) {
    lines << QStringLiteral("Its locals are not known exactly; words of its part of the stack stand in for them")
          << fromEngine(frame.problem);
  }
  if (frame.instruction) lines << QStringLiteral("Instruction %1").arg(addressText(frame.instruction));
  lines << QStringLiteral("Stack pointer %1").arg(addressText(frame.stackPointer));
  if (frame.ilOffset) lines << QStringLiteral("IL offset 0x%1").arg(*frame.ilOffset, 0, 16);
  lines.removeAll(QString());
  return lines.join(QLatin1Char('\n'));
}

QString localPlace(const StackRootRow& local) {
  return local.reg.empty() ? QStringLiteral("slot %1").arg(addressText(local.slot)) : fromEngine(local.reg);
}

QString localName(const StackRootRow& local) {
  return local.variable.empty() ? localPlace(local) : fromEngine(local.variable);
}

QStringList localMarks(const StackRootRow& local) {
  QStringList marks;
  if (local.isPinned) marks << QStringLiteral("pinned");
  if (local.isInterior) marks << QStringLiteral("interior");
  if (!local.isExact) marks << QStringLiteral("⚠ not exact");
  return marks;
}

QString localTip(const StackRootRow& local) {
  QStringList lines{localName(local), fromEngine(local.typeName), localPlace(local)};
  if (local.isInterior) lines << QStringLiteral("Points into the object: %1").arg(addressText(local.value));
  if (!local.object) lines << QStringLiteral("Leads to no object of the heap");
  if (local.isPinned) lines << QStringLiteral("Keeps the GC from moving the object");
  if (!local.isExact) lines << QStringLiteral("A word of the stack: it may be left over from before");
  lines.removeAll(QString());
  lines.removeDuplicates();
  return lines.join(QLatin1Char('\n'));
}

QString repeatsText(std::uint32_t times) {
  return QStringLiteral("%1 times").arg(countText(times));
}

QString stackAsText(const engine::ThreadStackRow& stack) {
  QString text = QStringLiteral("Thread %1, OS id %2").arg(threadText(stack.managedId, stack.name)).arg(stack.osId);
  if (!stack.doing.empty()) text += QStringLiteral(": %1").arg(fromEngine(stack.doing));
  for (const engine::WrittenFrame& each : engine::writtenFrames(engine::foldedFrames(stack.frames))) {
    const FrameRow& frame = stack.frames[each.frame];
    text += QStringLiteral("\n  %1").arg(frameName(frame).text);
    if (!frame.file.empty()) text += QStringLiteral(" in %1").arg(frameSource(frame));
    QStringList marks = frameMarks(frame);
    if (each.times > 1) marks.prepend(repeatsText(each.times));
    if (!marks.isEmpty()) {
      text += QStringLiteral("  [%1]").arg(marks.join(QStringLiteral(", ")));
    }
    for (std::size_t i = 0; i < frame.rootCount && frame.firstRoot + i < stack.roots.size(); ++i) {
      const StackRootRow& local = stack.roots[frame.firstRoot + i];
      text += QStringLiteral("\n      %1  %2  %3")
                  .arg(localName(local), fromEngine(local.typeName),
                       addressText(local.object ? local.object : local.value));
    }
  }
  if (!stack.isComplete) text += QStringLiteral("\n  The stack ends early: %1").arg(fromEngine(stack.problem));
  return text + QLatin1Char('\n');
}

}  // namespace heapscape::gui
