package fusion

import (
	"context"
	"math"
	"testing"
)

// narrow holds all texts close: questions have a vector of their own and share most of it
// with every passage, and a little more with the one of the same number.
type narrow struct{ share, own float64 }

func (narrow) Dim() int { return 2 * len(samples) }

func (n narrow) vectors(count int) []float32 {
	d := n.Dim()
	out := make([]float32, count*d)
	for i := range count {
		out[i*d] = float32(math.Sqrt(n.share))
		out[i*d+1+i%len(samples)] = float32(math.Sqrt(n.own))
	}
	return out
}

func (n narrow) EmbedQueries(_ context.Context, texts []string) ([]float32, error) {
	return n.vectors(len(texts)), nil
}

func (n narrow) EmbedDocuments(_ context.Context, texts []string) ([]float32, error) {
	return n.vectors(len(texts)), nil
}

// Related and unrelated texts of any model come to where those of the fit are.
func TestScaleBringsCosinesOver(t *testing.T) {
	s, err := MeasureScale(t.Context(), narrow{share: .75, own: .125})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Of(.875); math.Abs(got-fittedRelated) > 1e-6 {
		t.Errorf("related texts are at %g", got)
	}
	if got := s.Of(.75); math.Abs(got-fittedUnrelated) > 1e-6 {
		t.Errorf("unrelated texts are at %g", got)
	}
	if got := s.Cosine(s.Of(.8)); math.Abs(got-.8) > 1e-12 {
		t.Errorf("there and back is %g", got)
	}
	if got := (Scale{}).Of(.3); got != .3 {
		t.Errorf("no scale changes a cosine to %g", got)
	}
}

func TestScaleOfAModelThatTellsNothingApart(t *testing.T) {
	for _, n := range []narrow{{share: .75, own: .001}, {share: math.NaN()}} {
		if _, err := MeasureScale(t.Context(), n); err == nil {
			t.Errorf("%+v has a scale", n)
		}
	}
}
