package transformer_test

import (
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"dowse/engine/transformer"
	"dowse/models/modeltest"
	"dowse/models/pack"
)

// scoredPair is a pair with the reference implementation's score after every
// layer; see testdata/rerankers.py.
type scoredPair struct {
	IDs    []int32
	Types  []int // as numbers in JSON, where bytes would be text
	Scores []float32
}

func (p scoredPair) pair() transformer.Pair {
	types := make([]uint8, len(p.Types))
	for i, kind := range p.Types {
		types[i] = uint8(kind)
	}
	return transformer.Pair{IDs: p.IDs, Types: types}
}

// referenceFolders are the small models of one kind in testdata.
func referenceFolders(t testing.TB, kind string) []string {
	t.Helper()
	folders, err := filepath.Glob(filepath.Join("testdata", kind, "*"))
	if want := map[string]int{"decoders": 6, "embedders": 10, "rerankers": 6}[kind]; err != nil || len(folders) != want {
		t.Fatalf("%v, %v", folders, err)
	}
	return folders
}

// referenceOf reads what the reference implementation says of a folder's model.
func referenceOf[T any](t *testing.T, folder, name string) (says T) {
	t.Helper()
	decode(t, read(t, filepath.Join(folder, name)), &says)
	return says
}

// The plain float32 forward of this package's tests agrees with the reference
// implementation to 1e-4, for every kind of reranker, after every layer.
func TestReferenceForwardAgreesWithTransformers(t *testing.T) {
	for _, folder := range referenceFolders(t, "rerankers") {
		r, worst := openReference(t, folder), 0.0
		for i, p := range referenceOf[[]scoredPair](t, folder, "scores.json") {
			for l, score := range r.scores(p.IDs, p.pair().Types) {
				diff := math.Abs(float64(score - p.Scores[l]))
				worst = max(worst, diff)
				if !(diff < 1e-4) {
					t.Errorf("%s: pair %d after layer %d: %v, want %v", folder, i, l, score, p.Scores[l])
				}
			}
		}
		t.Logf("%s: largest difference %.2g", folder, worst)
	}
}

// packOf imports a folder of testdata, which has no tokenizer of its own.
func packOf(t testing.TB, folder string) string {
	t.Helper()
	files, err := modeltest.Files()
	if err != nil {
		t.Fatal(err)
	}
	copied := t.TempDir()
	path := filepath.Join(copied, "model.pack")
	maps.DeleteFunc(files, func(name string, _ []byte) bool { return name != "tokenizer.json" })
	if err := errors.Join(os.CopyFS(copied, os.DirFS(folder)), modeltest.Write(copied, files), pack.Import(t.Context(), copied, path, nil)); err != nil {
		t.Fatal(err)
	}
	return path
}

// The executor, with its integers, ranks as the reference does. Models of 16 to
// 18 channels are the hard case: few errors of rounding average out.
func TestQuantizedScoresAgreeWithTransformers(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	for _, folder := range referenceFolders(t, "rerankers") {
		var pairs []transformer.Pair
		scored := referenceOf[[]scoredPair](t, folder, "scores.json")
		for _, p := range scored {
			pairs = append(pairs, p.pair())
		}
		c := openPlanned(t, packOf(t, folder), 2, everything(), nil)
		for l, got := range trace(t, c, pairs) {
			var want []float32
			for _, p := range scored {
				want = append(want, p.Scores[l])
			}
			requireAgreement(t, folder, l, got, want)
		}
	}
}

// requireAgreement compares the scores of one layer with the reference's.
func requireAgreement(t *testing.T, name string, layer int, got, want []float32) {
	t.Helper()
	c, order := agreement(t, name, layer, got, want)
	if !(c > 0.995) || order < 0.93 {
		t.Errorf("%s after layer %d: correlation %.5f (want 0.995), order %.3f (want 0.93)", name, layer, c, order)
	}
}

// agreement is the correlation of scores with the reference's, and the share
// of pairs of candidates that both put in the same order.
func agreement(t *testing.T, name string, layer int, got, want []float32) (c, order float64) {
	t.Helper()
	c = correlation(got, want)
	same, all := 0, 0
	for i := range got {
		for j := range i {
			all++
			if (got[i] < got[j]) == (want[i] < want[j]) {
				same++
			}
		}
	}
	order = float64(same) / float64(all)
	t.Logf("%s after layer %d: correlation %.5f, %.1f%% of %d pairs in the same order, scores from %.3f to %.3f",
		name, layer, c, 100*order, all, slices.Min(want), slices.Max(want))
	return c, order
}

// correlation is Pearson's.
func correlation(a, b []float32) float64 {
	var sa, sb, saa, sbb, sab float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		sa, sb, saa, sbb, sab = sa+x, sb+y, saa+x*x, sbb+y*y, sab+x*y
	}
	n := float64(len(a))
	return (n*sab - sa*sb) / math.Sqrt((n*saa-sa*sa)*(n*sbb-sb*sb))
}

// The same for a model of real size. Early layers are only reported: the first
// token's state may hardly differ between candidates there, and then scores
// differ by less than rounding makes of them.
func TestQuantizedScoresAgreeOnARealModel(t *testing.T) {
	folder := os.Getenv("DOWSE_TEST_RERANKER")
	if folder == "" {
		t.Skip("set DOWSE_TEST_RERANKER to a Hugging Face folder of a BERT reranker")
	}
	const seed, n = 51, 24
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	path := filepath.Join(t.TempDir(), "model.pack")
	if err := pack.Import(t.Context(), folder, path, nil); err != nil {
		t.Fatal(err)
	}
	c := openPlanned(t, path, 2, everything(), nil)
	texts := slices.DeleteFunc(sentences(rng, 2*n), func(s string) bool { return len(s) > 300 })
	var pairs []transformer.Pair
	for _, text := range texts[:n] {
		pairs = append(pairs, c.Encode(texts[n/2], text))
	}
	r := openReference(t, folder)
	want := make([][]float32, c.Layers())
	for _, p := range pairs {
		for l, score := range r.scores(p.IDs, p.Types) {
			want[l] = append(want[l], score)
		}
	}
	for l, got := range trace(t, c, pairs) {
		correlation, order := agreement(t, folder, l, got, want[l])
		if l == c.Layers()-1 && (!(correlation > 0.99) || order < 0.95) {
			t.Errorf("last layer: correlation %.5f (want 0.99), order %.3f (want 0.95)", correlation, order)
		}
	}
}
