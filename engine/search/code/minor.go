package code

import (
	"path/filepath"
	"slices"
	"strings"
)

// minor are names of folders whose files are beside the point of a program, and the words of a query that ask for them.
var minor = map[string][]string{
	"test": tests, "tests": tests, "testing": tests, "testdata": tests, "spec": tests, "specs": tests, "__tests__": tests, "fixtures": tests, "mocks": tests, "__mocks__": tests,
	"bench": tests, "benchmark": tests, "benchmarks": tests, "e2e": tests,
	"example": examples, "examples": examples, "_examples": examples, "_example": examples, "demo": examples, "demos": examples, "samples": examples,
	"sample": examples, "tutorial": examples, "tutorials": examples,
	"vendor": others, "node_modules": others, "third_party": others, "thirdparty": others, "dist": others, "generated": others, "gen": others, "legacy": others, "compat": others, "_compat": others,
}

var (
	tests    = []string{"test", "spec", "mock", "fixtur", "benchmark", "bench"}
	examples = []string{"exampl", "demo", "sampl", "tutori"}
	others   = []string{"vendor", "generat", "legaci", "compat"}
)

// Minor reports whether a file of a program is a test, an example, or was generated, vendored or minified, as its path
// below the indexed folder tells; not where a term of the query asks for such files.
func Minor(path string, terms []string) bool {
	asked, is := kindOf(path)
	return is && !slices.ContainsFunc(asked, func(word string) bool { return slices.Contains(terms, word) })
}

// kindOf returns the words that ask for the kind of minor files that a path is of; false of other files.
func kindOf(path string) (asked []string, is bool) {
	folders := strings.FieldsFunc(strings.ToLower(path), func(r rune) bool { return r == '/' || r == '\\' })
	if len(folders) == 0 {
		return nil, false
	}
	name := folders[len(folders)-1]
	folders = folders[:len(folders)-1]
	stem, ending, _ := strings.Cut(name, ".")
	switch {
	case strings.HasSuffix(stem, "_test"), strings.HasSuffix(stem, "_tests"), strings.HasSuffix(stem, "_spec"), strings.HasPrefix(stem, "test_"), stem == "conftest",
		strings.HasPrefix(ending, "test."), strings.HasPrefix(ending, "spec."), strings.HasPrefix(ending, "bench."), strings.HasPrefix(stem, "mock_"):
		return tests, true
	case strings.HasSuffix(name, "tests.java"), strings.HasSuffix(name, "test.java"), strings.HasSuffix(name, "test.kt"), strings.HasSuffix(name, "tests.cs"), strings.HasSuffix(name, "test.php"), strings.HasSuffix(name, "tests.swift"):
		return tests, true
	case strings.HasPrefix(stem, "example_"):
		return examples, true
	case strings.HasPrefix(ending, "pb."), strings.HasPrefix(ending, "min."), strings.HasPrefix(ending, "gen."), strings.HasPrefix(ending, "d."), strings.HasPrefix(ending, "generated."), strings.HasPrefix(ending, "designer."),
		strings.HasSuffix(stem, "_pb2"), strings.HasSuffix(stem, "_generated"), strings.HasPrefix(stem, "zz_generated"):
		return others, true
	}
	for _, folder := range folders {
		if asked, is := minor[folder]; is {
			return asked, true
		}
	}
	return nil, false
}

// Names are those of the folder of a file, and of the file without its endings.
func Names(path string) (folder, stem string) {
	dir, file := filepath.Split(path)
	stem, _, _ = strings.Cut(file, ".")
	return filepath.Base(dir), stem
}
