package tui

import (
	"time"

	"dowse/engine"
)

// Everything that reaches Update and is not a key, the mouse or a resize.
type (
	// searchDone is the answer to the search of that generation.
	searchDone struct {
		generation int
		result     *engine.Result
		layers     []engine.RerankLayer // all that its reranking told of
		err        error
	}
	// layersArrived are the layers that a reranking under way has told of
	// since the last look, at least one.
	layersArrived struct {
		feed   *layerFeed
		layers []engine.RerankLayer
	}
	// answerArrived is what has become known of an answer since the last look.
	answerArrived struct {
		feed   *answerFeed
		found  []engine.Passage // that it cites; nil if told before
		answer *engine.Answer   // nil if it has not grown
	}
	// refineDue asks for the final ranking where that generation's was an
	// estimate.
	refineDue struct{ generation int }
	// searchSlow says that the search of that generation has run for a while.
	searchSlow struct{ generation int }

	// previewDone is the stretch of a file that was asked for.
	previewDone struct {
		generation int
		preview    *engine.Preview
		lines      []marked // of preview, safe to draw
		err        error
	}

	// statusDone is a fresh status of the index.
	statusDone struct {
		status *engine.Status
		err    error
	}
	// statusDue asks for a status while the machine panel is open.
	statusDue struct{ serial int }

	// subscribed is the outcome of Subscribe.
	subscribed struct {
		events <-chan engine.Event
		err    error
	}
	// subscribeDue asks to subscribe again after the connection was lost.
	subscribeDue struct{}

	// happened is what came from the event channel since the last look,
	// coalesced: of progress and memory only the newest counts.
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

	// conversationsDone is the list of conversations that was asked for.
	conversationsDone struct {
		serial int
		all    []engine.Conversation
		err    error
	}
	// conversationDone are the turns of the conversation that was opened.
	conversationDone struct {
		serial  int
		turns   []turnView
		problem string // what of it is lost
		err     error
	}
	// conversationNamed says that a conversation has a name: a new one, or where from
	// is not empty another one.
	conversationNamed struct {
		from, name string
		err        error
	}
	// conversationDeleted is what went with a conversation.
	conversationDeleted struct {
		name    string
		deleted *engine.DeletedConversation
		err     error
	}
	// focusDue asks for a conversation to be loaded if it is still chosen.
	focusDue struct{ id string }

	// editorDone says that the editor has given the terminal back.
	editorDone struct{ err error }
	// partOpened is a copy of the part of a file that a place is in.
	partOpened struct {
		path   string // of the file
		where  engine.Where
		file   string // the copy
		within engine.Where
		err    error
	}
	// viewerFailed says that a viewer ended with an error.
	viewerFailed struct{ err error }
	// copied is the outcome of handing a place to the clipboard.
	copied struct {
		place string
		err   error
	}
	// noticeOver takes the notice of that serial away.
	noticeOver struct{ serial int }
)
