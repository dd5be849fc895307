package bench

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"dowse/models/pack"
	"dowse/models/pack/directio"
)

// loadRow is how fast rows that a token needs are read ahead, with groups of some layers.
type loadRow struct {
	Group  int     `json:"group"`  // layers, whose rows of a channel lie together
	Record float64 `json:"record"` // bytes that a read wants, on average
	Reads  int     `json:"reads"`
	Rate   float64 `json:"rate"` // wanted bytes a second
	Disk   float64 `json:"disk"` // bytes a second that were read, whole pages
	Ratio  float64 `json:"ratio"`
}

// loadReads is how many reads are under way at a time.
const loadReads = 8

// loadRows measures loads past the page cache.
func (s *swapBench) loadRows(ctx context.Context) error {
	file, err := directio.Open(s.opts.Rows)
	if err != nil {
		return err
	}
	return errors.Join(s.loads(ctx, file), file.Close())
}

// loads reads the rows of a share of the channels, each of all layers, where a row pack
// with groups of 1, 2, 4 and 8 layers has them: of the bundles that the residual stream
// feeds, whose records grow with the group. With groups of one layer each row of a channel
// is a read. Any file of the size does, since what is read is not looked at.
func (s *swapBench) loads(ctx context.Context, file *directio.File) error {
	size, err := file.Size()
	if err != nil {
		return err
	}
	config, _, err := s.config()
	if err != nil {
		return err
	}
	sizes := []int{1, 2, 4, 8}
	for at, group := range sizes {
		s.progress("load by groups", at, len(sizes))
		layout, err := pack.NewRowLayout(config, group, 8)
		if err != nil {
			return err
		}
		row, err := loadGroups(ctx, file, size, layout, s.activeShare())
		if err != nil {
			return err
		}
		row.Ratio = 1
		if at > 0 {
			row.Ratio = ratio(row.Rate, s.report.Loads[0].Rate)
		}
		s.report.Loads = append(s.report.Loads, row)
	}
	return nil
}

// activeShare is the share of channels that a token needs.
func (s *swapBench) activeShare() float64 {
	if s.opts.Sparsity == nil {
		return 1
	}
	return 1 - s.opts.Sparsity.Level
}

// extent is a read.
type extent struct {
	at    int64
	bytes int
}

// loadGroups reads the records of one layout, some at a time.
func loadGroups(ctx context.Context, file *directio.File, size int64, l pack.RowLayout, share float64) (loadRow, error) {
	row, reads, largest := loadRow{Group: l.GroupLayers}, []extent(nil), 0
	rng, start, wanted, whole := rand.New(rand.NewPCG(1, 0)), int64(0), 0, 0
	for group := range l.Groups() {
		for b := range pack.Bundles {
			if !b.Residual() {
				continue
			}
			record := l.RecordBytes(group, b)
			for c := range l.Channels[b] {
				if rng.Float64() >= share {
					continue
				}
				first := start + l.BundleOffset(group, b) + int64(c*record)
				page := first &^ (directio.Align - 1)
				bytes := int(first + int64(record) - page + directio.Align - 1)
				if bytes &^= directio.Align - 1; page+int64(bytes) > size {
					continue // row packs of other groups are larger by a few pages
				}
				reads = append(reads, extent{page, bytes})
				wanted, whole, largest = wanted+record, whole+bytes, max(largest, bytes)
			}
		}
		start += l.BundleOffset(group, pack.Bundles)
	}
	begin := time.Now()
	err := readExtents(ctx, file, reads, largest)
	took := time.Since(begin).Seconds()
	row.Reads, row.Record = len(reads), ratio(float64(wanted), float64(len(reads)))
	row.Rate, row.Disk = float64(wanted)/took, float64(whole)/took
	return row, err
}

// readExtents reads what is wanted in its order, some reads under way at a time.
func readExtents(ctx context.Context, file *directio.File, reads []extent, largest int) error {
	var next atomic.Int64
	var readers sync.WaitGroup
	errs := make([]error, loadReads)
	for i := range errs {
		readers.Go(func() {
			buffer := directio.AlignedBytes(largest)
			for at := next.Add(1) - 1; at < int64(len(reads)) && errs[i] == nil && ctx.Err() == nil; at = next.Add(1) - 1 {
				errs[i] = file.ReadAt(buffer[:reads[at].bytes], reads[at].at)
			}
		})
	}
	readers.Wait()
	return errors.Join(append(errs, ctx.Err())...)
}
