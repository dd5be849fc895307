package pack

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
)

// Errors about a file that should be a pack.
var (
	errForeign   = errors.New("not a dowse pack")
	errRowPack   = errors.New("a row pack, and not a pack whose layers lie one after the other")
	errVersion   = errors.New("a pack of another version of dowse: import the model again")
	ErrTruncated = errors.New("the pack is cut short: import the model again")
	ErrCorrupt   = errors.New("the pack is damaged: import the model again")
)

// formatVersion grows with every change that an older reader would misread.
//
//	1: BertModel, int8 weights and word embeddings. Models with a head came
//	   later, and decoders; a reader from before refuses their architecture by
//	   name.
//	2: decoders whose weights keep the blocks of their file (Config.Forms); all
//	   others go on being version 1.
const (
	formatVersion = 1
	blocksVersion = 2
)

// fileKind is one of the two kinds of files that start with a header.
type fileKind struct {
	magic     string // as long as the other's
	version   uint32
	foreign   error // about a file of the other kind
	truncated error // wraps ErrTruncated
	corrupt   error // wraps ErrCorrupt
	outdated  error // wraps errVersion
}

var packKind = fileKind{magic: "dowsepak", version: formatVersion, foreign: errRowPack, truncated: ErrTruncated, corrupt: ErrCorrupt, outdated: errVersion}

// The fixed part of the header: magic, version, bytes of the JSON that
// follows, CRC-32C of that JSON, a reserved zero, bytes of the whole file.
const (
	fixedHeader = 32
	maxJSON     = 1 << 20
	// maxTokenizer bounds the one block whose size does not follow from the
	// configuration. Those of the largest vocabularies have some 20 MB.
	maxTokenizer = 256 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// header is the JSON part.
type header struct {
	Config      Config  `json:"config"`
	Fingerprint string  `json:"fingerprint"` // hex sha256
	Blocks      []block `json:"blocks"`

	// Of decoders.
	Stop         []int32 `json:"stop,omitempty"`
	ChatTemplate string  `json:"chat_template,omitempty"`

	Rows *rowsHeader `json:"rows,omitempty"` // of row packs alone

	sum [32]byte // Fingerprint, decoded by check
}

// block is one entry of the directory.
type block struct {
	Name   string `json:"name"`
	Offset int64  `json:"offset"` // a multiple of blockAlign
	Length int64  `json:"length"` // without the padding
	CRC    uint32 `json:"crc"`    // CRC-32C of the Length bytes
}

const (
	tokenizerBlock  = "tokenizer"
	embeddingsBlock = "embeddings"
	headBlock       = "head"
	outputBlock     = "output"
)

func layerBlock(i int) string { return fmt.Sprintf("layer.%d", i) }

// encode returns the header of a file of size bytes.
func (h *header) encode(size int64) ([]byte, error) {
	text, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("write the header: %w", err)
	}
	kind := h.kind()
	b := append(make([]byte, 0, fixedHeader+len(text)), kind.magic...)
	b = binary.LittleEndian.AppendUint32(b, h.version())
	b = binary.LittleEndian.AppendUint32(b, uint32(len(text)))
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(text, castagnoli))
	b = binary.LittleEndian.AppendUint32(b, 0)
	b = binary.LittleEndian.AppendUint64(b, uint64(size))
	return append(b, text...), nil
}

// version returns that of the file.
func (h *header) version() uint32 {
	if h.Config.Forms != "" && h.Rows == nil {
		return blocksVersion
	}
	return h.kind().version
}

// kind returns which kind of file the header starts.
func (h *header) kind() fileKind {
	if h.Rows != nil {
		return rowsKind
	}
	return packKind
}

// other returns the kind that this one is not.
func (k fileKind) other() fileKind {
	if k.magic == rowsKind.magic {
		return packKind
	}
	return rowsKind
}

