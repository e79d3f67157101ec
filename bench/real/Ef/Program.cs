// SPDX-License-Identifier: MIT
// A program with a database in memory: one long-lived context that tracks all it reads, and many short ones beside it.
using Microsoft.Data.Sqlite;
using Microsoft.EntityFrameworkCore;

using var connection = new SqliteConnection("Data Source=:memory:");
connection.Open();
using (var context = new Shop(connection))
{
    context.Database.EnsureCreated();
    for (int i = 1; i <= 500; i++)
    {
        var customer = new Customer { Name = $"customer {i}", Town = $"town {i % 20}" };
        for (int j = 0; j < 20; j++)
        {
            customer.Orders.Add(new Order { Placed = DateTime.UnixEpoch.AddHours(i * 20 + j), Lines = { new Line { Product = $"sku-{j}", Count = j + 1 } } });
        }
        context.Add(customer);
    }
    context.SaveChanges();
}
using var tracked = new Shop(connection);
var customers = tracked.Customers.Include(c => c.Orders).ThenInclude(o => o.Lines).ToList();
int found = 0;
for (int i = 0; i < 500; i++)
{
    using var context = new Shop(connection);
    string town = $"town {i % 20}";
    found += context.Customers.AsNoTracking().Where(c => c.Town == town).Select(c => new { c.Name, Orders = c.Orders.Count }).ToList().Count;
    found += context.Lines.Where(l => l.Count > i % 20).GroupBy(l => l.Product).Select(g => new { g.Key, Sum = g.Sum(l => l.Count) }).ToList().Count;
}
Console.WriteLine($"ready: {customers.Count} customers, {found} rows");
Thread.Sleep(Timeout.Infinite);

public class Customer
{
    public int Id { get; set; }
    public required string Name { get; set; }
    public required string Town { get; set; }
    public List<Order> Orders { get; } = [];
}

public class Order
{
    public int Id { get; set; }
    public DateTime Placed { get; set; }
    public Customer? Customer { get; set; }
    public List<Line> Lines { get; } = [];
}

public class Line
{
    public int Id { get; set; }
    public required string Product { get; set; }
    public int Count { get; set; }
    public Order? Order { get; set; }
}

public class Shop(SqliteConnection connection) : DbContext
{
    public DbSet<Customer> Customers => Set<Customer>();
    public DbSet<Line> Lines => Set<Line>();

    protected override void OnConfiguring(DbContextOptionsBuilder options) => options.UseSqlite(connection);
}
