// SPDX-License-Identifier: MIT
using Flaws;

namespace Callbacks;

/// Dropped without being disposed of, although a type of .NET; and generic types that have no code.
static class Others
{
    interface IUnits<T>;

    static readonly Type[] numbers = [typeof(byte), typeof(short), typeof(int), typeof(long), typeof(float), typeof(double)];
    static readonly List<Type> types = new(36);

    public static void Plant() => Apart.Run(() =>
    {
        for (int i = 0; i < 20; i++) new FileStream(typeof(Others).Assembly.Location, FileMode.Open, FileAccess.Read).ReadByte();
        foreach (Type first in numbers)
            foreach (Type second in numbers)
                types.Add(typeof(IUnits<>).MakeGenericType(typeof(ValueTuple<,>).MakeGenericType(first, second)));
    });
}
