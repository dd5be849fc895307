package local

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/engine"
)

// storyPassages are about one person each, long enough that four turns are some 1,500
// tokens.
func storyPassages(turn int) []engine.Passage {
	names := []string{"Ada", "Grace", "Edsger", "Barbara"}
	var list []engine.Passage
	for i := range 2 {
		name := names[(turn+i)%len(names)]
		text := fmt.Sprintf("%s lived in house number %d by the lake, with a green door. ", name, 10*turn+i) +
			strings.Repeat(fmt.Sprintf("Every morning %s walked to the harbour, looked at the boats, and wrote down which had come. ", name), 6)
		list = append(list, engine.Passage{Rank: i + 1, Path: "/notes/" + name + ".md", Text: text, LineStart: 1, LineEnd: 1})
	}
	return list
}

// TestSmolLM2GoesOn: a real model says the same in a conversation that never left memory,
// in one that comes back from the disk, and in one that is computed again.
func TestSmolLM2GoesOn(t *testing.T) {
	h := bareHome(t)
	linkModel(t, h, "SmolLM2-135M-Instruct")
	h.memory, h.answerer = 2<<30, "SmolLM2-135M-Instruct"
	keys := h.newKeys(t)
	a, _ := newModelAnswerer(t, h)
	const turns = 5
	talks := map[string]*conversation{}
	for _, id := range []string{"stays", "read", "computed"} {
		talks[id] = &conversation{Answerer: a, id: id}
		for i := range turns - 1 {
			if said := talks[id].ask(t, fmt.Sprintf("Where did the people of story %d live?", i), storyPassages(i)); said.Problem != "" || said.Note != "" {
				t.Fatalf("%+v", said)
			}
		}
	}
	drain := func() {
		if err := taken(t, a.writer).conversations.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	last := func(id string) *engine.Answer {
		said := talks[id].ask(t, "And who wrote down which boats had come?", storyPassages(turns))
		t.Logf("%-9s first token %5.0f ms, of which %4.0f to restore; %d tokens: %d reused, %d read from the disk, %d computed again (on a machine that others load)",
			id, said.Generation.FirstMillis+said.Generation.RestoreMillis, said.Generation.RestoreMillis, said.Generation.PromptTokens,
			said.Generation.Reused, said.Generation.Restored, said.Generation.Recomputed)
		return said
	}
	want := last("stays")
	drain()
	if err := errors.Join(a.writer.Shared.Close(), keys.Close()); err != nil {
		t.Fatal(err)
	}
	read := last("read")
	drain()
	if err := errors.Join(a.writer.Shared.Close(), keys.Close()); err != nil {
		t.Fatal(err)
	}
	slots, err := filepath.Glob(filepath.Join(h.data, "keys", "slots-*"))
	if err != nil || len(slots) != 2 {
		t.Fatal(slots, err)
	}
	for _, path := range slots {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	computed := last("computed")
	if read.Text != want.Text || computed.Text != want.Text {
		t.Errorf("said %q, and %q once read, %q once computed", want.Text, read.Text, computed.Text)
	}
	if read.Generation.Restored == 0 || computed.Generation.Restored != 0 || computed.Generation.Recomputed < 1000 {
		t.Errorf("%+v; %+v", read.Generation, computed.Generation)
	}
	drain()
	if err := errors.Join(a.writer.Close(), keys.Close()); err != nil {
		t.Fatal(err)
	}
}
