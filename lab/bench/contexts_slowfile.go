package bench

import (
	"errors"
	"os"
	"time"
)

// slowFile is a file on a disk of some speed. Who uses it does nothing while the disk
// works, so that what a slower disk would take longer is counted, not waited for.
type slowFile struct {
	file          *os.File
	rate          float64 // bytes a second; 0: as fast as the file is
	owed          time.Duration
	read, written int64
}

// newSlowFile makes a file in a folder, which is removed when it is closed.
func newSlowFile(folder string, rate float64) (*slowFile, error) {
	file, err := os.CreateTemp(folder, "slots-")
	if err != nil {
		return nil, err
	}
	return &slowFile{file: file, rate: rate}, nil
}

// readAt fills dst.
func (f *slowFile) readAt(dst []byte, at int64) error {
	f.read += int64(len(dst))
	return f.timed(len(dst), func() error {
		_, err := f.file.ReadAt(dst, at)
		return err
	})
}

// writeAt writes src.
func (f *slowFile) writeAt(src []byte, at int64) error {
	f.written += int64(len(src))
	return f.timed(len(src), func() error {
		_, err := f.file.WriteAt(src, at)
		return err
	})
}

// timed counts how much longer a slower disk would take for so many bytes.
func (f *slowFile) timed(bytes int, transfer func() error) error {
	start := time.Now()
	err := transfer()
	if f.rate > 0 {
		f.owed += max(0, time.Duration(float64(bytes)/f.rate*float64(time.Second))-time.Since(start))
	}
	return err
}

// take returns what is owed, which is none afterwards.
func (f *slowFile) take() time.Duration {
	owed := f.owed
	f.owed = 0
	return owed
}

func (f *slowFile) close() error {
	return errors.Join(f.file.Close(), os.Remove(f.file.Name()))
}
