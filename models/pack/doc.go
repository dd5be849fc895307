// Package pack writes and reads packs: the form in which a model runs.
//
// Import turns a Hugging Face folder (config.json, tokenizer.json, safetensors, and the
// small files of sentence-transformers or of a decoder) or a GGUF file into one file. Open
// maps a pack and gives typed views of it without copying; Load reads all of it into the
// caller's memory, and OpenStream piece by piece. WriteRows makes a row pack of a decoder's
// pack, of which OpenRows reads the rows of single input channels (rows_*.go; package
// engine/swap uses them).
//
//	source*.go, usage*.go, config_*.go   what the files of a model say
//	checkpoint.go, tensors.go            its tensors, whatever their format
//	encode*.go, tensors.go, block.go     writing blocks
//	layout.go, decoder.go, expert.go     the arrays of a block: one cursor measures and views them
//	header.go, pack.go, load.go, stream* reading
//
// # Layout
//
//	header   magic, version, lengths, CRC; then JSON: configuration, fingerprint, directory
//	         of blocks with their CRCs
//	blocks   each at a multiple of 4096 bytes, padded with zeros: "tokenizer", "embeddings",
//	         "layer.0", ..., then "experts.0", ... of mixtures, then "head" of some
//	         encoders or "output" of decoders
//
// A layer is one block, read at once. Arrays in a block start at multiples of 64 bytes;
// their order and sizes follow from the configuration and are written nowhere else. All
// numbers are little-endian. Linear weights are int8 with a float32 scale per output
// channel (tensors.go); query, key and value are one matrix, and so are gate and up.
// Words are int8 with a scale per row; all else is float32. A decoder's matrices in a GGUF
// file keep its blocks where kernels multiply those (Config.Forms, blocks.go): the same bits
// in another order. Those of other types are made float32 first.
//
// A Config says what a model is: an encoder of BERT's kind (Layer), one that rotates
// (RotaryLayer: ModernBERT, Gemma 3), a static model without layers, or a decoder
// (DecoderLayer, Output, Stop, ChatTemplate), which with Config.Pooling makes vectors
// instead. Parts that a model lacks are empty.
//
// # Invariants
//
//   - The same source gives the same bytes. The packs of vector models keep the bytes and
//     the fingerprint of format 1: indexes name it.
//   - A pack appears under its name complete or not at all.
//   - An import holds one matrix of a layer as int8 and about a megabyte of the tensor that
//     it reads, besides the tokenizer; a conversion to rows the scales of all layers and
//     some megabytes of rows.
//   - A decoder is imported only if every tensor of its files is used or known to be spare:
//     others might be meant to change what it computes.
//   - Open finds a file that is foreign, of another version, cut short, or damaged in its
//     header; Verify and Load find any damaged byte. A Stream compares the checksum of each
//     layer that it reads, Rows of each bundle; single rows and words are not compared.
//
// # Caveats
//
// Views are valid until Close. After Open they lie in a read-only mapping: writing to one is
// a fault, and so is reading what was cut off the file, from which native code does not
// recover. Long computations use Load. Refused: shared experts, routers without softmax,
// sliding windows in every second layer, rotary scalings other than linear and llama3.
package pack
