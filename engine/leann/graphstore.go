package leann

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
)

// GraphHead sums up a graph in a few bytes.
type GraphHead struct {
	Stamp              uint64 // changes with the graph; 0: the index has no graph
	Nodes, Links, Hubs int
	// next is the first chunk that has yet to choose its links again; none: all have.
	next uint32
}

// headPlace is the key of the head; no block of an upper level has it.
var headPlace = blockPlace{UpperLinks, 0}

func (h GraphHead) bytes() []byte {
	b := []byte{linkVersion}
	for _, n := range []uint64{h.Stamp, uint64(h.Nodes), uint64(h.Links), uint64(h.Hubs), uint64(h.next)} {
		b = binary.AppendUvarint(b, n)
	}
	return b
}

var errHead = errors.New("the head of the graph is cut short")

// ReadGraphHead reads the head of a graph.
func ReadGraphHead(r Reader) (GraphHead, error) {
	value, err := r.Block(headPlace.part, headPlace.key)
	if err != nil || value == nil {
		return GraphHead{next: none}, err
	}
	var fields [5]uint64
	if value[0] != linkVersion {
		return GraphHead{}, errHead
	}
	value = value[1:]
	for i := range fields {
		v, n := binary.Uvarint(value)
		if n <= 0 || i > 0 && v > uint64(none) {
			return GraphHead{}, errHead
		}
		fields[i], value = v, value[n:]
	}
	if len(value) > 0 || fields[0] == 0 {
		return GraphHead{}, errHead
	}
	return GraphHead{fields[0], int(fields[1]), int(fields[2]), int(fields[3]), uint32(fields[4])}, nil
}

// ReadGraph reads the graph of an index; nil if there is none.
func ReadGraph(r Reader) (*Graph, error) {
	head, err := ReadGraphHead(r)
	if err != nil || head.Stamp == 0 {
		return nil, err
	}
	var wrong error
	g, _, err := loadGraph(context.Background(), r, func(what string) {
		if wrong == nil {
			wrong = errors.New(what)
		}
	})
	if err == nil {
		err = wrong
	}
	return g, err
}

// loadGraph reads the readable part of a graph and calls tell for each fault.
func loadGraph(ctx context.Context, r Reader, tell func(what string)) (g *Graph, blocks int, err error) {
	g = newGraph()
	var read []linkList // by level
	var ends [maxLevel + 1]int
	err = eachLinks(r, func(place blockPlace, value []byte) error {
		blocks++
		lists, err := parseLinks(place, value)
		if err != nil {
			tell(err.Error())
			return ctx.Err()
		}
		level := g.enter(place, lists)
		read = append(read, lists...)
		ends[level] = len(read)
		return ctx.Err()
	})
	if err != nil {
		return nil, blocks, err
	}
	from := 0
	for level, end := range ends {
		for ; from < end; from++ {
			for _, x := range read[from].to {
				if wrong := g.join(level, read[from].node, x); wrong != "" {
					tell(fmt.Sprintf("node %d: %s", read[from].node, wrong))
				}
			}
		}
	}
	return g, blocks, nil
}

func eachLinks(r Reader, f func(place blockPlace, value []byte) error) error {
	for _, part := range []Part{Links, UpperLinks} {
		err := r.EachBlock(part, func(key uint32, value []byte) error {
			if place := (blockPlace{part, key}); place != headPlace {
				return f(place, value)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// enter puts the nodes of a block on its level, which it returns.
func (g *Graph) enter(place blockPlace, lists []linkList) (level int) {
	level, _, _, _ = place.level() // checked when the block was read
	for _, list := range lists {
		g.size = max(g.size, list.node+1)
		g.levels[level].add(list.node)
	}
	return level
}

// join adds a stored link, or says why it is invalid.
func (g *Graph) join(level int, owner, to uint32) (wrong string) {
	l := &g.levels[level]
	if !l.has(to) {
		return fmt.Sprintf("a link on level %d leads to %d, which is no node there", level, to)
	}
	if linked, _ := l.linked(owner, to); linked {
		return fmt.Sprintf("two links on level %d lead to %d", level, to)
	}
	l.link(owner, to)
	return ""
}

// DropGraph removes the graph of an index.
func (x Index) DropGraph(w Writer) error {
	var places []blockPlace
	for _, part := range []Part{Links, UpperLinks} {
		err := w.EachBlock(part, func(key uint32, _ []byte) error {
			places = append(places, blockPlace{part, key})
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, p := range places {
		if err := w.DeleteBlock(p.part, p.key); err != nil {
			return err
		}
	}
	return nil
}
