// SPDX-License-Identifier: MIT
// Value types as people write them, and behind BEST as `heapscape-cli waste` would have them declared.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Weather;

#if BEST || BEST_READING
public struct Reading { public bool Valid; public byte Unit; public double Value; }
#else
public struct Reading { public bool Valid; public double Value; public byte Unit; }
#endif

/// Shrinks with Reading, too.
#if BEST
public struct Sample { public byte Tag; public short Flags; public int Station; public Reading First, Second; }
#else
public struct Sample { public byte Tag; public Reading First; public short Flags; public Reading Second; public int Station; }
#endif

/// Sequential for its numbers, auto for its text: one declaration has to serve both.
#if BEST || BEST_SLOT
[StructLayout(LayoutKind.Auto)]
#endif
public struct Slot<TKey, TValue> { public bool Used; public TKey Key; public TValue Value; public int Next; }

/// Laid out auto because of the text, whatever it asks for.
[StructLayout(LayoutKind.Sequential)]
public struct Tagged { public byte Kind; public string Text; public byte State; }

/// Auto, but value types keep their order there.
#if BEST
[StructLayout(LayoutKind.Auto)]
public struct Area { public Colour Fill, Line; public Point Low, High; }
#else
[StructLayout(LayoutKind.Auto)]
public struct Area { public Colour Fill; public Point Low; public Colour Line; public Point High; }
#endif
public struct Colour { public byte Red, Green, Blue; }
public struct Point { public double X, Y; }

#if BEST
[StructLayout(LayoutKind.Sequential, Pack = 4)]
public struct Packed { public byte Kind, State; public short Port; public long Id; public int Length; }
#else
[StructLayout(LayoutKind.Sequential, Pack = 4)]
public struct Packed { public byte Kind; public long Id; public short Port; public int Length; public byte State; }
#endif

/// Of 10 bytes, or 8: its arrays end at every even remainder of 8.
#if BEST
public struct Triple { public byte A, B, C, E; public short D, F; }
#else
public struct Triple { public byte A, B, C; public short D; public byte E; public short F; }
#endif

[InlineArray(3)]
public struct Three { Reading first; }

#if BEST
public struct Gauge { public byte Kind, State; public Three Readings; }
#else
public struct Gauge { public byte Kind; public Three Readings; public byte State; }
#endif
