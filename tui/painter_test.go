package tui

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"dowse/engine"
	"dowse/internal/testwait"
	"dowse/tui/cells"
)

// painted runs body with a program of 80x24 in a bubble of time and what it wrote to
// the terminal.
func painted(t *testing.T, body func(p *tea.Program, painter *painter, fake *fakeSearcher, out *written)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		fake, out := newFake(), &written{cells: cells.New(80, 24)}
		options := Options{Output: out, Home: "/home/ada", NoColor: true, Getenv: func(string) string { return "" }}.withDefaults()
		terminal, output := newTerminal(out)
		p := &painter{model: newModel(ctx, fake, options, terminal), out: terminal}
		in, keys := io.Pipe()
		program := tea.NewProgram(p, tea.WithAltScreen(), tea.WithInput(in), tea.WithOutput(output), tea.WithFPS(restingFPS), tea.WithoutSignalHandler())
		ended := make(chan struct{})
		go func() { defer close(ended); _, _ = program.Run() }()
		program.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
		<-time.After(time.Second)
		synctest.Wait()
		body(program, p, fake, out)
		_ = keys.Close()
		program.Quit()
		<-ended
		cancel()
		fake.release()
		testwait.Moment(time.Minute)
	})
}

// written is a terminal that counts.
type written struct {
	bytes.Buffer
	cells  *cells.Screen
	w, h   int
	writes int
}

func (w *written) Write(p []byte) (int, error) {
	w.writes++
	_, _ = w.cells.Write(p)
	return w.Buffer.Write(p)
}

// shownWhole is what a terminal shows of a model's frame when all of it is written.
func shownWhole(m *model) string {
	whole := cells.New(m.width, m.height)
	_, _ = io.WriteString(whole, strings.ReplaceAll(m.View(), "\n", "\r\n"))
	return whole.Text()
}

func letter(r rune) tea.Msg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}} }

// TestIdleScreen: nothing is drawn or written, and no message comes, in a minute in
// which nothing happens.
func TestIdleScreen(t *testing.T) {
	painted(t, func(program *tea.Program, p *painter, _ *fakeSearcher, out *written) {
		frames, writes := p.frames, out.writes
		program.Send(nil) // what was read here happened before what is drawn next
		<-time.After(time.Minute)
		synctest.Wait()
		if frames == 0 || p.frames != frames || out.writes != writes {
			t.Errorf("%d frames, %d writes while nothing happened, after %d and %d", p.frames-frames, out.writes-writes, frames, writes)
		}
	})
}

// TestKeyIsDrawnAtOnce: a key has its frame before time passes; what floods in after
// it shares frames, of which the last shows all.
func TestKeyIsDrawnAtOnce(t *testing.T) {
	painted(t, func(program *tea.Program, p *painter, fake *fakeSearcher, out *written) {
		at := out.Len()
		program.Send(letter('d'))
		synctest.Wait()
		if got := out.String()[at:]; !strings.Contains(got, "d") || !strings.Contains(out.cells.Text(), "❯ d") {
			t.Errorf("a key wrote %q", got)
		}
		program.Send(nil) // what was read here happened before what is drawn next
		<-time.After(time.Second)
		synctest.Wait()
		frames := p.frames
		for range 100 {
			fake.events <- engine.Event{Progress: indexing(time.Now())}
			synctest.Wait()
		}
		program.Send(letter('n'))
		for range 50 {
			program.Send(letter('s'))
		}
		<-time.After(time.Second)
		synctest.Wait()
		if drawn := p.frames - frames; drawn == 0 || drawn > 12 {
			t.Errorf("%d frames for 151 messages of one moment", drawn)
		}
		if want := "❯ dn" + strings.Repeat("s", 50); !strings.Contains(out.cells.Text(), want) {
			t.Errorf("the terminal shows\n%s", out.cells.Text())
		}
	})
}

// TestPaintedScreen: whatever was drawn before, what is on the terminal is what the
// model shows, drawn from nothing.
func TestPaintedScreen(t *testing.T) {
	painted(t, func(program *tea.Program, p *painter, _ *fakeSearcher, out *written) {
		steps := []tea.Msg{
			letter('d'), letter('n'), letter('s'), tea.KeyMsg{Type: tea.KeyDown}, tea.KeyMsg{Type: tea.KeyCtrlL}, tea.KeyMsg{Type: tea.KeyCtrlO},
			tea.KeyMsg{Type: tea.KeyShiftDown}, tea.WindowSizeMsg{Width: 80, Height: 24}, tea.KeyMsg{Type: tea.KeyF1}, tea.KeyMsg{Type: tea.KeyEsc},
		}
		for i, step := range steps {
			program.Send(step)
			<-time.After(time.Second + 7*frameEvery) // between two looks at the status
			synctest.Wait()
			if got, want := out.cells.Text(), shownWhole(p.model); got != want {
				t.Errorf("after step %d the terminal shows\n%s\nwant\n%s", i, got, want)
			}
		}
	})
}

// TestPartOfLine: where the list stays, what is behind the border alone is written.
func TestPartOfLine(t *testing.T) {
	var out bytes.Buffer
	terminal, program := newTerminal(&out)
	m := newModel(t.Context(), newFake(), Options{Output: &out}.withDefaults(), terminal)
	m.width, m.layout.border = 40, rect{10, 2, 1, 5}
	p := &painter{model: m, out: terminal, lines: []string{"left" + m.border() + "one", "same"}}
	var b bytes.Buffer
	p.line(&b, 0, "left"+m.border()+"two")
	if want := ansi.CursorPosition(1, 1) + ansi.CursorHorizontalAbsolute(11) + "│two" + ansi.EraseLineRight; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	if _, err := io.WriteString(program, ansi.CursorHomePosition+"a frame of the library"); err != nil || out.Len() > 0 || terminal.anew {
		t.Errorf("%q was written, %v", out.String(), err)
	}
	if _, err := io.WriteString(program, ansi.EraseEntireScreen); err != nil || out.Len() == 0 || !terminal.anew {
		t.Errorf("%q was written, %v", out.String(), err)
	}
}
