package code_test

import (
	"slices"
	"testing"

	"dowse/engine/search/code"
)

func TestSymbols(t *testing.T) {
	whole := func(name string) []code.Symbol { return []code.Symbol{{Name: name, Whole: true}} }
	within := func(names ...string) (list []code.Symbol) {
		for _, n := range names {
			list = append(list, code.Symbol{Name: n})
		}
		return list
	}
	for query, want := range map[string][]code.Symbol{
		"Mux":                              whole("Mux"),
		"type Mux":                         whole("Mux"),
		"func (*Server).Close()":           whole("Server.Close"),
		"func (s *Server) Close":           whole("Server.Close"),
		"func (l List[T]) Len()":           whole("List.Len"),
		"Server::close":                    whole("Server.close"),
		"read_exactly?":                    whole("read_exactly"),
		"how does Server.Close wait":       within("Server.Close"),
		"what calls read_exactly()":        within("read_exactly"),
		"where `parseHeader` is used":      within("parseHeader"),
		"the Mux type":                     within("Mux"),
		"How are routes matched":           nil,
		"HTTP router and middleware":       nil,
		"e.g. the file config.json, 2.5":   nil,
		"what the deadline is for (today)": nil,
		"12":                               nil,
		"":                                 nil,
	} {
		if got := code.Symbols(query); !slices.Equal(got, want) {
			t.Errorf("%q names %+v, want %+v", query, got, want)
		}
	}
}

func TestMinor(t *testing.T) {
	for path, want := range map[string]bool{
		"/src/net/http/serve_test.go": true, "/a/test_json.py": true, "/a/tests/data.py": true, "/a/view.spec.ts": true, "/a/FooTest.java": true,
		"/a/_examples/rest/main.go": true, "/a/node_modules/x/index.js": true, "/a/x.pb.go": true, "/a/jquery.min.js": true, "/a/index.d.ts": true,
		"/src/net/http/serve.go": false, "/a/latest.go": false, "/a/contest.py": false, "/a/generate.go": false, "": false,
	} {
		if got := code.Minor(path, nil); got != want {
			t.Errorf("%s: minor %v, want %v", path, got, want)
		}
	}
	if code.Minor("/a/serve_test.go", []string{"test", "server"}) {
		t.Error("a test is minor to a query that asks for tests")
	}
}

func TestNames(t *testing.T) {
	if folder, stem := code.Names("/src/net/http/serve.pb.go"); folder != "http" || stem != "serve" {
		t.Errorf("%q and %q", folder, stem)
	}
}
