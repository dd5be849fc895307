package extract

import (
	"context"
	"encoding/binary"
	"errors"
	"io"

	"github.com/cespare/xxhash/v2"

	"dowse/indexer/document"
	"dowse/indexer/extract/logs"
	"dowse/indexer/skip"
)

// A file of a Format with Grows is read on from where it ended, by the same proof as a log (log.go): Document.State begins with a
// LogState, in front of what the Format goes on by.

// Resume has Document read on behind what was read of the file when it had size bytes. The file is read as a whole where that may
// have changed since, or has no State.
func (s *Source) Resume(before *document.Document, size int64) error {
	if s.file == nil || before == nil || s.Info.Size() <= size || s.Info.Size()/logs.Step != size/logs.Step {
		return nil
	}
	state, rest, err := cutState(before.State)
	if err != nil {
		return nil //nolint:nilerr // an earlier version kept another one
	}
	if same, err := state.holds(s.reader(), size); err != nil || !same {
		return err
	}
	was := *before
	was.State = rest
	s.before, s.known, s.proof = &was, size, &state
	return nil
}

// cutState divides a State.
func cutState(value []byte) (state LogState, rest []byte, err error) {
	n, k := binary.Uvarint(value)
	if k <= 0 || n > uint64(len(value)-k) {
		return state, nil, errors.New("there is no state to go on by")
	}
	state, err = ReadLogState(value[k : k+int(n)])
	return state, value[k+int(n):], err
}

// holds reports whether a file that had size bytes begins and ended there as it did.
func (s *LogState) holds(f io.ReaderAt, size int64) (bool, error) {
	if size < LogProof {
		return false, nil
	}
	head, tail, err := proofOf(f, size)
	if errors.Is(err, io.EOF) { // it was cut meanwhile
		return false, nil
	}
	return head == s.head && tail == s.tail, err
}

// proofOf hashes the first and the last LogProof bytes of a file of some size.
func proofOf(f io.ReaderAt, size int64) (head, tail uint64, err error) {
	block := make([]byte, LogProof)
	if _, err := f.ReadAt(block, 0); err != nil {
		return 0, 0, err
	}
	head = xxhash.Sum64(block)
	_, err = f.ReadAt(block, size-LogProof)
	return head, xxhash.Sum64(block), err
}

// sumOn hashes a file of a Format that grows from where it was known on, and notes the proof for the next time.
func (s *Source) sumOn(ctx context.Context) (uint64, error) {
	state := &LogState{sum: xxhash.New()}
	if s.proof != nil {
		state.sum = s.proof.sum
	}
	size := s.Info.Size()
	_, err := io.CopyBuffer(state.sum, &until{ctx, io.NewSectionReader(s.reader(), s.known, size-s.known)}, make([]byte, sumBlock))
	if err == nil && size >= LogProof {
		state.head, state.tail, err = proofOf(s.reader(), size)
	}
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case err != nil:
		return 0, skip.FromOS(s.path, err)
	}
	s.known, s.proof = size, state
	return state.sum.Sum64(), nil
}

// grownDocument extracts the text of a file of a Format that grows.
func (s *Source) grownDocument(ctx context.Context, f *document.Format) (*document.Document, error) {
	in := s.input()
	in.Before = s.before
	d, err := converted(ctx, f, in)
	if errors.Is(err, document.ErrChanged) && s.before != nil {
		d, err = converted(ctx, f, s.input())
	}
	if err != nil || d.State == nil {
		return d, err
	}
	if s.proof == nil || s.known != s.Info.Size() || s.known < LogProof {
		d.State = nil
		return d, nil
	}
	proof := s.proof.Append(nil)
	d.State = append(append(binary.AppendUvarint(nil, uint64(len(proof))), proof...), d.State...)
	return d, nil
}

// counted counts the bytes that are read.
type counted struct {
	io.ReaderAt
	n *int64
}

func (c counted) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(p, at)
	*c.n += int64(n)
	return n, err
}

// reader returns what parts of the file are read by.
func (s *Source) reader() io.ReaderAt { return counted{s.file, &s.read} }
