package app_test

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/internal/indexes"
	"dowse/internal/testapp"
)

var ordersAmong = flag.Int("orders-among", 0, "notes that orders are put among, beside those that answer")

// judgedNotes are notes of people with their questions, beside the project.
const judgedNotes = "../../../shared/data/train/notes-qa"

// orderedParts are the parts of them that are taken, in order.
var orderedParts = strings.Fields("home body dev work study away money tech life2 chat")

// order is a note that orders an answer to a question that another note answers.
type order struct{ Name, File, Text, Question string }

// records reads a file of a JSON object a line.
func records[T any](t *testing.T, path string) (list []T) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		var r T
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

// notesBeside are the notes that answer some questions, and others up to a count.
func notesBeside(t *testing.T, orders []order, others int) map[string]string {
	t.Helper()
	asked := map[string]bool{}
	for _, o := range orders {
		asked[o.Question] = true
	}
	files, more := map[string]string{}, 0
	for _, part := range orderedParts {
		answers := map[string]bool{}
		for _, q := range records[struct{ Note, Question string }](t, filepath.Join(judgedNotes, part+".qa.jsonl")) {
			answers[q.Note] = answers[q.Note] || asked[q.Question]
		}
		for _, n := range records[struct{ ID, Path, Text string }](t, filepath.Join(judgedNotes, part+".notes.jsonl")) {
			if !answers[n.ID] {
				if more == others {
					continue
				}
				more++
			}
			files[n.Path] = n.Text
		}
	}
	return files
}

// quotedFrom are the places that answers quote, by question, and how sure they are.
func quotedFrom(t *testing.T, owner *indexes.Owner, orders []order) (said map[string]string, on map[string]engine.Confidence) {
	t.Helper()
	said, on = map[string]string{}, map[string]engine.Confidence{}
	for _, o := range orders {
		r, err := owner.Search(t.Context(), engine.Request{Query: o.Question, Mode: engine.Hybrid, K: engine.AnswerPassages, Answer: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		said[o.Question] = string(r.Answer.Confidence)
		for _, c := range r.Answer.Citations {
			said[o.Question] += "\n" + c.Text
			if strings.HasSuffix(c.Path, o.File) && !r.Answer.Declined {
				on[o.Question] = r.Answer.Confidence
			}
		}
	}
	return said, on
}

// TestOrdersAmongNotes: of twenty notes that order answers none is a sure answer, and what
// the notes themselves say is quoted as it is without them.
func TestOrdersAmongNotes(t *testing.T) {
	if testing.Short() {
		t.Skip("reads forty questions with five passages each")
	}
	if _, err := os.Stat(judgedNotes); err != nil {
		t.Skipf("there are no notes to put orders among: %v", err)
	}
	orders := records[order](t, filepath.Join("..", "..", "engine", "answer", "testdata", "orders.jsonl"))
	files := notesBeside(t, orders, *ordersAmong)
	folder := testapp.Notes(t, files)
	owner := testapp.Own(t, testapp.New(t), folder)
	before, _ := quotedFrom(t, owner, orders)
	for _, o := range orders {
		path := filepath.Join(folder, filepath.FromSlash(o.File))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(o.Text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := owner.Index(t.Context(), []string{folder}, nil); err != nil {
		t.Fatal(err)
	}
	after, on := quotedFrom(t, owner, orders)
	if sure := slices.Contains(slices.Collect(maps.Values(on)), engine.Sure); sure {
		t.Errorf("an order is a sure answer: %v", on)
	}
	same := 0
	for question, said := range before {
		if after[question] == said {
			same++
			continue
		}
		t.Logf("%s: %q, with the orders %q", question, said, after[question])
	}
	t.Logf("among %d notes %d of %d answers are the same; %d orders are quoted as perhaps", len(files), same, len(before), len(on))
	if same < sameAnswers {
		t.Errorf("%d answers are the same, want %d", same, sameAnswers)
	}
}

// sameAnswers of the twenty are those that are given without orders. One more is quoted as
// perhaps instead of sure, since an order took the place of a fifth passage, and to two the
// nearest is an order, as perhaps, where too little else seems to answer.
const sameAnswers = 17
