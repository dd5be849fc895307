package contexts

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"
	"time"

	"dowse/internal/testwait"
)

const (
	// victimVariable is the pack with which the process that is killed works, victimFolder
	// where it keeps conversations, and victimRatio the ratio that it lowers them to.
	victimVariable = "DOWSE_TEST_CONTEXTS_VICTIM"
	victimFolder   = "DOWSE_TEST_CONTEXTS_FOLDER"
	victimRatio    = "DOWSE_TEST_CONTEXTS_RATIO"
	// killsVariable sets how often the test kills, for runs longer than usual.
	killsVariable = "DOWSE_TEST_KILLS"
	// killTurns is how many turns a conversation has before it is deleted.
	killTurns = 12
)

// killScript is what the process that is killed says.
func killScript(vocabulary int) [][]int32 { return script(21, killTurns, 40, vocabulary) }

// victim takes turns of a conversation until it is killed.
func victim(h *home) int {
	ctx := context.Background()
	w, err := h.start(ctx, true)
	for turns := [][]int32(nil); err == nil; {
		if turns == nil {
			turns = killScript(w.decoder.Vocabulary())
		}
		err = w.victimTurn(ctx, turns)
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// victimTurn takes the turn that comes next; after the last one the conversation is
// deleted. Now and then what was written leaves memory.
func (w *world) victimTurn(ctx context.Context, turns [][]int32) error {
	s, err := w.Open(ctx, "talk")
	if err != nil {
		return err
	}
	next := turnAt(turns, len(s.Tokens()))
	if next == len(turns) {
		if err := s.Close(); err != nil {
			return err
		}
		_, err = w.Delete(ctx, "talk")
		return err
	}
	_, err = continued(ctx, w.decoder, s, turns[next])
	if err := errors.Join(err, s.Close()); err != nil {
		return err
	}
	if next%3 == 0 {
		err = w.Drain(ctx)
		w.Reclaim(1 << 40)
	}
	return err
}

// turnAt is how many turns are behind that many tokens. The last token that is written
// in a turn is none of the conversation.
func turnAt(turns [][]int32, tokens int) int {
	for i, given := range turns {
		if tokens < len(given)+written-1 {
			return i
		}
		tokens -= len(given) + written - 1
	}
	return len(turns)
}

// TestK10_KilledConversationsGoOn: a process that takes turns is ended by SIGKILL at
// random moments. Each time the conversation has all turns of which it had told the
// disk, and the next turn says what it would have said without. With lowering on that holds
// as long as no chunk behind a lowered one was named and not written: such chunks are
// counted, and the conversation begins anew.
func TestK10_KilledConversationsGoOn(t *testing.T) {
	const seed = 22
	kills := killsOf(t)
	t.Logf("seed %d, %d kills", seed, kills)
	whole, wide := newHome(t), newWideHome(t)
	wide.ratio = 0.5
	for name, h := range map[string]*home{"8 bits": whole, "lowered": wide} {
		t.Run(name, func(t *testing.T) { killed(t, h, kills, rand.New(rand.NewPCG(seed, 0))) })
	}
}

// killsOf is how often a test kills.
func killsOf(t *testing.T) int {
	value := os.Getenv(killsVariable)
	if value == "" {
		return 6
	}
	n, err := strconv.Atoi(value)
	if err != nil {
		t.Fatalf("%s: %v", killsVariable, err)
	}
	return n
}

// killed kills a process that takes turns, and goes on with what it leaves.
func killed(t *testing.T, h *home, kills int, rng *rand.Rand) {
	w := h.open(t, false)
	turns := killScript(w.decoder.Vocabulary())
	want := w.plainly(t, turns)
	w.close(t)
	const longest = time.Minute
	span, middle, inexact := 300*time.Millisecond, 0, 0
	for n := 0; n < kills || middle == 0 && span < longest; n++ {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), victimVariable+"="+h.pack, victimFolder+"="+h.folder, fmt.Sprintf("%s=%g", victimRatio, h.ratio))
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		testwait.Moment(time.Duration(rng.Int64N(int64(span))))
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
		switch found, exact := requireGoesOn(t, h, turns, want); {
		case !exact:
			inexact++
		case found > 0 && found < len(turns):
			middle++
		case middle == 0:
			span += span / 2
		}
	}
	t.Logf("%d kills fell into a conversation that went on exactly, %d left chunks that are not what they were", middle, inexact)
	if middle == 0 {
		t.Error("no kill fell into a conversation: the test shows nothing")
	}
}

// requireGoesOn takes the next turn of what a kill left, and returns how many there were,
// and whether chunks are what they were.
func requireGoesOn(t *testing.T, h *home, turns, want [][]int32) (found int, exact bool) {
	t.Helper()
	w := h.open(t, true)
	defer w.close(t)
	s, err := w.Open(t.Context(), "talk")
	if err != nil {
		t.Fatal(err)
	}
	tokens := slices.Clone(s.Tokens())
	found = turnAt(turns, len(tokens))
	at := 0
	for i := range found {
		told := slices.Concat(turns[i], want[i][:written-1])
		if !slices.Equal(tokens[at:at+len(told)], told) {
			t.Fatalf("turn %d of %d has other tokens", i, found)
		}
		at += len(told)
	}
	if at != len(tokens) {
		t.Fatalf("%d tokens of %d are no whole turn", len(tokens)-at, len(tokens))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if exact = w.Stats().Inexact == 0; !exact && h.ratio > 0 {
		if _, err := w.Delete(t.Context(), "talk"); err != nil {
			t.Fatal(err)
		}
		return found, false
	}
	if found < len(turns) {
		requireSaid(t, found, w.say(t, "talk", turns[found]), want[found])
	}
	w.drain(t)
	if st := w.Stats(); st.Problem != "" || st.Inexact != 0 {
		t.Errorf("%+v", st)
	}
	return found, true
}
