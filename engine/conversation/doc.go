// Package conversation keeps the text of conversations: questions, what was found for
// them, and answers, so that tomorrow's question can go on with yesterday's.
//
// # On disk
//
// A Folder has a folder for each conversation, named by its ID, with one file:
//
//	dowse conversation 1
//	c0ffee12 {"name":"trip to Porto","when":"2026-03-04T05:06:07Z"}
//	1badb002 {"turn":{"question":"when does the train leave?", ...}}
//
// Each line is a CRC-32C of the JSON behind it and that JSON. A name replaces the one
// before it; turns follow each other. Lines are only appended, and are on the disk when
// the call returns. A kill leaves at most an incomplete line at the end, which the next
// turn takes the place of; a damaged line costs what it says.
//
// A conversation is made under another name and renamed when it is whole, and leaves its
// name before it is erased. What a kill leaves of either is swept up by the next change.
//
// # Names
//
// A name is what the person typed, without white space around it (CleanName). It is text
// and never a path: slashes are letters like others, since folders are called by the ID.
// What cannot be printed, or would turn the direction of what is printed, is refused.
//
// # Processes
//
// One process changes a Folder at a time; others wait for it, for some seconds. Reading
// needs no lock: what is read is a prefix of what was written.
//
// The keys and values that a language model computed of a conversation are somebody
// else's (Keys), and so is what a question that goes on with earlier ones is searched
// by (engine/search).
package conversation
