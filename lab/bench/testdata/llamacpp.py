#!/usr/bin/env python3
"""Time llama.cpp on the prompts that `lab bench generate --write FILE` wrote.

    python3 -m venv venv
    CMAKE_ARGS="-DGGML_NATIVE=OFF -DGGML_AVX512=ON -DGGML_AVX512_VNNI=ON
        -DGGML_AVX512_VBMI=ON -DGGML_AVX2=ON -DGGML_FMA=ON -DGGML_F16C=ON
        -DGGML_BMI2=ON" venv/bin/pip install llama-cpp-python==0.3.36
    venv/bin/python llamacpp.py requantize MODEL.Q4_1.gguf Q8_0 MODEL.Q8_0.gguf
    venv/bin/python llamacpp.py time FILE MODEL.Q4_1.gguf MODEL.Q8_0.gguf ...

"swap" is for `lab bench swap TEXT --beside "venv/bin/python llamacpp.py swap MODEL.gguf
TEXT"`: it maps the file in the memory that dowse gives it, and prints tokens a second.
Python and its libraries are loaded outside of that, in favour of llama.cpp.

The instruction sets are those of the machine that the figures in the
documentation are from; leave out what yours lacks.

"time" prints JSON objects, one a line, for each model: the speed of reading made
prompts of 128, 512 and 1,024 tokens and of writing 64 tokens behind each (the
median of --rounds, and the best; none with --rounds 0); and, for each set of FILE, of reading its
prompts and writing, greedily, as many tokens as dowse wrote. Models take turns at
every prompt, so that what else the machine does hits all of them. The tokens of
another quantisation may differ; how many are written does not.
"""

import argparse
import ctypes
import json
import os
import statistics
import sys
import time


def enter(group):
    """Make this process one of a memory control group."""
    with open(os.path.join(group, "cgroup.procs"), "w", encoding="ascii") as f:
        f.write(str(os.getpid()))


GROUP = os.environ.get("DOWSE_GROUP")
if GROUP:  # what is loaded here is no memory of the model's
    enter(os.path.dirname(GROUP))

import llama_cpp  # noqa: E402
import numpy  # noqa: E402

MADE, WRITTEN = (128, 512, 1024), 64  # tokens of prompts that are made, and of what is written behind them
FILE_TYPES = {"Q4_0": 2, "Q4_1": 3, "Q8_0": 7}


class Model:
    """A GGUF file, ready to read and write."""

    def __init__(self, path, threads, window, clock):
        self.path, self.clock = path, clock
        self.llama = llama_cpp.Llama(
            model_path=path, n_ctx=window, n_batch=512, n_ubatch=512, n_threads=threads,
            n_threads_batch=threads, logits_all=False, verbose=False)

    def run(self, prompt, tokens):
        """Seconds of reading prompt and of writing so many tokens behind it."""
        self.llama.reset()
        begin = self.clock()
        self.llama.eval(prompt)
        read = self.clock()
        for _ in range(tokens):
            logits = llama_cpp.llama_get_logits(self.llama.ctx)
            self.llama.eval([int(numpy.ctypeslib.as_array(logits, (self.llama.n_vocab(),)).argmax())])
        return read - begin, self.clock() - read


def requantize(args):
    p = llama_cpp.llama_model_quantize_default_params()
    p.ftype, p.allow_requantize, p.nthread = FILE_TYPES[args.type], True, args.threads
    if llama_cpp.llama_model_quantize(args.source.encode(), args.target.encode(), ctypes.byref(p)) != 0:
        raise SystemExit(f"{args.source} cannot be quantised to {args.type}")


def swap(args):
    """Write with the file mapped, its pages not in memory to begin with."""
    with open(args.model, "rb") as f:
        os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    if GROUP:
        enter(GROUP)
    model = Model(args.model, args.threads, args.prompt + args.tokens + 8, time.perf_counter)
    with open(args.text, "rb") as f:
        prompt = model.llama.tokenize(f.read(64 * args.prompt))[:args.prompt]
    read, write = model.run(prompt, args.tokens)
    print(f"{args.model}: {len(prompt)} tokens read in {read:.2f} s, {args.tokens} written in {write:.2f} s", file=sys.stderr)
    print(args.tokens / write)


def made(models, args):
    for length in MADE:
        prompt = [i * 7919 % models[0].llama.n_vocab() for i in range(length)]
        seconds = {m.path: [] for m in models}
        for _ in range(args.rounds):
            for m in models:
                seconds[m.path].append(m.run(prompt, WRITTEN))
        for m in models:
            reads, writes = zip(*seconds[m.path])
            print(json.dumps({
                "model": m.path, "set": f"{length} tokens",
                "prefill_tokens_per_second": round(length / statistics.median(reads), 1),
                "decode_tokens_per_second": round(WRITTEN / statistics.median(writes), 1),
                "best_prefill": round(length / min(reads), 1), "best_decode": round(WRITTEN / min(writes), 1),
            }), flush=True)


def sets(models, lines):
    totals = {}
    for number, line in enumerate(lines):
        if not line["answer"]:
            continue
        turn = number % len(models)
        for m in models[turn:] + models[:turn]:
            read, write = m.run(line["prompt"], len(line["answer"]))
            t = totals.setdefault((line["set"], m.path), [0, 0, 0, 0.0, 0.0])
            for i, value in enumerate((1, len(line["prompt"]), len(line["answer"]), read, write)):
                t[i] += value
    for (name, path), (prompts, read_tokens, written, read, write) in totals.items():
        print(json.dumps({
            "model": path, "set": name, "prompts": prompts, "tokens": written,
            "prefill_tokens_per_second": round(read_tokens / read, 1),
            "decode_tokens_per_second": round(written / write, 1),
        }), flush=True)


def compare(args):
    clock = time.process_time if args.cpu else time.perf_counter
    with open(args.prompts, encoding="utf-8") as f:
        lines = [json.loads(line) for line in f]
    window = max([MADE[-1] + WRITTEN] + [len(line["prompt"]) + len(line["answer"]) for line in lines])
    models = [Model(path, args.threads, window + 8, clock) for path in args.models]
    if args.rounds > 0:
        made(models, args)
    sets(models, lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("requantize")
    one.add_argument("source")
    one.add_argument("type", choices=FILE_TYPES)
    one.add_argument("target")
    one.add_argument("--threads", type=int, default=2)
    one.set_defaults(run=requantize)
    one = commands.add_parser("swap")
    one.add_argument("model")
    one.add_argument("text")
    for name, usual in (("prompt", 256), ("tokens", 64), ("threads", 2)):
        one.add_argument(f"--{name}", type=int, default=os.environ.get(f"DOWSE_{name.upper()}", usual))
    one.set_defaults(run=swap)
    one = commands.add_parser("time")
    one.add_argument("prompts")
    one.add_argument("models", nargs="+")
    one.add_argument("--threads", type=int, default=2)
    one.add_argument("--rounds", type=int, default=5)
    one.add_argument("--cpu", action="store_true", help="count processor time: with --threads 1, for a machine that is busy")
    one.set_defaults(run=compare)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
