package layout

// Kinds are the names of the kinds of documents, as files of the store number them.
var Kinds = []string{"text", "markdown", "code", "html", "converted"}
