package search

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"dowse/engine"
	"dowse/engine/layout"
)

// indexLog indexes a log of n lines, ten a chunk, of which each names its own number and that of its chunk.
func (w *world) indexLog(path string, n int) (lines []string) {
	w.t.Helper()
	for i := range n {
		end := "\n"
		if i%10 == 9 {
			end = "\n\n"
		}
		lines = append(lines, fmt.Sprintf("INFO request line%d of chunk%d was answered %s%s", i, i/10, strings.Repeat("by the worker ", 8), end))
	}
	w.kind = layout.Log
	w.index(file{path: path, text: strings.Join(lines, ""), modified: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)})
	return lines
}

// TestLinesOfLogs: what is shown of a chunk of a log begins with the line that was looked for, however often the chunk
// was read before: for a phrase, the reranker and the page.
func TestLinesOfLogs(t *testing.T) {
	w := newWorld(t)
	w.opts.Reranker, w.opts.RerankDepth = &backwards{}, 20
	lines := w.indexLog("/home/ada/app.log", 200)
	for _, mode := range []engine.Mode{engine.Lexical, engine.Hybrid, engine.Reranked} {
		for _, i := range []int{0, 1, 57, 103, 190, 195, 199} {
			for _, form := range []string{"line%d", `"line%d"`, `"line%d of"`, `"line%d" type:log after:2020`} {
				q := fmt.Sprintf(form, i)
				shown := false
				for _, p := range w.search(engine.Request{Query: q, K: 20, Mode: mode}).Passages {
					shown = shown || p.LineStart == 1+i+i/10 && strings.HasPrefix(p.Text, strings.TrimRight(lines[i], "\n"))
				}
				if !shown {
					t.Errorf("%s by %q: the line is not shown", q, mode)
				}
			}
		}
	}
}
