package contexts

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"dowse/engine/kv"
)

// Profiles of machines that read, or compute, whatever there is.
var (
	fastDisk = kv.Profile{Pass: 1, Token: 1, Read: 1e-9, Byte: 1e-12}
	slowDisk = kv.Profile{Pass: 1e-9, Token: 1e-9, Read: 1, Byte: 1}
)

// begin opens a conversation that begins with tokens, shares what others have of them,
// and writes some behind.
func (w *world) begin(t *testing.T, id string, given []int32) (Restored, []int32) {
	t.Helper()
	s, err := w.Open(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Reserve(len(given) + written); err != nil {
		t.Fatal(err)
	}
	shared, err := s.Share(t.Context(), given[:len(given)-1])
	if err != nil {
		t.Fatal(err)
	}
	said, err := continued(t.Context(), w.decoder, s, given[s.Sequence().Len():])
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	w.drain(t)
	return shared, said
}

// requireSameKeys compares the keys and values of two conversations, all at 8 bits.
func requireSameKeys(t *testing.T, w *world, a, b string) {
	t.Helper()
	x, y := w.conversations[a].sequence, w.conversations[b].sequence
	if !slices.Equal(x.Tokens(), y.Tokens()) {
		t.Fatalf("%s and %s have other tokens", a, b)
	}
	for i := range x.Chunks() {
		if x.Sealed(i) && !bytes.Equal(x.Data(i), y.Data(i)) {
			t.Errorf("chunk %d of %s is not that of %s", i, a, b)
		}
	}
}

// TestK12_AnEqualBeginningIsRead by a conversation that begins, to the bit what it would
// have computed, and stays there when its first owner goes.
func TestK12_AnEqualBeginningIsRead(t *testing.T) {
	h := newHome(t)
	h.profile = &fastDisk
	w := h.open(t, true)
	turns := script(31, 3, 100, w.decoder.Vocabulary())
	length := w.decoder.ConversationShape().ChunkTokens
	begins := turns[0][:5*length+3]
	w.begin(t, "first", slices.Concat(begins, turns[1]))
	plain := slices.Concat(begins, turns[2])
	want := w.plainly(t, [][]int32{plain})[0]
	before := w.Stats()
	shared, said := w.begin(t, "second", plain)
	requireSaid(t, 0, said, want)
	if shared.ReadTokens != 5*length || shared.Read != 5 || shared.Tokens != 0 || shared.Inexact != 0 {
		t.Errorf("%+v, want 5 chunks of %d tokens read", shared, length)
	}
	if s := w.Stats(); s.Written-before.Written > len(plain)/length+1 || s.Dirty != 0 || s.Read-before.Read != 5 || s.Computed != before.Computed {
		t.Errorf("%+v after %+v", s, before)
	}
	w.say(t, "alone", plain)
	w.drain(t)
	requireSameKeys(t, w, "second", "alone")
	for _, id := range []string{"first", "alone"} {
		if _, err := w.Delete(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	w.Reclaim(1 << 40)
	w.say(t, "second", turns[1])
	if s := w.Stats(); s.Failed != 0 || s.Inexact != 0 || s.Read == before.Read+5 {
		t.Errorf("%+v", s)
	}
}

// TestShareComputesWhatIsLowered: chunks of fewer bits are nobody else's, but those that
// were computed before them are; what is between is computed, to the bit what it was.
func TestShareComputesWhatIsLowered(t *testing.T) {
	h := newWideHome(t)
	h.profile, h.ratio = &fastDisk, 0.5
	w := h.open(t, true)
	turns := script(32, 2, 260, w.decoder.Vocabulary())
	length := w.decoder.ConversationShape().ChunkTokens
	w.begin(t, "first", turns[0])
	whole, last := 0, 0
	for i, owned := range w.disk.Chunks("first")[:(len(turns[0])-1)/length] {
		if owned.Level == kv.Level8 {
			whole, last = whole+1, i+1
		}
	}
	if whole == last || whole == 0 {
		t.Fatalf("%d of the first %d chunks have 8 bits: the test shows nothing", whole, last)
	}
	want := w.plainly(t, turns[:1])[0]
	shared, said := w.begin(t, "second", turns[0])
	requireSaid(t, 0, said, want)
	if shared.ReadTokens != whole*length || shared.Tokens != (last-whole)*length || shared.Inexact != 0 || shared.Failed != 0 {
		t.Errorf("%+v; %d of the first %d chunks have 8 bits", shared, whole, last)
	}
	if s := w.Stats(); s.Dirty != 0 || s.Problem != "" {
		t.Errorf("%+v", s)
	}
}

// TestShareOnlyWhatIsCheaper to read than to compute, and by conversations that have no
// tokens yet.
func TestShareOnlyWhatIsCheaper(t *testing.T) {
	h := newHome(t)
	h.profile = &slowDisk
	w := h.open(t, true)
	turns := script(33, 2, 100, w.decoder.Vocabulary())
	w.begin(t, "first", turns[0])
	if shared, _ := w.begin(t, "second", turns[0]); shared != (Restored{}) {
		t.Errorf("a slow disk gave %+v", shared)
	}
	w.close(t)
	h.profile = &fastDisk
	w = h.open(t, true)
	if shared, _ := w.begin(t, "third", turns[1]); shared != (Restored{}) {
		t.Errorf("what nobody has is %+v", shared)
	}
	s, err := w.Open(t.Context(), "second")
	if err != nil {
		t.Fatal(err)
	}
	if shared, err := s.Share(t.Context(), turns[1]); err != nil || shared != (Restored{}) {
		t.Errorf("a conversation that goes on shares %+v, %v", shared, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestShareStops with its context, and leaves a conversation without tokens.
func TestShareStops(t *testing.T) {
	h := newHome(t)
	h.profile = &fastDisk
	w := h.open(t, true)
	given := script(34, 1, 100, w.decoder.Vocabulary())[0]
	_, want := w.begin(t, "first", given)
	s, err := w.Open(t.Context(), "second")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Share(ctx, given); !errors.Is(err, context.Canceled) || s.Sequence().Len() != 0 {
		t.Errorf("%v, %d tokens", err, s.Sequence().Len())
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	_, said := w.begin(t, "second", given)
	requireSaid(t, 0, said, want)
}

// TestProfileIsKept for the process that opens the folder next, and not for another model.
func TestProfileIsKept(t *testing.T) {
	h := newHome(t)
	w := h.open(t, true)
	if got := w.meter.Profile(); got != kv.UsualProfile {
		t.Errorf("a new machine has the profile %+v", got)
	}
	kept := kv.Profile{Pass: .02, Token: .004, Position: 1e-6, Read: 2e-4, Byte: 3e-9}
	if err := w.disk.KeepProfile(kept); err != nil {
		t.Fatal(err)
	}
	w.close(t)
	w = h.open(t, true)
	if got := w.meter.Profile(); got != kept {
		t.Errorf("%+v, want %+v", got, kept)
	}
	w.meter.Computed(1000, 500_500, 8*time.Second)
	slower := w.meter.Profile()
	w.close(t)
	w = h.open(t, true)
	if got := w.meter.Profile(); got.Token <= kept.Token || got.Token != slower.Token {
		t.Errorf("%+v, want %+v", got, slower)
	}
	w.close(t)
	h.model = "another model"
	w = h.open(t, true)
	if got := w.meter.Profile(); got != kv.UsualProfile {
		t.Errorf("another model has the profile %+v", got)
	}
}
