package extract

import (
	"dowse/indexer/document"
)

// Types returns the words by which a person may mean the type of a file, as far as its name tells: its ending, its
// format, and of a text its kind and its language.
func Types(path string) []string {
	types := []string{document.Extension(path)}
	if f := namedFormat(path); f != nil {
		return append(types, f.Name)
	}
	kind, language := kindOf(path, nil)
	switch kind {
	case document.Markdown:
		types = append(types, "markdown")
	case document.HTML:
		types = append(types, "html")
	case document.Code:
		types = append(types, "code")
	default:
		types = append(types, "text")
	}
	if language != "" {
		types = append(types, language)
	}
	return types
}
