package swap

import "dowse/models/pack"

// Records reads the rows of a model on disk, as *pack.Rows does. Buffers start at a
// multiple of directio.Align and have room for two times that beside what is asked
// for. Its methods may be called from several goroutines.
type Records interface {
	// Layout says how large rows, records and groups are.
	Layout() pack.RowLayout
	// ReadRecords reads the records that have a layer's rows of channels from to to-1
	// into a buffer, and returns them one after the other.
	ReadRecords(layer int, b pack.Bundle, from, to int, buffer []byte) ([]byte, error)
	// ReadRow reads the row that a layer has of a record.
	ReadRow(layer int, b pack.Bundle, channel int, buffer []byte) ([]byte, error)
	// ReadBundle reads all records of a bundle, and compares their checksum.
	ReadBundle(group int, b pack.Bundle, buffer []byte) ([]byte, error)
}
