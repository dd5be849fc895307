// Package pack writes and reads packs: the form in which a model runs.
//
// # Basics
//
// Import turns a Hugging Face folder (config.json, tokenizer.json,
// model.safetensors, and the small files of sentence-transformers where there
// are any) into one pack file. Open maps a pack and gives typed views of it
// without copying; what is never read is never loaded. OpenStream reads a pack
// piece by piece into the caller's memory instead.
//
// A model makes vectors, or it has a head that makes scores: a dense layer with
// tanh and a linear one, as classifiers of the BERT family have it, or a linear
// head for each layer, in the tensors heads.weight [layers, hidden] and
// heads.bias [layers] beside the body.
//
// # Layout
//
//	header   magic, version, lengths, CRC; then JSON: configuration,
//	         fingerprint, directory of blocks with their CRCs
//	blocks   each at a multiple of 4096 bytes, padded with zeros:
//	         "tokenizer", "embeddings", "layer.0", "layer.1", ..., "head"
//
// A layer is one block, so that it can be streamed by one read. Within a block
// each array starts at a multiple of 64 bytes; their order and sizes follow
// from the configuration (layout.go) and are written nowhere else. All numbers
// are little-endian.
//
// # Quantisation
//
// Weights of linear layers are int8 with one float32 scale per output channel,
// symmetric: scale = max|w|/127, rounded half to even. They are stored with the
// input channel first ([K,N]), as integer matrix multiplication wants its right
// operand, together with the sum of each column, which takes the zero point of
// unsigned activations out of the product. Query, key and value are one matrix.
// Word embeddings are int8 with a scale per row. All else is float32, the head
// too: it is small, and what it puts out is compared.
//
// Measured with all-MiniLM-L6-v2 on 145 texts (abstracts, questions, code,
// Russian), cosine with the float32 model's vectors, mean and least: word
// embeddings alone 0.99999 and 0.99996, linear weights alone 0.9994 and 0.9983,
// all of it with activations quantised per row 0.9975 and 0.9955. Choosing each
// scale for the least squared error instead of the largest weight gives 0.9975
// and 0.9957, and moving scale from activations to weights by the norms'
// parameters gives less: neither is worth its code.
//
// # Invariants
//
//   - The same source gives the same bytes.
//   - A pack appears under its name complete or not at all.
//   - Open finds a file that is foreign, of another version, cut short or
//     damaged in its header; Verify finds any damaged byte. A Stream compares
//     the checksum of each layer that it reads.
//   - The packs of vector models have the bytes and the fingerprint that they
//     had before there were heads: indexes name it.
//
// # Caveats
//
// Views are valid until Close. They lie in a read-only mapping: writing to one
// is a fault.
package pack
