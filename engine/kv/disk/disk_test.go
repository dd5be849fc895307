package disk_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/engine/kv"
	"dowse/engine/kv/disk"
)

func TestConversationsOutlastARestart(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "conversations")
	d := open(t, folder)
	tokens := text(1, 4*4+3)
	of := keep(t, d, "a/../odd name", tokens[:4*3+1], kv.Level8)
	if len(of) != 3 {
		t.Fatalf("%d chunks", len(of))
	}
	must(t, d.Append("a/../odd name", tokens[4*3+1:]))
	of = ids(d, tokens, "")
	must(t, put(d, "a/../odd name", 3, kv.Level4, of[3]))
	must(t, d.Append("b", []int32{-1, 1 << 30}))
	for range 2 {
		requireTokens(t, d, "a/../odd name", tokens)
		requireTokens(t, d, "b", []int32{-1, 1 << 30})
		requireTokens(t, d, "c", nil)
		requireChunks(t, d, kv.Level8, of[:3]...)
		requireChunks(t, d, kv.Level4, of[3])
		if got := d.Chunks("a/../odd name"); len(got) != 4 || got[3] != (disk.Owned{ID: of[3], Level: kv.Level4}) || got[2].Density != 2 {
			t.Errorf("chunks %v", got)
		}
		all := d.Conversations()
		if len(all) != 2 || all[0].Name != "a/../odd name" || all[0].Tokens != 19 || all[1].Name != "b" || all[1].Tokens != 2 {
			t.Errorf("%+v", all)
		}
		report := requireSound(t, d)
		if report.Conversations != 2 || report.Tokens != 21 || report.Chunks != 4 || report.Stored != 4 || report.Bytes != d.Bytes() || d.Bytes() != (3*3+2)*4096 {
			t.Errorf("%+v, %d bytes", report, d.Bytes())
		}
		d = reopen(t, d, folder)
	}
	if d.Repairs() != [3]int{} {
		t.Errorf("%+v", d.Repairs())
	}
	for _, path := range []string{folder, filepath.Join(folder, "meta.json")} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}

func TestOneProcessHasTheFolder(t *testing.T) {
	folder := t.TempDir()
	d := open(t, folder)
	if _, err := disk.Open(disk.Options{Folder: folder, Model: "m", Layout: small}); !errors.Is(err, disk.ErrInUse) || !strings.Contains(err.Error(), folder) {
		t.Errorf("opened twice: %v", err)
	}
	if _, err := disk.OpenAsLeft(folder); !errors.Is(err, disk.ErrInUse) {
		t.Errorf("opened twice: %v", err)
	}
	reopen(t, d, folder)
}

// What was cut is not in the log any more, as if it had never been said.
func TestTruncatedTokensAreGone(t *testing.T) {
	logs := [2][]byte{}
	for i, cut := range []bool{false, true} {
		folder := t.TempDir()
		d := open(t, folder)
		tokens := text(1, 40)
		must(t, d.Append("a", tokens[:11]))
		if cut {
			must(t, d.Append("a", tokens[11:]))
			must(t, d.Truncate("a", 11))
		}
		requireTokens(t, d, "a", tokens[:11])
		must(t, d.Close())
		paths, err := filepath.Glob(filepath.Join(folder, "*.tokens"))
		if err != nil || len(paths) != 1 {
			t.Fatalf("%v, %v", paths, err)
		}
		logs[i], err = os.ReadFile(paths[0])
		must(t, err)
	}
	if !bytes.Equal(logs[0], logs[1]) {
		t.Errorf("%d bytes where tokens were cut, want the %d without them", len(logs[1]), len(logs[0]))
	}
}

func TestTruncateFreesWhatLiesBehind(t *testing.T) {
	folder := t.TempDir()
	d := open(t, folder)
	tokens := text(2, 20)
	of := keep(t, d, "a", tokens, kv.Level8)
	must(t, d.Truncate("a", 11))
	other := append(slices.Clone(tokens[:11]), text(3, 9)...)
	must(t, d.Append("a", other[11:]))
	now := ids(d, other, "")
	must(t, put(d, "a", 2, kv.Level8, now[2:]...))
	for range 2 {
		requireTokens(t, d, "a", other)
		requireChunks(t, d, kv.Level8, now...)
		requireMissing(t, d, of[2:]...)
		requireNowhere(t, folder, kv.Level8, of[2:]...)
		requireSound(t, d)
		d = reopen(t, d, folder)
	}
	if d.Truncate("a", 21) == nil || d.Truncate("a", -1) == nil || !errors.Is(d.Truncate("b", 0), disk.ErrUnknown) {
		t.Error("tokens that are not there are kept")
	}
	must(t, d.Truncate("a", 0))
	if requireSound(t, d); d.Bytes() != 0 || len(d.Chunks("a")) != 0 {
		t.Errorf("%d bytes of nothing", d.Bytes())
	}
}

