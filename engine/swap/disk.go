package swap

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"dowse/models/pack/directio"
)

// DiskProfile is the speed of a disk, read past the page cache with some reads under way,
// and of memory. The zero profile stands for UsualDisk.
type DiskProfile struct {
	Sizes      []int     // bytes of a read, ascending
	Rates      []float64 // bytes a second of reads of these sizes, anywhere in the file
	Sequential float64   // bytes a second of large reads, one after the other
	Memory     float64   // bytes a second of weights that lie in memory
}

// UsualDisk is the profile of an unmeasured disk: a solid-state disk of moderate speed.
var UsualDisk = DiskProfile{
	Sizes: []int{4 << 10, 16 << 10, 64 << 10, 256 << 10},
	Rates: []float64{290e6, 770e6, 1290e6, 1860e6}, Sequential: 2190e6, Memory: 10e9,
}

// or returns the profile, or UsualDisk for the zero profile.
func (p DiskProfile) or() DiskProfile {
	if len(p.Sizes) == 0 {
		return UsualDisk
	}
	return p
}

// Seconds returns the time of a read of that many bytes, as a share of several reads at a
// time. It never falls with the bytes.
func (p DiskProfile) Seconds(bytes int) float64 {
	p = p.or()
	least, before := float64(p.Sizes[0])/p.Rates[0], 0
	for i, size := range p.Sizes {
		next := max(least, float64(size)/p.Rates[i])
		if bytes <= size {
			if before == 0 {
				return next
			}
			return min(next, least+(next-least)*float64(bytes-before)/float64(size-before)) // rounding may not pass it
		}
		least, before = next, size
	}
	return least + float64(bytes-before)/p.Sequential
}

// Rate returns the bytes a second of reads of that size.
func (p DiskProfile) Rate(bytes int) float64 { return float64(bytes) / p.Seconds(bytes) }

// gap returns how many bytes between two wanted ones are cheaper to read along than to skip
// by another read: those read in the time of the smallest read.
func (p DiskProfile) gap() int {
	p = p.or()
	small := p.Sizes[0]
	return max(0, int(p.Seconds(small)*p.Sequential)-small)
}

// DirectFile is a file that is read past the page cache, as *directio.File is.
type DirectFile interface {
	ReadAt(b []byte, offset int64) error
	Size() (int64, error)
}

const (
	measureTime  = 40 * time.Millisecond // for each size of a read
	measureReads = 4096                  // most reads of a size
	measureCopy  = 32 << 20              // bytes that memory is measured with
)

// MeasureDisk measures the disk of a file with that many reads under way. It takes some 0.3
// seconds, more on a busy machine; ctx ends it at once. A file below 1 MiB is an error.
func MeasureDisk(ctx context.Context, file DirectFile, readers int) (DiskProfile, error) {
	size, err := file.Size()
	if err != nil {
		return DiskProfile{}, fmt.Errorf("measure the disk: %w", err)
	}
	const sequential = 1 << 20
	if size < sequential {
		return DiskProfile{}, fmt.Errorf("measure the disk: a file of %d bytes is too small to tell", size)
	}
	p := DiskProfile{Sizes: slices.Clone(UsualDisk.Sizes)}
	type outcome struct {
		rates []float64
		err   error
	}
	done := make(chan outcome, 1)
	go func() { // a read that hangs is left behind
		var o outcome
		for _, bytes := range append(slices.Clone(p.Sizes), sequential) {
			var rate float64
			if rate, o.err = measureRate(ctx, file, size, bytes, max(readers, 1)); o.err != nil {
				break
			}
			o.rates = append(o.rates, rate)
		}
		done <- o
	}()
	select {
	case <-ctx.Done():
		return DiskProfile{}, ctx.Err()
	case o := <-done:
		if o.err != nil {
			return DiskProfile{}, fmt.Errorf("measure the disk: %w", o.err)
		}
		last := len(p.Sizes)
		// Larger reads are no slower by the byte: less is a disturbance.
		for i := 1; i <= last; i++ {
			o.rates[i] = max(o.rates[i], o.rates[i-1])
		}
		p.Rates, p.Sequential = o.rates[:last], o.rates[last]
	}
	p.Memory = measureMemory()
	return p, nil
}

// measureRate returns the bytes a second of reads of some bytes, some under way at a
// time, anywhere in a file of that size.
func measureRate(ctx context.Context, file DirectFile, size int64, bytes, readers int) (float64, error) {
	places := size / int64(bytes)
	start := time.Now()
	counts, errs := make([]int, readers), make([]error, readers)
	var reads sync.WaitGroup
	for reader := range readers {
		reads.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(bytes), uint64(reader)))
			buffer := directio.AlignedBytes(bytes)
			for counts[reader] < measureReads/readers+1 && time.Since(start) < measureTime && ctx.Err() == nil {
				if errs[reader] = file.ReadAt(buffer, rng.Int64N(places)*int64(bytes)); errs[reader] != nil {
					return
				}
				counts[reader]++
			}
		})
	}
	reads.Wait()
	total := 0
	for _, n := range counts {
		total += n
	}
	took := max(time.Since(start), time.Microsecond).Seconds()
	return float64(total*bytes) / took, errors.Join(append(errs, ctx.Err())...)
}

// measureMemory returns the bytes a second at which memory is copied.
func measureMemory() float64 {
	from, to := make([]byte, measureCopy), make([]byte, measureCopy)
	copy(to, from) // the system provides the pages
	start := time.Now()
	copy(to, from)
	return measureCopy / max(time.Since(start), time.Microsecond).Seconds()
}
