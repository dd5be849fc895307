// Package modeltest makes small models for tests: Hugging Face folders of a
// BERT or an XLM-RoBERTa with random weights and a vocabulary of a few letters,
// in well under a megabyte. They compute nothing of meaning, but every step of
// importing and running them is the real one.
package modeltest
