// SPDX-License-Identifier: MIT
using System.Text.Json;
using System.Text.Json.Nodes;
using Newtonsoft.Json.Linq;

namespace Museum;

/// <summary>JSON as the framework and as Newtonsoft keep it.</summary>
static class Json
{
    const string Source = """{"name":"Ada \"A\"","age":36,"tags":["x",2.50,null,true,{"deep":[[]]}],"empty":{},"n\u0061me2":false}""";

    public static IEnumerable<Account> Describe() => DescribeDocuments().Concat(DescribeNodes()).Concat(DescribeTokens());

    static IEnumerable<Account> DescribeDocuments()
    {
        JsonDocument document = JsonDocument.Parse(Source);
        JsonElement root = document.RootElement;
        JsonElement tags = root.GetProperty("tags");
        yield return OfElement("Museum.Json.document", document, "JsonDocument", root);
        yield return OfElement("Museum.Json.root", root, "JsonElement", root);
        yield return OfElement("Museum.Json.tags", tags, "JsonElement", tags);
        yield return Exhibit.Text("Museum.Json.text", root.GetProperty("name"), """
            "Ada \"A\""
            """);
        yield return Exhibit.Text("Museum.Json.number", tags[1], tags[1].GetRawText());
        yield return Exhibit.Text("Museum.Json.null", tags[2], tags[2].GetRawText());
        yield return Exhibit.Text("Museum.Json.true", tags[3], tags[3].GetRawText());
        yield return Exhibit.Text("Museum.Json.undefined", default(JsonElement), "undefined");
    }

    static Account OfElement(string path, object content, string kind, JsonElement element)
    {
        bool isObject = element.ValueKind == JsonValueKind.Object;
        List<JsonElement> values = isObject ? element.EnumerateObject().Select(member => member.Value).ToList() : element.EnumerateArray().ToList();
        return Exhibit.Items(path, content, kind, values.Select(value => (object?)new Written(TextOf(value))), isObject ? element.EnumerateObject().Select(member => (object?)new Written($"\"{member.Name}\"")) : null)
            .Add("text", element.GetRawText());
    }

    static string TextOf(JsonElement element) =>
        element.ValueKind == JsonValueKind.String ? "\"" + element.GetString()!.Replace("\"", "\\\"") + "\"" : element.GetRawText();

    static IEnumerable<Account> DescribeNodes()
    {
        var parsed = (JsonObject)JsonNode.Parse(Source)!;
        yield return Exhibit.Items("Museum.Json.parsed", parsed, "JsonObject", Parts("name", "age", "tags", "empty", "name2"), Keys("name", "age", "tags", "empty", "name2"));
        yield return Exhibit.Items("Museum.Json.parsedArray", JsonNode.Parse("[1, \"two\", null]")!, "JsonArray", [new Written("1"), new Written("\"two\""), new Written("null")]);
        var seen = (JsonObject)JsonNode.Parse(Source)!;
        List<object?> values = seen.Select(pair => Node(pair.Value)).ToList();  // looked at, so that it has nodes of its own
        yield return Exhibit.Items("Museum.Json.seen", seen, "JsonObject", values, seen.Select(pair => (object?)pair.Key));
        var made = new JsonObject { ["n"] = 5, ["s"] = "text", ["none"] = null, ["list"] = new JsonArray(1, 2L, "three", 4.5) };
        yield return Exhibit.Items("Museum.Json.made", made, "JsonObject", made.Select(pair => Node(pair.Value)), made.Select(pair => (object?)pair.Key));
        yield return Exhibit.Items("Museum.Json.list", made["list"]!, "JsonArray", made["list"]!.AsArray().Select(Node));
        yield return Exhibit.Text("Museum.Json.value", made["n"]!, "5");
        yield return Exhibit.Text("Museum.Json.valueOfText", made["s"]!, "\"text\"");
        yield return Exhibit.Text("Museum.Json.valueOfElement", seen["age"]!, "36");
        yield return Exhibit.Items("Museum.Json.madeEmpty", new JsonObject(), "JsonObject", [], []);
        yield return Exhibit.Items("Museum.Json.listEmpty", new JsonArray(), "JsonArray", []);
        var read = JsonSerializer.Deserialize<JsonArray>("[\"r\\u0065ad\", 12.5, true]")!;
        yield return Exhibit.Items("Museum.Json.read", read, "JsonArray", [new Written("\"read\""), new Written("12.5"), new Written("true")]);
    }

    static IEnumerable<object?> Parts(params string[] names)
    {
        JsonElement root = JsonDocument.Parse(Source).RootElement;
        return names.Select(name => (object?)new Written(TextOf(root.GetProperty(name))));
    }

    static IEnumerable<object?> Keys(params string[] names) => names.Select(name => (object?)new Written($"\"{name}\""));

    static object? Node(JsonNode? node) => node is JsonValue value ? new Written(value.GetValueKind() == JsonValueKind.String ? "\"" + ((string)value!).Replace("\"", "\\\"") + "\"" : value.ToJsonString()) : node;

    static IEnumerable<Account> DescribeTokens()
    {
        JObject parsed = JObject.Parse(Source);
        yield return Exhibit.Items("Museum.Json.token", parsed, "JObject", parsed.PropertyValues().Select(Token), parsed.Properties().Select(property => (object?)property.Name));
        var array = (JArray)JObject.Parse(Source)["tags"]!;  // of another tree, so that the first one is held in one way alone
        yield return Exhibit.Items("Museum.Json.tokenArray", array, "JArray", array.Select(Token));
        yield return Exhibit.Items("Museum.Json.tokenEmpty", new JObject(), "JObject", [], []);
        yield return Exhibit.Items("Museum.Json.property", JObject.Parse(Source).Property("age")!, "JProperty", [new Written("36")], ["age"]).Add("text", "\"age\": 36");
        yield return Exhibit.Text("Museum.Json.tokenText", new JValue("a\tb"), "\"a\\tb\"");
        yield return Exhibit.Text("Museum.Json.tokenNumber", new JValue(12L), "12");
        yield return Exhibit.Text("Museum.Json.tokenReal", new JValue(2.5), "2.5");
        yield return Exhibit.Text("Museum.Json.tokenNull", JValue.CreateNull(), "null");
        yield return Exhibit.Text("Museum.Json.tokenUndefined", JValue.CreateUndefined(), "undefined");
        yield return Exhibit.Text("Museum.Json.tokenTime", new JValue(new DateTime(2024, 2, 29, 12, 30, 0, DateTimeKind.Utc)), "2024-02-29 12:30:00 UTC");
        yield return Exhibit.Text("Museum.Json.tokenRaw", new JRaw("[1]"), "\"[1]\"");
        var made = new JConstructor("Date", 1, 2);
        yield return Exhibit.Items("Museum.Json.tokenConstructor", made, "JConstructor", made.Select(Token));
    }

    static object? Token(JToken token) => token is JValue value ? value.Type == JTokenType.String ? new Written("\"" + ((string)value!).Replace("\"", "\\\"") + "\"") : new Written(value.ToString(Newtonsoft.Json.Formatting.None)) : token;
}
