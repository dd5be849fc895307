package daemon

import (
	"context"
	"fmt"

	"dowse/engine"
)

// op names what a call asks for.
type op string

const (
	opHello     op = "hello"
	opSearch    op = "search"
	opRelated   op = "related"
	opPreview   op = "preview"
	opStatus    op = "status"
	opLeftOut   op = "left out"
	opFiles     op = "files"
	opRead      op = "read"
	opSubscribe op = "subscribe"
	opIndex     op = "index"
	opCheck     op = "check"
	opForget    op = "forget answers"
	opBudget    op = "change budget"
	opModel     op = "follow model"
	opComplete  op = "complete"
	opFolders   op = "folders"
	opFolder    op = "change folder"
	opPack      op = "pack"

	opPeer  op = "peer"
	opCount op = "count"
	opRank  op = "rank"
	opTexts op = "texts"

	opConversations op = "conversations"
	opConversation  op = "conversation"
	opKeepTurn      op = "keep turn"
	opRename        op = "rename conversation"
	opDelete        op = "delete conversation"
	opFocus         op = "focus conversation"
)

// call is what a client asks. Fields that its op does not need are absent.
type call struct {
	Version int                    `json:"version"`
	Op      op                     `json:"op"`
	Request *engine.Request        `json:"request,omitempty"`
	Related *engine.RelatedRequest `json:"related,omitempty"`
	Passage *engine.Passage        `json:"passage,omitempty"`
	Before  int                    `json:"before,omitempty"`
	After   int                    `json:"after,omitempty"`
	Folders []string               `json:"folders,omitempty"`
	Change  engine.BudgetChange    `json:"change,omitempty"`
	Name    string                 `json:"name,omitempty"` // of a conversation
	To      string                 `json:"to,omitempty"`   // that it is to have
	Turn    *engine.Turn           `json:"turn,omitempty"`

	Files      *engine.FilesRequest      `json:"files,omitempty"`
	Read       *engine.ReadRequest       `json:"read,omitempty"`
	Completion *engine.CompletionRequest `json:"completion,omitempty"`
	Folder     *engine.FolderChange      `json:"folder,omitempty"`
	Pack       *engine.PackRequest       `json:"pack,omitempty"`

	Count *engine.CountRequest `json:"count,omitempty"`
	Rank  *engine.RankRequest  `json:"rank,omitempty"`
	Texts *engine.TextsRequest `json:"texts,omitempty"`
}

