package local

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"dowse/engine/answer"
	"dowse/engine/generate"
	"dowse/models"
)

var (
	confidenceLists = flag.String("confidence", "", "files of held-out questions with their passages, as lab bench answers --lists writes them, apart by commas")
	confidenceEvery = flag.Int("confidence-every", 1, "one of so many questions is asked")
	confidenceModel = flag.String("confidence-model", "", "let this installed model verify what is quoted, or read the passages, which takes minutes or hours")
)

// What the thresholds of an answer may let through on held-out questions.
const (
	mostWrong           = 0.15 // of the answerable: sure and wrong
	mostInvented        = 0.10 // of the others: sure
	mostInventedPerhaps = 0.35 // of the others: sure or perhaps
)

// heldOut is a question that nothing was trained on, with the passages that a search
// finds for it.
type heldOut struct {
	Question   string   `json:"question"`
	Follows    []string `json:"follows"` // earlier questions, of one that goes on with them
	Quotes     []string `json:"quotes"`
	Short      string   `json:"short"`
	Answerable bool     `json:"answerable"`
	Passages   []struct {
		Path    string  `json:"path"`
		Heading string  `json:"heading"`
		Columns string  `json:"columns"`
		Text    string  `json:"text"`
		Score   float64 `json:"score"`
	} `json:"passages"`
}

// asked is the question as the reader has it.
func (h *heldOut) asked() answer.Asked { return answer.Asked{Question: h.Question, Follows: h.Follows} }

// answers reports whether a text holds the answer in short; where there is none, half
// of the quotes.
func (h *heldOut) answers(text string) bool {
	wanted := h.Quotes
	if h.Short != "" {
		wanted = []string{h.Short}
	}
	held := 0
	for _, w := range wanted {
		if strings.Contains(flat(text), flat(w)) {
			held++
		}
	}
	return held > 0 && 2*held >= len(wanted)
}

// flat is a text as it is compared: small letters, without Markdown's marks.
func flat(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return strings.ContainsRune(" \t\n\r*_`#>|-", r)
	}), " ")
}

// given are the passages as an answerer has them.
func (h *heldOut) given() []answer.Passage {
	var list []answer.Passage
	for i, p := range h.Passages[:min(len(h.Passages), 5)] {
		list = append(list, answer.Passage{Number: i + 1, Path: p.Path, Heading: p.Heading, Columns: p.Columns, Text: p.Text, Score: p.Score})
	}
	return list
}

// readHeldOut reads questions of files.
func readHeldOut(t *testing.T, files string) (all []heldOut) {
	t.Helper()
	for _, path := range strings.Split(files, ",") {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, 16<<20)
		for n := 0; lines.Scan(); n++ {
			var h heldOut
			if err := json.Unmarshal(lines.Bytes(), &h); err != nil {
				t.Fatal(err)
			}
			if n%*confidenceEvery == 0 {
				all = append(all, h)
			}
		}
		if err := errors.Join(lines.Err(), file.Close()); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// form is a way of writing a question.
type form struct {
	name  string
	write func(question string) string
}

// forms are those that are compared, the one that readers have first.
var forms = []form{
	{"without a mark", func(q string) string { return strings.ToLower(strings.TrimRight(q, "?!. \t\n")) }},
	{"with a mark", func(q string) string {
		q = strings.ToLower(strings.TrimRight(q, "?!. \t\n"))
		return strings.ToUpper(q[:min(1, len(q))]) + q[min(1, len(q)):] + "?"
	}},
}

// writtenAs is a Reader that has questions in a form of its own.
type writtenAs struct {
	answer.Reader
	form
}

// Mark implements answer.Reader.
func (w writtenAs) Mark(ctx context.Context, question string, passages []string) (*answer.Marks, error) {
	return w.Reader.Mark(ctx, w.write(question), passages)
}

// verdict is a quotation, and how likely it is thought to answer.
type verdict struct {
	answerable, right bool
	p                 float64
}

// TestFitConfidence says how a question is best written for the reader and for the
// model that verifies, and from where an answer is sure and perhaps right:
//
//	go test ./engine/answer/local -run TestFitConfidence -v -timeout 0 -confidence LISTS [-confidence-model NAME]
func TestFitConfidence(t *testing.T) {
	if *confidenceLists == "" {
		t.Skip("chooses only when told on what: -confidence LISTS")
	}
	all := readHeldOut(t, *confidenceLists)
	home := bareHome(t)
	reader := NewReader(home.machine(t))
	t.Cleanup(func() {
		if err := reader.Close(); err != nil {
			t.Error(err)
		}
	})
	for i, f := range forms {
		quoted, read := readForm(t, writtenAs{reader, f}, all)
		model, done, err := reader.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		used := model.calibration
		if len(all[0].Follows) > 0 && model.followUps != nil {
			used = *model.followUps
		}
		t.Logf("read %s: %s", f.name, summed(read, used.SureFrom, used.PerhapsFrom))
		if err := done(); err != nil {
			t.Fatal(err)
		}
		if *confidenceModel != "" && i == 0 {
			verifyHeldOut(t, home, all, quoted, read)
		}
	}
}

// readForm lets a reader quote for each question, and judges that.
func readForm(t *testing.T, reader answer.Reader, all []heldOut) (quoted []answer.Answer, read []verdict) {
	t.Helper()
	extract := answer.NewExtractor(reader)
	for i := range all {
		said, err := extract.Quote(t.Context(), all[i].asked(), all[i].given())
		if err != nil {
			t.Fatal(err)
		}
		quoted = append(quoted, said)
		read = append(read, verdict{all[i].Answerable, all[i].Answerable && all[i].answers(said.Text), said.Support})
	}
	return quoted, read
}

// verifyHeldOut lets a model verify what was quoted.
func verifyHeldOut(t *testing.T, home *fixture, all []heldOut, quoted []answer.Answer, read []verdict) {
	t.Helper()
	home.memory, home.answerer = 2<<30, *confidenceModel
	linkModel(t, home, models.SmallestAnswerer)
	a, _ := newModelAnswerer(t, home)
	verifier, _ := a.writer.judgement(t.Context(), all[0].asked())
	if verifier == nil {
		t.Fatalf("the model %s was not trained to verify; TestLogAnswers and TestFitJudge are for it", *confidenceModel)
	}
	for _, f := range slices.Backward(forms) {
		var list []verdict
		for i := range all {
			declining, err := declining(t.Context(), a, &writing{question: f.write(all[i].Question), quoted: &quoted[i], passages: quoted[i].Quoted(all[i].given())})
			if err != nil {
				t.Fatal(err)
			}
			p, _ := verifier.Verify(quoted[i].Support, declining)
			list = append(list, verdict{read[i].answerable, read[i].right, p})
		}
		t.Logf("verified %s: %s", f.name, summed(list, verifier.SureFrom, verifier.PerhapsFrom))
	}
}

// declining is the probability that a model declines what is quoted, 1 where nothing is.
func declining(ctx context.Context, a *Answerer, w *writing) (p float64, err error) {
	if len(w.passages) == 0 {
		return 1, nil
	}
	model, asked, done, err := a.prompted(ctx, func(m *Model) (*request, error) { return m.askOutside(w) })
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, done()) }()
	result, err := model.write(ctx, asked, &generate.Refusal{Token: model.refusal.Token}, func(string) error { return nil })
	return result.Refusal, err
}

