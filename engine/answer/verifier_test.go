package answer

import (
	"math"
	"testing"
)

// TestVerifierDeclinesWhereItSays: from DeclineFrom on a quotation is None, and below
// it is not.
func TestVerifierDeclinesWhereItSays(t *testing.T) {
	for _, v := range []Verifier{
		{Bias: -0.3, Support: 0.8, Assent: 0.5, SureFrom: 0.8, PerhapsFrom: 0.5},
		{Bias: 2, Support: 0.1, Assent: 3, SureFrom: 0.9, PerhapsFrom: 0.1},
		{Bias: -1, Support: 1, SureFrom: 0.8, PerhapsFrom: 0.5},
	} {
		for support := 0.01; support < 1; support += 0.07 {
			from := v.DeclineFrom(support)
			for declining := 0.003; declining < 1; declining += 0.04 {
				p, c := v.Verify(support, declining)
				if math.Abs(declining-from) > 1e-9 && (c == None) != (declining >= from) {
					t.Errorf("%+v of %.2f, declining with %.3f: %.4f is %s; it declines from %.4f", v, support, declining, p, c, from)
				}
				if (c == Sure) != (p >= v.SureFrom) {
					t.Errorf("%+v: %.4f is %s", v, p, c)
				}
			}
			if _, c := v.Verify(support, leastDeclining); v.Hopeless(support) != (c == None) {
				t.Errorf("%+v of %.2f: hopeless %v, at best %s", v, support, v.Hopeless(support), c)
			}
		}
	}
}

// TestVerifierCounts a logistic regression by hand.
func TestVerifierCounts(t *testing.T) {
	v := Verifier{Bias: -0.5, Support: 0.75, Assent: 0.25, SureFrom: 0.9, PerhapsFrom: 0.2}
	p, c := v.Verify(0.8, 0.1) // logits 1.3863 and -2.1972
	if want := 1 / (1 + math.Exp(-(-0.5 + 0.75*math.Log(4) + 0.25*math.Log(9)))); math.Abs(p-want) > 1e-12 || c != Perhaps {
		t.Errorf("%.4f is %s, want %.4f", p, c, want)
	}
	for _, certain := range []float64{0, 1} {
		if p, _ := v.Verify(certain, certain); math.IsNaN(p) || p <= 0 || p >= 1 {
			t.Errorf("of certainties %g: %g", certain, p)
		}
	}
}
