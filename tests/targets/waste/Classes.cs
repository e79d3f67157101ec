// SPDX-License-Identifier: MIT
using System.Runtime.InteropServices;

namespace Weather;

/// No reference below Object, so it is laid out as written; so are those below it.
#if BEST || BEST_HEADER
[StructLayout(LayoutKind.Sequential)]
public class Header { public byte Kind, State; public int Length; public long Id; }
#else
[StructLayout(LayoutKind.Sequential)]
public class Header { public byte Kind; public long Id; public byte State; public int Length; }
#endif

public class Packet : Header { public byte Extra; public int Checksum; }

/// Has no objects of its own.
#if BEST
[StructLayout(LayoutKind.Sequential)]
public abstract class Shape { public bool Visible, Filled; public int Colour; public double Weight; }
#else
[StructLayout(LayoutKind.Sequential)]
public abstract class Shape { public bool Visible; public double Weight; public bool Filled; public int Colour; }
#endif

public class Circle : Shape { public float Radius; }

/// Auto: primitives are sorted, value types are not.
#if BEST || BEST_PANEL
public class Panel { public Colour Front, Back; public Reading Last; public Point Place; public string Name = ""; public bool On; }
#else
public class Panel { public Colour Front; public Reading Last; public Colour Back; public Point Place; public string Name = ""; public bool On; }
#endif

/// The size of its objects follows from Reading's alone.
public class Sensor { public string Name = ""; public Reading Last; public bool On; }

public class Node<T> { public Node<T>? Next; public T Value = default!; public byte Level; }

#if BEST
[StructLayout(LayoutKind.Sequential)]
public class Numbers { public short C; public byte E; public short D; public long A, B; }
#else
[StructLayout(LayoutKind.Sequential)]
public class Numbers { public short C; public long A; public byte E; public long B; public short D; }
#endif
