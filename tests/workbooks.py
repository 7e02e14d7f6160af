"""Excel workbooks, without a library that writes them."""

import zipfile

_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def write_workbook(path, sheets):
    """Write the least that is an Excel workbook: name of each sheet to its rows."""

    def cell(value):
        return f'<c t="inlineStr"><is><t>{value}</t></is></c>' if isinstance(value, str) else f"<c><v>{value}</v></c>"

    def related(kind, targets):
        links = "".join(
            f'<Relationship Id="r{i}" Type="{_OFFICE}/{kind}" Target="{t}"/>' for i, t in enumerate(targets)
        )
        return f'<Relationships xmlns="{_PACKAGE}/relationships">{links}</Relationships>'

    names = "".join(f'<sheet name="{name}" sheetId="{i + 1}" r:id="r{i}"/>' for i, name in enumerate(sheets))
    with zipfile.ZipFile(path, "w") as book:
        book.writestr("[Content_Types].xml", f'<Types xmlns="{_PACKAGE}/content-types"/>')
        book.writestr("_rels/.rels", related("officeDocument", ["xl/workbook.xml"]))
        book.writestr(
            "xl/workbook.xml", f'<workbook xmlns="{_SHEET}" xmlns:r="{_OFFICE}"><sheets>{names}</sheets></workbook>'
        )
        book.writestr("xl/_rels/workbook.xml.rels", related("worksheet", [f"s{i}.xml" for i in range(len(sheets))]))
        for i, rows in enumerate(sheets.values()):
            body = "".join(f"<row>{''.join(map(cell, row))}</row>" for row in rows)
            book.writestr(f"xl/s{i}.xml", f'<worksheet xmlns="{_SHEET}"><sheetData>{body}</sheetData></worksheet>')
