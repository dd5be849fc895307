// Package dates reads the dates that people and programs write: at the beginning of a heading, in a
// column, in the name of a note.
//
// # Basics
//
//	t := dates.Parse("Monday, 5 May 2025")
//	t, rest, ok := dates.Leading("2025-05-01 10:00 the heron came")
//
// # What is read
//
// Years first (2025-05-01, 2025/05/01, 2025.05.01, 2025_05_01), the month in words (5 May 2025, 5. Mai 2025,
// May 5th, 2025, 01/May/2025), and 5.5.2025, which has the day first wherever dots are written. Months are known in English,
// German, French, Spanish, Italian, Dutch and Portuguese. Of 5/6/2025 the day is told by a weekday beside it,
// or by a number above 12; else nothing is read: half of the world means June. A time of the day may follow, and a zone.
//
// # Clock
//
// A date that names no zone is what a clock showed where it was written, and a day its midnight: it has the location Clock, with
// the numbers as they stand, so that the same bytes are the same date on every machine.
package dates
