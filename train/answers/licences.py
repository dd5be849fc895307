"""What the examples are made of, for the cards of weights that are trained on them."""

SOURCES = """\
| SQuAD 2.0 dev, the articles outside the evaluation set | questions with spans; impossible questions | CC BY-SA 4.0 |
| QED (Natural Questions, Wikipedia) | questions with spans | CC BY-SA 3.0 |
| COVID-QA | questions with spans | Apache-2.0 |
| PubMedQA | questions with the first sentence of a conclusion | MIT |
| MedQuAD | 4,000 questions with a first sentence of their answer | CC BY 4.0 |
| tldr-pages | 3,000 descriptions of commands with the command | CC BY 4.0 |
| Rust book | headings with a first sentence of their section | MIT or Apache-2.0 |
| OWASP cheat sheets, redis-doc | likewise | CC BY-SA 4.0 |
| Prometheus docs | likewise | Apache-2.0 |
"""


def table(base: str) -> str:
    """The table of a card; base is the row of the weights that training starts from."""
    return f"| data | used | licence |\n|---|---|---|\n{base}\n{SOURCES}"
