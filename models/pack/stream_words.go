package pack

import (
	"fmt"

	"dowse/models/internal/view"
)

// TablesBuffer returns the bytes of a buffer for ReadTables, a multiple of 4096.
func (c *Config) TablesBuffer() int {
	first, last := tablesRange(*c)
	return int(align(last, blockAlign) - first&^(blockAlign-1))
}

// tablesRange returns the range of the embeddings' block behind the words, which start it.
func tablesRange(c Config) (first, last int64) {
	words := int64(c.Vocabulary) * int64(c.WordBytes())
	return align(words, arrayAlign), sizeOf(c, (*cursor).embeddings)
}

// ReadTables reads the embedding tables except for the words, which stay nil,
// into a buffer of TablesBuffer bytes that starts at a multiple of 4096.
func (s *pieces) ReadTables(buffer []byte) (Embeddings, error) {
	c := s.header.Config
	if len(buffer) < c.TablesBuffer() {
		return Embeddings{}, fmt.Errorf("embedding tables: a buffer of %d bytes for %d", len(buffer), c.TablesBuffer())
	}
	buffer = buffer[:c.TablesBuffer()]
	first, last := tablesRange(c)
	page := first &^ (blockAlign - 1)
	if err := s.read(buffer, s.header.Blocks[embeddingsPlace].Offset+page); err != nil {
		return Embeddings{}, fmt.Errorf("embedding tables: %w", err)
	}
	tables := cursor{block: buffer[first-page : last-page]}
	return tables.tables(c), nil
}

// WordsBuffer returns the least number of bytes of a buffer for ReadWords.
func (c *Config) WordsBuffer() int { return int(align(int64(c.WordBytes()), blockAlign)) + blockAlign }

// ReadWords reads the embedding rows of ids, ascending and all different, and
// hands each to row with its place in ids; it is valid during that call alone.
// Rows that lie close together are read at once, through a buffer of at least
// WordsBuffer bytes that starts at a multiple of 4096. It returns the bytes
// read. Rows have no checksum of their own; Verify has.
func (s *pieces) ReadWords(ids []int32, buffer []byte, row func(i int, words []int8)) (bytes int64, err error) {
	c := s.header.Config
	if len(buffer) < c.WordsBuffer() {
		return 0, fmt.Errorf("embedding rows: a buffer of %d bytes for %d", len(buffer), c.WordsBuffer())
	}
	width := int64(c.WordBytes())
	for i := 0; i < len(ids); {
		if ids[i] < 0 || int(ids[i]) >= c.Vocabulary {
			return bytes, fmt.Errorf("token id %d: the vocabulary has %d", ids[i], c.Vocabulary)
		}
		n, end := wordRun(ids[i:], width, int64(len(buffer)))
		start := int64(ids[i]) * width
		page := start &^ (blockAlign - 1)
		run := buffer[:align(end, blockAlign)-page]
		if err := s.read(run, s.header.Blocks[embeddingsPlace].Offset+page); err != nil {
			return bytes, fmt.Errorf("embedding rows: %w", err)
		}
		bytes += int64(len(run))
		for range n {
			at := int64(ids[i])*width - page
			row(i, view.Int8s(run[at:at+width]))
			i++
		}
	}
	return bytes, nil
}

// wordGap is how many bytes between two rows are read along to save a read: on the disk
// measured, a read of 4 KiB takes as long as the transfer of about 100 KiB.
const wordGap = 64 << 10

// wordRun returns how many of the ids, ascending, one read through a buffer of
// size bytes takes, and where in the table of words the last one ends.
func wordRun(ids []int32, width, size int64) (n int, end int64) {
	page := int64(ids[0]) * width &^ (blockAlign - 1)
	end = int64(ids[0]+1) * width
	for n = 1; n < len(ids); n++ {
		next := int64(ids[n]) * width
		if next-end > wordGap || align(next+width, blockAlign)-page > size || next < end {
			break
		}
		end = next + width
	}
	return n, end
}
