package chunk_test

import (
	"slices"
	"strings"
	"testing"

	"dowse/indexer/chunk"
	"dowse/indexer/document"
)

// What a line defines, in the languages that people write; the names are those that a search knows it by.
func TestDefinitions(t *testing.T) {
	for _, c := range []struct{ language, text, names string }{
		{"go", "func (s *Server) Close() error {", ".Close Server.Close"},
		{"go", "func Map[T any](list []T) {", "Map"},
		{"go", "type Server struct {", "Server"},
		{"go", "const (\n\tStatusOK = 200\n\t// StatusX is one.\n\tStatusX\n)", "StatusOK StatusX"},
		{"go", "var ErrClosed = errors.New(\"closed\")", "ErrClosed"},
		{"go", "var s = `\ntype Wrong struct {\n`\nfunc right() {}", "s right"},
		{"python", "class Queue(Base):\n    async def get(self):\n        def inner():", "Queue .get Queue.get"},
		{"python", "def f():\n    \"\"\"Text.\n\nclass wrong of text:\n    \"\"\"", "f"},
		{"python", "DEFAULT_SIZE = 8\nlower = 9", "DEFAULT_SIZE"},
		{"rust", "pub(crate) async fn poll<T>(x: T) {", "poll"},
		{"rust", "impl<T> Display for Point<T> {\n    fn fmt(&self) {}\n}", ".fmt Point.fmt"},
		{"rust", "pub trait Shape {", "Shape"},
		{"java", "public class A extends B {\n    private static List<String> names(int a) {\n        if (a) {", "A .names A.names"},
		{"kotlin", "data class Point(val x: Int)\nsuspend fun <T> load(): T {", "Point load"},
		{"c", "static int\nparse_args(int argc)\n{\n    return call(argc);\n}", "parse_args"},
		{"c", "#define LIMIT 8\nstruct node {\n    int a;\n};\nint twice(int a) {", "LIMIT node twice"},
		{"c++", "Node::Node(Config* c) : c_(c) {", ".Node Node.Node"},
		{"c++", "namespace a {\nclass B {\n  void run() override {\n", "B .run B.run"},
		{"c#", "public sealed record Person(string Name);", "Person"},
		{"javascript", "res.send = function send(body) {", ".send res.send"},
		{"javascript", "export default class View {\n  async render(options) {\n    if (options) {", "View .render View.render"},
		{"javascript", "const add = (a, b) => a + b;\nconst fs = require('fs');", "add"},
		{"typescript", "export interface Options {\n  name: string;\n}\nexport function run(o: Options): void {", "Options run"},
		{"php", "final class Query {\n    public function get(string $id): array\n    {", "Query .get Query.get"},
		{"ruby", "module Rack\n  class Request\n    def self.call(env)", "Rack .Request Rack.Request .call self.call"},
		{"swift", "extension String {\n    mutating func trim() {", "String .trim String.trim"},
		{"scala", "object Main {\n  def run(args: List[String]): Unit = {", "Main .run Main.run"},
		{"lua", "function M.setup(opts)\nlocal function helper()", ".setup M.setup helper"},
		{"elixir", "defmodule Plug.Conn do\n  def halt(conn) do", ".Conn Plug.Conn .halt Conn.halt"},
		{"haskell", "parseJSON :: Value -> Parser a\ndata Tree a = Leaf", "parseJSON Tree"},
		{"shell", "nvm_ls() {", "nvm_ls"},
		{"perl", "sub forward($$);\nsub shift_all {", "shift_all"},
		{"lisp", "(defun take (n list)", "take"},
		{"sql", "CREATE TABLE IF NOT EXISTS shop.orders (id int);", "orders"},
		{"protobuf", "message Order {", "Order"},
		{"zig", "pub fn init(a: Allocator) !Self {", "init"},
		{"json", "{\"class Foo\": 1}", ""},
		{"yaml", "type: struct", ""},
		{"go", "// func wrong() is a comment\nif f(x) {\n\treturn g(y)\n}", ""},
		{"javascript", "describe('x', function() {\nfoo(bar, function () {", ""},
	} {
		if got := namesIn(c.language, c.text); !slices.Equal(got, strings.Fields(c.names)) {
			t.Errorf("%s: %q defines %q, want %q", c.language, c.text, got, c.names)
		}
	}
}

// namesIn lists the names that a text in a language defines.
func namesIn(language, text string) []string {
	doc := &document.Document{Kind: document.Code, Language: language, Text: text}
	return chunk.ReadDefinitions(doc).Names(0, len(text))
}

// Chunks of code say which definition they begin in, with the comments above it, and what they define.
func TestChunksSayWhatTheyDefine(t *testing.T) {
	text := "class Timer:\n    \"\"\"Measures how long something takes, and how often it was asked to.\"\"\"\n\n" + strings.Repeat("    x = 1 + some.thing(other)\n", 60) +
		"\n    # Starts the timer, unless it runs already, which is an error of the caller.\n    @guarded\n    def start(self):\n" + strings.Repeat("        self.begun = time.monotonic() + self.offset + self.more\n", 30)
	chunks := split(t, "a.py", text)
	var headings, defines []string
	for _, c := range chunks {
		headings, defines = append(headings, c.Heading), append(defines, c.Defines...)
	}
	if headings[0] != "class Timer" || headings[len(headings)-1] != "class Timer > def start" || !slices.Equal(defines, []string{"Timer", ".start", "Timer.start"}) {
		t.Errorf("headings %q, defined %q", headings, defines)
	}
}
