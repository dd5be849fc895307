// Package trial measures dowse on questions of a person about notes of theirs, in a home
// of its own, with their settings and models: what dowse eval does. Nothing of the
// person's own index is touched.
//
// A folder holds notes/ and questions.jsonl, a JSON object a line: question, and path,
// the note that answers, relative to notes.
package trial
