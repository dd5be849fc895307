package engine

import (
	"context"
	"errors"
	"time"
)

// Conversation is questions and answers in a row, kept under a name. A question in it
// may go on with what was said before.
type Conversation struct {
	ID      string    `json:"id"`   // stays when the name changes
	Name    string    `json:"name"` // as the person calls it; of no two conversations
	Count   int       `json:"questions"`
	First   string    `json:"first,omitempty"` // question
	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"` // when the last question was asked
	// Turns are nil in lists.
	Turns []Turn `json:"turns,omitempty"`
	Text  int64  `json:"text_bytes"` // of questions, answers and their passages on disk
	// Keys are the keys and values that a language model computed of it, which spare it
	// to read the conversation again. They can be computed again.
	Keys KeysUse `json:"keys"`
	// Problem says in a sentence what of the conversation is damaged or lost.
	Problem string `json:"problem,omitempty"`
}

// Turn is one question of a conversation and what was found and said.
type Turn struct {
	Question string `json:"question"` // as typed, in the syntax of Parse
	// Standalone is the question as it was searched for and answered, where the
	// earlier turns changed it; "" where it stood alone.
	Standalone string        `json:"standalone,omitempty"`
	Passages   []TurnPassage `json:"passages"`         // the first AnswerPassages, best first
	Answer     *Answer       `json:"answer,omitempty"` // nil where none was asked for; its numbers are those of Rank
	When       time.Time     `json:"when"`
}

// TurnPassage is a passage as it was when a turn found it.
type TurnPassage struct {
	// N counts the passages of the conversation from 1. The same passage has the
	// same number in later turns.
	N         int    `json:"n"`
	Rank      int    `json:"rank"`                 // in the search of the turn
	Path      string `json:"path"`                 // absolute
	PathBytes []byte `json:"path_bytes,omitempty"` // as those of a Passage
	LineStart int    `json:"line_start"`
	LineEnd   int    `json:"line_end"` // inclusive
	Where
	Heading string `json:"heading"`
	Text    string `json:"text"` // valid UTF-8, but not yet safe for a terminal
}

// KeysUse is what the keys and values of a conversation, or of all, take.
type KeysUse struct {
	Tokens int        `json:"tokens"`
	Memory int64      `json:"memory"` // bytes
	Disk   int64      `json:"disk"`   // bytes
	Levels []LevelUse `json:"levels,omitempty"`
}

// LevelUse counts the chunks of keys and values of one level.
type LevelUse struct {
	Bits   int   `json:"bits"`   // of a number: 8, 4 or 2; the list is in that order
	Chunks int   `json:"chunks"` // in memory, on disk or both
	Bytes  int64 `json:"bytes"`  // of each of them once
}

// ContextUse says which turn of which conversation a result is.
type ContextUse struct {
	Name       string `json:"name"`
	Turn       int    `json:"turn"` // its number, from 1; of a request that is not kept, the number it would have
	Standalone string `json:"standalone,omitempty"`
	Kept       bool   `json:"kept"`
	// Problem says why the turn was not kept, or what of the conversation was lost.
	Problem string `json:"problem,omitempty"`
}

// ConversationsStatus is what all conversations take.
type ConversationsStatus struct {
	Count     int     `json:"count"`
	Questions int     `json:"questions"`
	Text      int64   `json:"text_bytes"`
	Keys      KeysUse `json:"keys"`
}

// DeletedConversation is what a deletion took away.
type DeletedConversation struct {
	Name      string `json:"name"`
	Questions int    `json:"questions"`
	Bytes     int64  `json:"bytes"` // on disk
}

// ErrNoConversation says that no conversation has the name.
var ErrNoConversation = errors.New("there is no conversation")

// ErrConversationName says that a name cannot be a conversation's, or is another's.
var ErrConversationName = errors.New("the name cannot be given")

// Conversations keeps conversations. A name that none has is an error that wraps
// ErrNoConversation, and one that cannot be given wraps ErrConversationName.
type Conversations interface {
	// Conversations lists all, the one asked last first.
	Conversations(ctx context.Context) ([]Conversation, error)
	// Conversation returns one with its turns.
	Conversation(ctx context.Context, name string) (*Conversation, error)
	// KeepTurn adds a turn that was made outside of a conversation, and numbers its
	// passages. It begins a conversation that does not exist yet.
	KeepTurn(ctx context.Context, name string, turn Turn) (*ContextUse, error)
	RenameConversation(ctx context.Context, name, to string) error
	// DeleteConversation erases text, keys and values, on disk and in memory.
	DeleteConversation(ctx context.Context, name string) (*DeletedConversation, error)
	// FocusConversation has the keys and values of a conversation loaded, since a
	// question is about to come, and returns at once.
	FocusConversation(ctx context.Context, name string) error
}

// MakeTurn makes the turn of a search that has ended. Its passages are the first
// AnswerPassages that say different things and hold no secret, not numbered yet.
func MakeTurn(question string, result *Result, when time.Time) Turn {
	t := Turn{Question: question, Answer: result.Answer, When: when}
	if result.Context != nil {
		t.Standalone = result.Context.Standalone
	}
	for _, p := range result.Passages {
		if p.SimilarTo == 0 && !p.Secret && len(t.Passages) < AnswerPassages {
			t.Passages = append(t.Passages, TurnPassage{
				Rank: p.Rank, Path: p.Path, LineStart: p.LineStart, LineEnd: p.LineEnd, Where: p.Where, Heading: p.Heading, Text: p.Text,
			})
		}
	}
	return t
}

// NumberPassages returns the numbers that passages have in a conversation after its
// earlier turns. A passage that was found before, in the same file with the same text,
// keeps its number; others get the next ones.
func NumberPassages(earlier []Turn, passages []TurnPassage) []int {
	type place struct{ path, text string }
	known, last := map[place][]int{}, 0
	for _, t := range earlier {
		for _, p := range t.Passages {
			last = max(last, p.N)
			at := place{p.Path, p.Text}
			if n := known[at]; len(n) == 0 || n[len(n)-1] < p.N {
				known[at] = append(n, p.N)
			}
		}
	}
	numbers := make([]int, len(passages))
	for i, p := range passages {
		at := place{p.Path, p.Text}
		if n := known[at]; len(n) > 0 {
			numbers[i], known[at] = n[0], n[1:] // a text that a file holds twice has a number for each
			continue
		}
		last++
		numbers[i] = last
	}
	return numbers
}
