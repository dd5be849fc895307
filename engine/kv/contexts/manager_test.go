package contexts

import (
	"context"
	"errors"
	"slices"
	"testing"

	"dowse/engine/kv"
	"dowse/engine/memory"
)

// requireSaid compares what was said with what is said plainly.
func requireSaid(t *testing.T, turn int, got, want []int32) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("turn %d: said %v, want %v", turn, got, want)
	}
}

// TestK2_AConversationGoesOnAsIfItHadNeverLeft: between turns some or all of it is
// dropped from memory, or a new process opens it.
func TestK2_AConversationGoesOnAsIfItHadNeverLeft(t *testing.T) {
	for _, kept := range []bool{false, true} {
		h := newHome(t)
		w := h.open(t, kept)
		turns := script(1, 6, 60, w.decoder.Vocabulary())
		want := w.plainly(t, turns)
		for i, given := range turns {
			requireSaid(t, i, w.say(t, "talk", given), want[i])
			w.drain(t)
			switch held := w.Stats().Memory; {
			case kept && i == 2:
				w.close(t)
				w = h.open(t, kept)
			case i%2 == 0:
				if freed := w.Reclaim(held / 2); freed < held/2 {
					t.Errorf("%d of %d bytes freed", freed, held)
				}
			default:
				w.Reclaim(held)
				if s := w.Stats(); s.Memory != 0 {
					t.Errorf("%d bytes are still held", s.Memory)
				}
			}
		}
		s := w.Stats()
		if s.Dropped == 0 || s.Failed != 0 || s.Inexact != 0 || kept && s.Read == 0 || !kept && s.Computed == 0 {
			t.Errorf("kept %t: %+v", kept, s)
		}
	}
}

// TestK8_MemoryKeepsToTheBudget with more conversations than fit: idle ones leave, the
// one used longest ago first, and the ledger never exceeds the budget after a call.
func TestK8_MemoryKeepsToTheBudget(t *testing.T) {
	h := newHome(t)
	probe := h.open(t, false)
	shape := probe.decoder.ConversationShape()
	chunk := memory.InPages(shape.ChunkBytes(kv.Level8))
	tree := memory.InPages(shape.Bytes(kv.MaxTree))
	turns := script(2, 12, 50, probe.decoder.Vocabulary())
	want := map[string][][]int32{}
	for i, given := range turns {
		id := string(rune('a' + i%3))
		want[id] = append(want[id], probe.say(t, id, given))
	}
	probe.close(t)
	h.memory = memory.NewArbiter(40*chunk + tree)
	w, budget := h.open(t, true), 40*chunk+tree
	for i, given := range turns {
		id := string(rune('a' + i%3))
		requireSaid(t, i, w.say(t, id, given), want[id][0])
		want[id] = want[id][1:]
		w.drain(t)
		if s := w.Stats(); s.Memory > budget || s.Memory > w.granted || s.Dirty > 0 {
			t.Fatalf("turn %d: %d bytes of %d, %d granted: %+v", i, s.Memory, budget, w.granted, s)
		}
		held := int64(0)
		for _, p := range w.ledger.Snapshot() {
			if p.Name == kv.Pool {
				held = p.Bytes
			}
		}
		if held > budget {
			t.Fatalf("turn %d: the ledger has %d of %d bytes", i, held, budget)
		}
	}
	if s := w.Stats(); s.Dropped == 0 || s.Read == 0 {
		t.Errorf("%+v: everything fitted", s)
	}
	if _, err := h.memory.Lease(nil).Take(t.Context(), budget); err != nil { // idle conversations give all up
		t.Error(err)
	}
	if s := w.Stats(); s.Memory != 0 {
		t.Errorf("%d bytes are still held", s.Memory)
	}
}

