// Package remote answers questions by a language model behind a server that the
// settings name (package endpoint).
//
// The model is given whole passages, and what it writes is checked against them as
// it comes. Passages that changed since they were indexed are sent nowhere. Before
// anything is sent, the observer of the answer is told what and to whom. Where the
// server fails, the answer is extracted, with the reason.
package remote
