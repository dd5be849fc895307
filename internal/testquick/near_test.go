package main

import (
	"maps"
	"reflect"
	"testing"
)

// packages import one another: a <- b <- c, the tests of d alone import a, and e imports d.
var packages = []goPackage{
	{ImportPath: "m", Dir: "/m"},
	{ImportPath: "m/a", Dir: "/m/a"},
	{ImportPath: "m/b", Dir: "/m/b", Imports: []string{"m/a"}, XTestImports: []string{"m/b"}},
	{ImportPath: "m/c", Dir: "/m/c", Imports: []string{"m/b", "m/a/z"}},
	{ImportPath: "m/d", Dir: "/m/d", TestImports: []string{"m/a"}},
	{ImportPath: "m/e", Dir: "/m/e", Imports: []string{"m/d"}},
}

// TestChanged: a file belongs to the package that it lies in or under, and what tests
// read is not seen by importers.
func TestChanged(t *testing.T) {
	for _, c := range []struct {
		files []string
		want  map[string]bool
	}{
		{[]string{"README.md", "docs/x.md"}, map[string]bool{}},
		{[]string{"main.go"}, map[string]bool{"m": true}},
		{[]string{"a/a.go", "b/b_test.go"}, map[string]bool{"m/a": true, "m/b": false}},
		{[]string{"a/testdata/deep/golden", "b/prompts/x.txt"}, map[string]bool{"m/a": false, "m/b": true}},
		{[]string{"a/a_test.go", "a/a.go"}, map[string]bool{"m/a": true}},
	} {
		if got := changed("/m", packages, c.files); !maps.Equal(got, c.want) {
			t.Errorf("%q: %v, want %v", c.files, got, c.want)
		}
	}
	if got := changed("/m", packages, []string{"go.mod"}); len(got) != len(packages) {
		t.Errorf("go.mod changes %v", got)
	}
}

// TestByDistance: importers of importers can break; importers of what imports a package
// in its tests alone cannot.
func TestByDistance(t *testing.T) {
	for _, c := range []struct {
		changed map[string]bool
		want    [][]string
	}{
		{nil, nil},
		{map[string]bool{"m/c": true}, [][]string{{"m/c"}}},
		{map[string]bool{"m/a": false}, [][]string{{"m/a"}}},
		{map[string]bool{"m/a": true}, [][]string{{"m/a"}, {"m/b", "m/d"}, {"m/c"}}},
		{map[string]bool{"m/a": true, "m/d": true}, [][]string{{"m/a", "m/d"}, {"m/b", "m/e"}, {"m/c"}}},
	} {
		if got := byDistance(packages, c.changed); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: %v, want %v", c.changed, got, c.want)
		}
	}
}
