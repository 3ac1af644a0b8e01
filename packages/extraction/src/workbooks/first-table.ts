// The rows of a workbook for a table: of its first visible sheet with any.
import { UnreadableFile } from '../blocks.ts'
import type { Sheet, WorkbookRow } from './sheets.ts'
import { openWorkbook } from './workbook.ts'

export interface TableLimit {
  /** Of all values together. */
  maxCharacters: number
  /** Whether a larger table is cut instead of rejected. */
  cuts: boolean
}

export interface TableEnd {
  isCut: boolean
  /** What the rows leave out. */
  notes: string[]
}

/** Gives texts of rows in JSON, each in its line, to `write`. Throws UnreadableFile. */
export async function readFirstTable(
  bytes: Uint8Array,
  { maxCharacters, cuts }: TableLimit,
  write: (lines: string) => Promise<void>,
): Promise<TableEnd> {
  const visible = (await openWorkbook(bytes)).filter(({ isHidden }) => !isHidden)
  for (const [at, sheet] of visible.entries()) {
    const lines = new Lines(write)
    let isCut = false
    for await (const row of sheet.rows('data')) {
      isCut = lines.length > maxCharacters
      if (isCut) break
      await lines.add(row)
    }
    if (isCut && !cuts)
      throw new UnreadableFile(
        `The workbook exceeds ${maxCharacters} characters; save it as CSV`,
      )
    await lines.flush()
    if (lines.length > 0)
      return {
        isCut,
        notes: [...sheet.remarks(), ...(await skipped(sheet, visible.slice(at + 1)))],
      }
  }
  throw new UnreadableFile('The workbook has no rows in a visible sheet')
}

const charactersPerWrite = 131_072
/** As of a record of CSV. */
const maxRowLength = 1_048_576

class Lines {
  readonly #write: (lines: string) => Promise<void>
  #text = ''
  length = 0

  constructor(write: (lines: string) => Promise<void>) {
    this.#write = write
  }

  async add(row: WorkbookRow): Promise<void> {
    const line = `${JSON.stringify(row)}\n`
    if (line.length > maxRowLength)
      throw new UnreadableFile(`Row ${row.number} exceeds ${maxRowLength} characters`)
    this.#text += line
    this.length += line.length
    if (this.#text.length >= charactersPerWrite) await this.flush()
  }

  async flush(): Promise<void> {
    const text = this.#text
    this.#text = ''
    if (text !== '') await this.#write(text)
  }
}

async function skipped({ name }: Sheet, others: Sheet[]): Promise<string[]> {
  const names: string[] = []
  for (const sheet of others)
    if (await hasRows(sheet)) names.push(JSON.stringify(sheet.name))
  if (names.length === 0) return []
  return [
    `Read the sheet ${JSON.stringify(name)} only, not ${names.slice(0, 20).join(', ')}`,
  ]
}

async function hasRows(sheet: Sheet): Promise<boolean> {
  for await (const _ of sheet.rows('data')) return true
  return false
}