// summed says what becomes of questions with the thresholds in use, and with those that
// let through what they may.
func summed(list []verdict, sure, perhaps float64) string {
	rightAll, answerable := 0, 0
	for _, v := range list {
		if v.answerable {
			answerable++
		}
		if v.right {
			rightAll++
		}
	}
	bestSure, bestPerhaps := leastThreshold(list, mostWrong, mostInvented), leastThreshold(list, 1, mostInventedPerhaps)
	return fmt.Sprintf("%d questions, %d answerable, %d quoted right, told apart %.3f; in use %s; best %s",
		len(list), answerable, rightAll, toldApart(list), at(list, sure, perhaps), at(list, bestSure, bestPerhaps))
}

// at says what two thresholds make of questions.
func at(list []verdict, sure, perhaps float64) string {
	count := func(answerable, right bool, from, to float64) (n int) {
		for _, v := range list {
			if v.answerable == answerable && v.right == right && v.p >= from && v.p < to {
				n++
			}
		}
		return n
	}
	return fmt.Sprintf("sure from %.3f, perhaps from %.3f: right %d+%d, wrong %d+%d, invented %d+%d", sure, perhaps,
		count(true, true, sure, 2), count(true, true, perhaps, sure), count(true, false, sure, 2), count(true, false, perhaps, sure),
		count(false, false, sure, 2), count(false, false, perhaps, sure))
}

// leastThreshold is the least one from which no larger shares than these are answered
// wrongly.
func leastThreshold(list []verdict, wrong, invented float64) float64 {
	sorted := slices.SortedFunc(slices.Values(list), func(a, b verdict) int { return cmp.Compare(b.p, a.p) })
	var wrongs, inventions, answerable, others int
	for _, v := range list {
		if v.answerable {
			answerable++
		} else {
			others++
		}
	}
	least := 1.0
	for _, v := range sorted {
		switch {
		case !v.answerable:
			inventions++
		case !v.right:
			wrongs++
		}
		if float64(wrongs) > wrong*float64(answerable) || float64(inventions) > invented*float64(others) {
			break
		}
		least = v.p
	}
	return least
}

// toldApart is how often a right quotation is held likelier than another one.
func toldApart(list []verdict) float64 {
	above, pairs := 0.0, 0.0
	for _, a := range list {
		for _, b := range list {
			if a.right && !b.right {
				pairs++
				switch {
				case a.p > b.p:
					above++
				case a.p == b.p:
					above += 0.5
				}
			}
		}
	}
	return above / max(1, pairs)
}
