package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// event is a line of go test -json; see go doc test2json.
type event struct {
	Action      string
	Package     string
	ImportPath  string // of a build
	Test        string
	Output      string
	Elapsed     float64
	FailedBuild string
}

// name is a test of a package.
type name struct{ pkg, test string }

// report collects what tests did.
type report struct {
	out     io.Writer
	verbose bool

	said    map[name][]string // of tests under way, and of packages as a whole
	skipped map[string][]name // by reason
	passed  int               // tests, subtests aside
	failed  int               // tests and packages
}

func newReport(out io.Writer, verbose bool) *report {
	return &report{out: out, verbose: verbose, said: map[name][]string{}, skipped: map[string][]name{}}
}

// read takes events until their end. A line that is none, as of a compiler, is
// printed as it is.
func (r *report) read(in io.Reader) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) != nil || e.Action == "" {
				fmt.Fprintf(r.out, "%s", line)
			} else {
				r.take(e)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// take takes one event.
func (r *report) take(e event) {
	n := name{e.Package, e.Test}
	switch e.Action {
	case "build-output":
		fmt.Fprint(r.out, e.Output)
	case "build-fail":
		r.failed++
	case "output":
		if r.verbose {
			fmt.Fprint(r.out, e.Output)
		}
		r.said[n] = append(r.said[n], e.Output)
	case "pass", "fail", "skip":
		r.end(n, e)
	}
}

// end takes the end of a test, or of a package.
func (r *report) end(n name, e event) {
	said := r.said[n]
	delete(r.said, n)
	switch {
	case e.Action == "fail":
		r.failed++
		if !r.verbose {
			fmt.Fprint(r.out, strings.Join(said, ""))
		}
	case n.test == "":
		if !r.verbose && len(said) > 0 { // ok, or no test files
			fmt.Fprint(r.out, said[len(said)-1])
		}
	case e.Action == "skip":
		reason := reasonOf(said)
		r.skipped[reason] = append(r.skipped[reason], n)
	case !strings.Contains(n.test, "/"):
		r.passed++
	}
	if n.test == "" { // what a test said that did not end, as the binary was killed
		for _, left := range slices.SortedFunc(maps.Keys(r.said), compare) {
			if left.pkg == n.pkg {
				if e.Action == "fail" && !r.verbose {
					fmt.Fprint(r.out, strings.Join(r.said[left], ""))
				}
				delete(r.said, left)
			}
		}
	}
}

// place is where a test was when it logged.
var place = regexp.MustCompile(`^\s+\S+\.go:\d+: `)

// ended matches the line with which a test that was skipped ends.
var ended = regexp.MustCompile(`(?m)^\s*--- SKIP: .*\n`)

// reasonOf is why a test was skipped.
func reasonOf(said []string) string {
	for i := len(said) - 1; i >= 0; i-- {
		if at := place.FindStringIndex(said[i]); at != nil {
			reason := strings.Join(said[i:], "")[at[1]:]
			return strings.TrimSpace(ended.ReplaceAllString(reason, ""))
		}
	}
	return "no reason is given"
}

func compare(a, b name) int {
	if c := strings.Compare(a.pkg, b.pkg); c != 0 {
		return c
	}
	return strings.Compare(a.test, b.test)
}

// summary counts.
func (r *report) summary() string {
	count := 0
	for _, names := range r.skipped {
		count += len(names)
	}
	return fmt.Sprintf("\n%d tests passed, %d failed, %d were skipped\n", r.passed, r.failed, count)
}

// skippedList returns the tests that were skipped, by reason.
func (r *report) skippedList() string {
	var b strings.Builder
	for _, reason := range slices.Sorted(maps.Keys(r.skipped)) {
		fmt.Fprintf(&b, "skipped: %s\n", reason)
		for _, n := range slices.SortedFunc(slices.Values(r.skipped[reason]), compare) {
			fmt.Fprintf(&b, "    %s %s\n", n.pkg, n.test)
		}
	}
	return b.String()
}
