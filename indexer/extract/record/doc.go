// Package record reads data that people keep as rows and records: tables of values (CSV, TSV), arrays of
// objects in JSON, lists of mappings in YAML, lines of objects, contacts (vCard) and calendars (iCalendar).
//
// # Basics
//
// Formats is what package extract lists. Each record becomes a line that says its names, "Item: desk; Cost: 30",
// so that a passage says by itself what it is about; its place is the row (counted as a spreadsheet
// does, the header being the first) or the record, and the lines of the document are those of the file.
//
// # Tables
//
// The delimiter is the one of tab, semicolon, bar and comma by which most of the first 50 rows have the same number
// of values, two at least, and then the one that gives the most; a line "sep=;" decides. The first row names the columns
// when it has short words, each once, no numbers, dates or addresses, and none that stands below in its column.
//
// # JSON
//
// A file is read by records if it is an array of objects from its beginning to its end, lines of
// objects, or an object of which such an array takes 70%, as exports are: its other values come first, as a
// line of their own. The values within others are named by their path, "address.city"; those of an array have the name
// of the array.
//
// # YAML
//
// A file of one document is read by records if it is a list of mappings, two at least, or a mapping of which
// such a list takes 70% of the lines. The mappings have mostly the same keys (60% of all values stand under keys
// that half of them have) and nothing deeper than mappings in mappings; comments stay, as cells without a name, and what an
// alias stands for is said once, where its anchor is, unless it is a single value. So contacts, recipes and lists of
// papers are records; steps of a build, playbooks and manifests are not.
//
// # Contacts and calendars
//
// A contact, event, task or journal entry is a record of that name, in words that people ask with: its dates have
// the name of the day and of the month, a telephone says whose line it is. Their lines are read here
// and by no library, because those at hand want what the standards want, and exports of telephones (vCard 2.1, values
// in quoted-printable, parameters without names) are otherwise; and because a record knows its line of the file.
// Pictures, keys, alarms, time zones and numbers of programs are left out.
//
// # Entries
//
// A record is an entry for the filters where values have names that say of when it is, by whom, to whom, or its tags
// (facts.go lists them); an event is one of its organizer, guests, categories and the time at which it begins, a contact of
// its name, categories and the day on which it was changed: nobody has written it.
//
// # What stays code
//
// Everything else (configurations, results with one object at the top, comments in JSON, faults) is
// document.ErrOther and stays the code that it is, because a person looks for it as it stands. So do TOML and INI.
//
// # Invariants
//
// Each value of a file stands in the text once, white space made single spaces. Files that are data by the
// measure of package extract are left out as they are there.
package record