func TestPutIsChecked(t *testing.T) {
	d := open(t, t.TempDir())
	tokens := text(1, 12)
	of := keep(t, d, "a", tokens[:11], kv.Level8)
	data := bytesOf(of[0], kv.Level8)
	next := ids(d, tokens, "")[2]
	for name, chunks := range map[string][]disk.Chunk{
		"a level":        {{Position: 0, ID: of[0], Level: 5, Data: data}},
		"a length":       {{Position: 0, ID: of[0], Level: kv.Level8, Data: data[1:]}},
		"no order":       {{Position: 1, ID: of[1], Level: kv.Level8}, {Position: 0, ID: of[0], Level: kv.Level8}},
		"no place":       {{Position: -1, ID: of[0], Level: kv.Level8}},
		"a gap":          {{Position: 3, ID: next, Level: kv.Level8}},
		"a place, twice": {{Position: 1, ID: of[1], Level: kv.Level8}, {Position: 1, ID: of[0], Level: kv.Level8}},
	} {
		if err := d.Put("a", chunks); err == nil {
			t.Errorf("%s is put", name)
		}
	}
	if err := put(d, "b", 0, kv.Level8, of[0]); !errors.Is(err, disk.ErrUnknown) {
		t.Errorf("a chunk of no conversation is put: %v", err)
	}
	if err := d.Append("", tokens); !errors.Is(err, disk.ErrUnknown) {
		t.Errorf("a conversation without a name: %v", err)
	}
	requireChunks(t, d, kv.Level8, of...)
	requireSound(t, d)
}

// The open last chunk is put like others, and leaves its place to the one that it grows
// into; what is cut takes it along.
func TestOpenChunks(t *testing.T) {
	folder := t.TempDir()
	d := open(t, folder)
	tokens := text(1, 12)
	of := keep(t, d, "a", tokens[:10], kv.Level8)
	before := of[len(of)-1]
	short, long := disk.NextID(before, tokens[8:10], ""), disk.NextID(before, tokens[8:11], "")
	must(t, put(d, "a", 2, kv.Level8, short))
	requireChunks(t, d, kv.Level8, append(of, short)...)
	must(t, d.Append("a", tokens[10:11]))
	must(t, put(d, "a", 2, kv.Level8, long))
	requireChunks(t, d, kv.Level8, append(of, long)...)
	if _, there := d.Find(short); there {
		t.Error("the shorter chunk is still there")
	}
	must(t, d.Close())
	d = open(t, folder)
	requireChunks(t, d, kv.Level8, append(of, long)...)
	requireSound(t, d)
	if put(d, "a", 3, kv.Level8, short) == nil {
		t.Error("a chunk without tokens is put")
	}
	must(t, d.Truncate("a", 10))
	if requireSound(t, d); len(d.Chunks("a")) != 2 {
		t.Errorf("%d chunks of ten tokens", len(d.Chunks("a")))
	}
}

// A chunk is lowered by putting it again: its bytes at the higher level are gone.
func TestLoweredChunks(t *testing.T) {
	folder := t.TempDir()
	d := open(t, folder)
	of := keep(t, d, "a", text(1, 24), kv.Level8)
	before := d.Bytes()
	must(t, put(d, "a", 1, kv.Level4, of[1], of[2]))
	must(t, put(d, "a", 1, kv.Level2, of[1]))
	for range 2 {
		requireChunks(t, d, kv.Level2, of[1])
		requireChunks(t, d, kv.Level4, of[2])
		requireChunks(t, d, kv.Level8, of[0], of[3], of[4], of[5])
		requireNowhere(t, folder, kv.Level8, of[1:3]...)
		requireNowhere(t, folder, kv.Level4, of[1])
		requireSound(t, d)
		d = reopen(t, d, folder)
	}
	if d.Bytes() != before-(2+1)*4096 {
		t.Errorf("%d bytes, %d before", d.Bytes(), before)
	}
	// What is known without data is as it was.
	must(t, d.Put("a", []disk.Chunk{{Position: 0, ID: of[0], Level: kv.Level8}}))
	requireChunks(t, d, kv.Level8, of[0])
}

