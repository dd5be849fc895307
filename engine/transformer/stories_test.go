package transformer_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/engine/transformer"
	"dowse/models/modeltest"
)

// storiesFolder writes the Hugging Face folder of stories260K, or skips the test.
func storiesFolder(t *testing.T) string {
	t.Helper()
	files, err := modeltest.Stories(filepath.Join("..", "..", "..", "shared", "data", "models", "stories260K"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the shared data is not here: %v", err)
	}
	folder := t.TempDir()
	if err := errors.Join(err, modeltest.Write(folder, files)); err != nil {
		t.Fatal(err)
	}
	return folder
}

// likeliest is the place of the largest logit.
func likeliest(logits []float32) int32 { return int32(slices.Index(logits, slices.Max(logits))) }

// The reference tells the story that the trained model tells in float32, which
// is token for token that of transformers (testdata/stories.py); the executor follows it nearly word for word, and tells one of its own.
func TestDecoderTellsAStory(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	const tokens, start = 180, 1
	folder := storiesFolder(t)
	r, d := openDecoderReference(t, folder), openDecoder(t, importFolder(t, folder), transformer.DecoderOptions{Threads: 2})
	var s decoderState
	story, loss := []int32{start}, 0.0
	for range tokens {
		states := r.next(&s, story[len(story)-1])
		story = append(story, likeliest(r.logits(states[len(states)-1])))
	}
	var golden []int32
	if err := json.Unmarshal(read(t, filepath.Join("testdata", "stories.json")), &golden); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(story, golden) {
		t.Errorf("in float32 the story is %v, the reference implementation's is %v", story, golden)
	}
	c := d.NewSequence()
	defer freeSequence(t, c)
	logits := appendAll(t, d, c, story[:tokens], tokens)
	same := 0
	for i := range tokens {
		row := logits[i*d.Vocabulary() : (i+1)*d.Vocabulary()]
		if likeliest(row) == story[i+1] {
			same++
		}
		loss += surprise(row, story[i+1]) / tokens
	}
	own := continuation(t, d, start, tokens)
	text, ownText := spell(d, story), spell(d, own)
	t.Logf("float32: %s", text)
	t.Logf("executor: %s", ownText)
	t.Logf("given the reference's story, %d of %d next tokens are the same, %.3f nats a token", same, tokens, loss)
	if same*100 < tokens*93 || loss > 0.8 {
		t.Errorf("%d of %d tokens are the reference's (want 93%%), %.3f nats a token (want at most 0.8)", same, tokens, loss)
	}
	for _, story := range []string{text, ownText} {
		if !strings.HasPrefix(story, "Once upon a time, there was a") {
			t.Errorf("this is no story: %s", story)
		}
	}
}

// continuation is what a decoder says after a token, one by one.
func continuation(t *testing.T, d *transformer.Decoder, start int32, tokens int) []int32 {
	t.Helper()
	c := d.NewSequence()
	defer freeSequence(t, c)
	logits, text := make([]float32, d.Vocabulary()), []int32{start}
	for range tokens {
		if err := d.Append(t.Context(), c, text[len(text)-1:], logits); err != nil {
			t.Fatal(err)
		}
		text = append(text, likeliest(logits))
	}
	return text
}

// surprise is the negative logarithm of the probability of a token.
func surprise(logits []float32, id int32) float64 {
	largest, total := slices.Max(logits), 0.0
	for _, v := range logits {
		total += math.Exp(float64(v - largest))
	}
	return math.Log(total) - float64(logits[id]-largest)
}

// spell is what tokens say, without the one that starts a text.
func spell(d *transformer.Decoder, ids []int32) string {
	return strings.TrimSpace(d.Tokenizer().Decode(ids[1:]))
}
