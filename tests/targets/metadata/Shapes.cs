// SPDX-License-Identifier: MIT
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

[assembly: TypeForwardedTo(typeof(Uri))]

namespace Shapes
{
    [AttributeUsage(AttributeTargets.All)]
    public sealed class MarkAttribute : Attribute
    {
        public MarkAttribute(int number) { }
    }

    [Mark(7)]
    public class Outer<TKey>
    {
        public class Middle
        {
            public struct Inner<TFirst, TSecond>
            {
                public TKey Key;
                public TSecond Second;
            }
        }

        public Middle.Inner<string, int[]> Nested;
    }

    public unsafe class Fields<T>
    {
        public const int Constant = 1;
        public static string Static;
        public bool Flag;
        public char Letter;
        public T Parameter;
        public T[] Vector;
        public int[,] Matrix;
        public int[][,] Jagged;
        public byte* Pointer;
        public void* Untyped;
        public nint Native;
        public delegate*<byte, object, int> Function;
        public Dictionary<string, List<T>> Map;
        public KeyValuePair<int, T>? Optional;
        public volatile int Modified;
        public Environment.SpecialFolder Folder;
        public DayOfWeek Day;
        public object Anything;
    }

    public ref struct References
    {
        public ref int Number;
    }

    [StructLayout(LayoutKind.Explicit, Size = 24)]
    public struct Overlay
    {
        [FieldOffset(0)] public long Whole;
        [FieldOffset(4)] public int High;
    }

    [StructLayout(LayoutKind.Sequential, Pack = 1)]
    public struct Packed
    {
        public byte First;
        public long Second;
    }

    [InlineArray(5)]
    public struct Five
    {
        private int m_first;
    }

    public interface IEmpty { }

    public enum Colour : byte
    {
        Red,
        Green
    }
}

public class WithoutNamespace { }
