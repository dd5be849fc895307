// Package mapi reads what Outlook and Exchange keep messages in: properties, by numbers.
//
// # RTF
//
// Bodies that were written as HTML or as plain text are often kept as RTF alone, compressed and with the HTML in it:
//
//	rtf, err := mapi.Unpack(property)    // [MS-OXRTFCP]
//	text, kind := mapi.Unwrap(rtf)       // [MS-OXRTFEX]: "text/html", "text/plain", or "" where RTF is what was written
//
// Both give what can be read of damaged data, and hold a small multiple of it.
//
// # TNEF
//
// What Outlook attaches for other Outlooks, "winmail.dat", holds a message in other bytes (ReadTNEF). 20 files that test tnefparse are read, with
// all words of bodies that tnefparse 1.4 finds, and all attachments.
package mapi
