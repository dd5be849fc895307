#!/usr/bin/env bash
# Words of an .ods cell that a tab or a line break parts are joined by calamine; pandas with odfpy loses the tab.
#
# Guess: a cell of an OpenDocument sheet that shows "b", a tab, "c", a new line and "d" has white space between these letters.
# Seen: python-calamine 0.9.1 (PyPI) gives "bcd", pandas 3.1.1 with odfpy 1.4.1 gives "bc\\nd", pyexcel-ods3 0.6.1 gives "b\\tc\\nd".
# Who indexes the first finds neither word.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet python-calamine==0.9.1 pandas==3.1.1 odfpy==1.4.1 pyexcel-ods3==0.6.1
venv/bin/python - <<'PYTHON'
import pandas
import pyexcel_ods3
import python_calamine
from odf.opendocument import OpenDocumentSpreadsheet
from odf.table import Table, TableCell, TableRow
from odf.text import LineBreak, P, Tab

book = OpenDocumentSpreadsheet()
sheet, row, cell, text = Table(name="S"), TableRow(), TableCell(valuetype="string"), P(text="b")
text.addElement(Tab())
text.addText("c")
text.addElement(LineBreak())
text.addText("d")
cell.addElement(text)
row.addElement(cell)
sheet.addElement(row)
book.spreadsheet.addElement(sheet)
book.save("s.ods")
seen = (
    python_calamine.load_workbook("s.ods").get_sheet_by_index(0).to_python()[0][0],
    pandas.read_excel("s.ods", header=None, engine="odf").values[0][0],
    pyexcel_ods3.get_data("s.ods")["S"][0][0],
)
print(*map(repr, seen))
assert seen == ("bcd", "bc\nd", "b\tc\nd"), "what was seen has changed"
PYTHON
