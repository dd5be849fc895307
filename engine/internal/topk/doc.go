// Package topk keeps the k best of many.
//
// Those who spend their time in a heap have one of their own: leann's walks and scans and the
// tokenizer's merges, which take a third longer with an order that is a function,
// as here, and the sampler, whose heap is of two slices.
package topk
