// Package sentencepiece reads SentencePiece's tokenizer.model files: a protocol
// buffer of the message ModelProto, of which the fields that decide about ids
// are kept.
package sentencepiece