// answers are what a server does for each op. The value goes to the client.
var answers = map[op]func(ctx context.Context, s engine.Service, c *call, emit func(engine.Event)) (value any, err error){
	opHello: func(context.Context, engine.Service, *call, func(engine.Event)) (any, error) { return nil, nil },
	opSearch: func(ctx context.Context, s engine.Service, c *call, emit func(engine.Event)) (any, error) {
		if c.Request == nil {
			return nil, notUnderstood(c)
		}
		return s.Search(ctx, *c.Request, emit)
	},
	opRelated: func(ctx context.Context, s engine.Service, c *call, emit func(engine.Event)) (any, error) {
		if c.Related == nil {
			return nil, notUnderstood(c)
		}
		return s.Related(ctx, *c.Related, emit)
	},
	opPreview: func(ctx context.Context, s engine.Service, c *call, _ func(engine.Event)) (any, error) {
		if c.Passage == nil {
			return nil, notUnderstood(c)
		}
		return s.Preview(ctx, *c.Passage, c.Before, c.After)
	},
	opStatus: func(ctx context.Context, s engine.Service, _ *call, _ func(engine.Event)) (any, error) {
		return s.Status(ctx)
	},
	opLeftOut: func(ctx context.Context, s engine.Service, _ *call, _ func(engine.Event)) (any, error) {
		return s.LeftOut(ctx)
	},
	opFiles: func(ctx context.Context, s engine.Service, c *call, _ func(engine.Event)) (any, error) {
		if c.Files == nil {
			return nil, notUnderstood(c)
		}
		return s.Files(ctx, *c.Files)
	},
	opRead: func(ctx context.Context, s engine.Service, c *call, _ func(engine.Event)) (any, error) {
		if c.Read == nil {
			return nil, notUnderstood(c)
		}
		return s.Read(ctx, *c.Read)
	},
	opIndex: func(ctx context.Context, s engine.Service, c *call, emit func(engine.Event)) (any, error) {
		return s.Index(ctx, c.Folders, emit)
	},
	opCheck: func(ctx context.Context, s engine.Service, _ *call, emit func(engine.Event)) (any, error) {
		return s.Check(ctx, emit)
	},
	opForget: func(ctx context.Context, s engine.Service, _ *call, _ func(engine.Event)) (any, error) {
		return s.ForgetAnswers(ctx)
	},
	opBudget: func(ctx context.Context, s engine.Service, c *call, _ func(engine.Event)) (any, error) {
		return s.ChangeBudget(ctx, c.Change)
	},
	opModel: func(ctx context.Context, s engine.Service, _ *call, _ func(engine.Event)) (any, error) {
		return s.FollowModel(ctx)
	},
	opComplete: func(ctx context.Context, s engine.Service, c *call, _ func(engine.Event)) (any, error) {
		if c.Completion == nil {
			return nil, notUnderstood(c)
		}
		return s.Complete(ctx, *c.Completion)
	},
	opFolders: func(ctx context.Context, s engine.Service, _ *call, _ func(engine.Event)) (any, error) {
		return s.Folders(ctx)
	},
	opFolder: func(ctx context.Context, s engine.Service, c *call, emit func(engine.Event)) (any, error) {
		if c.Folder == nil {
			return nil, notUnderstood(c)
		}
		return s.ChangeFolder(ctx, *c.Folder, emit)
	},
	opPack: func(ctx context.Context, s engine.Service, c *call, emit func(engine.Event)) (any, error) {
		if c.Pack == nil {
			return nil, notUnderstood(c)
		}
		return s.Pack(ctx, *c.Pack, emit)
	},
	opSubscribe: func(ctx context.Context, s engine.Service, _ *call, emit func(engine.Event)) (any, error) {
		return nil, forward(ctx, s, emit)
	},
	opPeer: func(ctx context.Context, s engine.Service, _ *call, _ func(engine.Event)) (any, error) {
		return s.Peer(ctx)
	},
	opCount: func(ctx context.Context, s engine.Service, c *call, _ func(engine.Event)) (any, error) {
		if c.Count == nil {
			return nil, notUnderstood(c)
		}
		return s.Count(ctx, *c.Count)
	},
	opRank: func(ctx context.Context, s engine.Service, c *call, _ func(engine.Event)) (any, error) {
		if c.Rank == nil {
			return nil, notUnderstood(c)
		}
		return s.Rank(ctx, *c.Rank)
	},
	opTexts: func(ctx context.Context, s engine.Service, c *call, _ func(engine.Event)) (any, error) {
		if c.Texts == nil {
			return nil, notUnderstood(c)
		}
		return s.Texts(ctx, *c.Texts)
	},
	opConversations: func(ctx context.Context, s engine.Service, _ *call, _ func(engine.Event)) (any, error) {
		return s.Conversations(ctx)
	},
	opConversation: func(ctx context.Context, s engine.Service, c *call, _ func(engine.Event)) (any, error) {
		return s.Conversation(ctx, c.Name)
	},
	opKeepTurn: func(ctx context.Context, s engine.Service, c *call, _ func(engine.Event)) (any, error) {
		if c.Turn == nil {
			return nil, notUnderstood(c)
		}
		return s.KeepTurn(ctx, c.Name, *c.Turn)
	},
	opRename: func(ctx context.Context, s engine.Service, c *call, _ func(engine.Event)) (any, error) {
		return nil, s.RenameConversation(ctx, c.Name, c.To)
	},
	opDelete: func(ctx context.Context, s engine.Service, c *call, _ func(engine.Event)) (any, error) {
		return s.DeleteConversation(ctx, c.Name)
	},
	opFocus: func(ctx context.Context, s engine.Service, c *call, _ func(engine.Event)) (any, error) {
		return nil, s.FocusConversation(ctx, c.Name)
	},
}

// notUnderstood refuses a call whose op is unknown, or that lacks what its op needs.
func notUnderstood(c *call) error { return fmt.Errorf("call %q not understood", c.Op) }

// forward hands on events until the client or the server goes away.
func forward(ctx context.Context, s engine.Service, emit func(engine.Event)) error {
	events, err := s.Subscribe(ctx)
	if err != nil {
		return err
	}
	for e := range events {
		emit(e)
	}
	return ctx.Err()
}

// asker makes calls.
type asker interface {
	do(ctx context.Context, what call, emit func(engine.Event), value any) error
}

// ask makes a call whose value is a T.
func ask[T any](ctx context.Context, c asker, what call, emit func(engine.Event)) (*T, error) {
	var value T
	if err := c.do(ctx, what, emit, &value); err != nil {
		return nil, err
	}
	return &value, nil
}

