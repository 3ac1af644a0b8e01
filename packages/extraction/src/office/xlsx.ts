// Workbooks as text: each visible sheet is a table below its name.
import { type Block, UnreadableFile } from '../blocks.ts'
import { rowText } from '../csv/csv.ts'
import type { Sheet } from '../workbooks/sheets.ts'
import { openWorkbook } from '../workbooks/workbook.ts'

const rowsPerBlock = 100

/** Throws UnreadableFile, also if only hidden sheets have text. */
export async function* xlsxBlocks(bytes: Uint8Array): AsyncGenerator<Block> {
  let hasText = false
  const hidden: Sheet[] = []
  for (const sheet of await openWorkbook(bytes)) {
    if (sheet.isHidden) hidden.push(sheet)
    else
      for await (const block of sheetBlocks(sheet)) {
        hasText = true
        yield block
      }
  }
  if (!hasText && hidden.length > 0)
    throw new UnreadableFile(
      `Only hidden sheets have text, such as "${hidden[0]!.name}": show them in the workbook`,
    )
}

async function* sheetBlocks(sheet: Sheet): AsyncGenerator<Block> {
  let header: string | null = null
  let hasBody = false
  let rows: string[] = []
  for await (const { cells } of sheet.rows('text')) {
    const row = rowText(cells.map((cell) => String(cell ?? '')))
    if (row === '') continue
    if (header === null) {
      header = row
      yield { kind: 'heading', level: 1, text: sheet.name }
    } else rows.push(row)
    if (rows.length < rowsPerBlock) continue
    yield { kind: 'table', header, text: rows.join('\n') }
    hasBody = true
    rows = []
  }
  if (rows.length > 0) yield { kind: 'table', header: header!, text: rows.join('\n') }
  else if (header !== null && !hasBody) yield { kind: 'table', text: header }
}
