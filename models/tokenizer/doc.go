// Package tokenizer turns text into the token ids of a BERT-family model.
//
// # Basics
//
// A tokenizer is read once from a Hugging Face tokenizer.json (FromJSON) and
// kept in a compact binary form (AppendCompact), from which FromCompact makes
// it ready in well under a millisecond by slicing, without building a map.
//
// Encode follows the reference implementation step by step: special tokens
// that stand literally in the text are cut out; the rest is cleaned of control
// characters, CJK characters are set apart, accents are stripped and letters
// lower-cased (BertNormalizer); white space and punctuation separate words
// (BertPreTokenizer); each word is covered from the left by the longest entry
// of the vocabulary (WordPiece; Wu et al. 2016, "Google's Neural Machine
// Translation System", section 4.1). A word that cannot be covered, or is too
// long, is the unknown token.
//
// The three normalisation steps act on one character at a time, so they are
// compiled into one table from a character to what becomes of it
// (characters.go), and the vocabulary into a double-array trie (trie.go; Aoe
// 1989, "An Efficient Digital Search Algorithm by Using a Double-Array
// Structure"). One pass over the text, no regular expressions, no
// intermediate strings.
//
// # Invariants
//
//   - The ids are those of the reference implementation, also for characters
//     whose Unicode properties changed after its tables were made.
//   - Count(text) == len(Encode(text)); spans ascend and lie within the text.
//   - A Tokenizer never changes: any number of goroutines may use one.
//   - What text becomes depends on the compact form alone, not on the Unicode
//     version of the Go release that reads it.
//
// # Caveats
//
// Bytes that are not UTF-8 count as U+FFFD, which BERT drops. The truncation
// and padding sections of tokenizer.json are ignored: callers say how many
// tokens they want. Components of other kinds (BPE, Unigram, other
// normalizers) are refused by name.
package tokenizer
