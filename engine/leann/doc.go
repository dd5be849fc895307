// Package leann searches vectors.
//
// Today it holds Flat, the exact scan: every stored vector is compared with
// the query. It is the slow obvious twin that a graph index is measured
// against, and what a filter that leaves few chunks falls back to.
//
// Vectors have unit length, so the inner product is the cosine.
package leann