// Search implements engine.Searcher.
func (c *Client) Search(ctx context.Context, req engine.Request, emit func(engine.Event)) (*engine.Result, error) {
	result, err := ask[engine.Result](ctx, c, call{Op: opSearch, Request: &req}, emit)
	if err != nil {
		return nil, err
	}
	result.Stats.Warm = true
	return result, nil
}

// Related implements engine.Searcher.
func (c *Client) Related(ctx context.Context, req engine.RelatedRequest, emit func(engine.Event)) (*engine.Related, error) {
	related, err := ask[engine.Related](ctx, c, call{Op: opRelated, Related: &req}, emit)
	if err != nil {
		return nil, err
	}
	related.Stats.Warm = true
	return related, nil
}

// Preview implements engine.Searcher.
func (c *Client) Preview(ctx context.Context, p engine.Passage, before, after int) (*engine.Preview, error) {
	return ask[engine.Preview](ctx, c, call{Op: opPreview, Passage: &p, Before: before, After: after}, nil)
}

// Status implements engine.Searcher.
func (c *Client) Status(ctx context.Context) (*engine.Status, error) {
	return ask[engine.Status](ctx, c, call{Op: opStatus}, nil)
}

// Index implements engine.Service.
func (c *Client) Index(ctx context.Context, folders []string, emit func(engine.Event)) (*engine.IndexReport, error) {
	return ask[engine.IndexReport](ctx, c, call{Op: opIndex, Folders: folders}, emit)
}

// Files implements engine.Library.
func (c *Client) Files(ctx context.Context, req engine.FilesRequest) (*engine.Files, error) {
	return ask[engine.Files](ctx, c, call{Op: opFiles, Files: &req}, nil)
}

// Read implements engine.Library.
func (c *Client) Read(ctx context.Context, req engine.ReadRequest) (*engine.FileText, error) {
	return ask[engine.FileText](ctx, c, call{Op: opRead, Read: &req}, nil)
}

// LeftOut implements engine.Lister.
func (c *Client) LeftOut(ctx context.Context) ([]engine.LeftOut, error) {
	left, err := ask[[]engine.LeftOut](ctx, c, call{Op: opLeftOut}, nil)
	if err != nil {
		return nil, err
	}
	return *left, nil
}

// Check implements engine.Service.
func (c *Client) Check(ctx context.Context, emit func(engine.Event)) (*engine.CheckReport, error) {
	return ask[engine.CheckReport](ctx, c, call{Op: opCheck}, emit)
}

// ForgetAnswers implements engine.Service.
func (c *Client) ForgetAnswers(ctx context.Context) (*engine.Forgotten, error) {
	return ask[engine.Forgotten](ctx, c, call{Op: opForget}, nil)
}

// ChangeBudget implements engine.Service.
func (c *Client) ChangeBudget(ctx context.Context, change engine.BudgetChange) (*engine.BudgetStep, error) {
	return ask[engine.BudgetStep](ctx, c, call{Op: opBudget, Change: change}, nil)
}

// FollowModel implements engine.Service.
func (c *Client) FollowModel(ctx context.Context) (*engine.ModelChange, error) {
	return ask[engine.ModelChange](ctx, c, call{Op: opModel}, nil)
}

// Complete implements engine.Service.
func (c *Client) Complete(ctx context.Context, req engine.CompletionRequest) (*engine.Completion, error) {
	return ask[engine.Completion](ctx, c, call{Op: opComplete, Completion: &req}, nil)
}

// Folders implements engine.FolderKeeper.
func (c *Client) Folders(ctx context.Context) ([]engine.Folder, error) {
	list, err := ask[[]engine.Folder](ctx, c, call{Op: opFolders}, nil)
	if err != nil {
		return nil, err
	}
	return *list, nil
}

// ChangeFolder implements engine.FolderKeeper.
func (c *Client) ChangeFolder(ctx context.Context, change engine.FolderChange, emit func(engine.Event)) (*engine.FolderReport, error) {
	return ask[engine.FolderReport](ctx, c, call{Op: opFolder, Folder: &change}, emit)
}

// Pack implements engine.Packer.
func (c *Client) Pack(ctx context.Context, req engine.PackRequest, emit func(engine.Event)) (*engine.PackReport, error) {
	return ask[engine.PackReport](ctx, c, call{Op: opPack, Pack: &req}, emit)
}
