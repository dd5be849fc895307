package daemon

import (
	"context"

	"dowse/engine"
)

var _, _ engine.Ranker = (*Client)(nil), (*Pipe)(nil)

// Peer implements engine.Ranker.
func (c *Client) Peer(ctx context.Context) (*engine.Peer, error) {
	return ask[engine.Peer](ctx, c, call{Op: opPeer}, nil)
}

// Count implements engine.Ranker.
func (c *Client) Count(ctx context.Context, req engine.CountRequest) (*engine.Counts, error) {
	return ask[engine.Counts](ctx, c, call{Op: opCount, Count: &req}, nil)
}

// Rank implements engine.Ranker.
func (c *Client) Rank(ctx context.Context, req engine.RankRequest) (*engine.Ranked, error) {
	return ask[engine.Ranked](ctx, c, call{Op: opRank, Rank: &req}, nil)
}

// Texts implements engine.Ranker.
func (c *Client) Texts(ctx context.Context, req engine.TextsRequest) (*engine.RankedTexts, error) {
	return ask[engine.RankedTexts](ctx, c, call{Op: opTexts, Texts: &req}, nil)
}

// Peer implements engine.Ranker. A dowse that does not know the call has no abilities.
func (p *Pipe) Peer(ctx context.Context) (*engine.Peer, error) {
	peer, err := ask[engine.Peer](ctx, p, call{Op: opPeer}, nil)
	if IsReply(err) {
		return &engine.Peer{}, nil
	}
	return peer, err
}

// Count implements engine.Ranker.
func (p *Pipe) Count(ctx context.Context, req engine.CountRequest) (*engine.Counts, error) {
	return ask[engine.Counts](ctx, p, call{Op: opCount, Count: &req}, nil)
}

// Rank implements engine.Ranker.
func (p *Pipe) Rank(ctx context.Context, req engine.RankRequest) (*engine.Ranked, error) {
	return ask[engine.Ranked](ctx, p, call{Op: opRank, Rank: &req}, nil)
}

// Texts implements engine.Ranker.
func (p *Pipe) Texts(ctx context.Context, req engine.TextsRequest) (*engine.RankedTexts, error) {
	return ask[engine.RankedTexts](ctx, p, call{Op: opTexts, Texts: &req}, nil)
}
