package disk_test

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"dowse/engine/kv"
	"dowse/engine/kv/disk"
	"dowse/internal/testwait"
)

const (
	// victimVariable is the folder in which the process that is killed works, victimSeed
	// what it draws its steps from.
	victimVariable = "DOWSE_TEST_DISK_VICTIM"
	victimSeed     = "DOWSE_TEST_DISK_SEED"
	victimQuota    = "DOWSE_TEST_DISK_QUOTA"
	// killsVariable sets how often the tests kill, for runs longer than usual.
	killsVariable = "DOWSE_TEST_KILLS"
)

// step is what a process does to a conversation.
type step struct {
	what string // append, truncate, delete, put, lower
	name string
	seed int32 // of the tokens that are appended
	n    int   // how many are appended or stay; which chunk is lowered
}

func (s step) String() string { return fmt.Sprintf("%s %s %d %d", s.what, s.name, s.seed, s.n) }

// tokensAfter returns the tokens that a step leaves of a conversation.
func (s step) tokensAfter(tokens []int32) []int32 {
	switch s.what {
	case "append":
		return append(slices.Clone(tokens), text(s.seed, len(tokens)+s.n)[len(tokens):]...)
	case "truncate":
		return slices.Clone(tokens[:s.n])
	case "delete":
		return nil
	}
	return tokens
}

// draw draws the next step from what a conversation has.
func draw(rng *rand.Rand, d *disk.Disk) (step, []int32, error) {
	s := step{name: string('a' + rune(rng.IntN(5))), seed: int32(rng.IntN(2))}
	tokens, err := d.Tokens(s.name)
	complete := len(tokens) / small.ChunkTokens
	switch p := rng.IntN(100); {
	case p < 30 || len(tokens) == 0:
		s.what, s.n = "append", 1+rng.IntN(40)
	case p < 40:
		s.what, s.n = "truncate", rng.IntN(len(tokens)+1)
	case p < 45:
		s.what = "delete"
	case p < 75 || len(d.Chunks(s.name)) == 0:
		s.what, s.n = "put", complete
	default:
		s.what, s.n = "lower", rng.IntN(len(d.Chunks(s.name)))
	}
	return s, tokens, err
}

// do takes a step.
func (s step) do(d *disk.Disk, tokens []int32) error {
	of, owned := ids(d, tokens, ""), d.Chunks(s.name)
	switch s.what {
	case "append":
		return d.Append(s.name, s.tokensAfter(tokens)[len(tokens):])
	case "truncate":
		return d.Truncate(s.name, s.n)
	case "delete":
		return d.Delete(s.name)
	case "lower":
		to := kv.Level2
		if owned[s.n].Level == kv.Level8 {
			to = kv.Level4
		}
		return put(d, s.name, s.n, to, of[s.n])
	}
	all := make([]disk.Chunk, len(of)) // those that a kill or the quota left out, too
	for i, id := range of {
		all[i] = disk.Chunk{Position: i, ID: id, Level: kv.Level8}
		if i < len(owned) {
			all[i].Level = owned[i].Level
		}
		all[i].Data = bytesOf(id, all[i].Level)
	}
	return d.Put(s.name, all)
}

