package tui

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// frameEvery is the least time between two frames that no key waits for, and
// between those of two keys.
const frameEvery = 8 * time.Millisecond

// painter draws the model's frames as soon as there is something to draw. The
// renderer of Bubble Tea has a key wait for a tick, ticks 120 times a second also
// while nothing happens, and has a frame made for every message, drawn or not; its
// frames are empty here, and terminalFile drops them. All else of the terminal
// stays its business: modes, editors, suspending, what a panic leaves.
type painter struct {
	*model
	out     *terminal
	lines   []string  // on the terminal
	drawn   time.Time // when the last frame was
	keyed   time.Time // when the last one was that a key waited for
	waiting bool      // a frameDue is on its way
	frames  int       // that were made
}

// frameDue asks for the frame that came too early.
type frameDue struct{}

// Update gives a message to the model and draws what comes of it: after a key at
// once, otherwise with what else comes within frameEvery.
func (p *painter) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(frameDue); ok {
		p.waiting = false
		p.draw()
		return p, nil
	}
	if _, ok := msg.(tea.WindowSizeMsg); ok {
		p.lines = nil // terminals move lines when their size changes
	}
	_, cmd := p.model.Update(msg)
	last, now := &p.drawn, p.now()
	if _, ok := msg.(tea.KeyMsg); ok {
		last = &p.keyed
	}
	wait := last.Add(frameEvery).Sub(now)
	switch {
	case wait <= 0 || wait > frameEvery: // or the clock was set back
		p.draw()
		*last = now
	case !p.waiting:
		p.waiting = true
		return p, tea.Batch(cmd, tea.Tick(wait, func(time.Time) tea.Msg { return frameDue{} }))
	}
	return p, cmd
}

// View gives Bubble Tea nothing to draw.
func (p *painter) View() string { return "" }

// draw writes the lines that differ from those on the terminal.
func (p *painter) draw() {
	p.drawn = p.now()
	p.frames++
	frame := p.model.View()
	if frame == "" {
		return
	}
	lines := strings.Split(frame, "\n")
	p.out.paint(func(anew bool) []byte {
		if anew {
			p.lines = nil
		}
		var b bytes.Buffer
		for i, line := range lines {
			if i >= len(p.lines) || p.lines[i] != line {
				p.line(&b, i, line)
			}
		}
		if len(lines) < len(p.lines) {
			fmt.Fprintf(&b, "%s%s", ansi.CursorPosition(1, len(lines)+1), ansi.EraseScreenBelow)
		}
		return b.Bytes()
	})
	p.lines = lines
}

// line writes a line, or what is behind the border where no more differs.
func (p *painter) line(b *bytes.Buffer, row int, line string) {
	b.WriteString(ansi.CursorPosition(1, row+1))
	left, right, divided := strings.Cut(line, p.border())
	switch {
	case divided && row < len(p.lines) && strings.HasPrefix(p.lines[row], left+p.border()):
		b.WriteString(p.border()[len(ansi.EraseLineRight):])
		b.WriteString(right)
	default:
		b.WriteString(line)
	}
	if ansi.StringWidth(line) < p.width {
		b.WriteString(ansi.EraseLineRight)
	}
}
