package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"dowse/engine/kernel"
	"dowse/engine/transformer"
	"dowse/models/pack"
	"dowse/models/pack/directio"
)

// shapePack is a pack of random weights.
type shapePack struct {
	opts   ShapeOptions // filled in
	config pack.Config
	path   string
	size   int64 // bytes
}

func newShapePack(o ShapeOptions) (*shapePack, error) {
	p := &shapePack{}
	var err error
	if p.config, err = pack.SeededShape(o.Shape); err != nil {
		return nil, err
	}
	name, memory := fmt.Sprintf("%s-%dbit-%d.rows", o.Shape, o.Bits, o.GroupLayers), int64(denseMemory)
	if p.mixture() {
		name, memory, o.Bits = o.Shape+".pack", mixtureMemory, 8
	}
	o.Memory = cmp.Or(o.Memory, memory)
	p.opts, p.path = o, filepath.Join(o.Folder, name)
	p.size, err = pack.SeededSize(p.config, o.rows())
	return p, err
}

// mixture reports whether the shape is a mixture of experts.
func (p *shapePack) mixture() bool { return p.config.Mixture.Experts > 0 }

// thresholds returns where those of the pack lie.
func (p *shapePack) thresholds() string {
	return fmt.Sprintf("%s.%g.json", p.path, p.opts.Level)
}

// remove removes what was written.
func (p *shapePack) remove() error { return errors.Join(forget(p.path), forget(p.thresholds())) }

// provide writes the pack and what may be left out of it, unless that is there.
func (p *shapePack) provide(ctx context.Context, k *kernel.Kernel, progress Progress) error {
	if info, err := os.Stat(p.path); err != nil || info.Size() != p.size {
		if err := p.write(ctx, progress); err != nil {
			return err
		}
	}
	if p.mixture() {
		return nil
	}
	if _, err := ShapeSparsity(p.path, p.thresholds()); err == nil {
		return nil
	}
	return p.calibrate(ctx, k, progress)
}

// spareDisk is left free on a disk that a pack is written to.
const spareDisk = 1 << 30

// write writes the pack, if the disk has room.
func (p *shapePack) write(ctx context.Context, progress Progress) error {
	if err := os.MkdirAll(p.opts.Folder, 0o755); err != nil {
		return err
	}
	if free, known := freeBytes(p.opts.Folder); known && free < p.size+spareDisk {
		return fmt.Errorf("the pack of %s takes %s, and the disk of %s has %s free, of which %s are left alone; make room, or name a folder of another disk with --dir",
			p.opts.Shape, mebibytes(p.size), p.opts.Folder, mebibytes(free), mebibytes(spareDisk))
	}
	phase := fmt.Sprintf("writing random weights, MiB to %s", p.path)
	o := p.opts.rows()
	o.Replace = true
	return pack.WriteSeeded(ctx, p.path, p.config, shapeSeed, o, func(done, total int64) {
		progress(phase, int(done>>20), int(total>>20))
	})
}

// shapeWindow is how many tokens thresholds are measured on, the fewest that Calibrate
// takes: inputs of random weights are alike.
const shapeWindow = 128

// calibrate measures what may be left out.
func (p *shapePack) calibrate(ctx context.Context, k *kernel.Kernel, progress Progress) (err error) {
	d, err := transformer.OpenDecoder(ctx, p.path, k, transformer.DecoderOptions{
		Threads: p.opts.Threads, Budget: p.opts.Memory - processBytes, MaxTokens: shapeWindow,
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	found, err := d.Calibrate(ctx, []string{seededText(2 * shapeWindow)}, transformer.CalibrationOptions{
		Text: "random letters", Levels: []float64{p.opts.Level}, Windows: 1, Tokens: shapeWindow,
	}, func(done, total int) { progress("measuring which inputs are small, tokens", done, total) })
	if err != nil {
		return err
	}
	return found.Write(p.thresholds())
}

// seededText returns random letters.
func seededText(n int) string {
	rng, text := rand.New(rand.NewPCG(shapeSeed, 7)), make([]byte, n)
	for i := range text {
		text[i] = byte('!' + rng.IntN('~'-'!'+1))
	}
	return string(text)
}

// How the disk is measured: as the ways read, and long enough for a steady rate.
const (
	rateReads = 4
	rateBytes = 4 << 20
	rateTime  = 2 * time.Second
)

// diskRate returns the bytes a second of large reads of the pack, and whether they leave
// the page cache out.
func (p *shapePack) diskRate(ctx context.Context, progress Progress) (rate float64, direct bool, err error) {
	progress("measuring the disk", 0, 0)
	f, err := directio.Open(p.path)
	if err != nil {
		return 0, false, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	places := p.size / rateBytes
	if places == 0 {
		return 0, false, fmt.Errorf("measure the disk: a file of %d bytes is too small to tell", p.size)
	}
	var next, read atomic.Int64
	next.Store(rand.New(rand.NewPCG(shapeSeed, 8)).Int64N(places))
	start := time.Now()
	errs := make([]error, rateReads)
	var running sync.WaitGroup
	for i := range errs {
		running.Go(func() {
			buffer := directio.AlignedBytes(rateBytes)
			for errs[i] == nil && time.Since(start) < rateTime && ctx.Err() == nil {
				errs[i] = f.ReadAt(buffer, next.Add(1)%places*rateBytes)
				read.Add(rateBytes)
			}
		})
	}
	running.Wait()
	if err := errors.Join(append(errs, ctx.Err())...); err != nil {
		return 0, false, fmt.Errorf("measure the disk: %w", err)
	}
	return float64(read.Load()) / time.Since(start).Seconds(), f.Direct(), nil
}
