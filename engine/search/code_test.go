package search

import (
	"fmt"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/engine/lexical"
)

// program holds a symbol more often elsewhere than where it is defined.
func program() (files []file) {
	add := func(name, text string) { files = append(files, file{path: root + "/p/" + name, text: text}) }
	for i := range 30 {
		add(fmt.Sprintf("caller%d.go", i), strings.Repeat("Mux ", 3+i%5)+fmt.Sprintf("is called here as number %d of all", i))
	}
	add("mux.go", "func Mux of a tree whose nodes are many and which is long enough to score low by its words alone")
	add("routes_test.go", "routes are matched by the longest one")
	add("routes.go", "routes are matched by the longest one first")
	return files
}

// definesFunc are the words behind func.
func definesFunc(text string) []string {
	name, is := strings.CutPrefix(text, "func ")
	if !is {
		return nil
	}
	name = strings.Fields(name)[0]
	if _, own, member := strings.Cut(name, "."); member {
		return []string{"." + own, name}
	}
	return []string{name}
}

func (w *world) paths(query string, mode engine.Mode) (list []string) {
	w.t.Helper()
	found, _, err := w.Retrieve(w.t.Context(), query, mode, 40)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, f := range found {
		list = append(list, strings.TrimPrefix(f.Path, root+"/p/"))
	}
	return list
}

func TestDefinitionsRankFirst(t *testing.T) {
	w := newWorld(t)
	w.kind, w.defines = layout.Code, definesFunc
	w.index(program()...)
	for _, mode := range []engine.Mode{engine.Lexical, engine.Hybrid} {
		for _, query := range []string{"Mux", "mux", "type Mux", "p.Mux", "where the Mux has its tree of nodes", "what of Mux() is long enough"} {
			if got := w.paths(query, mode); got[0] != "mux.go" {
				t.Errorf("%q by %s: first %v, want the definition", query, mode, got[:3])
			}
		}
		if got := w.paths("how routes are matched", mode); got[0] != "routes.go" {
			t.Errorf("by %s: first %v, want the test behind", mode, got[:3])
		}
		if got := w.paths("test of how routes are matched by the longest one", mode); got[0] != "routes_test.go" {
			t.Errorf("by %s: first %v, want the test that was asked for", mode, got[:3])
		}
	}
}

// The same files as text rank by words and meaning alone: their order is that without any rule.
func TestRulesOfCodeLeaveProseAlone(t *testing.T) {
	w := newWorld(t)
	w.defines = definesFunc
	w.index(program()...)
	if got := w.paths("Mux", engine.Lexical); got[0] == "mux.go" {
		t.Error("a definition is lifted in prose")
	}
	l := &retrieval{Engine: w.Engine, words: lexical.Result{}, mode: engine.Hybrid}
	for _, query := range []string{"Mux", "how routes are matched"} {
		var before []candidate
		_, list, err := w.retrieve(t.Context(), &formulation{Query: engine.Literal(query)}, engine.Request{K: 40, Mode: engine.Hybrid}, &recorder{})
		if err != nil || len(list) == 0 {
			t.Fatal(list, err)
		}
		before = append(before, list...)
		l.indexes, l.q = []*indexSearch{{Engine: w.Engine}}, &formulation{Query: engine.Literal(query)}
		if l.indexes[0].commit, err = w.source.Copy(nil); err != nil {
			t.Fatal(err)
		}
		for i, c := range l.rankCode(list, 1) {
			if c != before[i] {
				t.Errorf("%q: place %d is %+v by the rules, %+v without", query, i, c, before[i])
			}
		}
	}
}

// Of several definitions of a name the one comes first that is written as the query has it, then one of its package, and one
// without a type.
func TestDefinitionsAsTheQueryNamesThem(t *testing.T) {
	w := newWorld(t)
	w.kind, w.defines = layout.Code, definesFunc
	var files []file
	for _, f := range [][2]string{{"list/sort.go", "func close of lists"}, {"net/conn.go", "func Conn.Close of connections"}, {"net/all.go", "func Close of all"}, {"list/all.go", "func Close of lists"}} {
		files = append(files, file{path: root + "/p/" + f[0], text: f[1]})
	}
	w.index(files...)
	for query, want := range map[string]string{"close": "list/sort.go", "net.Close": "net/all.go", "list.Close": "list/all.go", "Conn.Close": "net/conn.go", "func (c *Conn) Close()": "net/conn.go"} {
		if got := w.paths(query, engine.Lexical); got[0] != want {
			t.Errorf("%q: %v, want %s first", query, got, want)
		}
	}
}

// A description of code leans on meaning, a symbol and prose on words.
func TestDescriptionsOfCodeLeanOnMeaning(t *testing.T) {
	weight := func(kind uint8, query string) float64 {
		w := newWorld(t)
		w.kind, w.defines = kind, definesFunc
		w.index(program()...)
		return w.search(engine.Request{Query: query, Mode: engine.Hybrid}).Stats.LexicalWeight
	}
	described := "routes that are matched by the longest one"
	if code, prose := weight(layout.Code, described), weight(0, described); code == 0 || code >= prose {
		t.Errorf("words weigh %.3f among code, %.3f among prose", code, prose)
	}
	if code, prose := weight(layout.Code, "routes matched by fooBar"), weight(0, "routes matched by fooBar"); code != prose {
		t.Errorf("beside a symbol words weigh %.3f among code, %.3f among prose", code, prose)
	}
}
