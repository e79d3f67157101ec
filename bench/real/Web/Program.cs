// SPDX-License-Identifier: MIT
// A small web program in the usual way: controllers, sessions, a cache, a client of its own. It answers some thousand requests first.
using Microsoft.AspNetCore.Mvc;
using Microsoft.Extensions.Caching.Memory;

var builder = WebApplication.CreateBuilder(args);
builder.WebHost.UseUrls("http://127.0.0.1:0");
builder.Logging.SetMinimumLevel(LogLevel.Warning);
builder.Services.AddControllersWithViews();
builder.Services.AddMemoryCache();
builder.Services.AddSession();
builder.Services.AddHttpClient();
builder.Services.AddAuthentication();
builder.Services.AddAuthorization();
var app = builder.Build();
app.UseSession();
app.MapControllers();
app.MapGet("/hello/{name}", (string name, HttpContext context) =>
{
    context.Session.SetString("name", name);
    return new { Greeting = $"Hello, {name}", At = DateTime.UnixEpoch };
});
await app.StartAsync();
using (var client = app.Services.GetRequiredService<IHttpClientFactory>().CreateClient())
{
    client.BaseAddress = new Uri(app.Urls.First());
    for (int i = 0; i < 2000; i++)
    {
        await client.GetStringAsync($"/hello/visitor{i % 100}");
        await client.GetStringAsync($"/orders/{i}");
    }
}
Console.WriteLine("ready");
await app.WaitForShutdownAsync();

public record OrderLine(string Product, int Count, decimal Price);

public record Order(int Id, string Customer, IReadOnlyList<OrderLine> Lines);

[ApiController]
[Route("orders")]
public class OrdersController(IMemoryCache cache) : ControllerBase
{
    [HttpGet("{id:int}")]
    public ActionResult<Order> Get(int id) =>
        cache.GetOrCreate(id, _ => new Order(id, $"customer {id % 50}", [.. Enumerable.Range(1, id % 9 + 1).Select(n => new OrderLine($"sku-{n}", n, n * 1.25m))]))!;
}