// TestNoRoom: a conversation that does not fit is refused, with what to do.
func TestNoRoom(t *testing.T) {
	h := newHome(t)
	h.memory = memory.NewArbiter(1 << 20)
	other := h.memory.Lease(nil)
	if !other.Grow(1 << 20) {
		t.Fatal("no room")
	}
	other.Busy()
	w := h.open(t, false)
	s, err := w.Open(t.Context(), "talk")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Reserve(100); !errors.Is(err, ErrRoom) {
		t.Errorf("reserved: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestK9_NothingIsWrittenToReclaim: once a call's writes are done nothing is dirty.
func TestK9_NothingIsWrittenToReclaim(t *testing.T) {
	w := newHome(t).open(t, true)
	for _, given := range script(3, 3, 80, w.decoder.Vocabulary()) {
		w.say(t, "talk", given)
	}
	w.drain(t)
	before := w.Stats()
	if before.Dirty != 0 || before.Written == 0 || before.Problem != "" {
		t.Errorf("after the writes: %+v", before)
	}
	if w.Reclaim(before.Memory) < before.Memory {
		t.Errorf("not all of %d bytes are dropped", before.Memory)
	}
	if after := w.Stats(); after.Written != before.Written || after.Memory != 0 {
		t.Errorf("reclaimed: %+v after %+v", after, before)
	}
}

// TestK12_AnEqualBeginningIsStoredOnce, and stays until its last owner goes.
func TestK12_AnEqualBeginningIsStoredOnce(t *testing.T) {
	w := newHome(t).open(t, true)
	turns := script(4, 2, 100, w.decoder.Vocabulary())
	said := w.say(t, "first", turns[0])
	w.drain(t)
	once := w.disk.Bytes()
	requireSaid(t, 0, w.say(t, "second", turns[0]), said)
	w.drain(t)
	if got := w.disk.Bytes(); got != once {
		t.Errorf("%d bytes of two conversations, %d of one", got, once)
	}
	if bytes, err := w.Delete(t.Context(), "first"); err != nil || bytes == 0 {
		t.Errorf("deleted %d bytes, %v", bytes, err)
	}
	if got := w.disk.Bytes(); got != once {
		t.Errorf("%d bytes after one owner went, %d before", got, once)
	}
	w.Reclaim(w.Stats().Memory)
	w.say(t, "second", turns[1])
	w.drain(t)
	if s := w.Stats(); s.Read == 0 || s.Failed != 0 {
		t.Errorf("%+v", s)
	}
	if _, err := w.Delete(t.Context(), "second"); err != nil || w.disk.Bytes() != 0 {
		t.Errorf("%d bytes after the last owner went, %v", w.disk.Bytes(), err)
	}
	if _, err := w.Delete(t.Context(), "nobody"); err != nil {
		t.Errorf("delete what is not there: %v", err)
	}
}

// TestK11_AnotherModelComputesAgain: it finds no conversation of the former one.
func TestK11_AnotherModelComputesAgain(t *testing.T) {
	h := newHome(t)
	w := h.open(t, true)
	w.say(t, "talk", script(5, 1, 100, w.decoder.Vocabulary())[0])
	w.drain(t)
	w.close(t)
	h.model = "another model"
	w = h.open(t, true)
	s, err := w.Open(t.Context(), "talk")
	if err != nil || len(s.Tokens()) != 0 || w.disk.Bytes() != 0 {
		t.Errorf("%d tokens, %d bytes, %v", len(s.Tokens()), w.disk.Bytes(), err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestFocusLoads in the background; the call that comes finds everything there.
func TestFocusLoads(t *testing.T) {
	h := newHome(t)
	w := h.open(t, true)
	turns := script(6, 2, 100, w.decoder.Vocabulary())
	want := w.plainly(t, turns)
	requireSaid(t, 0, w.say(t, "talk", turns[0]), want[0])
	w.drain(t)
	w.close(t)
	w = h.open(t, true)
	w.Focus("talk")
	w.Focus("talk")
	w.Focus("nobody")
	w.drain(t)
	if s := w.Stats(); s.Read == 0 || s.Memory == 0 || s.Conversations != 1 {
		t.Errorf("%+v", s)
	}
	s, err := w.Open(t.Context(), "talk")
	if err != nil || s.Restored.Read != 0 || s.Restored.Computed != 0 || s.Ahead.Read == 0 {
		t.Fatalf("%+v, ahead %+v, %v", s.Restored, s.Ahead, err)
	}
	said, err := continued(t.Context(), w.decoder, s, turns[1])
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	requireSaid(t, 1, said, want[1])
	w.drain(t)
	w.Reclaim(w.Stats().Memory)
	w.Focus("talk")
	w.Interrupt()
	requireSaid(t, 2, w.say(t, "talk", turns[0]), w.plainly(t, [][]int32{turns[0], turns[1], turns[0]})[2])
}

// TestOneCallAtATime: a second one waits, and gives up with its context.
func TestOneCallAtATime(t *testing.T) {
	w := newHome(t).open(t, true)
	s, err := w.Open(t.Context(), "talk")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := w.Open(ctx, "talk")
		done <- err
	}()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("a second call: %v", err)
	}
	go func() {
		_, err := w.Delete(t.Context(), "talk")
		done <- err
	}()
	if _, err := continued(t.Context(), w.decoder, s, []int32{1, 2, 3}); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Close(), <-done); err != nil {
		t.Fatal(err)
	}
	w.drain(t)
	if n := w.Stats().Conversations; n != 0 {
		t.Errorf("%d conversations after the deletion", n)
	}
}

// TestCommit: what a conversation has may be less than what was computed, or more.
func TestCommit(t *testing.T) {
	h := newHome(t)
	w := h.open(t, true)
	turns := script(7, 3, 60, w.decoder.Vocabulary())
	want := w.plainly(t, turns)
	requireSaid(t, 0, w.say(t, "talk", turns[0]), want[0])
	for _, step := range []int{1, 2} {
		s, err := w.Open(t.Context(), "talk")
		if err != nil {
			t.Fatal(err)
		}
		before := slices.Clone(s.Tokens())
		if _, err := continued(t.Context(), w.decoder, s, turns[2]); err != nil {
			t.Fatal(err)
		}
		if s.Commit(before); step == 2 {
			s.Commit(slices.Concat(before, turns[1])) // the model has computed none of turns[1]
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		w.drain(t)
	}
	w.close(t)
	w = h.open(t, true)
	s, err := w.Open(t.Context(), "talk")
	if err != nil {
		t.Fatal(err)
	}
	tokens := s.Tokens()
	if err := s.Sequence().Truncate(min(s.Sequence().Len(), len(tokens)-1)); err != nil {
		t.Fatal(err)
	}
	said, err := continued(t.Context(), w.decoder, s, tokens[s.Sequence().Len():])
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	requireSaid(t, 1, said, want[1])
}
