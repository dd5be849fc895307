"""Writes golden.json, what the reference renders, for golden_test.go.

    python golden.py        (transformers 5.23.0, jinja2 3.1.6)

templates/ holds the usual ChatML, one with headers and a date as those of
Llama 3 have, and one with thoughts and tool results as those of Qwen have.
Further templates are a line each, for the parts of the language.
"""

import json
import pathlib
from datetime import datetime

from transformers.utils import chat_template_utils

HERE = pathlib.Path(__file__).parent
NOW = datetime(2026, 3, 7, 15, 4, 5)


class Clock(datetime):
    """A clock that stands still."""

    @classmethod
    def now(cls, tz=None):
        return NOW


chat_template_utils.datetime = Clock

CONVERSATIONS = [
    [("user", "Hello")],
    [("system", "  Be brief.\n"), ("user", "What is 2 + 2?")],
    [("user", "Hi"), ("assistant", "Hello!"), ("user", " Bye \n\n")],
    [("system", ""), ("user", "a"), ("assistant", "<think>\nlong\nthoughts\n</think>\n\nshort"), ("user", "b")],
    [("user", "a"), ("assistant", "<think>x</think>y</think>\n z ")],
    [("user", 'quotes "\' {{ braces }} {% tag %} <|im_end|> \\n ünïcode 你好 🎉')],
    [("assistant", "first"), ("user", "second"), ("system", "third")],
    [("tool", "42"), ("tool", "43"), ("user", "<tool_response>\nx</tool_response>")],
]