// decodeHeader reads the header of a file of a kind and of size bytes that starts with data,
// and checks every block against the configuration.
func decodeHeader(data []byte, size int64, kind fileKind) (*header, error) {
	switch {
	case bytes.HasPrefix(data, []byte(kind.other().magic)):
		return nil, kind.foreign
	case !bytes.HasPrefix(data, []byte(kind.magic)):
		return nil, errForeign
	case len(data) < fixedHeader:
		return nil, kind.truncated
	}
	version := binary.LittleEndian.Uint32(data[8:])
	if version != kind.version && version != blocksVersion {
		return nil, fmt.Errorf("%w: version %d, this one reads %d", kind.outdated, version, kind.version)
	}
	length := int64(binary.LittleEndian.Uint32(data[12:]))
	want := binary.LittleEndian.Uint64(data[24:])
	if length > maxJSON {
		return nil, fmt.Errorf("%w: a header of %d bytes", kind.corrupt, length)
	}
	if uint64(size) < want || int64(len(data)) < fixedHeader+length {
		return nil, fmt.Errorf("%w: %d of %d bytes", kind.truncated, size, want)
	}
	if uint64(size) > want {
		return nil, fmt.Errorf("%w: %d bytes where the header says %d", kind.corrupt, size, want)
	}
	text := data[fixedHeader : fixedHeader+length]
	if crc32.Checksum(text, castagnoli) != binary.LittleEndian.Uint32(data[16:]) {
		return nil, fmt.Errorf("%w: the header's checksum differs", kind.corrupt)
	}
	var h header
	if err := json.Unmarshal(text, &h); err != nil {
		return nil, fmt.Errorf("%w: header: %w", kind.corrupt, err)
	}
	if version != h.version() {
		return nil, fmt.Errorf("%w: version %d, this one reads %d", kind.outdated, version, h.version())
	}
	if (h.Rows != nil) != (kind.magic == rowsKind.magic) {
		return nil, fmt.Errorf("%w: header: it is of the other kind of packs", kind.corrupt)
	}
	if err := h.check(size); err != nil {
		return nil, fmt.Errorf("%w: header: %w", kind.corrupt, err)
	}
	return &h, nil
}

// check verifies fingerprint, configuration and directory, the latter two
// against each other.
func (h *header) check(size int64) error {
	if err := h.Config.check(); err != nil {
		return err
	}
	var err error
	if h.sum, err = decodeSum(h.Fingerprint); err != nil {
		return err
	}
	if err := h.checkPrompting(); err != nil {
		return err
	}
	want, err := h.sizes()
	if err != nil {
		return err
	}
	if len(h.Blocks) != len(want) {
		return fmt.Errorf("%d blocks instead of %d", len(h.Blocks), len(want))
	}
	room := size - fixedHeader - maxJSON
	for i, b := range h.Blocks {
		if b.Name != want[i].Name || want[i].Length >= 0 && b.Length != want[i].Length {
			return fmt.Errorf("block %d is %s of %d bytes", i, b.Name, b.Length)
		}
		if b.Offset < fixedHeader || b.Offset%blockAlign != 0 || b.Length < 0 || b.Length > size-b.Offset {
			return fmt.Errorf("block %s lies outside the file", b.Name)
		}
		if b.Length > maxTokenizer && want[i].Length < 0 {
			return fmt.Errorf("block %s has %d bytes", b.Name, b.Length)
		}
		room -= align(b.Length, blockAlign)
	}
	if room > blockAlign { // Load takes memory for all bytes of the file
		return fmt.Errorf("%d bytes belong to no block", room)
	}
	return nil
}

// decodeSum reads a fingerprint.
func decodeSum(text string) (sum [32]byte, err error) {
	if n, err := hex.Decode(sum[:], []byte(text[:min(len(text), 2*len(sum))])); err != nil || n != len(sum) || len(text) != 2*len(sum) {
		return sum, fmt.Errorf("the fingerprint %q is not one", text)
	}
	return sum, nil
}

// checkPrompting verifies stop tokens and chat template.
func (h *header) checkPrompting() error {
	if !h.Config.Decoder && (h.Stop != nil || h.ChatTemplate != "") {
		return errors.New("an encoder with a chat template or tokens that end an answer")
	}
	for _, id := range h.Stop {
		if id < 0 || int(id) >= h.Config.Vocabulary {
			return fmt.Errorf("the token %d that ends an answer is not one of %d", id, h.Config.Vocabulary)
		}
	}
	return nil
}

// sizes lists the blocks of the file as blockSizes does.
func (h *header) sizes() ([]block, error) {
	if h.Rows != nil {
		return h.Rows.blockSizes(h.Config)
	}
	return blockSizes(h.Config), nil
}

// blockSizes lists the blocks of a pack in file order; the tokenizer's size
// does not follow from the configuration and is -1.
func blockSizes(c Config) []block {
	list := []block{{Name: tokenizerBlock, Length: -1}, {Name: embeddingsBlock, Length: sizeOf(c, (*cursor).embeddings)}}
	for i := range c.Layers {
		list = append(list, block{Name: layerBlock(i), Length: layerSize(c, i)})
	}
	for i := range c.Layers {
		if c.Mixture.In(i) {
			list = append(list, block{Name: expertsBlock(i), Length: int64(c.Mixture.Experts) * int64(c.ExpertBuffer())})
		}
	}
	switch {
	case c.Decoder:
		list = append(list, block{Name: outputBlock, Length: sizeOf(c, (*cursor).output)})
	case c.Head != NoHead:
		list = append(list, block{Name: headBlock, Length: sizeOf(c, (*cursor).head)})
	}
	return list
}
