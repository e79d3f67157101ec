// SPDX-License-Identifier: MIT
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Museum;

/// <summary>Static fields of every kind, of this class and of generic ones, and one set for each thread.</summary>
static class Statics
{
    static readonly List<Account> perThread = [];

    public static void Fill()
    {
        Room<int>.Guard = 101;
        Room<string>.Guard = "guard of strings";
        Room<Painting>.Guard = new Painting("guarded");
        Room<Place>.Guard = new Place(4, "guarded");
        Room<Wing>.Guard = Wing.South;
        Room<string>.Inner<int>.Treasure = (6, "inner");
        RuntimeHelpers.RunClassConstructor(typeof(Normal).TypeHandle);
        for (int i = 1; i <= 3; i++)
        {
            var filled = new ManualResetEventSlim();
            int number = i;
            new Thread(() =>
            {
                FillThread(number);
                filled.Set();
                Thread.Sleep(Timeout.Infinite);
            }) { IsBackground = true, Name = "guide " + i }.Start();
            filled.Wait();
        }
    }

    static void FillThread(int number)
    {
        PerThread.Number = number;
        PerThread.Text = "text of guide " + number;
        PerThread.Place = new Place(number, "wall");
        PerThread.Time = new DateTime(2024, 1, number);
        if (number == 2) PerThread.OnlySecond = new Painting("of the second");
        PerThread<int>.Value = number * 100;
        PerThread<string>.Value = "generic of guide " + number;
        foreach (Type type in new[] { typeof(PerThread), typeof(PerThread<int>), typeof(PerThread<string>) })
            foreach (FieldInfo field in FieldsOf(type))
                perThread.Add(Of(field).Add("kind", "thread").Add("threadId", Environment.CurrentManagedThreadId).Add("thread", Thread.CurrentThread.Name));
    }

    public static List<Account> Describe()
    {
        Type[] types = [typeof(Normal), typeof(Room<int>), typeof(Room<string>), typeof(Room<Painting>), typeof(Room<Place>), typeof(Room<Wing>), typeof(Room<string>.Inner<int>)];
        IEnumerable<Account> normal = types.SelectMany(FieldsOf).Select(field => Of(field).Add("kind", "normal"));
        IEnumerable<Account> images = FieldsOf(typeof(Statics).Assembly.GetType("<PrivateImplementationDetails>")!).Select(OfImage);
        return [.. normal, .. perThread, .. images];
    }

    static IEnumerable<FieldInfo> FieldsOf(Type type) =>
        type.GetFields(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly).Where(field => !field.IsLiteral);

    static Account Of(FieldInfo field) => new Account().Add("path", $"{Names.Of(field.DeclaringType!)}.{field.Name}").Add("type", Names.Of(field.DeclaringType!))
        .Add("field", field.Name).Add("fieldType", Names.Of(field.FieldType)).Add("value", Description.Of(field.GetValue(null), field.FieldType));

    /// <summary>A field whose bytes lie in the module's image.</summary>
    static Account OfImage(FieldInfo field)
    {
        object box = field.GetValue(null)!;
        var bytes = new byte[Math.Min(64, (int)typeof(Unsafe).GetMethod("SizeOf")!.MakeGenericMethod(field.FieldType).Invoke(null, null)!)];
        for (int i = 0; i < bytes.Length; i++) bytes[i] = Description.At<byte>(box, i);
        return new Account().Add("path", $"<PrivateImplementationDetails>.{field.Name}").Add("type", "<PrivateImplementationDetails>").Add("field", field.Name)
            .Add("kind", "rva").Add("bytes", Convert.ToHexString(bytes).ToLowerInvariant());
    }

    static class Normal
    {
        static bool flag = true;
        static sbyte tiny = -100;
        static byte small = 0xa5;
        static char letter = 'Q';
        static short negative = -1234;
        static ushort port = 54321;
        static int number = -123456789;
        static uint unsigned = 0xdeadbeef;
        static long big = 0x1122334455667788;
        static ulong biggest = ulong.MaxValue;
        static nint native = -5;
        static float single = 1.5f;
        static double real = -2.25;
        static decimal money = -19.99m;
        static DateTime date = new(2024, 12, 24, 18, 30, 0, DateTimeKind.Utc);
        static Guid guid = new("00112233-4455-6677-8899-aabbccddeeff");
        static DayOfWeek day = DayOfWeek.Thursday;
        static int? maybe = 77, none;
        static Place place = new(12, "south");
        static (int, string) tuple = (8, "nine");
        static string text = "static text";
        static string? nothing = null;
        static object boxed = 12345;
        static int[] array = [1, 1, 2, 3, 5, 8];
        static int[] primes = [.. InImage];
        static ReadOnlySpan<int> InImage => [2, 3, 5, 7, 11, 13, 17, 19];
    }

    static class Room<T>
    {
        public static T? Guard;
        public static int Visits = typeof(T).Name.Length;

        public static class Inner<U>
        {
            public static (U, T) Treasure;
        }
    }

    static class PerThread
    {
        [ThreadStatic] public static int Number;
        [ThreadStatic] public static string? Text;
        [ThreadStatic] public static Place Place;
        [ThreadStatic] public static DateTime Time;
        [ThreadStatic] public static Painting? OnlySecond;
    }

    static class PerThread<T>
    {
        [ThreadStatic] public static T? Value;
    }
}
