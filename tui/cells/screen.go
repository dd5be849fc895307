package cells

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Cell is one place of a screen.
type Cell struct {
	Text string // a grapheme; "" is the right half of a wide one
	Ink  string // parameters of SGR that it is drawn with, such as "1;38;2;95;201;192"
}

// Screen is a terminal's screen. It is not safe for concurrent use.
type Screen struct {
	w, h        int
	rows        [][]Cell
	x, y        int
	saved       [2]int
	top, bottom int // rows that scroll: [top, bottom)
	ink         string
	state       byte
	parser      *ansi.Parser
	rest        []byte // of a sequence or a letter that is not whole yet
}

// New returns an empty screen of w times h cells.
func New(w, h int) *Screen {
	s := &Screen{w: w, h: h, bottom: h, parser: ansi.NewParser(), rows: make([][]Cell, h)}
	for y := range s.rows {
		s.rows[y] = s.blank()
	}
	return s
}

func (s *Screen) blank() []Cell {
	row := make([]Cell, s.w)
	for x := range row {
		row[x].Text = " "
	}
	return row
}

// Write draws what a program wrote. It never fails.
func (s *Screen) Write(p []byte) (int, error) {
	data := slices.Concat(s.rest, p)
	for len(data) > 0 {
		seq, width, n, state := ansi.DecodeSequence(data, s.state, s.parser)
		// A sequence, or a letter of several bytes, may go on in the next write.
		if n == len(data) && (state != 0 || data[0] >= 0x80 && n < 4 && strings.ContainsRune(string(seq), '�')) {
			break
		}
		s.state = 0
		switch {
		case width > 0:
			s.put(string(seq), width)
		case len(seq) == 1:
			s.control(seq[0])
		case ansi.HasCsiPrefix(seq):
			s.sequence(ansi.Cmd(s.parser.Command()))
		case string(seq) == "\x1b7":
			s.saved = [2]int{s.x, s.y}
		case string(seq) == "\x1b8":
			s.x, s.y = s.saved[0], s.saved[1]
		case string(seq) == "\x1bM":
			s.up()
		}
		data = data[n:]
	}
	s.rest = append([]byte(nil), data...)
	return len(p), nil
}

func (s *Screen) put(text string, width int) {
	if s.x+width > s.w {
		s.x = max(s.w-width, 0) // wrapping is off on the screens that this is for
	}
	row := s.rows[s.y]
	row[s.x] = Cell{text, s.ink}
	for i := 1; i < width && s.x+i < s.w; i++ {
		row[s.x+i] = Cell{"", s.ink}
	}
	s.x = min(s.x+width, s.w)
}

func (s *Screen) control(c byte) {
	switch c {
	case '\r':
		s.x = 0
	case '\n':
		s.down()
	case '\b':
		s.x = max(s.x-1, 0)
	case '\t':
		s.x = min(s.x/8*8+8, s.w-1)
	}
}

// down moves the cursor a row down, and scrolls below the last.
func (s *Screen) down() {
	if s.y != s.bottom-1 {
		s.y = min(s.y+1, s.h-1)
		return
	}
	s.shift(s.top, -1)
}

func (s *Screen) up() {
	if s.y != s.top {
		s.y = max(s.y-1, 0)
		return
	}
	s.shift(s.top, 1)
}

// shift moves the rows from a row to the end of those that scroll by n rows
// down, or up where n is negative.
func (s *Screen) shift(from, n int) {
	rows := s.rows[from:s.bottom]
	moved := make([][]Cell, len(rows))
	for y := range rows {
		if at := y - n; at >= 0 && at < len(rows) {
			moved[y] = rows[at]
		} else {
			moved[y] = s.blank()
		}
	}
	copy(rows, moved)
}

// sequence follows a control sequence.
func (s *Screen) sequence(cmd ansi.Cmd) {
	if cmd.Prefix() != 0 || cmd.Intermediate() != 0 {
		return // modes and questions
	}
	n := s.param(0, 1)
	switch cmd.Final() {
	case 'm':
		s.ink = nextInk(s.ink, s.parser.Params())
	case 'H', 'f':
		s.move(s.param(1, 1)-1, n-1)
	case 'A':
		s.move(s.x, s.y-n)
	case 'B', 'e':
		s.move(s.x, s.y+n)
	case 'C', 'a':
		s.move(s.x+n, s.y)
	case 'D':
		s.move(s.x-n, s.y)
	case 'E':
		s.move(0, s.y+n)
	case 'F':
		s.move(0, s.y-n)
	case 'G', '`':
		s.move(n-1, s.y)
	case 'd':
		s.move(s.x, n-1)
	case 's':
		s.saved = [2]int{s.x, s.y}
	case 'u':
		s.x, s.y = s.saved[0], s.saved[1]
	case 'r':
		s.top, s.bottom = max(min(n, s.h)-1, 0), max(min(s.param(1, s.h), s.h), 1)
		s.move(0, 0)
	default:
		s.change(cmd.Final(), n)
	}
}

// change erases, inserts and scrolls.
func (s *Screen) change(what byte, n int) {
	x := min(s.x, s.w-1)
	switch what {
	case 'K':
		s.eraseRow(s.param(0, 0))
	case 'J':
		s.eraseScreen(s.param(0, 0))
	case 'X':
		s.erase(s.y, x, min(x+n, s.w))
	case 'P', '@':
		row := s.blank()
		copy(row, s.rows[s.y][:x])
		if what == 'P' {
			copy(row[x:], s.rows[s.y][min(x+n, s.w):])
		} else {
			copy(row[min(x+n, s.w):], s.rows[s.y][x:])
		}
		s.rows[s.y] = row
	case 'L':
		s.shift(s.y, n)
	case 'M':
		s.shift(s.y, -n)
	case 'S':
		s.shift(s.top, -n)
	case 'T':
		s.shift(s.top, n)
	}
}

func (s *Screen) param(i, otherwise int) int {
	n, _ := s.parser.Param(i, otherwise)
	if n == 0 {
		return otherwise
	}
	return n
}

func (s *Screen) move(x, y int) { s.x, s.y = max(min(x, s.w-1), 0), max(min(y, s.h-1), 0) }

func (s *Screen) erase(y, from, to int) {
	copy(s.rows[y][from:to], s.blank())
}

func (s *Screen) eraseRow(how int) {
	switch x := min(s.x, s.w); how {
	case 0:
		s.erase(s.y, x, s.w)
	case 1:
		s.erase(s.y, 0, min(x+1, s.w))
	default:
		s.erase(s.y, 0, s.w)
	}
}

func (s *Screen) eraseScreen(how int) {
	from, to := 0, s.h
	switch how {
	case 0:
		s.eraseRow(0)
		from = s.y + 1
	case 1:
		s.eraseRow(1)
		to = s.y
	}
	for y := from; y < to; y++ {
		s.erase(y, 0, s.w)
	}
}

// Rows returns the cells, row by row.
func (s *Screen) Rows() [][]Cell { return s.rows }

// Cursor returns where the next text goes, from 0.
func (s *Screen) Cursor() (x, y int) { return s.x, s.y }

// Text returns the rows without colours and trailing blanks.
func (s *Screen) Text() string {
	lines := make([]string, len(s.rows))
	for y, row := range s.rows {
		var line strings.Builder
		for _, c := range row {
			line.WriteString(c.Text)
		}
		lines[y] = strings.TrimRight(line.String(), " ")
	}
	return strings.Join(lines, "\n")
}