SOURCES = [
    # Space around tags.
    "a\n  {% if true %}\n  b\n  {% endif %}\nc\n",
    "a {%- if true -%} b {%- endif %} c {{- ' d' -}} \n e",
    "x{# gone #}\n y\n  {#- gone -#}  \nz\n\n",
    "  {{ 1 }}  \n {%+ if true %} kept{% endif +%}\nend",
    "a\r\n{% set x = 1 %}\r\nb\r\n",
    # Literals and operators.
    "{{ 1 + 2 * 3 - 4 }} {{ 7 % 3 }} {{ -7 % 3 }} {{ 7 % -3 }} {{ 2 * -3 }} {{ 1 + true }}",
    "{{ 'a' ~ 1 ~ true ~ none }} {{ 'a' 'b' }} {{ \"it's\" }} {{ '\\t\\\\\\n' }}",
    "{{ 1 < 2 }} {{ 2 >= 2 }} {{ 1 == 1 }} {{ 'a' != 'a' }} {{ true == 1 }} {{ none == false }} {{ [1, 'a'] == [1, 'a'] }}",
    "{{ 'b' in 'abc' }} {{ 2 not in [1, 2] }} {{ 'k' in {'k': 1} }} {{ not 1 in [2] }}",
    "{{ 1 and 0 }} {{ 0 or 'x' }} {{ not '' }} {{ not [] and {} == {} }} {{ 'a' if false }}|{{ 'a' if 0 else 'b' if 0 else 'c' }}",
    "{{ [1, 2, 3][1] }} {{ [1, 2, 3][-1] }} {{ {'a': {'b': 5}}.a['b'] }} {{ (1, 2)[0] }} {{ [1][2] }}",
    "{% for x in [1,2,3,4,5][1:4] %}{{ x }}{% endfor %} {% for x in [1,2,3][::-2] %}{{ x }}{% endfor %} {% for x in [1,2,3][-2:9] %}{{ x }}{% endfor %}",
    # Statements.
    "{% set x = 1 %}{% for i in [1, 2] %}{% set x = x + i %}{{ x }}{% endfor %}{{ x }}",
    "{% set n = namespace(x=1) %}{% for i in [1, 2] %}{% set n.x = n.x + i %}{% endfor %}{{ n.x }}",
    "{% set x %}a {{ 1 }} b{% endset %}[{{ x }}]",
    "{% for i in [5,6,7] %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.first }}{{ loop.last }}{{ loop.length }}{{ loop.previtem }}{{ loop.nextitem }};{% endfor %}",
    "{% for i in range(9) %}{% if i > 6 %}{% break %}{% endif %}{{ i }}{% endfor %}",
    "{% for i in range(2, 10, 3) %}{{ i }}{% for j in [i] %}{{ j }}{{ loop.index }}{% endfor %}{{ loop.index }}{% endfor %}",
    "{% if 0 %}a{% elif '' %}b{% elif [0] %}c{% else %}d{% endif %}{% generation %}g{% endgeneration %}",
    "{% for c in 'aé' %}{{ c }},{% endfor %}{% for x in nothing %}x{% endfor %}",
    # What is not supported changes nothing where it is not reached.
    "{% macro m(x, y=1) %}{% for k, v in x.items() if v %}{{ k | upper }}{% endfor %}{% endmacro %}a",
    "{% if tools %}{{ m(1) }}{{ tools | tojson(indent=2) }}{{ tools is divisibleby 3 }}{% for k, v in tools | dictsort %}{{ k.title() }}{% endfor %}{% else %}b{% endif %}",
    # Filters, tests, methods, functions.
    "{{ '  x ' | trim }}|{{ y | default('d') }}|{{ '' | default('e', true) }}|{{ none | default('g') }}|{{ z | default }}",
    "{{ 'aéc' | length }} {{ {'a': 1} | length }} {{ 5 | string ~ '' }} {{ '7' | int + 1 }} {{ 'x' | int }} {{ [1,2] | join(', ') }} {{ ['a','b'] | join }}",
    "{{ x is defined }} {{ x is undefined }} {{ none is none }} {{ 'a' is string }} {{ {} is mapping }} {{ [] is iterable }} {{ 'a' is iterable }} {{ 1 is iterable }} {{ 1 is number }} {{ true is true }} {{ 1 is true }} {{ 'a' is not string }} {{ 'a' is sequence }} {{ true is boolean }} {{ false is false }}",
    "{{ 'a,b,c'.split(',', 1) | join('|') }} {{ 'abc'.split('b')[-1] }} {{ 'abc'.startswith('ab') }} {{ 'abc'.endswith('b') }} {{ 'xax'.strip('x') }} {{ ' a '.lstrip() }}| {{ ' a '.rstrip() }}| {{ 'a-b'.replace('-', '+') }}",
    "{{ {'a': 1}.get('a') }} {{ {'a': 1}.get('b', 2) }} {{ {'a': 1}.get('b') }}",
    "{{ strftime_now('%d %b %Y, %A %B %H:%M:%S %y %j %p %I %a %m %%') }} {{ strftime_now is defined }}",
    "{{ messages[0].nothing }}[{{ messages[9] }}] {{ messages[0]['nothing'] is defined }} {{ bos_token + eos_token }}",
    "{{ (messages[0].content ~ '!') | trim }} {{ messages | length > 1 and messages[-1].role == 'user' }}",
    # Errors.
    "{{ raise_exception('no ' ~ messages[0].role) }}",
    "{{ nothing.field }}",
    "{{ 'a' + 1 }}",
    "{{ 1 % 0 }}",
]


def render(source: str, messages: list, **variables) -> dict:
    """What the reference makes of a template: text or error."""
    template = chat_template_utils._compile_jinja_template(source)
    try:
        return {"want": template.render(messages=messages, **variables)}
    except Exception as error:  # whatever the template does wrong
        return {"error": str(error)}


def main() -> None:
    cases = []

    def add(name: str, source: str, conversation: list, generation: bool, flags: dict) -> None:
        messages = [{"role": role, "content": content} for role, content in conversation]
        result = render(source, messages, add_generation_prompt=generation, bos_token="<s>", eos_token="</s>", **flags)
        case = {"messages": conversation, "generation": generation, **result}
        case |= {"template": name} if name else {"source": source}
        cases.append(case | ({"flags": flags} if flags else {}))

    for path in sorted((HERE / "templates").glob("*.jinja")):
        source = path.read_text()
        for i, conversation in enumerate(CONVERSATIONS):
            add(path.name, source, conversation, i % 2 == 0, {})
        for flags in ({"enable_thinking": False}, {"enable_thinking": True}):
            add(path.name, source, CONVERSATIONS[0], True, flags)
    for source in SOURCES:
        add("", source, CONVERSATIONS[2], True, {})
    text = json.dumps({"now": NOW.isoformat() + "Z", "cases": cases}, ensure_ascii=False, indent=1)
    (HERE / "golden.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
