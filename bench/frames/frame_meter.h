// SPDX-License-Identifier: MIT
#pragma once

#include <QEvent>
#include <QString>
#include <map>
#include <vector>

namespace heapscape::gui {

/// Now, or how long something took, in milliseconds: by the clock, and of the processor time of the GUI thread, which
/// other programs on a busy machine do not add to.
struct FrameTime {
  double wall = 0;
  double processor = 0;

  FrameTime& operator+=(const FrameTime& other);
  FrameTime operator-(const FrameTime& other) const;
};

/// The GUI thread calls this; others would get their own.
FrameTime frameTimeNow();

/// When the process began, by the clock of frameTimeNow(); to a hundredth of a second.
double processStart();

/// A part of a frame: an event and what it was sent to, without the events that it led to.
struct FramePart {
  QEvent::Type event = QEvent::None;
  const char* receiver = "";  // the class; lasts as long as the program
  QString name;               // of that object, mostly empty

  bool operator<(const FramePart& other) const;
  /// "Paint of DominatorPicture dominators"
  QString text() const;
};

/// What the window did in a row: events without a pause between them, up to one that painted. For so long it neither
/// takes input nor shows anything new.
struct Frame {
  QEvent::Type cause = QEvent::None;  // the first event that came from outside, else the first one
  FrameTime time;
  bool hasPainted = false;
  FramePart costliest;
  FrameTime ofCostliest;
};

/// All that was measured since the last look.
struct FrameTimes {
  std::vector<Frame> frames;
  FrameTime firstPaint;  // when it was done, by frameTimeNow(); 0 as long as nothing was painted
  std::map<FramePart, std::vector<FrameTime>> parts;
};

/// Puts events together to frames. Events may be nested; one that runs an event loop of its own, as a menu does, is not
/// counted, what happens in its loop is.
class FrameMeter {
 public:
  /// `loopLevel` is how many event loops run within each other.
  void begin(FramePart part, int loopLevel, FrameTime now);
  /// The innermost event that has begun ends.
  void end(FrameTime now);

  /// What was measured so far, which is forgotten here; the frame that has begun counts.
  FrameTimes take();

 private:
  struct Running {
    FramePart part;
    int loopLevel;
    FrameTime since;
    FrameTime ofNested = {};
    bool isOutermost = false;
    bool hasLoop = false;
  };

  void add(const Running& event, FrameTime whole);
  void endFrame();

  std::vector<Running> m_running;
  Frame m_frame;
  bool m_hasFrame = false;
  FrameTime m_restingSince;
  FrameTime m_firstPaint;
  FrameTimes m_times;
};

}  // namespace heapscape::gui
