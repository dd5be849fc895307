package bench

import (
	"strings"
	"testing"
)

func TestReplica(t *testing.T) {
	c, b := clustered(t, 1200, 5), quiet()
	_, store, err := b.ownIndex(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	r, err := b.replica(t.Context(), c, store, 9000)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := r.write(&text); err != nil || !strings.Contains(text.String(), "9000 copies") || !strings.Contains(text.String(), "noise") {
		t.Errorf("%v, %s", err, text.String())
	}
	if r.Scan.Codes != 9000 || r.Walk.Codes >= 9000 || r.Walk.Codes < replicaDepth || r.MemoryBytes < 9000*int64(b.codeBytes) || r.Shared <= 0 {
		t.Errorf("%+v", r)
	}
	if _, err := b.replica(t.Context(), c, store, 1<<40); err == nil || !strings.Contains(err.Error(), "--replicate") {
		t.Errorf("more than fits: %v", err)
	}
	b.graph = nil
	if _, err := b.replica(t.Context(), c, store, 9000); err == nil {
		t.Error("an index without a graph was copied")
	}
}

func TestReplicaRoom(t *testing.T) {
	for _, tt := range []struct {
		n       int
		machine int64
		refused bool
	}{{1e6, 24 << 30, false}, {10e6, 24 << 30, false}, {10e6, 2 << 30, true}, {1e6, 0, false}} {
		if err := replicaRoom(tt.n, 20, tt.machine); (err != nil) != tt.refused {
			t.Errorf("%d passages in %d bytes: %v", tt.n, tt.machine, err)
		}
	}
}
