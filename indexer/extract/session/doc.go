// Package session reads what people and assistants said to each other: sessions of coding agents, and exports of assistants.
//
// # Basics
//
// Formats is what package extract lists. A turn begins with "Me:" or "Assistant:", is an entry by "me", or by "assistant" and
// the model, at its time, and has a place: the message, counted in its session. The place of a session of an agent begins with the command
// that goes on with it, that of an export with the title of the conversation.
//
// # What is left out
//
// Calls of tools and what these returned, thoughts, attachments but for their names and for pasted words, marks of citations, what a program put into a turn of the person's (reminders, the
// environment, instructions), identifiers, and pictures.
//
// # Branches
//
// Where a person went back and asked otherwise, all ways that a conversation took are read, and those behind the first are
// branches of their own, numbered from 2. What an agent told another one is said by the assistant.
//
// # Exports
//
// An export is read one conversation at a time, of 64 MiB at most: one of years has hundreds of megabytes.
//
// # Lines
//
// Sessions in lines are read one line at a time. A last line without its end is read if it is whole, and otherwise when it is.
package session
