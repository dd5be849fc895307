package pack

import (
	"errors"
	"fmt"
)

// Bundle is one of the four projections of a decoder's layer: matrices that share an input
// are one bundle, since they share active channels (ActiveFlow 4.2).
type Bundle int

// The bundles of a layer, in the order in which it computes them.
const (
	QKVBundle Bundle = iota
	OutputBundle
	GateUpBundle
	DownBundle
	Bundles // how many there are
)

// String returns the bundle's name, as blocks and reports have it.
func (b Bundle) String() string {
	if b < 0 || b >= Bundles {
		return fmt.Sprintf("bundle %d", int(b))
	}
	return [Bundles]string{"qkv", "output", "gateup", "down"}[b]
}

// Residual reports whether the residual stream feeds the bundle. Consecutive layers then
// share most of their active channels (ActiveFlow 2.2); in other bundles they share none.
func (b Bundle) Residual() bool { return b == QKVBundle || b == GateUpBundle }

// RowLayout says where the row of an input channel, its weights for all outputs, lies in a
// row pack (ActiveFlow 4.2). The blocks are "tokenizer" and "embeddings" as in a pack,
// "resident" (norms, and of projections all but weights; always in memory), the bundles
// "group.0.qkv", "group.0.output", "group.0.gateup", "group.0.down", "group.1.qkv", ...,
// then "output". A bundle has record after record by channel. Where the residual stream
// feeds it, a record is the channel's row in each layer of the group, which are active
// together. In other bundles a record is the row of one layer, and layer follows layer.
type RowLayout struct {
	Layers      int          // of the model
	GroupLayers int          // of a group; the last group may have fewer
	Bits        int          // of a weight: 8 or 4
	Channels    [Bundles]int // input channels, which are the records of a bundle
	Outputs     [Bundles]int // weights of a row
}

// maxGroupLayers bounds the layers of a group. Records grow with it, and predictions of
// active channels get worse for layers further ahead.
const maxGroupLayers = 8

// checkRows refuses a group or a width of weights that row packs do not have.
func checkRows(groupLayers, bits int) error {
	switch {
	case groupLayers < 1 || groupLayers > maxGroupLayers || groupLayers&(groupLayers-1) != 0:
		return fmt.Errorf("groups of %d layers are not supported; supported: 1, 2, 4, 8", groupLayers)
	case bits != 8 && bits != 4:
		return fmt.Errorf("weights of %d bits are not supported; supported: 8, 4", bits)
	}
	return nil
}

// NewRowLayout returns the layout of a decoder's rows: groupLayers is 1, 2, 4 or 8,
// and bits are 8 or 4.
func NewRowLayout(c Config, groupLayers, bits int) (RowLayout, error) {
	if !c.Decoder || c.Pooling != "" {
		return RowLayout{}, fmt.Errorf("%s is no decoder: the rows of decoders alone are swapped", c.Architecture)
	}
	if c.Mixture.Experts > 0 {
		return RowLayout{}, fmt.Errorf("%s is a mixture of experts, of which those that a token needs are read from the pack as it is: use that", c.Architecture)
	}
	if err := checkRows(groupLayers, bits); err != nil {
		return RowLayout{}, err
	}
	l := RowLayout{Layers: c.Layers, GroupLayers: groupLayers, Bits: bits}
	var measure cursor
	layer := measure.layerOf(c, measure.linear)
	for b, p := range layer.Bundles() {
		l.Channels[b], l.Outputs[b] = p.K, p.N
	}
	return l, nil
}

// Bundles returns the layer's projections, each at its place.
func (l *DecoderLayer) Bundles() [Bundles]*Linear {
	return [Bundles]*Linear{QKVBundle: &l.QKV, OutputBundle: &l.Output, GateUpBundle: &l.GateUp, DownBundle: &l.Down}
}

// Groups returns how many groups there are.
func (l RowLayout) Groups() int { return (l.Layers + l.GroupLayers - 1) / l.GroupLayers }

// LayersOf returns how many layers a group has, of which the first is
// group*GroupLayers.
func (l RowLayout) LayersOf(group int) int {
	return min(l.GroupLayers, l.Layers-group*l.GroupLayers)
}

// RowBytes returns the bytes of one layer's row: an int8 per weight at 8 bits, Row4Bytes at 4.
func (l RowLayout) RowBytes(b Bundle) int {
	if l.Bits == 8 {
		return l.Outputs[b]
	}
	return Row4Bytes(l.Outputs[b])
}

// RecordLayers returns of how many layers a record of a group has rows.
func (l RowLayout) RecordLayers(group int, b Bundle) int {
	if b.Residual() {
		return l.LayersOf(group)
	}
	return 1
}

