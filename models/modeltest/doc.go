// Package modeltest makes small models for tests: Hugging Face folders of a
// BERT, an XLM-RoBERTa or a decoder with random weights and a vocabulary of a
// few letters, in well under a megabyte. They compute nothing of meaning, but
// every step of importing and running them is the real one.
//
// Stories alone is a trained model, and means what it says; its weights lie
// outside the repository.
//
// For the decoders of Decoders there is also what the reference implementations
// say: Logits, and ReferenceGGUF. testdata/decoders.py wrote both.
package modeltest
