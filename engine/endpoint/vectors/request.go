package vectors

import (
	"context"
	"errors"
	"fmt"
	"math"

	"golang.org/x/sync/errgroup"

	"dowse/engine/endpoint"
)

const (
	// batchTexts fill a request with one sentence of the probe.
	batchTexts = endpoint.MaxBatch - 1
	// batchBytes bounds a request's text, and so its time.
	batchBytes = 64 << 10
	// inFlight requests run at a time: the server computes one while the other
	// travels.
	inFlight = 2
)

// errChanged says that the server's model was replaced.
var errChanged = errors.New("it has another model behind that name than the one that the index was built with; dowse models use endpoint --as embedder takes the one it has now, and the index is built again")

// embed returns the vectors of texts behind a prompt.
func (e *Embedder) embed(ctx context.Context, client *endpoint.Client, prompt string, texts []string) ([]float32, error) {
	d := e.Dim()
	out := make([]float32, len(texts)*d)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(inFlight)
	for from := 0; from < len(texts); {
		to := batchEnd(texts, from)
		batch, dst := texts[from:to], out[from*d:to*d]
		group.Go(func() error { return e.fill(ctx, client, prompt, batch, dst) })
		from = to
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return out, nil
}

func batchEnd(texts []string, from int) int {
	bytes, to := 0, from
	for to < len(texts) && to-from < batchTexts {
		if bytes += len(texts[to]); bytes > batchBytes && to > from {
			break
		}
		to++
	}
	return to
}

// leastText is the bytes below which a refused text is not shortened: it is not
// too long.
const leastText = 200

// fill puts a batch's vectors into dst. If the server refuses it but not the
// probe, a text is too long: the batch is halved until it is found, and then
// the text is.
func (e *Embedder) fill(ctx context.Context, client *endpoint.Client, prompt string, texts []string, dst []float32) error {
	vectors, err := e.send(ctx, client, prompt, texts)
	if err == nil {
		for i, v := range vectors {
			copy(dst[i*len(v):], v)
		}
		return nil
	}
	if !endpoint.Refuses(err) || ctx.Err() != nil || len(texts) == 1 && len(texts[0]) < leastText {
		return err
	}
	if _, alone := e.send(ctx, client, prompt, nil); alone != nil {
		return err
	}
	if len(texts) == 1 {
		half := e.estimate.Cut(texts[0], max(min(e.Count(texts[0]), room)/2, 1))
		return e.fill(ctx, client, prompt, []string{half}, dst)
	}
	middle, d := len(texts)/2, e.Dim()
	if err := e.fill(ctx, client, prompt, texts[:middle], dst[:middle*d]); err != nil {
		return err
	}
	return e.fill(ctx, client, prompt, texts[middle:], dst[middle*d:])
}

// send makes one request with a sentence of the probe; texts are cut where a
// model may stop reading. It returns vectors of length 1.
func (e *Embedder) send(ctx context.Context, client *endpoint.Client, prompt string, texts []string) ([][]float32, error) {
	input := make([]string, 0, len(texts)+1)
	for _, text := range texts {
		input = append(input, prompt+e.estimate.Cut(text, room))
	}
	check := int(e.requests.Add(1)-1) % len(e.probe.Texts)
	input = append(input, e.probe.Texts[check])
	vectors, err := client.Embed(ctx, input, e.options.Dimensions)
	if err != nil {
		return nil, err
	}
	for _, v := range vectors {
		if err := normalize(v); err != nil {
			return nil, err
		}
	}
	last := vectors[len(texts)]
	if len(last) != e.Dim() {
		return nil, fmt.Errorf("%w: its vectors have %d numbers and not %d", errChanged, len(last), e.Dim())
	}
	if c := cosine(last, e.probe.vector(check)); !(c >= sameModel) {
		return nil, fmt.Errorf("%w: of a sentence that is known, its vector has a cosine of %.3f with the one then", errChanged, c)
	}
	return vectors[:len(texts)], nil
}

func normalize(v []float32) error {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	length := math.Sqrt(sum)
	if length == 0 || math.IsInf(length, 0) {
		return errors.New("it sent a vector without a direction")
	}
	for i, x := range v {
		v[i] = float32(float64(x) / length)
	}
	return nil
}

// cosine is the cosine of two vectors of length 1.
func cosine(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
