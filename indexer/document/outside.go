package document

import "context"

type outsideKey struct{}

// WithoutPrograms returns a context in which no Format runs an outside program over a file,
// such as tesseract: somebody waits for the text.
func WithoutPrograms(ctx context.Context) context.Context {
	return context.WithValue(ctx, outsideKey{}, true)
}

// Programs reports whether outside programs may be run.
func Programs(ctx context.Context) bool { return ctx.Value(outsideKey{}) == nil }

type reportKey struct{}

// WithReport returns a context in which a Format that takes long says how far it is.
func WithReport(ctx context.Context, report func(p Part, of int)) context.Context {
	return context.WithValue(ctx, reportKey{}, report)
}

// Report says that a part of a file, of so many, is read. It may be called by several
// goroutines.
func Report(ctx context.Context, p Part, of int) {
	if report, is := ctx.Value(reportKey{}).(func(Part, int)); is {
		report(p, of)
	}
}
