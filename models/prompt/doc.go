// Package prompt says what models are given around a text, as they were trained on it.
//
// Ways is the table of the ways in which a decoder is asked how relevant a passage is. A
// new way is a new row: its name, what it was trained on, and its text. Embeddings says
// what models of vectors have before a query and before a passage where their own files
// do not; a new row is a part of their published names.
package prompt
