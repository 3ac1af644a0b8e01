// The text of a paragraph or a cell of a Word document while it is read, and the blocks that it becomes.
import type { Block } from '../blocks.ts'
import { resolveMarks } from '../text/text-marks.ts'
import type { ListReference } from './docx-styles.ts'

/** Text of a paragraph, or of a cell. */
export interface Flow {
  found: Block[]
  /** Of the current paragraph, with marks. */
  text: string
  /** The paragraphs of the current cell. */
  paragraphs: string[]
  /** The style of the paragraph. */
  style: string
  /** Level of the paragraph if it is a heading; otherwise 0. */
  level: number
  listed: ListReference
  list: { level: number; text: string }[]
  /** Blocks that follow the current paragraph or table. */
  after: Block[]
  /** Depth of open tables. */
  tables: number
  rows: string[]
  cells: string[]
  /** Number of columns of the current cell. */
  span: number
  /** The cell continues the one above, or its row or the cell itself is deleted. */
  cell: 'continued' | 'deleted' | null
  isRowDeleted: boolean
  /** The last texts of merged cells by column. */
  merged: string[]
}

export const newFlow = (): Flow => ({
  found: [],
  text: '',
  paragraphs: [],
  style: '',
  level: 0,
  listed: {},
  list: [],
  after: [],
  tables: 0,
  rows: [],
  cells: [],
  span: 1,
  cell: null,
  isRowDeleted: false,
  merged: [],
})

/** Separates the cells and rows of a table in a cell. */
export function endPart(paragraphs: string[], separator: string): void {
  const last = paragraphs.at(-1)
  if (last !== undefined)
    paragraphs[paragraphs.length - 1] = last.replace(/[,;]$/, '') + separator
}

export function endList(flow: Flow): void {
  const outermost = Math.min(...flow.list.map(({ level }) => level))
  const lines = flow.list.map(({ level, text }) => '  '.repeat(level - outermost) + text)
  if (lines.length > 0) flow.found.push({ kind: 'list', text: lines.join('\n') })
  flow.list = []
}

export function endFlow(flow: Flow): Block[] {
  endList(flow)
  const text = resolveMarks(flow.text).trim()
  return [
    ...flow.found,
    ...(text === '' ? [] : [{ kind: 'paragraph' as const, text }]),
    ...flow.after,
  ]
}
