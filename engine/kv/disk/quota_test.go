package disk_test

import (
	"testing"

	"dowse/engine/kv"
	"dowse/engine/kv/disk"
)

// The conversation that was used longest ago loses chunks first, the heaviest of them
// first, and of these the first in the text.
func TestQuotaDropsWhatCostsLeast(t *testing.T) {
	folder := t.TempDir()
	d := open(t, folder, quota(10))
	texts := map[string][]int32{"a": text(1, 16), "b": text(2, 16), "c": text(3, 16)}
	a, b := keep(t, d, "a", texts["a"], kv.Level8), keep(t, d, "b", texts["b"], kv.Level8)
	must(t, put(d, "a", 0, kv.Level4, a[0])) // 11 pages of a, 12 of b, 30 in all
	must(t, d.Append("b", nil))
	c := keep(t, d, "c", texts["c"], kv.Level8)
	requireMissing(t, d, a[1:3]...)
	requireChunks(t, d, kv.Level4, a[0])
	requireChunks(t, d, kv.Level8, append(append(a[3:], b...), c...)...)
	requireNowhere(t, folder, kv.Level8, a[1:3]...)
	if d.Bytes() != (30-1)*4096 {
		t.Errorf("%d bytes", d.Bytes())
	}
	must(t, d.Append("a", nil))
	d = reopen(t, d, folder, quota(10))
	more := ids(d, text(3, 24), "")[4:]
	must(t, d.Append("c", text(3, 24)[16:]))
	must(t, put(d, "c", 4, kv.Level8, more...))
	requireMissing(t, d, b[0], b[1]) // a was used after b
	requireChunks(t, d, kv.Level8, more...)
	for name, tokens := range texts {
		if name != "c" {
			requireTokens(t, d, name, tokens)
		}
		if len(d.Chunks(name)) < 4 {
			t.Errorf("%s has lost the names of its chunks", name)
		}
	}
	requireSound(t, d)
	// What was dropped can come back, in the place of what is older.
	must(t, put(d, "b", 0, kv.Level8, b[0], b[1]))
	requireChunks(t, d, kv.Level8, b...)
	requireSound(t, d)
}

// A conversation takes nothing from itself: what there is no room for is left out.
func TestQuotaThatIsTooSmall(t *testing.T) {
	folder := t.TempDir()
	d := open(t, folder, quota(4))
	of := keep(t, d, "a", text(1, 24), kv.Level8)
	requireMissing(t, d, of[:2]...)
	requireChunks(t, d, kv.Level8, of[2:]...)
	must(t, put(d, "a", 4, kv.Level2, of[4:]...)) // makes room
	must(t, put(d, "a", 0, kv.Level8, of[:1]...))
	requireChunks(t, d, kv.Level8, of[0], of[2], of[3])
	requireSound(t, d)
	d = reopen(t, d, folder, quota(3))
	if d.Bytes() > 9*4096 || d.Bytes() < 6*4096 {
		t.Errorf("%d bytes once the quota is smaller", d.Bytes())
	}
	requireMissing(t, d, of[0])
	requireSound(t, d)
	d = reopen(t, d, folder, func(o *disk.Options) { o.Quota = 4096 })
	must(t, d.Append("b", text(2, 4)))
	must(t, put(d, "b", 0, kv.Level8, ids(d, text(2, 4), "")...))
	if d.Bytes() > 4096 {
		t.Errorf("%d bytes with a quota of a page", d.Bytes())
	}
	requireTokens(t, d, "a", text(1, 24))
	requireSound(t, d)
}
