package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/creack/pty"

	screencells "dowse/tui/cells"
)

// ScreenOptions say how a program on a terminal is measured.
type ScreenOptions struct {
	Command       []string
	Width, Height int
	First         string        // keys before the measurement, such as those that open a filter
	Prompt        string        // what stands before the typed text
	Text          string        // that is typed, letter by letter, again and again
	Clear         string        // keys that clear the line
	Rounds        int           // how often
	Every         time.Duration // between two letters
	Settle        time.Duration // before the first letter
	Idle          time.Duration // how long it is watched while nothing is typed
}

// ScreenReport says how fast a program drew what was typed, and what it did
// while nothing was.
type ScreenReport struct {
	Command   string  `json:"command"`
	Keys      int     `json:"keys"`
	Median    float64 `json:"median_ms"` // from a key to the frame with its letter
	P99       float64 `json:"p99_ms"`
	Slowest   float64 `json:"slowest_ms"`
	KeyBytes  float64 `json:"bytes_per_key"`   // written until the next key
	IdleCPU   float64 `json:"idle_cpu"`        // share of a core, of the process alone
	IdleBytes int     `json:"idle_bytes"`      // written while idle
	Seconds   float64 `json:"idle_seconds"`    // of that
	Size      string  `json:"size"`            // of the terminal
	Lost      int     `json:"lost,omitempty"`  // letters that were not seen within a second
	IdleFault string  `json:"fault,omitempty"` // why the processor's time is not known
}

// Write prints the report.
func (r *ScreenReport) Write(w io.Writer) error {
	t := newTable(w, "keys\tmedian\t99%\tslowest\tlost\tbytes a key\tidle CPU\tidle bytes")
	idle := fmt.Sprintf("%.2f%%", 100*r.IdleCPU)
	if r.IdleFault != "" {
		idle = missing
	}
	t.row("%d\t%.1f ms\t%.1f ms\t%.1f ms\t%d\t%.0f\t%s\t%d", r.Keys, r.Median, r.P99, r.Slowest, r.Lost, r.KeyBytes, idle, r.IdleBytes)
	return t.flush()
}

// watched is a program on a terminal and the cells that it has drawn.
type watched struct {
	keys *os.File
	cmd  *exec.Cmd

	mu     sync.Mutex
	screen *screencells.Screen
	wrote  int            // bytes
	drawn  chan time.Time // when something was drawn; at most one is kept
}

// Screen types into a program on a terminal and watches what it draws.
func Screen(ctx context.Context, opts ScreenOptions, progress Progress) (*ScreenReport, error) {
	p := &watched{
		cmd: exec.CommandContext(ctx, opts.Command[0], opts.Command[1:]...), screen: screencells.New(opts.Width, opts.Height), drawn: make(chan time.Time, 1),
	}
	p.cmd.Env = append(os.Environ(), "TERM=xterm-256color", "COLORTERM=truecolor")
	keys, err := pty.StartWithSize(p.cmd, &pty.Winsize{Cols: uint16(opts.Width), Rows: uint16(opts.Height)})
	if err != nil {
		return nil, fmt.Errorf("start %s on a terminal: %w", opts.Command[0], err)
	}
	p.keys = keys
	defer func() { _ = p.cmd.Process.Kill(); _ = keys.Close(); _ = p.cmd.Wait() }()
	go p.read()
	if err := errors.Join(p.press(ctx, opts.First, opts.Settle), p.prompted(ctx, opts.Prompt)); err != nil {
		return nil, err
	}
	report := &ScreenReport{Command: strings.Join(opts.Command, " "), Size: fmt.Sprintf("%dx%d", opts.Width, opts.Height)}
	if err := p.typing(ctx, opts, report, progress); err != nil {
		return nil, err
	}
	return report, p.idle(ctx, opts, report)
}

// read draws what the program writes, until it ends.
func (p *watched) read() {
	buf := make([]byte, 1<<16)
	for {
		n, err := p.keys.Read(buf)
		at := time.Now()
		p.answer(buf[:n])
		p.mu.Lock()
		_, _ = p.screen.Write(buf[:n])
		p.wrote += n
		p.mu.Unlock()
		select {
		case p.drawn <- at:
		default:
		}
		if err != nil {
			return
		}
	}
}

