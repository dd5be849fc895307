package measure

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/models"
)

var (
	relevanceOn     = flag.String("relevance", "", "folder of notes with questions to choose the lines of relevance on")
	relevanceTitles = flag.String("relevance-titles", "", "folder of Markdown files whose titles must find something relevant")
)

// Of a part: questions that its notes answer, questions of another part, and the
// first words of notes.
const (
	ownQuestions     = 80
	foreignQuestions = 72
	noteKeywords     = 12
	titleQuestions   = 30
	titleFiles       = 300
	// evidenceLost is the share of the questions with their evidence among the results
	// that may lose it below the line.
	evidenceLost = 0.015
)

// lineParts are those that no model learned from. The lines are chosen on half of what
// is asked of them, and tried on the other half.
var lineParts = []string{"life2", "mail"}

// TestFitRelevance chooses where the relevant begins, for the default embedder and the
// default reranker, and prints what that keeps and cuts on other notes:
//
//	go test ./lab/measure -run TestFitRelevance -v -timeout 0 -relevance DIR [-relevance-titles DIR]
//
// It needs both models in the cache. DIR has PART.notes.jsonl (id, path, text) and
// PART.qa.jsonl (question, answerable, quotes) for each part.
func TestFitRelevance(t *testing.T) {
	if *relevanceOn == "" {
		t.Skip("chooses only when told on what: -relevance DIR")
	}
	t.Setenv("XDG_CACHE_HOME", fitCache(t))
	var chosenOn, others, titles []judgedQuery
	for i, part := range lineParts {
		foreign := lineParts[(i+1)%len(lineParts)]
		judged := judgePart(t, filepath.Join(*relevanceOn, part), filepath.Join(*relevanceOn, foreign)+".qa.jsonl")
		for n, q := range judged {
			if n%2 == 0 {
				chosenOn = append(chosenOn, q)
			} else {
				others = append(others, q)
			}
		}
		t.Logf("%s, reranked, with the line in use: %s", part, cutBy(judged, rerankedValue, lineOfEntry(models.DefaultReranker)))
	}
	if *relevanceTitles != "" {
		titles = judgeTitles(t, *relevanceTitles)
	}
	for _, way := range []struct {
		name  string
		in    float64 // use
		value func(judgedQuery) float64
	}{
		{"hybrid, " + models.DefaultEmbedder, lineOfEntry(models.DefaultEmbedder), hybridValue},
		{"reranked, " + models.DefaultReranker, lineOfEntry(models.DefaultReranker), rerankedValue},
	} {
		line := chooseLine(chosenOn, way.value)
		t.Logf("%s: the line is %.3g, in use %.3g", way.name, line, way.in)
		for name, set := range map[string][]judgedQuery{"chosen on": chosenOn, "others": others, "titles": titles} {
			t.Logf("  %s: %s; with the line in use %s", name, cutBy(set, way.value, line), cutBy(set, way.value, way.in))
		}
	}
}

func lineOfEntry(name string) float64 {
	e, _ := models.Lookup(name)
	return e.RelevantFrom
}

// queryKind is what a query was made from.
type queryKind string

const (
	ownQuestion     queryKind = "questions that lose their evidence"
	foreignQuestion queryKind = "questions about something else with nothing relevant"
	keywordQuery    queryKind = "keywords with nothing relevant"
)

// judgedQuery is the least line that leaves a query without what it should keep: of a
// question with its evidence among the first results that evidence, of any other all
// results.
type judgedQuery struct {
	kind             queryKind
	hybrid, reranked float64 // NaN where the evidence is not among the results
}

func hybridValue(q judgedQuery) float64   { return q.hybrid }
func rerankedValue(q judgedQuery) float64 { return q.reranked }

// chooseLine is the highest line at which no more questions than may be lose their
// evidence.
func chooseLine(all []judgedQuery, value func(judgedQuery) float64) float64 {
	var kept []float64
	for _, q := range all {
		if v := value(q); q.kind == ownQuestion && !math.IsNaN(v) {
			kept = append(kept, v)
		}
	}
	slices.Sort(kept)
	return kept[int(evidenceLost*float64(len(kept)))]
}

