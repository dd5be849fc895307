// Package tokenizer turns text into the token ids of a neural model and back.
//
// A Tokenizer is read from a Hugging Face tokenizer.json (FromJSON) or GGUF
// metadata (FromParts), and kept in a compact binary form (AppendCompact), which
// FromCompact slices in a few milliseconds without building a map.
//
// Encode and Append give ids, EncodeSpans also their places, Count their number.
// EncodeDocument and EncodePair add special tokens and cut what is too long.
// Spelled is the share of a text without words in the vocabulary. Decode gives
// text back, a Decoder one id at a time.
//
// # Models
//
// Three algorithms, each with what comes before it:
//
//   - WordPiece, for BERT (wordpiece.go). The steps of the BertNormalizer act on
//     one character at a time and are compiled into a table (characters.go);
//     each word is covered from the left by the longest entry of the vocabulary,
//     a double-array trie (trie.go; Aoe 1989, "An Efficient Digital Search
//     Algorithm by Using a Double-Array Structure").
//   - BPE (bpe.go): byte-level, for GPT-2, RoBERTa, SmolLM, Qwen2, Qwen3 and
//     Llama 3, whose pieces package split cuts; or over characters with byte
//     fallback, for Llama 2. Short pieces are merged by looking for the lowest
//     rank again and again, long ones with a heap, so that the time stays
//     n log n for any text (word.go); a cache of fixed size holds the pieces
//     seen lately (cache.go).
//   - Unigram (unigram.go), for XLM-RoBERTa, whose characters package charsmap
//     normalises.
//
// BPE and Unigram models share a pipeline (pipeline.go): normalisation
// (normalize.go), the shape of spaces, the cut into pieces. Added tokens are cut
// out before and after normalisation (special.go).
//
// # Invariants
//
//   - The ids are those of the reference implementation, also for characters
//     whose Unicode properties changed after its tables were made. Published
//     tokenizers of each algorithm are compared on 23,160 strings (reference_test.go).
//   - Count(text) == len(Encode(text)); the ends of spans never go back, and
//     spans lie within the text.
//   - Decode(AppendLiteral(nil, text)) == text for a byte-level model without
//     normalisation that knows every byte, whatever the bytes are.
//   - Time is linear in the text, but for a factor of log n in a piece.
//   - A Tokenizer never changes what it answers: any number of goroutines may
//     use one.
//   - The compact form of a tokenizer of this version never changes: indexes
//     name the model that they were made with by its hash.
//   - What text becomes depends on the compact form, and for models that compose
//     characters (NFC) on the Unicode tables of golang.org/x/text.
//
// # Caveats
//
// Bytes that are not UTF-8 are kept as they are by byte-level models and count
// as U+FFFD elsewhere, which BERT drops. Special tokens that stand in a text
// count as such, as in the reference: text that is not trusted goes into a
// prompt by AppendLiteral. The truncation and padding sections of tokenizer.json
// are ignored: callers say how many tokens they want. Components of other kinds
// are refused by name. Models that normalise read all of a text, even for the
// first few of its ids.
package tokenizer
