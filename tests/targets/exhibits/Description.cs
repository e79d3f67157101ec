// SPDX-License-Identifier: MIT
using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Museum;

/// <summary>Values in words: kind, text, and of structures their fields.</summary>
static class Description
{
    const BindingFlags Own = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    /// <summary>What a variable of this type holds.</summary>
    public static Account Of(object? value, Type declared)
    {
        if (value is null) return new Account().Add("kind", "null");
        if (value is string text) return Make("string", text);
        if (value is Pointer pointer) return Make("pointer", Address(pointer));
        if (!declared.IsValueType) return new Account().Add("kind", "reference").Add("type", Names.Of(value.GetType()));
        return OfValue(value);
    }

    /// <summary>All fields of an object or a boxed value, those of its base classes first.</summary>
    public static Account Fields(object box)
    {
        var account = new Account();
        foreach (FieldInfo field in Ancestry(box.GetType()).SelectMany(type => type.GetFields(Own)).OrderBy(field => field.MetadataToken))
            account.Add(field.Name, OfField(field, box));
        return account;
    }

    static Account OfField(FieldInfo field, object box)
    {
        object? value = field.GetValue(box);
        if (field.GetCustomAttribute<FixedBufferAttribute>() is { } buffer)
            return new Account().Add("kind", "struct").Add("elements", Elements(value!, buffer.ElementType, buffer.Length));
        if (field.FieldType.IsFunctionPointer) return Make("pointer", $"0x{(nint)value!:x}");
        return Of(value, field.FieldType);
    }

    static Account OfValue(object value) => value switch
    {
        bool truth => Make("boolean", truth ? "true" : "false"),
        char unit => Make("character", unit.ToString()).Add("code", (int)unit),
        Enum choice => Make("enum", choice.ToString()).Add("number", choice.ToString("d")),
        sbyte or byte or short or ushort or int or uint or long or ulong or nint or nuint or Int128 or UInt128 => Make("integer", Format(value)),
        Half or float or double => Make("real", Format(value)),
        decimal => Known(value, Format(value)),
        DateTime time => Known(value, time.ToString("yyyy-MM-dd HH:mm:ss.fffffff", CultureInfo.InvariantCulture)).Add("zone", time.Kind.ToString()),
        DateTimeOffset time => Known(value, time.ToString("yyyy-MM-dd HH:mm:ss.fffffff zzz", CultureInfo.InvariantCulture)),
        DateOnly date => Known(value, date.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture)),
        TimeOnly time => Known(value, time.ToString("HH:mm:ss.fffffff", CultureInfo.InvariantCulture)),
        TimeSpan span => Known(value, span.ToString("c", CultureInfo.InvariantCulture)),
        Guid guid => Known(value, guid.ToString()),
        _ => OfStructure(value),
    };

    static Account OfStructure(object value)
    {
        Account account = new Account().Add("kind", "struct").Add("type", Names.Of(value.GetType()));
        if (value.GetType().GetCustomAttribute<InlineArrayAttribute>() is { } inline)
            return account.Add("elements", Elements(value, value.GetType().GetFields(Own)[0].FieldType, inline.Length));
        return account.Add("fields", Fields(value));
    }

    static List<Account> Elements(object box, Type type, int length)
    {
        var elements = new List<Account>();
        for (int i = 0; i < length; i++)
        {
            object? element = type == typeof(byte) ? At<byte>(box, i) : type == typeof(int) ? At<int>(box, i) : type == typeof(long) ? At<long>(box, i)
                : type == typeof(char) ? At<char>(box, i) : type == typeof(double) ? At<double>(box, i) : At<string>(box, i);
            elements.Add(Of(element, type));
        }
        return elements;
    }

    public static T At<T>(object box, int index) => Unsafe.Add(ref Unsafe.As<byte, T>(ref Unsafe.As<RawBox>(box).First), index);
    static IEnumerable<Type> Ancestry(Type type) => type.BaseType is { } parent ? Ancestry(parent).Append(type) : [type];
    static unsafe string Address(Pointer pointer) => $"0x{(nint)Pointer.Unbox(pointer):x}";
    static string Format(object value) => ((IFormattable)value).ToString(null, CultureInfo.InvariantCulture);
    static Account Make(string kind, string text) => new Account().Add("kind", kind).Add("text", text);
    static Account Known(object value, string text) => Make("known", text).Add("type", Names.Of(value.GetType()));

    /// <summary>Any box, for its first byte.</summary>
    [StructLayout(LayoutKind.Sequential)]
    sealed class RawBox { public byte First; }
}
