package opened

import (
	"context"

	"dowse/engine/swap"
	"dowse/models"
	"dowse/models/pack"
)

// GroupLayers chooses of how many layers the rows of a model lie together in a row pack
// that is about to be written, by what reads of the disk cost that the model lies on and
// for models that may hold budget bytes. A row pack of those bits that is there already
// decides. Where nothing can be said, it is one.
func GroupLayers(ctx context.Context, m models.Installation, bits int, budget int64, disk DiskCosts) int {
	if old, err := m.RowPack(); err == nil && old != nil && old.Bits == bits {
		return old.GroupLayers
	}
	l, err := pack.NewRowLayout(m.Config, 1, bits)
	if err != nil {
		return 1
	}
	rows := budget - int64(m.Config.EmbeddingsBuffer()+m.Config.OutputBuffer())
	if budget <= 0 || swap.Whole(l) <= rows {
		return 1
	}
	p, err := swap.MakePlan(l, disk.Of(ctx, m.Path), rows, usualSparsity(l))
	if err != nil {
		return 1
	}
	return p.GroupLayers
}
