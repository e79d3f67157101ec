// SPDX-License-Identifier: MIT
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Lookups;

unsafe struct Handler {
    public int Code;
    public delegate*<int, int> Call;
}

/// Addresses of functions, as fields, statics and elements have them.
unsafe class Pointers {
    public static delegate*<int, int> Typed = &Twice;
    public static nint Number = (nint)(delegate*<int, int>)&Twice;
    public static void* Untyped = (delegate*<int, int>)&Thrice;
    public static nint Odd = unchecked((nint)0x123456789abc);
    public static delegate*<int, int> None = null;
    public static delegate* unmanaged<int, int> Unmanaged = &FromNative;
    public static delegate*<double, double> OfLibrary = &Math.Cbrt;
    public static delegate*<string, bool> Prepared = &string.IsNullOrEmpty;

    public delegate*<int, int> OfObject = &Twice;
    public nint Fixed = (nint)(delegate*<int, int>)&Optimised;
    public Handler Nested = new() { Code = 7, Call = &Thrice };
    public delegate*<int, int>[] Elements = [&Twice, &Thrice, null];
    public nint[] Numbers = [(nint)(delegate*<int, int>)&Twice, 42];
    public Handler[] Structs = [new() { Code = 1, Call = &Twice }];
    public Func<int, int> Closed;

    public Pointers() => Closed = OfInstance;

    public static int Twice(int value) => 2 * value;
    public static int Thrice(int value) => 3 * value;
    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    public static int Optimised(int value) => value + 1;
    [UnmanagedCallersOnly] public static int FromNative(int value) => -value;
    public int OfInstance(int value) => value + Nested.Code;

    public int CallAll() => OfObject(1) + Nested.Call(2) + ((delegate*<int, int>)Fixed)(3) + Closed(4) + Typed(5);
}
