package measure

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/engine/rerank"
	"dowse/internal/indexes"
	"dowse/internal/trial"
	"dowse/lab/collection"
)

var (
	pruneOn     = flag.String("prune", "", "folder of judged collections to choose the thresholds of pruning on")
	pruneTraces = flag.String("prune-traces", "", "folder of their traces; what it lacks is added to it")
	pruneLists  = flag.Int("prune-lists", 40, "questions of a collection that leave a trace")
	pruneModel  = flag.String("prune-model", "", "the reranker; the default one unless it is named")
	pruneDepth  = flag.Int("prune-depth", engine.RerankDepth, "candidates of a trace")
)

// judgedTrace is the full pass of a question whose answers are known.
type judgedTrace struct {
	Query string `json:"query"`
	// Documents are what the candidates are, or lie in; Grades of all that is
	// judged, by document.
	Documents []string       `json:"documents"`
	Grades    map[string]int `json:"grades"`
	Recorded  []byte         `json:"trace"`

	trace rerank.Trace
}

// question is one with its answers.
type question struct {
	text   string
	grades map[string]int
}

// gatherTraces traces the questions of all collections of a folder that have no
// file of traces yet, and reads all those files. Candidates are those that a search reads, or,
// far ones too, -prune-depth.
func gatherTraces(t *testing.T, far bool) map[string][]judgedTrace {
	t.Helper()
	folders, err := filepath.Glob(filepath.Join(*pruneOn, "*"))
	if err != nil || len(folders) == 0 {
		t.Fatalf("no collections below %s: %v", *pruneOn, err)
	}
	if err := os.MkdirAll(*pruneTraces, 0o755); err != nil {
		t.Fatal(err)
	}
	all := map[string][]judgedTrace{}
	for _, folder := range folders {
		path := filepath.Join(*pruneTraces, filepath.Base(folder)+".jsonl")
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			traceCollection(t, folder, path, far)
		}
		all[filepath.Base(folder)] = readJudged(t, path)
	}
	return all
}

// traceCollection writes the traces of a collection, which is in BEIR layout, or
// notes with questions.
func traceCollection(t *testing.T, folder, path string, far bool) {
	t.Helper()
	t.Setenv("XDG_DATA_HOME", t.TempDir()) // an index of its own
	a, err := newRunner()
	if err != nil {
		t.Fatal(err)
	}
	a.Config.Reranker, a.Config.Depth = rerankerToPrune(), *pruneDepth
	var s *indexes.Stack
	var asked []question
	if _, err := os.Stat(filepath.Join(folder, "notes")); err == nil {
		s, asked = openAskedNotes(t, a, folder)
	} else {
		s, asked = openHeldOut(t, a, folder)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	s.Models.Chosen().Reranker.Exact = far
	out, err := os.Create(path + ".new")
	if err != nil {
		t.Fatal(err)
	}
	n := min(*pruneLists, len(asked))
	for i := range n {
		q := asked[i*len(asked)/n]
		judged, ok := traceOf(t.Context(), t, s, q)
		if !ok {
			continue
		}
		if err := json.NewEncoder(out).Encode(judged); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(out.Close(), os.Rename(path+".new", path)); err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d questions traced", filepath.Base(folder), n)
}

// openAskedNotes indexes notes as a person's are, and reads the questions that one of
// them answers.
func openAskedNotes(t *testing.T, a *Runner, folder string) (*indexes.Stack, []question) {
	t.Helper()
	notes, err := trial.NotesOf(folder)
	if err != nil {
		t.Fatal(err)
	}
	n, err := a.openNotes(notes, AnswersOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := n.Fill(t.Context(), func(string, int, int) {}); err != nil {
		t.Fatal(err)
	}
	list, err := collection.ReadNoteQuestions(filepath.Join(folder, trial.QuestionsFile))
	if err != nil {
		t.Fatal(err)
	}
	var asked []question
	for _, q := range list {
		if q.Answerable {
			asked = append(asked, question{q.Text, map[string]int{filepath.Join(notes, q.Path): 1}})
		}
	}
	return n.Stack, asked
}

// openHeldOut opens a collection and picks the questions that were held out of
// training; all of them where it does not say which.
func openHeldOut(t *testing.T, a *Runner, folder string) (*indexes.Stack, []question) {
	t.Helper()
	ds, err := collection.Load(folder)
	if err != nil {
		t.Fatal(err)
	}
	c, err := a.openCollection(ds, EvalOptions{Exact: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.fill(t.Context(), ds, func(string, int, int) {}); err != nil {
		t.Fatal(err)
	}
	trained := map[string]bool{}
	eachLine(t, filepath.Join(folder, "queries.jsonl"), func(line []byte) {
		q := struct {
			ID       string `json:"_id"`
			Metadata struct {
				HeldOut *bool `json:"held_out"`
			} `json:"metadata"`
		}{}
		if err := json.Unmarshal(line, &q); err != nil {
			t.Fatal(err)
		}
		trained[q.ID] = q.Metadata.HeldOut != nil && !*q.Metadata.HeldOut
	})
	var asked []question
	for _, q := range ds.Queries {
		if !trained[q.ID] {
			asked = append(asked, question{q.Text, q.Grades})
		}
	}
	return c.Stack, asked
}

func eachLine(t *testing.T, path string, do func(line []byte)) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }() // only read
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		do(lines.Bytes())
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// literal takes the syntax of queries out of a question.
var literal = strings.NewReplacer(`"`, " ", ":", " ", " -", " ")

// traceOf asks one question and puts its trace together from what a search tells
// of its layers; false where it finds too little to rerank.
func traceOf(ctx context.Context, t *testing.T, s *indexes.Stack, q question) (judgedTrace, bool) {
	t.Helper()
	judged := judgedTrace{Query: q.text, Grades: q.grades}
	var chunks []uint32 // by candidate
	found, err := s.Search(ctx, engine.Request{Query: strings.TrimLeft(literal.Replace(q.text), "-"), K: *pruneDepth, Mode: engine.Reranked, Trace: true}, func(e engine.Event) {
		l := e.Layer
		if l == nil {
			return
		}
		judged.trace.Candidates, judged.trace.Layers = l.Candidates, l.Layers
		judged.trace.Margins = append(judged.trace.Margins, l.Scores...)
		order := make([]int, len(l.Active))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(l.Scores[b], l.Scores[a]) })
		chunks = make([]uint32, len(order))
		for place, i := range order {
			chunks[i] = l.Chunks[place]
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if found.Stats.Rerank == nil || found.Stats.Rerank.Problem != "" || len(chunks) < 2 {
		return judged, false
	}
	paths := map[uint32]string{}
	for _, p := range found.Passages {
		paths[p.ChunkID] = p.Path
	}
	for _, c := range chunks {
		if paths[c] == "" {
			t.Fatalf("%q: chunk %d was reranked and is not among the %d results", q.text, c, len(found.Passages))
		}
		judged.Documents = append(judged.Documents, paths[c])
	}
	judged.Recorded, err = judged.trace.MarshalBinary()
	if err != nil {
		t.Fatal(fmt.Errorf("%q: %w", q.text, err))
	}
	return judged, true
}

// readJudged reads the traces of a collection.
func readJudged(t *testing.T, path string) (all []judgedTrace) {
	t.Helper()
	eachLine(t, path, func(line []byte) {
		var j judgedTrace
		if err := json.Unmarshal(line, &j); err != nil {
			t.Fatal(err)
		}
		if err := j.trace.UnmarshalBinary(j.Recorded); err != nil {
			t.Fatal(err)
		}
		all = append(all, j)
	})
	return all
}
