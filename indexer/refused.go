package indexer

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"dowse/indexer/skip"
	"dowse/indexer/walk"
	"dowse/store"

	"github.com/cespare/xxhash/v2"
)

// refused are files that were read and have nothing to index, by their size and time as they were
// then. Reading them again at every look would open each PDF that is nothing but pictures.
type refused map[uint64]refusal

// refusal is the record of such a file.
type refusal struct {
	reason  skip.Reason
	changed int64   // as store.File.Changed
	hash    [6]byte // as store.File.Hash; zeros if it could not be opened, or is unknown
}

// refusals are the reasons that a file keeps until it changes, or what reads files does. Their
// order is part of the format.
var refusals = []skip.Reason{skip.Encrypted, skip.NoText, skip.Damaged, skip.TooLong, skip.NotText, skip.Empty, skip.TooLarge,
	skip.Picture, skip.Sound, skip.Video, skip.PrivateKey, skip.Passwords, skip.Tokens}

// metaRefused is where the index keeps them: who read them, a zero byte, and for each a key and a reason. What
// is known besides follows where the reason says so: an index of earlier versions of this program has none.
const metaRefused = "refused"

const (
	refusedBytes = 8 + 1  // of a file
	moreRefused  = 8 + 6  // of what follows
	hasMore      = 1 << 7 // in the byte of the reason
)

// refusedKey names a file as it is.
func refusedKey(e walk.Entry) uint64 {
	key := append([]byte(e.Path), 0)
	key = binary.LittleEndian.AppendUint64(key, uint64(e.Size))
	return xxhash.Sum64(binary.LittleEndian.AppendUint64(key, uint64(e.ModTime.UnixNano())))
}

// readBy names what reads files: another one may find a text.
func (ix *Indexer) readBy() string {
	by := fmt.Sprintf("%d, up to %d bytes %s", readers, ix.opts.MaxFile, strings.TrimSpace(ix.opts.Readers+" "+ix.opts.Programs+" "+string(packEncodings(ix.opts.Encodings))))
	if ix.opts.Secrets {
		by += ", secrets too"
	}
	if len(ix.opts.Browsers) > 0 {
		by += ", browsers: " + strings.Join(ix.opts.Browsers, " ")
	}
	return by
}

// readRefused returns the files that the present readers have refused.
func (ix *Indexer) readRefused() (refused, error) {
	var data []byte
	err := ix.opts.Store.View(func(tx *store.Tx) (err error) {
		data, err = tx.Meta(metaRefused)
		return err
	})
	by, list, _ := bytes.Cut(data, []byte{0})
	out := refused{}
	if err != nil || string(by) != ix.readBy() {
		return out, err
	}
	for len(list) >= refusedBytes {
		key, reason := binary.LittleEndian.Uint64(list), list[refusedBytes-1]
		list = list[refusedBytes:]
		var r refusal
		if reason&hasMore != 0 && len(list) >= moreRefused {
			r.changed = int64(binary.LittleEndian.Uint64(list))
			copy(r.hash[:], list[8:])
			list = list[moreRefused:]
		}
		if reason := int(reason &^ hasMore); reason < len(refusals) {
			r.reason = refusals[reason]
			out[key] = r
		}
	}
	return out, nil
}

// note remembers a file that was read just now.
func (r refused) note(p *prepared) {
	if slices.Contains(refusals, p.left) {
		r[refusedKey(p.Entry)] = refusal{p.left, cmp.Or(p.file.Changed, p.Changed), p.file.Hash}
	}
}

// keep takes over the records of files that were not looked at.
func (r refused) keep(before refused) {
	for key, was := range before {
		if _, known := r[key]; !known {
			r[key] = was
		}
	}
}

// noteRefused replaces the stored records.
func (ix *Indexer) noteRefused(before, now refused) error {
	if maps.Equal(before, now) {
		return nil
	}
	value := append([]byte(ix.readBy()), 0)
	for _, key := range slices.Sorted(maps.Keys(now)) {
		r := now[key]
		value = append(binary.LittleEndian.AppendUint64(value, key), byte(slices.Index(refusals, r.reason))|hasMore)
		value = append(binary.LittleEndian.AppendUint64(value, uint64(r.changed)), r.hash[:]...)
	}
	return ix.commitError(ix.opts.Store.Update(func(tx *store.Tx) error { return tx.PutMeta(metaRefused, value) }))
}
