package local

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"dowse/engine/opened"
	"dowse/engine/transformer"
	"dowse/models/pack"
)

// TestWantOfMemoryIsNoReasonToRemoveAModel: what is said about a model that is right
// and finds no room says how to make room, and to remove it is said of one that is
// not right.
func TestWantOfMemoryIsNoReasonToRemoveAModel(t *testing.T) {
	full := fmt.Errorf("take 5 bytes of memory for weights: %w", syscall.ENOMEM)
	small := fmt.Errorf("%w: it takes 5 bytes, the budget is 3", transformer.ErrBudget)
	g := &Writer{name: "writer"}
	for _, c := range []struct {
		said error
		want []string
	}{
		{g.unusable(full), []string{"close other programs", "smaller model", "less by the setting memory", "dowse models use extract"}},
		{g.unusable(small), []string{"more by the setting memory", "smaller model", "dowse models use extract"}},
		{opened.Unusable("embedder", full, "run dowse models remove embedder"), []string{"close other programs", "smaller model"}},
		{opened.Unusable("embedder", small, "run dowse models remove embedder"), []string{"more by the setting memory"}},
		{opened.UnusableStreamed("reranker", full, "run dowse models remove reranker"), []string{"close other programs", "less by the setting memory"}},
	} {
		for _, want := range c.want {
			if !strings.Contains(c.said.Error(), want) {
				t.Errorf("%v: want %q in it", c.said, want)
			}
		}
		if strings.Contains(c.said.Error(), "models remove") {
			t.Errorf("%v: the model is right", c.said)
		}
		if !errors.Is(c.said, syscall.ENOMEM) && !errors.Is(c.said, transformer.ErrBudget) {
			t.Errorf("%v: its cause is lost", c.said)
		}
	}
	if said := g.unusable(pack.ErrCorrupt).Error(); !strings.Contains(said, "run dowse models remove writer and get it again, or dowse models use extract") {
		t.Error(said)
	}
}
