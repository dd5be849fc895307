// Package pack writes and reads packs: the form in which a model runs.
//
// # Basics
//
// Import turns a Hugging Face folder (config.json, tokenizer.json,
// model.safetensors or its shards, and the small files of sentence-transformers
// or of a decoder where there are any) or a GGUF file into one pack file. Open
// maps a pack and gives typed views of it without copying; what is never read is
// never loaded. Load reads all of it into the caller's memory instead, and
// OpenStream piece by piece. WriteRows makes a row pack of a decoder's pack, from
// which OpenRows reads the rows of some input channels.
//
// An encoder makes vectors or scores. Vectors are made as the files of
// sentence-transformers say: the states of the tokens are pooled, may go through
// a dense layer, and may be normalised; several dense layers without an activation in
// between become one. A text may have a prompt before it, that of queries or that of
// passages. Models whose files name no prompts get those
// that ImportWith is given. Scores are made by a head: a dense layer with tanh and
// a linear one, as classifiers of the BERT family have it; a dense layer with gelu, a norm
// and a linear one, as those of ModernBERT have it, in its own tensors or as modules of
// sentence-transformers; or a linear head for each layer, in the tensors heads.weight [layers, hidden] and heads.bias [layers] beside
// the body.
//
// An encoder of ModernBERT's kind (Config.Rotates) has layers of type RotaryLayer in the
// place of Layer; Gemma 3, where its tokens attend in both directions, is one too. A decoder
// with the files of sentence-transformers makes vectors (Config.Pooling) and continues
// nothing. A static model (Config.Static), of model2vec or of the module StaticEmbedding, has
// no layers: a vector is the mean of the rows of a text's tokens. What model2vec has beside
// them, a weight for each token and rows that tokens share, goes into the rows.
//
// Of a vector the first numbers alone are kept where the files say so (truncate_dim).
//
// A decoder (Config.Decoder: Llama, Qwen2, Qwen3, Mixtral, Qwen3 with experts) continues a text. Its layers
// are of type DecoderLayer, and Output turns states into logits; Stop and
// ChatTemplate say how it is prompted. It has no part of an encoder, and an
// encoder none of a decoder: what is asked for in vain is empty.
//
// # Layout
//
//	header   magic, version, lengths, CRC; then JSON: configuration,
//	         fingerprint, directory of blocks with their CRCs
//	blocks   each at a multiple of 4096 bytes, padded with zeros:
//	         "tokenizer", "embeddings", "layer.0", "layer.1", ..., and of some
//	         encoders "head", of decoders "output"; of mixtures "experts.0",
//	         "experts.1", ... before that
//
// A layer is one block, so that it can be streamed by one read. Within a block
// each array starts at a multiple of 64 bytes; their order and sizes follow
// from the configuration (layout.go) and are written nowhere else. All numbers
// are little-endian.
//
// # Mixtures of experts
//
// A layer of a mixture (Config.Mixture) has a router and experts in the place of its
// feed-forward part; some layers may have that (Mixture.Dense). The router, float32, is
// in the layer's block, and the experts are a block of their own: one record each, of
// whole pages, with its own checksum at the end, because a token goes through a few of
// them and ReadExpert reads these alone. An expert of Qwen3-30B-A3B takes 4.5 MiB, one
// of Mixtral-8x7B 168 MiB.
//
// Checkpoints have a matrix for each expert, GGUF files one tensor for all of a layer.
// Experts that every token goes through, as Qwen2 and DeepSeek have them, are refused,
// and so are routers that are no softmax. A mixture has no row pack: its experts are its
// active weights already.
//
// # Quantisation
//
// Weights of linear layers are int8 with one float32 scale per output channel,
// symmetric: scale = max|w|/127, rounded half to even. They are stored with the
// input channel first ([K,N]), as integer matrix multiplication wants its right
// operand, together with the sum of each column, which takes the zero point of
// unsigned activations out of the product. Query, key and value are one matrix,
// and so are gate and up of a decoder; biases that a model does without are
// zeros. Word embeddings and a decoder's output rows, which may be the same, are
// int8 with a scale per row. All else is float32, the head too: it is small, and
// what it puts out is compared.
//
// Weights that a GGUF file has quantised in its own way are made float32 first.
// There the query and key rows of a Llama stand in another order; a pack has
// them as Hugging Face does, the two of a rotated pair half a head apart.
//
// Measured with all-MiniLM-L6-v2 on 145 texts (abstracts, questions, code,
// Russian), cosine with the float32 model's vectors, mean and least: word
// embeddings alone 0.99999 and 0.99996, linear weights alone 0.9994 and 0.9983,
// all of it with activations quantised per row 0.9975 and 0.9955. Choosing each
// scale for the least squared error instead of the largest weight gives 0.9975
// and 0.9957, and moving scale from activations to weights by the norms'
// parameters gives less: neither is worth its code. SmolLM2-135M-Instruct, whose
// GGUF file is Q4_1, gives logits with a cosine of 0.9986 to 0.9998 to those of
// its dequantised weights, with activations in full precision.
//
// # Row packs
//
// A row pack is a decoder whose weights are swapped between memory and disk by input
// channel (ActiveFlow 4.2). It replaces the pack where it is used, and is not read
// besides it. It has the header of a pack under another magic, and other blocks:
//
//	"tokenizer", "embeddings"    as in a pack
//	"resident"                   of all layers: norms, and of each projection the
//	                             scales of inputs and of outputs, biases and sums of
//	                             columns; always in memory
//	"group.0.qkv", "group.0.output", "group.0.gateup", "group.0.down", "group.1.qkv", ...
//	"output"                     as in a pack
//
// A group is 1, 2, 4 or 8 layers, of which the last may have fewer. Its four bundles
// are the projections of DecoderLayer, because what shares an input shares its active
// channels. A row is the weights of one channel for all outputs. Of qkv and gateup, which
// the residual stream feeds, a record is a channel's rows in all layers of the group: who
// wants one soon wants the others. The channels of output and down have nothing to do with
// those of other layers, so that a record is one layer's row, and layer follows layer.
// RowLayout computes where that is.
//
// W[k,n] = In[k] * Q[k,n] * Scale[n]. In stays in memory and is not in the records: it
// is .05 to .4% of the weights, and what is worth reading is decided by |x*In| before
// anything is read.
//
// At 8 bits Q is the pack's own times a whole number c, and In is 1/c, as large as the
// row's largest weight allows: nothing is lost. Of SmolLM2-135M's 97,920 rows 279 have
// a c above 1, the weights differ by 4e-10 of their norm, which is the rounding of
// 1/c, and the file is 0.2% larger than the pack. Scales by the norms of rows would
// cost a second error of the size of the pack's own, .007 to .012 of the norm of the
// weights in the first, the middle and the last layer, and mask no better: they spread
// by 4 to 17% within a projection, and half the channels left out by |x|*norm raised
// the perplexity by 51%, by |x| by 46%.
//
// At 4 bits a row is divided by the root of its mean square and those of the columns,
// found in turns; each 128 outputs share a float16 scale, fitted by least squares to
// the numbers -7 to 7 at six ways to clip, of which the best stays. 32 outputs
// lie in 16 bytes: byte i holds output i in its lower half and output i+16 in its upper
// one, with 8 added; the scales follow them, then zeros up to a multiple of 64. Of
// SmolLM2-135M the error is .11 of the norm of the weights in each projection.
//
// # Invariants
//
//   - The same source gives the same bytes.
//   - A pack appears under its name complete or not at all.
//   - An import holds one matrix of a layer as int8 and about a megabyte of the
//     tensor that it reads, besides the tokenizer.
//   - A decoder is imported only if every tensor of its files is used, or is
//     known to be spare: others might be meant to change what it computes.
//   - Open finds a file that is foreign, of another version, cut short or
//     damaged in its header; Verify and Load find any damaged byte. A Stream
//     compares the checksum of each layer that it reads.
//   - Records of neighbouring channels of a bundle are one range of the file, and so
//     are the rows of one channel of qkv and of gateup in all layers of a group.
//   - A row pack has the fingerprint of its pack and the width of its weights; the cut
//     into groups does not change what is computed. Source says which pack it was, and
//     with that the pack's adapters go.
//   - Verify and ReadBundle compare checksums, of a bundle of a group each. Records
//     that are read by themselves are not compared, as embedding rows are not: who
//     wants to be sure verifies once after opening. Bytes that are missing are an
//     error at each read, and never taken for zeros. Another file that takes the name
//     is not noticed by who has the old one open, and does not matter to it.
//   - A conversion holds the scales of all layers and some megabytes of rows.
//   - The packs of vector models have the bytes and the fingerprint that they
//     had before there were heads: indexes name it.
//
// # Caveats
//
// Views are valid until Close. After Open they lie in a read-only mapping: writing
// to one is a fault, and so is reading what was cut off the file meanwhile, from
// which native code does not recover. What computes for long uses Load. Of rotary scalings, linear and llama3 are known; a GGUF file does
// not name the latter, and it is told by the factors that Llama 3.1 and 3.2
// have. Decoders of which every second layer has a sliding window are refused.
package pack
