// Package snowball is the runtime of the stemmers below it, one package for each language.
// A stemmer takes the endings off a word, so that its forms meet in one term.
//
// All of it but this file is written by the compiler of Snowball 3.1.1
// (https://snowballstem.org), since no Go module holds its third version.
// generate.sh writes it anew.
package snowball

//go:generate sh generate.sh
