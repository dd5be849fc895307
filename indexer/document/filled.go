package document

import (
	"slices"
	"strings"
)

// notPeople are what programs fill in where nobody said who wrote: ReportLab, Ghostscript,
// calibre, Word, LibreOffice, the names of accounts of Windows and Linux.
var notPeople = words(`anonymous unspecified unknown untitled undefined unnamed none null nil n/a na author user users owner
	"default user" "windows user" "microsoft office user" "office user" "unknown author" "author unknown" "your name" "author name"
	admin administrator root guest nobody system localuser "no author" "not specified" "not set"
	unbekannt anonym benutzer administrateur utilisateur inconnu anonyme usuario desconocido anónimo utente sconosciuto gebruiker onbekend`)

// notTitles are what programs fill in where a document has none.
var notTitles = words(`untitled unspecified unknown anonymous undefined none null nil n/a na unnamed title "no title" "document title"
	document "new document" "untitled document" "microsoft word document" "powerpoint presentation" "pdf document" "slide 1"
	"powerpoint-präsentation" "présentation powerpoint" "presentación de powerpoint" unbenannt "sans titre" "sin título" "senza titolo" "ohne titel"`)

// filesOfPrograms are the endings of names of files that stand for titles.
var filesOfPrograms = strings.Fields(".dvi .doc .docx .docm .dot .dotx .rtf .tex .indd .pmd .odt .ods .odp .odg .xls .xlsx .xlsm .ppt .pptx .pub .ps .eps .qxd .wpd .cdr .fm .pdf .xopp .xoj")

// words returns names, those of several words in quotes.
func words(s string) map[string]bool {
	of := map[string]bool{}
	for i, part := range strings.Split(s, `"`) {
		if i%2 == 1 {
			of[part] = true
			continue
		}
		for _, word := range strings.Fields(part) {
			of[word] = true
		}
	}
	return of
}

// Said returns what a person said: without the titles and authors that a program filled in.
// Readers of files that have such properties call it, of PDF, office and books.
func (m Meta) Said() Meta {
	m.Authors = slices.DeleteFunc(slices.Clone(m.Authors), func(name string) bool { return notPeople[plainly(name)] })
	if len(m.Authors) == 0 {
		m.Authors = nil
	}
	m.Title = printed(m.Title)
	if plain := plainly(m.Title); notTitles[plain] || slices.ContainsFunc(filesOfPrograms, func(ending string) bool { return strings.HasSuffix(plain, ending) }) {
		m.Title = ""
	}
	return m
}

// printed is a title without the name of the program that printed the document: "Microsoft Word - ".
func printed(title string) string {
	program, rest, has := strings.Cut(title, " - ")
	if has && (program == "Microsoft Word" || program == "Microsoft PowerPoint" || program == "Microsoft Excel") {
		return strings.TrimSpace(rest)
	}
	return title
}

// plainly is a property in small letters, without the brackets around it.
func plainly(s string) string {
	s = strings.ToLower(strings.Join(strings.Fields(s), " "))
	for _, pair := range []string{"()", "[]", "<>", `""`, "''"} {
		if len(s) > 1 && s[0] == pair[0] && s[len(s)-1] == pair[1] {
			s = strings.TrimSpace(s[1 : len(s)-1])
		}
	}
	return s
}