// RecordBytes returns the bytes of a record of a group.
func (l RowLayout) RecordBytes(group int, b Bundle) int {
	return l.RecordLayers(group, b) * l.RowBytes(b)
}

// RowOffset returns where a layer's row of a channel starts within its bundle. The row
// of the next channel lies RecordBytes behind it.
func (l RowLayout) RowOffset(layer int, b Bundle, channel int) int64 {
	at := l.recordOffset(layer, b, channel)
	if b.Residual() {
		at += int64(layer%l.GroupLayers) * int64(l.RowBytes(b))
	}
	return at
}

// recordOffset returns where the record starts that has a layer's row of a channel.
func (l RowLayout) recordOffset(layer int, b Bundle, channel int) int64 {
	record := int64(channel)
	if !b.Residual() {
		record += int64(layer%l.GroupLayers) * int64(l.Channels[b])
	}
	return record * int64(l.RecordBytes(layer/l.GroupLayers, b))
}

// BundleBytes returns the bytes of all records of a bundle of a group.
func (l RowLayout) BundleBytes(group int, b Bundle) int64 {
	return int64(l.Channels[b]) * int64(l.LayersOf(group)) * int64(l.RowBytes(b))
}

// BundleBuffer returns the bytes of a buffer for ReadBundle, a multiple of 4096.
func (l RowLayout) BundleBuffer(group int, b Bundle) int {
	return int(align(l.BundleBytes(group, b), blockAlign))
}

// RecordsBuffer returns the bytes of a buffer for reading so many neighbouring
// records of a group, a multiple of 4096: they start and end within a page.
func (l RowLayout) RecordsBuffer(group int, b Bundle, records int) int {
	return int(align(int64(records)*int64(l.RecordBytes(group, b)), blockAlign)) + blockAlign
}

// checkRecords refuses records out of range.
func (l RowLayout) checkRecords(layer int, b Bundle, from, to int) error {
	switch {
	case layer < 0 || layer >= l.Layers:
		return fmt.Errorf("layer %d of %d", layer, l.Layers)
	case b < 0 || b >= Bundles:
		return fmt.Errorf("%v of %d", b, int(Bundles))
	case from < 0 || from >= to || to > l.Channels[b]:
		return fmt.Errorf("channels %d to %d of %d", from, to, l.Channels[b])
	}
	return nil
}

// rowsHeader is what the header of a row pack says beyond that of a pack.
type rowsHeader struct {
	GroupLayers int    `json:"group_layers"`
	Bits        int    `json:"bits"`
	Source      string `json:"source"` // fingerprint of the pack that it was made from
}

// Blocks of a row pack: after those that a pack starts with, "resident", then the
// bundles of the groups, then "output".
const (
	residentPlace    = 2
	firstBundlePlace = 3
)

const residentBlock = "resident"

// bundlePlace returns the place of a bundle's block in the directory.
func bundlePlace(group int, b Bundle) int { return firstBundlePlace + group*int(Bundles) + int(b) }

func bundleBlock(group int, b Bundle) string { return fmt.Sprintf("group.%d.%v", group, b) }

// blockSizes lists the blocks of a row pack in file order, as the function of this
// name does those of a pack.
func (h *rowsHeader) blockSizes(c Config) ([]block, error) {
	l, err := NewRowLayout(c, h.GroupLayers, h.Bits)
	if err != nil {
		return nil, err
	}
	if _, err := decodeSum(h.Source); err != nil {
		return nil, errors.New("what it was made from has no fingerprint")
	}
	list := []block{
		{Name: tokenizerBlock, Length: -1},
		{Name: embeddingsBlock, Length: sizeOf(c, (*cursor).embeddings)},
		{Name: residentBlock, Length: sizeOf(c, (*cursor).resident)},
	}
	for g := range l.Groups() {
		for b := range Bundles {
			list = append(list, block{Name: bundleBlock(g, b), Length: l.BundleBytes(g, b)})
		}
	}
	return append(list, block{Name: outputBlock, Length: sizeOf(c, (*cursor).output)}), nil
}

// resident returns the layout of the block "resident": the layers, whose projections have
// all but their weights.
func (c *cursor) resident(config Config) []DecoderLayer {
	layers := make([]DecoderLayer, config.Layers)
	for i := range layers {
		layers[i] = c.layerOf(config, func(k, n int) Linear {
			return Linear{K: k, N: n, In: c.float32s(k), Scale: c.float32s(n), Bias: c.float32s(n), ColSum: c.int32s(n)}
		})
	}
	return layers
}
