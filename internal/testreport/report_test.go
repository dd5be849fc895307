package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const events = `{"Action":"start","Package":"p"}
{"Action":"run","Package":"p","Test":"TestGood"}
{"Action":"output","Package":"p","Test":"TestGood","Output":"=== RUN   TestGood\n"}
{"Action":"output","Package":"p","Test":"TestGood","Output":"    a_test.go:3: chatter\n"}
{"Action":"pass","Package":"p","Test":"TestGood","Elapsed":0.1}
{"Action":"output","Package":"p","Test":"TestLater","Output":"    a_test.go:7: the model is not installed\n"}
{"Action":"output","Package":"p","Test":"TestLater","Output":"--- SKIP: TestLater (0.00s)\n"}
{"Action":"skip","Package":"p","Test":"TestLater"}
{"Action":"output","Package":"p","Test":"TestAll/sub","Output":"    a_test.go:9: the model is not installed\n"}
{"Action":"output","Package":"p","Test":"TestAll/sub","Output":"    --- SKIP: TestAll/sub (0.00s)\n"}
{"Action":"skip","Package":"p","Test":"TestAll/sub"}
`

// TestReport: failures are printed whole, chatter is not, and skips say why.
func TestReport(t *testing.T) {
	const bad = `{"Action":"output","Package":"p","Test":"TestBad/sub","Output":"    a_test.go:9: want 1\n"}
{"Action":"fail","Package":"p","Test":"TestBad/sub"}
{"Action":"output","Package":"p","Test":"TestHangs","Output":"panic: test timed out\n"}
{"Action":"output","Package":"p","Output":"FAIL\tp\t0.2s\n"}
{"Action":"fail","Package":"p"}
`
	const good = `{"Action":"output","Package":"p","Output":"ok  \tp\t0.2s\n"}
{"Action":"pass","Package":"p"}
`
	for _, c := range []struct {
		name, in string
		ok       bool
		with     []string
	}{
		{"good", events + good, true, []string{"ok  \tp\t0.2s\n", "\n1 tests passed, 0 failed, 2 were skipped\n", "skipped: the model is not installed\n    p TestAll/sub\n    p TestLater\n"}},
		{"bad", events + bad, false, []string{"a_test.go:9: want 1", "panic: test timed out", "FAIL\tp", ", 2 failed,"}},
		{"no build", "p/a.go:1: syntax error\n" + `{"ImportPath":"p","Action":"build-fail"}` + "\n", false, []string{"syntax error"}},
	} {
		file := filepath.Join(t.TempDir(), "skipped")
		var out strings.Builder
		ok, err := run(strings.NewReader(c.in), &out, file, false, false)
		if err != nil || ok != c.ok {
			t.Errorf("%s: %t, %v", c.name, ok, err)
		}
		for _, want := range c.with {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: %q is missing from %q", c.name, want, out.String())
			}
		}
		if strings.Contains(out.String(), "chatter") {
			t.Errorf("%s: %q", c.name, out.String())
		}
		data, err := os.ReadFile(file)
		if got := string(data); strings.Contains(c.in, "TestLater") && (err != nil || got != "skipped: the model is not installed\n    p TestAll/sub\n    p TestLater\n") {
			t.Errorf("%s: the file holds %q, %v", c.name, got, err)
		}
	}
}
