package engine

// KeptQueries are queries that a person asked on the screen, and those that they
// saved under a name.
type KeptQueries struct {
	Asked []string     `json:"asked"` // the oldest first, each once
	Saved []SavedQuery `json:"saved"` // by name
}

// SavedQuery is a query with a name.
type SavedQuery struct {
	Name  string `json:"name"`
	Query string `json:"query"`
}
