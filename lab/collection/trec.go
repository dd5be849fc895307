package collection

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode"

	"dowse/internal/eval"
)

// runTag names the system in the last column of a run file.
const runTag = "dowse"

// WriteRun writes rankings as trec_eval reads them, a line for each document:
//
//	query-id Q0 document-id rank score dowse
//
// Columns are separated by blanks, so white space inside an id, and the
// percent sign, are written as in a URL ("%20"). Ranks begin at 1.
func WriteRun(w io.Writer, rankings []eval.Ranking) error {
	out := bufio.NewWriter(w)
	for _, r := range rankings {
		for i, d := range r.Documents {
			// A bufio.Writer keeps its first error for Flush.
			_, _ = fmt.Fprintf(out, "%s Q0 %s %d %.6f %s\n", escapeID(r.Query), escapeID(d.ID), i+1, d.Score, runTag)
		}
	}
	return out.Flush()
}

// escapeID makes one column of an id.
func escapeID(id string) string {
	special := func(r rune) bool { return r == '%' || unicode.IsSpace(r) }
	if !strings.ContainsFunc(id, special) {
		return id
	}
	var b strings.Builder
	for _, r := range id {
		if !special(r) {
			b.WriteRune(r)
			continue
		}
		for _, c := range []byte(string(r)) {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