// cutBy says in words what a line cuts of each kind.
func cutBy(all []judgedQuery, value func(judgedQuery) float64, line float64) string {
	var parts []string
	for _, kind := range []queryKind{ownQuestion, foreignQuestion, keywordQuery} {
		cut, n := 0, 0
		for _, q := range all {
			if v := value(q); q.kind == kind && !math.IsNaN(v) {
				n++
				if v < line {
					cut++
				}
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d of %d", kind, cut, n))
		}
	}
	return strings.Join(parts, ", ")
}

// judgePart asks the notes of a part their own questions and those of another part.
func judgePart(t *testing.T, part, foreign string) (all []judgedQuery) {
	t.Helper()
	folder, draw := t.TempDir(), rand.New(rand.NewPCG(7, uint64(len(part))))
	type note struct{ Path, Text string }
	notes := linesOf[note](t, part+".notes.jsonl")
	for _, n := range notes {
		path := filepath.Join(folder, filepath.FromSlash(n.Path))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(n.Text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	p := openProbed(t, folder)
	defer func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}()
	type question struct {
		Question   string
		Answerable bool
		Quotes     []string
	}
	own := slices.DeleteFunc(linesOf[question](t, part+".qa.jsonl"), func(q question) bool { return !q.Answerable })
	for _, q := range sampleOf(draw, own, ownQuestions) {
		all = append(all, p.ask(t, ownQuestion, q.Question, holdsAny(q.Quotes))...)
	}
	for _, q := range sampleOf(draw, linesOf[question](t, foreign), foreignQuestions) {
		all = append(all, p.ask(t, foreignQuestion, q.Question, nil)...)
	}
	for _, n := range sampleOf(draw, notes, noteKeywords) {
		words := strings.FieldsFunc(n.Text[:min(len(n.Text), 200)], func(r rune) bool { return strings.ContainsRune(" \n\t#*-:=,.()[]\"'", r) })
		all = append(all, p.ask(t, keywordQuery, strings.Join(words[:min(len(words), 1+draw.IntN(3))], " "), nil)...)
	}
	return all
}

// judgeTitles asks some of a folder's files their own titles, and single words of them.
func judgeTitles(t *testing.T, dir string) (all []judgedQuery) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	folder, draw := t.TempDir(), rand.New(rand.NewPCG(7, 7))
	var titles []string
	for _, path := range sampleOf(draw, found, titleFiles) {
		text, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, filepath.Base(filepath.Dir(path))+"-"+filepath.Base(path)), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		title, _, _ := strings.Cut(string(text), "\n")
		titles = append(titles, strings.Trim(title, "# \r"))
	}
	p := openProbed(t, folder)
	defer func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}()
	for i, title := range titles[:min(titleQuestions, len(titles))] {
		all = append(all, p.ask(t, ownQuestion, title, holdsAny([]string{title}))...)
		words := strings.Fields(title)
		all = append(all, p.ask(t, keywordQuery, words[i%len(words)], nil)...)
	}
	return all
}

// holdsAny says whether a text holds one of some quotes, however it is broken into
// lines, or the beginning of one: a chunk may end in the middle.
func holdsAny(quotes []string) func(text string) bool {
	flat := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	return func(text string) bool {
		text = flat(text)
		return slices.ContainsFunc(quotes, func(q string) bool {
			q = flat(q)
			return strings.Contains(text, q[:min(len(q), 40)])
		})
	}
}

// sampleOf draws n of a list.
func sampleOf[T any](draw *rand.Rand, list []T, n int) []T {
	list = slices.Clone(list)
	draw.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list[:min(n, len(list))]
}

// linesOf reads the objects of a file, one on each line.
func linesOf[T any](t *testing.T, path string) (all []T) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // it is only read
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var x T
		if err := json.Unmarshal(lines.Bytes(), &x); err != nil {
			t.Fatal(err)
		}
		all = append(all, x)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}
