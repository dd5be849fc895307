// Package jotting reads text files to which a program adds what a person does or writes, line by line: histories of shells, tasks,
// ledgers, journals.
//
// # Basics
//
// Formats is what package extract lists. A kind tells its files and divides them into jottings: each is an entry with its date, its
// tags and its title, and leads to its line. Markdown is none of it: what looks like a heading is a comment of a shell.
//
// # Histories
//
// zsh writes a byte from 0x83 to 0xa2 as 0x83 and that byte with one bit turned, so that files with an à are no UTF-8. Commands of one hour are
// one entry, and one that follows itself is written once.
//
// # Tasks
//
// Of Taskwarrior's files those of tasks are read: what it would undo, and what a server has not got yet, are the same tasks again.
package jotting
