package main

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// goPackage is what go list tells of a package.
type goPackage struct {
	ImportPath, Dir                    string
	Imports, TestImports, XTestImports []string
}

// changed returns the packages that files belong to, and whether what imports them can
// see the change: no importer sees tests and what they read. A file that lies beside no
// package belongs to the closest one above it, except the root's; go.mod belongs to all.
func changed(root string, packages []goPackage, files []string) map[string]bool {
	byDir := map[string]string{}
	for _, p := range packages {
		byDir[p.Dir] = p.ImportPath
	}
	found := map[string]bool{}
	for _, file := range files {
		if file == "go.mod" || file == "go.sum" {
			for _, p := range packages {
				found[p.ImportPath] = true
			}
		}
		dir := filepath.Dir(filepath.Join(root, file))
		for dir != root && byDir[dir] == "" {
			dir = filepath.Dir(dir)
		}
		if path := byDir[dir]; path != "" && (dir != root || strings.HasSuffix(file, ".go")) {
			ofTests := strings.HasSuffix(file, "_test.go") || strings.Contains("/"+file, "/testdata/")
			found[path] = found[path] || !ofTests
		}
	}
	return found
}

// byDistance returns the packages that a change can break, in rings: the changed
// ones, then their importers, and so on. A package whose tests alone import a changed
// one is in a ring, and its own importers are not for that.
func byDistance(packages []goPackage, changed map[string]bool) [][]string {
	importers, testers := map[string][]string{}, map[string][]string{}
	for _, p := range packages {
		for _, path := range p.Imports {
			importers[path] = append(importers[path], p.ImportPath)
		}
		for _, path := range slices.Concat(p.TestImports, p.XTestImports) {
			testers[path] = append(testers[path], p.ImportPath)
		}
	}
	var rings [][]string
	inRing, seen := map[string]bool{}, map[string]bool{}
	for ring := changed; len(ring) > 0; {
		var paths []string
		next := map[string]bool{}
		for _, path := range slices.Sorted(maps.Keys(ring)) {
			if !inRing[path] {
				paths, inRing[path] = append(paths, path), true
			}
			if !ring[path] || seen[path] {
				continue
			}
			seen[path] = true
			for _, importer := range importers[path] {
				next[importer] = true
			}
			for _, tester := range testers[path] {
				next[tester] = next[tester] || false
			}
		}
		if len(paths) > 0 {
			rings = append(rings, paths)
		}
		ring = next
	}
	return rings
}
