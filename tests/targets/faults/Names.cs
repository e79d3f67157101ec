// SPDX-License-Identifier: MIT
// Types whose names are not of ASCII: letters of two and three bytes in UTF-8, in names, namespaces and nested types.
namespace Bücher
{
    class Straße { public int Länge = 3; public class Größe { public int Zoll = 7; } }
    struct Maß { public double Wert; }
}

namespace 図書館.書庫
{
    class 本 { public string 題 = "題"; public class 頁 { public int 番号 = 1; } }
    class 棚<T> { public T? 中身; }
    interface I貸出 { }
    class 会員 : I貸出 { }
}

namespace Ωμέγα
{
    class Δέλτα { public class Έψιλον { public class Ζήτα { public long Αριθμός = 9; } } }
    enum Χρώμα { Άσπρο, Μαύρο }
}

namespace Mixed
{
    class Zażółć { }
    class ЖизньМоя { }
    class Plain { public class Łódź { } }
}

namespace Faults
{
    static class Names
    {
        static readonly List<object> s_kept = [];

        public static void Make()
        {
            s_kept.AddRange(new object[]
            {
                new Bücher.Straße(), new Bücher.Straße.Größe(), new Bücher.Maß { Wert = 1.5 },
                new 図書館.書庫.本(), new 図書館.書庫.本.頁(), new 図書館.書庫.棚<図書館.書庫.本>(), new 図書館.書庫.会員(),
                new Ωμέγα.Δέλτα(), new Ωμέγα.Δέλτα.Έψιλον.Ζήτα(), Ωμέγα.Χρώμα.Μαύρο,
                new Mixed.Zażółć(), new Mixed.ЖизньМоя(), new Mixed.Plain(), new Mixed.Plain.Łódź(),
            });
        }
    }
}
