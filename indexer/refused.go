package indexer

import (
	"bytes"
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

// refused are files that were read and have nothing to index, as their size and time were
// then. Reading them again at every look would open each PDF that is nothing but pictures.
type refused map[uint64]skip.Reason

// refusals are the reasons that a file keeps until it changes, or what reads files does. Their
// order is part of the format.
var refusals = []skip.Reason{skip.Encrypted, skip.NoText, skip.Damaged, skip.TooLong, skip.NotText, skip.Empty, skip.TooLarge,
	skip.Picture, skip.Sound, skip.Video, skip.PrivateKey, skip.Passwords, skip.Tokens}

// metaRefused is where the index keeps them: who read them, a zero byte, and for each a key and a reason.
const metaRefused = "refused"

const refusedBytes = 8 + 1 // of a file

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
	return by
}

// readRefused returns the files that those who read files now have refused.
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
	for ; len(list) >= refusedBytes; list = list[refusedBytes:] {
		if reason := int(list[refusedBytes-1]); reason < len(refusals) {
			out[binary.LittleEndian.Uint64(list)] = refusals[reason]
		}
	}
	return out, nil
}

// note remembers a file that was read just now.
func (r refused) note(e walk.Entry, reason skip.Reason) {
	if slices.Contains(refusals, reason) {
		r[refusedKey(e)] = reason
	}
}

// noteRefused replaces what is remembered by the files that were there this time.
func (ix *Indexer) noteRefused(before, now refused) error {
	if maps.Equal(before, now) {
		return nil
	}
	value := append([]byte(ix.readBy()), 0)
	for _, key := range slices.Sorted(maps.Keys(now)) {
		value = append(binary.LittleEndian.AppendUint64(value, key), byte(slices.Index(refusals, now[key])))
	}
	return ix.commitError(ix.opts.Store.Update(func(tx *store.Tx) error { return tx.PutMeta(metaRefused, value) }))
}
