// SPDX-License-Identifier: MIT
using Catalog;

namespace Shop;

/// <summary>Products, customers and orders, the same in every run.</summary>
static class Warehouse
{
    static readonly string[] adjectives = ["Blue", "Fast", "Golden", "Old", "Quiet", "Small", "Wooden"];
    static readonly string[] things = ["Kettle", "Lamp", "Novel", "Piano", "Rake", "Robot", "Teapot", "Trumpet", "Whisk"];
    static readonly string[] cities = ["Basel", "Graz", "Lyon", "Malmö", "Porto", "Turin"];

    static readonly Dictionary<int, Product> products = [];
    static readonly List<Customer> customers = [];
    static readonly SortedDictionary<long, Order> orders = [];
    static readonly Cache<string, Rendered> pages = new(200);
    static int notifications;

    public static Product AnyProduct => products[0];

    public static void Fill()
    {
        var random = new Random(2024);
        var opening = new DateTime(2024, 3, 1, 9, 0, 0, DateTimeKind.Utc);
        for (int id = 0; id < 400; id++)
            products.Add(id, NewProduct(id, opening, random));
        for (int id = 0; id < 600; id++)
            customers.Add(NewCustomer(id, opening, random));
        for (int id = 0; id < 2500; id++)
            PlaceOrder(id, opening.AddMinutes(37 * id), random);
        for (int id = 0; id < 300; id++)
            pages.Put($"/product/{id}", new Rendered($"https://shop.example/product/{id}", new byte[random.Next(200, 1200)]));
    }

    static Product NewProduct(int id, DateTime day, Random random)
    {
        string name = $"{adjectives[id % adjectives.Length]} {things[id % things.Length]}";
        var price = new Money(random.Next(100, 20000) / 100m, Currency.Euro);
        if (id % 10 == 9)
            return new BundledProduct(id, name + " set", [products[id - 1], products[id - 5]]) { Created = day, Price = price, Discount = 15 };
        return new Product(id, name)
        {
            Created = day.AddDays(id),
            Category = (Category)(id % 6),
            Price = price,
            Size = new Size(id, id / 2f, 1),
            Rating = id % 3 == 0 ? null : random.NextDouble() * 5,
        };
    }

    static Customer NewCustomer(int id, DateTime day, Random random)
    {
        var token = new byte[16];
        random.NextBytes(token);
        return new Customer(id, $"Customer {id}", new Address($"{id % 90} High Street", cities[id % cities.Length], "Europe"))
        {
            Created = day.AddHours(id),
            Token = new Guid(token),
            Interests = [(Category)(id % 6), (Category)(id % 5)],
            ReferredBy = id % 4 == 3 ? customers[id / 2] : null,
        };
    }

    static void PlaceOrder(int id, DateTime at, Random random)
    {
        var customer = customers[random.Next(customers.Count)];
        var order = new Order(id, customer)
        {
            Created = at,
            Number = 20240000000 + id,
            Gift = id % 7 == 0,
            Express = id % 5 == 0,
            State = (OrderState)(id % 4),
            Shipped = id % 4 == 3 ? new DateTimeOffset(at.AddDays(1), TimeSpan.Zero) : null,
        };
        for (int line = 0; line <= id % 4; line++)
        {
            var product = products[random.Next(products.Count)];
            order.Lines.Add(new OrderLine { Product = product, Quantity = (byte)(1 + line), Weight = 0.3 * line, Wrapped = order.Gift });
            if (id % 11 == 0)
                product.Reviews.Add(new Review(customer, (byte)(1 + id % 5), line == 0 ? "Works." : "Not as green as in the picture."));
        }
        if (id % 50 == 0)
            order.Changed += _ => notifications++;
        customer.Orders.Add(order);
        orders.Add(order.Number, order);
    }
}
