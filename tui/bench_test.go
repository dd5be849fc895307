package tui

import (
	"io"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// BenchmarkFrame moves through the list and draws, at 120x40: what a held
// arrow key costs for each frame.
func BenchmarkFrame(b *testing.B) {
	fake := newFake()
	out, _ := newTerminal(io.Discard)
	m := newModel(b.Context(), fake, Options{Output: io.Discard}.withDefaults(), out)
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	passages := fake.find([]string{"cache"})
	for len(passages) < wanted {
		passages = append(passages, passages...)
	}
	m.results.set(passages[:wanted], false)
	p, err := fake.Preview(b.Context(), passages[0], previewReach, previewReach)
	if err != nil {
		b.Fatal(err)
	}
	m.preview.wait(passages[0])
	m.preview.set(p, markLines(passages[0], p))
	for i := 0; b.Loop(); i++ {
		m.results.choose(i % wanted)
		if m.View() == "" {
			b.Fatal("nothing was drawn")
		}
	}
}

// BenchmarkKey types and draws below results that stay, at 110x34: from a key to
// its frame.
func BenchmarkKey(b *testing.B) {
	fake := newFake()
	out, _ := newTerminal(io.Discard)
	m := newModel(b.Context(), fake, Options{Output: io.Discard}.withDefaults(), out)
	p := &painter{model: m, out: out}
	p.Update(tea.WindowSizeMsg{Width: 110, Height: 34})
	passages := fake.find([]string{"cache"})
	for len(passages) < wanted {
		passages = append(passages, passages...)
	}
	m.results.set(passages[:wanted], false)
	shown, err := fake.Preview(b.Context(), passages[0], previewReach, previewReach)
	if err != nil {
		b.Fatal(err)
	}
	m.preview.wait(passages[0])
	m.preview.set(shown, markLines(passages[0], shown))
	for i := 0; b.Loop(); i++ {
		if i%20 == 0 {
			m.input.SetValue("")
		}
		m.onKey(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'a' + rune(i%26)}})
		p.draw()
	}
}

// BenchmarkPreview takes in 600 lines of 100 bytes, half of them not ASCII.
func BenchmarkPreview(b *testing.B) {
	fake := newFake()
	fake.files = map[string]string{"/a": strings.Repeat(strings.Repeat("the cache ", 10)+"\n"+strings.Repeat("größe 日本 ", 7)+"\n", 300)}
	passage := fake.find([]string{"cache"})[0]
	data, err := fake.Preview(b.Context(), passage, previewReach, previewReach)
	if err != nil {
		b.Fatal(err)
	}
	pane := previewPane{area: rect{0, 0, 60, 30}}
	for b.Loop() {
		pane.wait(passage)
		pane.set(data, markLines(passage, data))
	}
}
