package tui

import (
	"time"

	"dowse/engine"
)

// The messages to Update beside keys, mouse and resizes.
type (
	// searchDone is the outcome of a generation's search.
	searchDone struct {
		generation int
		result     *engine.Result
		layers     []engine.RerankLayer // all layers of its reranking
		err        error
	}
	// layersArrived are the layers since the last look, at least one.
	layersArrived struct {
		feed   *layerFeed
		layers []engine.RerankLayer
	}
	// answerArrived is the news of an answer since the last look.
	answerArrived struct {
		feed   *answerFeed
		found  []engine.Passage // passages it cites; nil if unchanged
		answer *engine.Answer   // nil if unchanged
	}
	// refineDue asks for the final ranking of a generation's estimate.
	refineDue struct{ generation int }
	// searchSlow says that a generation's search has run for a while.
	searchSlow struct{ generation int }

	// previewDone is a requested stretch of a file.
	previewDone struct {
		generation int
		preview    *engine.Preview
		lines      []marked // of preview, safe to draw
		err        error
	}

	statusDone struct {
		status *engine.Status
		err    error
	}
	// statusDue asks for a status while the machine panel is open.
	statusDue struct{ serial int }

	subscribed struct {
		events <-chan engine.Event
		err    error
	}
	// subscribeDue asks to subscribe again after the connection was lost.
	subscribeDue struct{}

	// happened coalesces the events since the last look: of progress and memory
	// the newest.
	happened struct {
		events   <-chan engine.Event
		progress *engine.Progress
		change   *engine.ModelChange
		memory   [][]engine.PoolUse
		changed  bool
		problem  string
		closed   bool
		at       time.Time
	}

	// refreshDue asks the present query again because the index changed.
	refreshDue struct{}

	conversationsDone struct {
		serial int
		all    []engine.Conversation
		err    error
	}
	// conversationDone are the turns of the opened conversation.
	conversationDone struct {
		serial  int
		turns   []turnView
		problem string // what is lost of it
		err     error
	}
	// conversationNamed says that a conversation was named, or renamed where
	// from is not empty.
	conversationNamed struct {
		from, name string
		err        error
	}
	// conversationDeleted says what was deleted.
	conversationDeleted struct {
		name    string
		deleted *engine.DeletedConversation
		err     error
	}
	// focusDue preloads a conversation if it is still chosen.
	focusDue struct{ id string }

	editorDone struct{ err error }
	// partOpened is a copy of the part of a file that a place is in.
	partOpened struct {
		path   string // of the file
		where  engine.Where
		file   string // the copy
		within engine.Where
		err    error
	}
	viewerFailed struct{ err error }
	// pagerReady is the text of a file for the pager, and the line to begin at.
	pagerReady struct {
		text string
		line int
		err  error
	}
	copied struct {
		what string // of it the notice tells
		err  error
	}
	// noticeOver removes the notice of that serial.
	noticeOver struct{ serial int }
)
