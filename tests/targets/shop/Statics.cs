// SPDX-License-Identifier: MIT
using Catalog;

namespace Shop;

/// <summary>Static fields of every kind, with values that are easy to recognise.</summary>
static class Statics
{
    public static int Finalized;

    static bool flag = true;
    static byte small = 0xa5;
    static char letter = 'Q';
    static short negative = -1234;
    static long big = 0x1122334455667788;
    static float single = 1.5f;
    static double real = -2.25;
    static decimal money = 19.99m;
    static DateTime date = new(2024, 12, 24);
    static Guid guid = new("00112233-4455-6677-8899-aabbccddeeff");
    static DayOfWeek day = DayOfWeek.Thursday;
    static int? maybe = 77, none;
    static SequentialStruct structure = new() { B = 3, D = 4.5, E = 6 };
    static AutoStruct withReference = new() { Text = "inside a static struct" };
    static (int, string) tuple = (8, "nine");
    static string text = "static text";
    static object boxed = 12345;
    static int[] array = [1, 1, 2, 3, 5, 8];
    static Action? handler = () => Finalized++;
    static unsafe delegate*<int> function;
    static readonly int[] table = [.. primes];
    static ReadOnlySpan<int> primes => [2, 3, 5, 7, 11, 13];  // lies in the image
    const int Constant = 4711;

    [ThreadStatic] static int perThread;
    [ThreadStatic] static string? perThreadText;
    [ThreadStatic] static Money perThreadMoney;

    public static void Fill()
    {
        Box<int>.Default = 101;
        Box<string>.Default = "static of Box<string>";
        Box<Order>.Default = null;
        Box<SequentialStruct>.Default = new SequentialStruct { B = 9 };
        PerThread("main");
        for (int i = 1; i <= 2; i++)
        {
            string name = "worker " + i;
            using var entered = new ManualResetEventSlim();
            var thread = new Thread(() =>
            {
                PerThread(name);
                entered.Set();
                Thread.Sleep(Timeout.Infinite);
            }) { IsBackground = true, Name = name };
            thread.Start();
            entered.Wait();
        }
    }

    static void PerThread(string name)
    {
        perThread = name.Length;
        perThreadText = "thread static of " + name;
        perThreadMoney = new Money(name.Length, Currency.Dollar);
        GenericPerThread<string>.Value = name;
        GenericPerThread<int>.Value = name.Length;
    }

    static class GenericPerThread<T>
    {
        [ThreadStatic] public static T? Value;
    }
}