// TestTK12 shares the chunks of a common beginning.
func TestTK12SharedChunksAreKeptOnceAndOutliveAnOwner(t *testing.T) {
	folder := t.TempDir()
	d := open(t, folder)
	one, other := text(1, 20), append(text(1, 12), text(2, 8)...)
	a, b := keep(t, d, "a", one, kv.Level8), keep(t, d, "b", other, kv.Level8)
	if !slices.Equal(a[:3], b[:3]) || a[3] == b[3] || ids(d, one, "a")[0] == a[0] {
		t.Fatal("ids do not follow the tokens, or not the salt")
	}
	if d.Bytes() != 7*3*4096 {
		t.Errorf("%d bytes", d.Bytes())
	}
	must(t, put(d, "a", 0, kv.Level4, a...))
	requireChunks(t, d, kv.Level8, b...) // b needs them at 8 bits
	requireChunks(t, d, kv.Level4, a[3:]...)
	must(t, put(d, "b", 1, kv.Level2, b[1]))
	requireChunks(t, d, kv.Level8, b[1]) // a needs 4 bits, and 2 are offered
	must(t, put(d, "b", 1, kv.Level4, b[1]))
	requireChunks(t, d, kv.Level4, b[1])
	must(t, put(d, "b", 1, kv.Level8, b[1]))
	requireChunks(t, d, kv.Level8, b[1])
	requireSound(t, d)
	must(t, d.Delete("b"))
	d = reopen(t, d, folder)
	requireChunks(t, d, kv.Level8, a[:3]...)
	requireChunks(t, d, kv.Level4, a[3:]...)
	requireMissing(t, d, b[3:]...)
	requireNowhere(t, folder, kv.Level8, b[3:]...)
	requireNoIDs(t, folder, b[3:]...)
	requireSound(t, d)
	must(t, put(d, "a", 0, kv.Level4, a...)) // nobody else needs more now
	requireChunks(t, d, kv.Level4, a...)
	must(t, d.Delete("a"))
	requireMissing(t, d, a...)
	if report := requireSound(t, d); report.Chunks != 0 || d.Bytes() != 0 {
		t.Errorf("%+v", report)
	}
}

// TestTK11 opens what another model left.
func TestTK11AnotherModelsChunksAndTokensAreRemoved(t *testing.T) {
	folder := t.TempDir()
	d := open(t, folder)
	of := keep(t, d, "a", text(1, 20), kv.Level8)
	must(t, d.Close())
	left, err := disk.OpenAsLeft(folder)
	must(t, err)
	requireChunks(t, left, kv.Level8, of...)
	must(t, left.Close())
	d = open(t, folder, func(o *disk.Options) { o.Model = "n" })
	requireTokens(t, d, "a", nil)
	requireMissing(t, d, of...)
	requireNowhere(t, folder, kv.Level8, of...)
	requireNoTokens(t, folder, text(1, 20))
	if d.Repairs()[0] != 1 || len(d.Conversations()) != 0 {
		t.Errorf("%+v", d.Repairs())
	}
	keep(t, d, "a", text(1, 20), kv.Level8)
	requireSound(t, d)
	paths, err := filepath.Glob(filepath.Join(folder, "slots-*"))
	if err != nil || len(paths) != 2 {
		t.Errorf("%v, %v", paths, err)
	}
	// The same model, whose chunks are of other lengths now.
	d = reopen(t, d, folder, func(o *disk.Options) { o.Model, o.Layout.ChunkTokens = "n", 8 })
	if len(d.Conversations()) != 0 || d.Bytes() != 0 {
		t.Errorf("%+v", d.Conversations())
	}
	if _, err := disk.OpenAsLeft(t.TempDir()); !errors.Is(err, disk.ErrNothing) {
		t.Errorf("an empty folder: %v", err)
	}
	if _, err := disk.OpenAsLeft(filepath.Join(folder, "none")); !errors.Is(err, disk.ErrNothing) {
		t.Errorf("no folder: %v", err)
	}
}
