// Package encoded finds what a program encoded within a text: pictures, keys and certificates in base64, dumps of
// bytes in hexadecimal digits, files by uuencode or as git writes them into patches, vectors of numbers. No person reads it, and it is
// longer than all that they wrote beside it.
//
//	for _, run := range encoded.Runs(note) {
//		fmt.Println("left out:", run.End-run.Start, "bytes")
//	}
//
// # What is a run
//
//   - A word of base64 or of hexadecimal digits that has 512 letters or more, as many as a passage has, or lines of 48
//     or more that belong together: all but the first and the last are as long as each other, and between them stands a line end
//     with signs around it (indentation, quotation marks, "> "), also as JSON and XML write it. Letters that JSON and
//     URLs escape count as what they are.
//   - Its letters change as no language has them change: digits beside letters, capitals behind small letters. Of random
//     base64 that are 42 of 100 neighbours that differ, of hexadecimal digits 50; of names of files, of
//     "camelCaseIdentifiers" and "/paths/to/Some/File-2.txt" 15 at most. DNA, digits of pi and lines of dashes have none. A run needs 20.
//   - What "data:...;base64," announces needs no such look, and the announcement is part of the run.
//   - Lines whose first sign says how long they are, by the rules of uuencode and of git's binary patches, 512 bytes of them.
//   - 64 lines or more of a dump, each with its bytes in pairs, fours or eights of hexadecimal digits, or as 0x89.
//   - What stands between the marks of armour of a private key or of an encrypted message (RFC 7468, RFC 9580, age), 64 letters of
//     it or more; the marks stay. Tokens of a fixed form, whose makers say how they begin; JSON web tokens; values that Fernet,
//     OpenSSL, Ansible Vault, SOPS and eyaml encrypted. Secrets returns these alone. What stands for one ("xxxx", "your-token")
//     stays.
//   - 64 numbers or more between square brackets, most of them with fractions: what a model says of a text, a measured curve.
//
// What is shorter stays: hashes, public keys of ssh, identifiers and short dumps, which people look for. A list of hashes
// stays however long it is: lines of hexadecimal digits that are as long as hashes are (56, 64, 96, 128), and lines that
// all begin alike.
//
// Time is linear in the length of the text, memory in the number of runs.
package encoded