// answer tells what terminals are asked when a program starts: the colour of the
// background, and where the cursor is.
func (p *watched) answer(written []byte) {
	for _, is := range [][2]string{{"\x1b]11;?", "\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\"}, {"\x1b[6n", "\x1b[1;1R"}} {
		if bytes.Contains(written, []byte(is[0])) {
			_, _ = io.WriteString(p.keys, is[1])
		}
	}
}

// press types keys one by one and waits after each.
func (p *watched) press(ctx context.Context, keys string, wait time.Duration) error {
	if err := pause(ctx, wait); err != nil {
		return err
	}
	if keys == "" {
		return nil
	}
	if _, err := io.WriteString(p.keys, keys); err != nil {
		return fmt.Errorf("the program has ended: %w\n%s", err, p.text())
	}
	return pause(ctx, wait)
}

// prompted waits, at most two seconds, for the prompt: a busy machine starts the program late.
func (p *watched) prompted(ctx context.Context, prompt string) error {
	late := time.NewTimer(2 * time.Second)
	defer late.Stop()
	for !strings.Contains(p.text(), strings.TrimRight(prompt, " ")) {
		select {
		case <-p.drawn:
		case <-late.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func (p *watched) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.screen.Text()
}

func (p *watched) written() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.wrote
}

// typing measures letter by letter.
func (p *watched) typing(ctx context.Context, opts ScreenOptions, report *ScreenReport, progress Progress) error {
	var took []float64
	begun := p.written()
	for round := range opts.Rounds {
		for i := range opts.Text {
			typed := opts.Text[:i+1]
			ms, seen, err := p.letter(ctx, typed[i:], opts.Prompt+strings.TrimRight(typed, " "))
			if err != nil {
				return err
			}
			if seen {
				took = append(took, ms)
			} else {
				report.Lost++
			}
			if err := pause(ctx, opts.Every-time.Duration(ms*float64(time.Millisecond))); err != nil {
				return err
			}
		}
		if err := p.press(ctx, opts.Clear, opts.Every); err != nil {
			return err
		}
		progress("typing", round+1, opts.Rounds)
	}
	if len(took) == 0 {
		return fmt.Errorf("nothing that was typed was seen behind %q:\n%s", opts.Prompt, p.text())
	}
	slices.Sort(took)
	report.Keys = len(took)
	report.Median, report.P99, report.Slowest = took[len(took)/2], took[len(took)*99/100], took[len(took)-1]
	report.KeyBytes = float64(p.written()-begun) / float64(len(took)+report.Lost)
	return nil
}

// letter types a letter and waits, at most a second, for the frame with it.
func (p *watched) letter(ctx context.Context, letter, want string) (ms float64, seen bool, err error) {
	late := time.NewTimer(time.Second)
	defer late.Stop()
	select {
	case <-p.drawn:
	default:
	}
	begun := time.Now()
	if _, err := io.WriteString(p.keys, letter); err != nil {
		return 0, false, fmt.Errorf("the program has ended: %w\n%s", err, p.text())
	}
	if letter == " " { // is in sight with the next letter
		return 0, true, nil
	}
	for {
		select {
		case at := <-p.drawn:
			if strings.Contains(p.text(), want) {
				return float64(at.Sub(begun)) / float64(time.Millisecond), true, nil
			}
		case <-late.C:
			return 0, false, nil
		case <-ctx.Done():
			return 0, false, ctx.Err()
		}
	}
}

// idle watches the program while nothing is typed.
func (p *watched) idle(ctx context.Context, opts ScreenOptions, report *ScreenReport) error {
	if opts.Idle == 0 {
		return nil
	}
	if err := pause(ctx, opts.Settle); err != nil {
		return err
	}
	wrote := p.written()
	before, errBefore := processorTime(p.cmd.Process.Pid)
	begun := time.Now()
	if err := pause(ctx, opts.Idle); err != nil {
		return err
	}
	after, err := processorTime(p.cmd.Process.Pid)
	if errBefore != nil || err != nil {
		report.IdleFault = "the system does not tell the time of a process"
	}
	report.Seconds = time.Since(begun).Seconds()
	report.IdleCPU = (after - before).Seconds() / report.Seconds
	report.IdleBytes = p.written() - wrote
	return nil
}

// processorTime is what a process has computed so far, as /proc counts its clock
// ticks of 10 ms.
func processorTime(pid int) (time.Duration, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	_, after, _ := strings.Cut(string(data), ") ") // the name may hold blanks
	fields := strings.Fields(after)
	const user, system = 11, 12
	var ticks int64
	for _, at := range []int{user, system} {
		var n int64
		if len(fields) > at {
			_, _ = fmt.Sscan(fields[at], &n)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond, nil
}

func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
