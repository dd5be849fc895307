package opened

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"dowse/engine/swap"
	"dowse/engine/weights"
	"dowse/models/pack"
	"dowse/models/pack/directio"
)

// DiskCosts says what reads cost on the disk that a file lies on. nil stands for
// swap.UsualDisk.
type DiskCosts func(ctx context.Context, path string) swap.DiskProfile

// Of returns what reads of a file cost.
func (d DiskCosts) Of(ctx context.Context, path string) swap.DiskProfile {
	if d == nil {
		return swap.DiskProfile{}
	}
	return d(ctx, path)
}

// diskReaders is how many reads are under way while a disk is measured: as many as a
// swap.Swapper has.
const diskReaders = 8

// MeasuredDisk measures each disk once for a version of dowse, in some 0.3 s, and keeps
// what it found in a folder. A disk that cannot be measured is swap.UsualDisk.
func MeasuredDisk(folder, version string) DiskCosts {
	return func(ctx context.Context, path string) swap.DiskProfile {
		of := sha256.Sum256([]byte(filepath.Dir(path)))
		kept := filepath.Join(folder, fmt.Sprintf("disk-%x.json", of[:8]))
		if p, ok := readDisk(kept, version); ok {
			return p
		}
		p, err := measureDisk(ctx, path)
		if err != nil {
			return swap.DiskProfile{}
		}
		if data, err := json.Marshal(keptDisk{version, p}); err == nil {
			_ = Keep(kept, data) // where it cannot be kept, the next process measures again
		}
		return p
	}
}

func measureDisk(ctx context.Context, path string) (p swap.DiskProfile, err error) {
	file, err := directio.Open(path)
	if err != nil {
		return p, err
	}
	p, err = swap.MeasureDisk(ctx, file, diskReaders)
	return p, errors.Join(err, file.Close())
}

// keptDisk is a measurement as it is kept.
type keptDisk struct {
	Version string           `json:"version"`
	Disk    swap.DiskProfile `json:"disk"`
}

// readDisk reads what this version kept; false where there is none, or nothing of use.
func readDisk(path, version string) (swap.DiskProfile, bool) {
	data, err := os.ReadFile(path)
	var kept keptDisk
	if err != nil || json.Unmarshal(data, &kept) != nil || kept.Version != version {
		return swap.DiskProfile{}, false
	}
	p := kept.Disk
	bad := func(rate float64) bool { return !(rate > 0) }
	return p, len(p.Sizes) > 0 && len(p.Sizes) == len(p.Rates) && p.Sizes[0] > 0 && slices.IsSorted(p.Sizes) &&
		!slices.ContainsFunc(append([]float64{p.Sequential, p.Memory}, p.Rates...), bad)
}

// SwapPays reports whether a model that does not fit writes sooner by rows of its weights,
// beside a conversation of some tokens, than by whole layers. Where nothing was measured of
// what may be left out it does not.
func SwapPays(r *weights.RowRoom, layout pack.RowLayout, sparsity *swap.Sparsity, tokens int, disk swap.DiskProfile) (bool, error) {
	budget, err := r.Rows(r.Conversation(tokens), 0)
	if err != nil || sparsity == nil {
		return false, err
	}
	return swap.Pays(layout, disk, budget, sparsity.Level), nil
}
