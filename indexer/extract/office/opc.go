package office

import (
	"context"
	"net/url"
	"path"
	"strings"

	"dowse/indexer/document"
)

// opc is a file of the Open Packaging Conventions (ECMA-376, part 2): parts that refer to each other.
type opc struct {
	*parts
	root  relations // of the file itself
	main  string    // the part with the document
	links relations // of main
}

// openOPC opens a file; fallback is its main part where the file names none.
func openOPC(ctx context.Context, in *document.Input, fallback string) (*opc, error) {
	p, err := openParts(in)
	if err != nil {
		return nil, err
	}
	root, err := p.relationsOf(ctx, "")
	if err != nil {
		return nil, err
	}
	main := firstOf(root.ofKind("officeDocument"), fallback)
	links, err := p.relationsOf(ctx, main)
	return &opc{p, root, main, links}, err
}

// document ends a Document with the properties of the file.
func (o *opc) document(ctx context.Context, b *document.Builder, format string, by byline) (*document.Document, error) {
	meta, err := o.properties(ctx, firstOf(o.root.ofKind("core-properties"), "docprops/core.xml"))
	if err != nil {
		return nil, err
	}
	return b.Document(format, by.to(meta)), nil
}

// relation is a reference of one part of an Office file to another.
type relation struct {
	id, kind string // kind is the last word of its type: "hyperlink", "header", ...
	target   string // a part's name
}

// relations are those of one part, in the order of the file.
type relations []relation

// byID returns the targets of references.
func (r relations) byID() map[string]string {
	targets := make(map[string]string, len(r))
	for _, rel := range r {
		targets[rel.id] = rel.target
	}
	return targets
}

// ofKind returns the targets of a kind.
func (r relations) ofKind(kind string) []string {
	var targets []string
	for _, rel := range r {
		if rel.kind == kind {
			targets = append(targets, rel.target)
		}
	}
	return targets
}

// relationsOf returns the references of a part ("" is the file itself) to other parts of the
// file; those to anywhere else are left out.
func (p *parts) relationsOf(ctx context.Context, part string) (relations, error) {
	name := path.Join(path.Dir(part), "_rels", path.Base("/"+part)+".rels")
	if part == "" {
		name = "_rels/.rels"
	}
	if !p.has(name) {
		return nil, nil
	}
	var all relations
	err := p.each(ctx, name, func(e element) {
		if e.name == "Relationship" && !strings.EqualFold(e.attribute("TargetMode"), "External") {
			kind := e.attribute("Type")
			all = append(all, relation{e.attribute("Id"), kind[strings.LastIndexByte(kind, '/')+1:], resolve(part, e.attribute("Target"))})
		}
	})
	return all, err
}

// resolve returns the name of the part that another one refers to, without its fragment.
func resolve(from, target string) string {
	target, _, _ = strings.Cut(target, "#")
	if plain, err := url.PathUnescape(target); err == nil {
		target = plain
	}
	if !strings.HasPrefix(target, "/") {
		target = path.Join("/", path.Dir(from), target)
	}
	return partName(target)
}
