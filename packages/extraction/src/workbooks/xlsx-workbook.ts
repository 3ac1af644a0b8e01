// The parts of an XLSX file around its sheets: list of sheets, shared strings.
import { UnreadableFile } from '../blocks.ts'
import type { OfficePackage } from '../office/office-package.ts'
import { createXmlParser, readXml } from '../office/office-xml.ts'
import { parseStyles } from './cell-styles.ts'
import { unescapeText } from './cell-values.ts'
import { findMergedCells, MergedCells } from './merged-cells.ts'
import { Remarks } from './remarks.ts'
import { RichText } from './rich-text.ts'
import type { SheetContext } from './sheet-context.ts'
import { readSheet } from './sheet-rows.ts'
import { remedy, type Sheet } from './sheets.ts'

interface SheetEntry {
  name: string
  isHidden: boolean
  path: string
}

/** Throws UnreadableFile. */
export async function openXlsx(document: OfficePackage): Promise<Sheet[]> {
  const relations = await document.relations(document.main)
  const { entries, is1904, isWorkbook } = parseWorkbook(
    await document.text(document.main),
    new Map(
      relations.map(({ id, type, target }) => [
        id,
        hasNoCells.test(type) ? null : target,
      ]),
    ),
  )
  if (!isWorkbook) throw new UnreadableFile(`This document is no workbook${remedy}`)
  const toPart = (kind: string, usual: string) =>
    relations.find(({ type }) => type === kind)?.target ?? usual
  const styles = parseStyles(await document.text(toPart('styles', 'xl/styles.xml')))
  const strings = await readStrings(
    document,
    toPart('sharedStrings', 'xl/sharedStrings.xml'),
  )
  return entries.map((entry) => toSheet(document, entry, { is1904, styles, strings }))
}

/** Charts, dialogues and macros of Excel 4. */
const hasNoCells = /^(?:chart|dialog|xl(?:Intl)?Macro)sheet$/i

function toSheet(
  document: OfficePackage,
  { name, isHidden, path }: SheetEntry,
  texts: Pick<SheetContext, 'is1904' | 'styles' | 'strings'>,
): Sheet {
  const remarks = new Remarks()
  return {
    name,
    isHidden,
    async *rows(view) {
      if (!document.has(path))
        throw new UnreadableFile(
          `The workbook is damaged: the sheet "${name}" is missing`,
        )
      const rows = readSheet(document.stream(path), { ...texts, name, view, remarks })
      if (view === 'data') return yield* rows
      const merged = new MergedCells(await findMergedCells(document.stream(path)))
      for await (const row of rows) yield merged.fill(row)
    },
    remarks: () => remarks.list(),
  }
}

/** `targets` has the paths of worksheets by relationship; null for other sheets, such as charts. */
function parseWorkbook(xml: string, targets: Map<string, string | null>) {
  const found = { entries: [] as SheetEntry[], is1904: false, isWorkbook: false }
  readXml(xml, {
    open(tag, { name = '', state = '', date1904 = '', 'r:id': id = '' }) {
      if (tag === 'workbook') found.isWorkbook = true
      else if (tag === 'workbookPr') found.is1904 = /^(?:1|true|on)$/i.test(date1904)
      else if (tag === 'sheet') {
        const path = targets.get(id)
        const isHidden = /^(?:very)?hidden$/i.test(state)
        if (path !== null) found.entries.push({ name, isHidden, path: path ?? '' })
      }
    },
  })
  return found
}

/** Returns the shared texts, with marks. */
async function readStrings(document: OfficePackage, path: string): Promise<string[]> {
  const strings: string[] = []
  let text = new RichText()
  const parser = createXmlParser({
    open(tag, attributes) {
      if (tag === 'si') text = new RichText()
      text.open(tag, attributes)
    },
    text: (content) => text.text(content),
    close(tag) {
      text.close(tag)
      if (tag === 'si') strings.push(unescapeText(text.content))
    },
  })
  for await (const piece of document.stream(path)) parser.write(piece)
  parser.end()
  return strings
}
