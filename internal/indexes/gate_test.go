package indexes

import (
	"context"
	"errors"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"dowse/engine"
	"dowse/engine/leann"
	"dowse/engine/lexical"
	"dowse/engine/search"
	"dowse/internal/hosts"
	"dowse/internal/testwait"
	"dowse/store"
)

// slowEmbedder is at work for a while after its caller has given up.
type slowEmbedder struct {
	began   chan struct{}
	working atomic.Int32
}

func (e *slowEmbedder) EmbedQuery(ctx context.Context, _ string) ([]float32, int, error) {
	e.working.Add(1)
	defer e.working.Add(-1)
	close(e.began)
	<-ctx.Done()
	testwait.Moment(20 * time.Millisecond) // a kernel call that cannot be interrupted
	return nil, 0, ctx.Err()
}

func (e *slowEmbedder) EmbedDocuments(context.Context, []string) ([]float32, error) {
	return nil, errors.ErrUnsupported
}

// TestModelsOutliveTheSearchesUnderWay: whoever closes the service need not
// have waited for the searches of others.
func TestModelsOutliveTheSearchesUnderWay(t *testing.T) {
	db, err := store.Open(filepath.Join(t.TempDir(), "index.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *store.Tx) error {
		f := store.File{Path: "/n/a.md", Root: "/n"}
		return tx.PutFile(&f, []store.Chunk{{Start: 0, End: 3}})
	})
	if err != nil {
		t.Fatal(err)
	}
	e := &slowEmbedder{began: make(chan struct{})}
	s := &Stack{DB: db, hosts: hosts.NewPool(nil), settings: &folderSettings{}, Engine: search.New(search.Options{
		Store: db, Analyzer: lexical.NewAnalyzer(), Embedder: e, Vectors: leann.Index{Dim: 4}, Model: "slow",
	})}
	s.settings.set(nil)
	s.release = func() error {
		if e.working.Load() > 0 {
			t.Error("the models are released while a search uses them")
		}
		return nil
	}
	ended := make(chan error, 1)
	go func() {
		_, err := s.Search(context.Background(), engine.Request{Query: "heron", Mode: engine.Vector}, nil)
		ended <- err
	}()
	<-e.began
	closed := make(chan error, 1)
	go func() { closed <- s.Close() }()
	select {
	case err := <-closed:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(testwait.Patience):
		t.Fatal("closing waits for a search that nobody ends")
	}
	if err := <-ended; err == nil {
		t.Error("the search ended as if nothing had happened")
	}
	if _, err := s.Search(context.Background(), engine.Request{Query: "heron"}, nil); !errors.Is(err, errClosing) {
		t.Errorf("a search of a closed service: %v", err)
	}
}
