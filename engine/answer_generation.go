package engine

// Generation counts what a language model did to write an answer.
type Generation struct {
	PromptTokens int `json:"prompt_tokens"`
	Reused       int `json:"reused,omitempty"` // of those, the ones it had read for the question before
	// Of those reused, the ones whose keys and values came back from the disk, and
	// those whose were computed again; and how long that took.
	Restored      int     `json:"restored,omitempty"`
	Recomputed    int     `json:"recomputed,omitempty"`
	RestoreMillis float64 `json:"restore_ms,omitempty"`

	// Conversation is how many tokens the model has read and written of the conversation
	// by the end of the answer; 0 outside of one.
	Conversation int `json:"conversation_tokens,omitempty"`

	PromptSpeed float64 `json:"prompt_tokens_per_second"` // of those that it read; 0 for none
	FirstMillis float64 `json:"first_ms"`                 // until the first token was there
	Tokens      int     `json:"tokens"`                   // of the answer
	Speed       float64 `json:"tokens_per_second"`        // of the answer, once the prompt was read
	Steps       int     `json:"steps"`                    // passes of the model for the answer
	Drafted     int     `json:"drafted"`                  // tokens that were guessed
	Accepted    int     `json:"accepted"`                 // of those, the ones that the model wrote as well
	DraftMillis float64 `json:"draft_ms"`                 // that guessing took
	Layers      int     `json:"layers,omitempty"`         // of the model; 0 where unknown
	Kept        int     `json:"layers_kept,omitempty"`    // of those, in memory at the end; the others are read for each pass
}
