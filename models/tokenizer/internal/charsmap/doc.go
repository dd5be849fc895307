// Package charsmap reads and applies the character maps that SentencePiece
// compiles into a model: what normalisation makes of characters and of short
// sequences of them.
//
// A map is a double-array trie over UTF-8 (in the layout of Darts-clone; Yata
// et al. 2007, "A compact static double-array keeping character codes") whose
// values point into a block of strings that end in a zero byte.
//
// Apply follows the tokenizers that models are run with today rather than
// SentencePiece itself: text is cut into grapheme clusters; a cluster of fewer
// than six bytes becomes what its shortest prefix in the map becomes, as a
// whole; in any other each character is looked up by itself.
package charsmap
