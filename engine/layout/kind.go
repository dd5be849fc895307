package layout

// Kinds are the names of the kinds of documents, as files of the store number them.
var Kinds = []string{"text", "markdown", "code", "html", "converted", "log"}

// Numbers of kinds that say more than a name.
const (
	Code      = 2 // source code and settings, which rank by rules of their own
	Converted = 4 // it has a format, whose name says what it is
	Log       = 5
)

// HasVectors reports whether the chunks of files of a kind have vectors or codes. Lines of logs have none: people look for
// their words, and there are too many of them.
func HasVectors(kind uint8) bool { return kind != Log }
