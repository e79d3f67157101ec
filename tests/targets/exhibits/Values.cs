// SPDX-License-Identifier: MIT
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Museum;

[Flags] enum Access { None, Read = 1, Write = 2, Execute = 4, All = 7 }
enum Tiny : sbyte { Low = -128, Zero = 0 }
enum Huge : ulong { Top = 0x8000000000000000 }

/// <summary>Fields of every type, with values that are easy to get wrong.</summary>
static class Values
{
    static readonly object primitives = new Primitives(), knowns = new Knowns(), nullables = new Nullables(), enums = new Enums(), pointers = new Pointers(), nested = new Nested();
    static readonly object inline = new Inline(), derived = new Derived(), unions = new Unions(), generic = new Generic<Place, string>();
    static readonly object boxedInt = 42, boxedEnum = Access.Read, boxedStruct = new Place(1, "boxed"), boxedDate = new DateTime(2000, 1, 1), boxedGuid = Guid.Empty, boxedBool = true;
    static readonly string text = "Gr\u00fc\u00dfe, \u4e16\u754c, \ud83d\ude80", textEmpty = new(""), textLone = "\ud800 alone", textZero = "zero\0inside", textLong = new('w', 5000);

    public static List<Account> Describe()
    {
        Inline.Fill((Inline)inline);
        var accounts = new List<Account>();
        foreach (var (path, _, content) in Exhibit.Of(typeof(Values)))
        {
            Account account = new Account().Add("path", path).Add("type", Names.Of(content!.GetType()));
            if (content is string text) account.Add("length", text.Length).Add("text", text);
            else if (content.GetType().IsValueType) account.Add("boxed", Description.Of(content, content.GetType()));
            else account.Add("fields", Description.Fields(content));
            accounts.Add(account);
        }
        return accounts;
    }

    sealed class Primitives
    {
        bool yes = true, no = false;
        char letter = 'x', quote = '\'', newline = '\n', zero = '\0', wide = '\u4e16', half = '\ud83d';
        sbyte signedByte = sbyte.MinValue;
        byte unsignedByte = byte.MaxValue;
        short signedShort = short.MinValue;
        ushort unsignedShort = ushort.MaxValue;
        int signedInt = int.MinValue;
        uint unsignedInt = uint.MaxValue;
        long signedLong = long.MinValue;
        ulong unsignedLong = ulong.MaxValue;
        nint signedNative = -7;
        nuint unsignedNative = 7;
        float third = 1f / 3, singleNan = float.NaN, singleInfinity = float.NegativeInfinity, singleTiny = float.Epsilon;
        double tenth = 0.1, doubleMax = double.MaxValue, doubleNegativeZero = -0.0, doubleWhole = 3, doubleSmall = 1e-7;
        Half halfReal = (Half)1.5;
        Int128 signed128 = Int128.MinValue;
        UInt128 unsigned128 = UInt128.MaxValue;
    }

    sealed class Knowns
    {
        DateTime date = new(2024, 2, 29), utc = new(2024, 2, 29, 12, 30, 15, 250, DateTimeKind.Utc), local = new(1999, 12, 31, 23, 59, 59, DateTimeKind.Local), dateMin = DateTime.MinValue, dateMax = DateTime.MaxValue;
        DateTimeOffset offset = new(2024, 7, 1, 8, 0, 0, TimeSpan.FromHours(-9.5));
        DateOnly dateOnly = new(2023, 11, 5);
        TimeOnly timeOnly = new(23, 4, 5, 6);
        TimeSpan span = new(3, 4, 5, 6, 7), negative = -TimeSpan.FromMinutes(90), zero, spanMin = TimeSpan.MinValue;
        Guid guid = new("00112233-4455-6677-8899-aabbccddeeff"), empty;
        decimal price = 19.99m, debt = -0.001m, scaled = 1.5000m, big = decimal.MaxValue, none;
    }

    sealed class Nullables
    {
        int? some = 5, none;
        bool? maybe = true;
        DateTime? when = new DateTime(2020, 1, 2);
        Place? place = new Place(8, "nullable"), nowhere;
        Access? access = Access.Write;
        Guid? guid = Guid.Empty;
    }

    sealed class Enums
    {
        DayOfWeek friday = DayOfWeek.Friday, unnamed = (DayOfWeek)99;
        Access both = Access.Read | Access.Write, all = Access.All, none = Access.None, withUnknown = Access.Read | (Access)64;
        Tiny low = Tiny.Low, unnamedTiny = (Tiny)(-3);
        Huge top = Huge.Top;
    }

    sealed unsafe class Pointers
    {
        int* toInt = (int*)0x123456789abc;
        void* toNothing = null;
        delegate*<int, void> function = (delegate*<int, void>)0x7f00;
        nint handle = 0x1234;
    }

    sealed class Nested
    {
        Place place = new(5, "nested");
        (int, (string, Size)) tuples = (1, ("two", new Size(3, 4)));
        KeyValuePair<string, int> pair = new("key", 6);
        KeyValuePair<int, Place>? deep = new KeyValuePair<int, Place>(7, new(8, "deep"));
        object boxed = 9;
        object self;
        string? nothing = null;
        int[] numbers = [1, 2, 3];
        Painting painting = new("inside");
        public Nested() => self = this;
    }

    class Base
    {
        int hidden = 1;
        string name = "of the base";
    }

    sealed class Derived : Base
    {
        int hidden = 2;
        string name = "of the derived";
    }

    sealed class Generic<T, U>
    {
        T? first = (T)(object)new Place(1, "T");
        U? second = (U)(object)"U";
        List<T> list = [];
        (T?, U?) both;
    }

    [InlineArray(4)] struct FourInts { int first; }
    [InlineArray(3)] struct ThreeNames { string first; }
    unsafe struct Buffers { public fixed byte Bytes[5]; public fixed long Longs[2]; public fixed char Letters[4]; }

    sealed unsafe class Inline
    {
        FourInts ints;
        ThreeNames names;
        Buffers buffers;

        public static void Fill(Inline inline)
        {
            for (int i = 0; i < 4; i++) inline.ints[i] = i * i;
            for (int i = 0; i < 3; i++) inline.names[i] = "name " + i;
            for (byte i = 0; i < 5; i++) inline.buffers.Bytes[i] = i;
            inline.buffers.Longs[1] = -1;
            for (int i = 0; i < 4; i++) inline.buffers.Letters[i] = (char)('a' + i);
        }
    }

    [StructLayout(LayoutKind.Explicit)] struct Union { [FieldOffset(0)] public int Whole; [FieldOffset(0)] public short Low; [FieldOffset(2)] public short High; }
    [StructLayout(LayoutKind.Sequential, Pack = 1)] struct Packed { public byte First; public int Second; public short Third; }
    struct Empty;

    sealed class Unions
    {
        Union union = new() { Whole = 0x00020001 };
        Packed packed = new() { First = 1, Second = -2, Third = 3 };
        Empty empty;
    }
}
