package conversation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"
	"time"
	"unicode/utf8"

	"dowse/engine"
)

const (
	kind    = "dowse conversation "
	version = "1"
	header  = kind + version + "\n"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var (
	errVersion = errors.New("another version of dowse kept it; use that one")
	errDamaged = errors.New("its file is damaged, and nothing of it can be read")
)

// record is one line of a log: a name or a turn.
type record struct {
	Name string       `json:"name,omitempty"`
	When time.Time    `json:"when,omitzero"` // of a name
	Turn *engine.Turn `json:"turn,omitempty"`
}

// content is the parsed content of a log.
type content struct {
	name    string // the latest
	created time.Time
	turns   []engine.Turn
	damaged int // number of lines
	whole   int // bytes up to the end of the last complete line
	torn    bool
}

// updated is the time of the last question.
func (c *content) updated() time.Time {
	if len(c.turns) == 0 {
		return c.created
	}
	return c.turns[len(c.turns)-1].When
}

// parse reads a log. Bytes behind the last line end are torn; damaged lines are counted and left
// out.
func parse(data []byte) (*content, error) {
	c := &content{whole: bytes.LastIndexByte(data, '\n') + 1}
	c.torn = c.whole < len(data)
	first := true
	for line := range bytes.Lines(data[:c.whole]) {
		if first {
			first = false
			if bytes.HasPrefix(line, []byte(kind)) && string(line) != header {
				return nil, errVersion
			}
			if string(line) != header {
				c.damaged++
			}
			continue
		}
		r, ok := decode(line)
		switch {
		case !ok:
			c.damaged++
		case r.Turn != nil:
			c.turns = append(c.turns, *r.Turn)
		default:
			c.name = r.Name
			if c.created.IsZero() {
				c.created = r.When
			}
		}
	}
	if c.name == "" && len(c.turns) == 0 {
		return nil, errDamaged
	}
	if c.created.IsZero() && len(c.turns) > 0 {
		c.created = c.turns[0].When
	}
	return c, nil
}

// checkLength is the length of a line's hexadecimal CRC and space.
const checkLength = 9

// decode reads one line, its end included.
func decode(line []byte) (*record, bool) {
	line = bytes.TrimSuffix(line, []byte{'\n'})
	if len(line) <= checkLength || line[checkLength-1] != ' ' {
		return nil, false
	}
	sum, err := strconv.ParseUint(string(line[:checkLength-1]), 16, 32)
	body := line[checkLength:]
	if err != nil || uint32(sum) != crc32.Checksum(body, castagnoli) {
		return nil, false
	}
	var r record
	if json.Unmarshal(body, &r) != nil {
		return nil, false
	}
	if r.Turn != nil {
		restorePaths(r.Turn)
		return &r, true
	}
	name, err := CleanName(r.Name) // may be written by hand
	if err != nil {
		return nil, false
	}
	r.Name = name
	return &r, true
}

// encode makes the line of a record.
func encode(r record) ([]byte, error) {
	if r.Turn != nil {
		turn := keepPaths(*r.Turn)
		r.Turn = &turn
	}
	body, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "%08x %s\n", crc32.Checksum(body, castagnoli), body), nil
}

// keepPaths returns a copy of a turn with the bytes of paths that JSON cannot hold.
func keepPaths(t engine.Turn) engine.Turn {
	passages := make([]engine.TurnPassage, len(t.Passages))
	for i, p := range t.Passages {
		p.PathBytes = nil
		if !utf8.ValidString(p.Path) {
			p.PathBytes = []byte(p.Path)
		}
		passages[i] = p
	}
	t.Passages = passages
	return t
}

// restorePaths reverses keepPaths, in citations too, since an answer cites its turn's passages.
func restorePaths(t *engine.Turn) {
	exact := map[int]string{} // by rank
	for i := range t.Passages {
		p := &t.Passages[i]
		if len(p.PathBytes) > 0 {
			p.Path, p.PathBytes = string(p.PathBytes), nil
			exact[p.Rank] = p.Path
		}
	}
	for a := t.Answer; a != nil && len(exact) > 0; a = a.Quotation {
		for i := range a.Citations {
			if path, ok := exact[a.Citations[i].N]; ok {
				a.Citations[i].Path = path
			}
		}
	}
}
