// Package remote answers questions by a language model behind a server that the
// settings name (package endpoint).
//
// The model is given whole passages below what is quoted at once, and what it writes is
// cited, checked and judged as that of a model of this machine. Passages that changed since they were indexed are sent nowhere. Before
// anything is sent, the observer of the answer is told what and to whom. Where the
// server fails, the answer is extracted, with the reason.
package remote