// victim is a process that says what it is about to do, does it and says that it did,
// until it is killed.
func victim(folder string) int {
	seed, _ := strconv.ParseUint(os.Getenv(victimSeed), 10, 64)
	bytes, _ := strconv.ParseInt(os.Getenv(victimQuota), 10, 64)
	rng := rand.New(rand.NewPCG(seed, 1))
	d, err := disk.Open(disk.Options{Folder: folder, Model: "m", Layout: small, Quota: bytes})
	for err == nil {
		var s step
		var tokens []int32
		if s, tokens, err = draw(rng, d); err == nil {
			fmt.Println(s)
			err = s.do(d, tokens)
			fmt.Println("done")
		}
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// model is what the killed processes were told to be on the disk.
type model struct {
	tokens map[string][]int32
	chunks map[string]int // that were put
	last   step           // the one under way, if what is not empty
}

// hear takes a line of a process.
func (m *model) hear(t *testing.T, line string) {
	t.Helper()
	if line == "done" {
		m.tokens[m.last.name] = m.last.tokensAfter(m.tokens[m.last.name])
		complete := len(m.tokens[m.last.name]) / small.ChunkTokens
		if m.last.what == "put" {
			m.chunks[m.last.name] = complete
		}
		m.chunks[m.last.name] = min(m.chunks[m.last.name], complete)
		m.last = step{}
		return
	}
	m.last = step{}
	if _, err := fmt.Sscan(line, &m.last.what, &m.last.name, &m.last.seed, &m.last.n); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
}

// compare compares a disk with the model. What was under way when the process was
// killed may have happened, or not.
func (m *model) compare(t *testing.T, d *disk.Disk, limited bool) {
	t.Helper()
	for name := range strings.SplitSeq("a b c d e", " ") {
		got, err := d.Tokens(name)
		must(t, err)
		if name == m.last.name && !slices.Equal(got, m.tokens[name]) {
			if want := m.last.tokensAfter(m.tokens[name]); !slices.Equal(got, want) {
				t.Fatalf("after a kill in %v: %d tokens, want %d or %d", m.last, len(got), len(m.tokens[name]), len(want))
			}
			m.tokens[name] = got
			m.chunks[name] = min(m.chunks[name], len(got)/small.ChunkTokens)
		}
		if !slices.Equal(got, m.tokens[name]) {
			t.Fatalf("%s: %d tokens, want %d", name, len(got), len(m.tokens[name]))
		}
		of, owned := ids(d, got, ""), d.Chunks(name)
		if len(owned) < m.chunks[name] {
			t.Fatalf("%s: %d chunks of %d that were put", name, len(owned), m.chunks[name])
		}
		for i, o := range owned {
			entry, there := d.Find(o.ID)
			// What the quota left out, or a kill, may be there at a lower level.
			asFar := there && entry.Level >= o.Level || limited || i >= m.chunks[name]
			if o.ID != of[i] || !asFar {
				t.Fatalf("%s: chunk %d is %+v, %+v, %v", name, i, o, entry, there)
			}
			if there {
				requireChunks(t, d, entry.Level, o.ID)
			}
		}
	}
	m.last = step{}
}

// TestTK10KilledProcesses ends processes by SIGKILL at random moments. Each time all
// that they were told to be on the disk is there, every chunk that reads is what was
// put, and the files are sound.
func TestTK10KilledProcesses(t *testing.T) {
	for _, quota := range []int{0, 40 * 3 * 4096} {
		t.Run(fmt.Sprintf("quota %d", quota), func(t *testing.T) { killAll(t, quota) })
	}
}

func killAll(t *testing.T, quota int) {
	const seed = 43
	kills := 8
	if value := os.Getenv(killsVariable); value != "" {
		n, err := strconv.Atoi(value)
		must(t, err)
		kills = n
	}
	rng := rand.New(rand.NewPCG(seed, uint64(quota)))
	folder, m := t.TempDir(), &model{tokens: map[string][]int32{}, chunks: map[string]int{}}
	steps, within, repaired := 0, 0, 0
	// How many kills fall into a step is chance: more are tried until one does.
	n := 0
	for ; n < kills || within == 0 && n < 20*kills; n++ {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), victimVariable+"="+folder, fmt.Sprintf("%s=%d", victimSeed, n), fmt.Sprintf("%s=%d", victimQuota, quota))
		var said bytes.Buffer
		cmd.Stderr = &said
		out, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		count, least := 0, 1+rng.IntN(120)
		for lines := bufio.NewScanner(out); lines.Scan(); count++ {
			m.hear(t, lines.Text())
			if count == least {
				testwait.Moment(time.Duration(rng.IntN(2000)) * time.Microsecond)
				must(t, cmd.Process.Kill())
			}
		}
		if _ = cmd.Wait(); said.Len() > 0 {
			t.Fatalf("the process ended by itself: %s", &said)
		}
		steps += count / 2
		if m.last.what != "" {
			within++
		}
		d := open(t, folder)
		if d.Repairs() != [3]int{} {
			repaired++
		}
		m.compare(t, d, quota > 0)
		requireSound(t, d)
		must(t, d.Close())
	}
	t.Logf("seed %d: %d kills, %d within a step, %d left something to mend, %d steps", seed, n, within, repaired, steps)
	if within == 0 {
		t.Error("no kill fell into a step: the test shows little")
	}
}
