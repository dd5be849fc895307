// Package conversation stores the text of conversations: questions, passages found and answers.
//
// # On disk
//
// A Folder has a folder for each conversation, named by its ID, with one file:
//
//	dowse conversation 1
//	c0ffee12 {"name":"trip to Porto","when":"2026-03-04T05:06:07Z"}
//	1badb002 {"turn":{"question":"when does the train leave?", ...}}
//
// Each line is a CRC-32C of the JSON behind it and that JSON. A name replaces the previous one;
// turns follow each other. Lines are appended durably. A kill leaves at most an incomplete line
// at the end, which the next turn replaces; a damaged line costs its own record.
//
// A conversation is created under another name and then renamed, and renamed before it is
// erased. The next change sweeps up what a kill leaves.
//
// # Names
//
// A name is the typed text without surrounding white space (CleanName). It is never a path, since
// folders have the ID. Characters that cannot be printed or change direction are refused.
//
// # Processes
//
// One process changes a Folder at a time; others wait some seconds. Reading needs no lock, since
// logs are append-only. Keys and values of a language model are stored elsewhere (Keys), and
// follow-ups are rewritten in engine/search.
package conversation
