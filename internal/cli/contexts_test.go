package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"dowse/engine"
)

func TestTimesAreSaidByTheDay(t *testing.T) {
	zone := time.FixedZone("", 2*60*60)
	now := time.Date(2026, 3, 12, 0, 30, 0, 0, zone) // a Thursday
	for _, c := range []struct {
		when time.Time
		want string
	}{
		{now, "today 00:30"},
		{now.Add(-30 * time.Minute), "today 00:00"},
		{now.Add(-31 * time.Minute), "yesterday 23:59"},
		{now.Add(-31 * time.Minute).UTC(), "yesterday 23:59"}, // of the same day there
		{now.AddDate(0, 0, -1).Add(-30 * time.Minute), "yesterday 00:00"},
		{now.AddDate(0, 0, -2), "Tuesday 00:30"},
		{now.AddDate(0, 0, -6), "Friday 00:30"},
		{now.AddDate(0, 0, -7), "2026-03-05 00:30"},
		{now.Add(time.Second), "today 00:30"},
		{now.Add(time.Hour), "2026-03-12 01:30"}, // by a clock that was wrong
		{time.Time{}, "never"},
	} {
		if got := askedText(now, c.when); got != c.want {
			t.Errorf("%v is %q, want %q", c.when, got, c.want)
		}
	}
}

func TestWhatKeysAndValuesTakeIsSaidInAFewWords(t *testing.T) {
	k := engine.KeysUse{Memory: 2000, Levels: []engine.LevelUse{{Bits: 8, Chunks: 8}, {Bits: 4}, {Bits: 2, Chunks: 31}}}
	if got := keysText(k); got != "2.0 kB in memory, chunks: 8 of 8 bits, 31 of 2 bits" {
		t.Error(got)
	}
	if got := keysText(engine.KeysUse{Disk: 7}); got != "" {
		t.Error(got)
	}
}

func TestAConversationIsShownWithoutWhatSteersATerminal(t *testing.T) {
	now := time.Date(2026, 3, 12, 12, 0, 0, 0, time.UTC)
	c := &engine.Conversation{Name: "a\x1bb", Count: 2, Turns: []engine.Turn{
		{Question: "why\x1b[2J?", Standalone: "why\x9bthat?", When: now, Answer: &engine.Answer{
			Text: "So\x1b[31m. [1]", How: engine.Extracted, Confidence: engine.Sure,
			Citations: []engine.AnswerCitation{{N: 1, Path: "/x\x1b", LineStart: 3}},
		}},
		{Question: "and?", When: now, Passages: []engine.TurnPassage{{Path: "/y\x1b", LineStart: 2, Heading: "H\x1b"}}},
		{Question: "nothing?", When: now},
	}}
	plain := painter(false)
	got := conversationText(plain, c, now)
	if strings.ContainsAny(got, "\x1b\u009b") {
		t.Errorf("%q", got)
	}
	for _, want := range []string{"\n1. why", "searched as: why", "[1] /x", "\n2. and? (today 12:00)\n/y", "nothing was found\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	if got := contextText(plain, &engine.ContextUse{Name: "a", Turn: 3, Standalone: "b?"}); got != "a, question 3 (not kept)\nsearched as: b?\n" {
		t.Errorf("%q", got)
	}
}

func TestALiveAnswerEndsWithItsConversation(t *testing.T) {
	var out bytes.Buffer
	live := &liveAnswer{out: &out, paint: painter(false)}
	live.grow(&engine.Answer{Text: "So"})
	result := &engine.Result{
		Answer:  &engine.Answer{Text: "So it is. [1]", How: "m", Confidence: engine.Sure, Citations: []engine.AnswerCitation{{N: 1, Path: "/x", LineStart: 3}}},
		Context: &engine.ContextUse{Name: "trip", Turn: 3, Kept: true},
	}
	if err := live.finish(result); err != nil || !strings.HasSuffix(out.String(), "\ntrip, question 3\n") || !strings.HasPrefix(out.String(), "So it is. [1]\n") {
		t.Errorf("%q, %v", out.String(), err)
	}
}

func TestWhatCameBackOfAConversationIsSaid(t *testing.T) {
	a := &engine.Answer{How: "m", Generation: &engine.Generation{Tokens: 9, Restored: 1400, Recomputed: 32, RestoreMillis: 31.4}}
	if got := authorText(a); got != "by m, 9 tokens, 1,432 tokens of the conversation back in 31ms, 0s" {
		t.Error(got)
	}
}

// keptIn begins a conversation in a home.
func keptIn(t *testing.T, home, cache, name string) {
	t.Helper()
	t.Setenv("DOWSE_HOME", home)
	t.Setenv("XDG_CACHE_HOME", cache)
	err := withConversations(context.Background(), func(c engine.Conversations) error {
		_, err := c.KeepTurn(context.Background(), name, engine.Turn{Question: "when?"})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
