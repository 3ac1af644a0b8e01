// Edits of cells: shown at once, saved in the background, and undone. A rejected edit stays in its
// cell with the reason.
import type { Row } from '@botstead/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useBot } from '../../../api/scope.ts'
import { explain } from '../../../parts/states.tsx'
import { editedText, inWordsOfTypes } from './cell-values.ts'
import { rowsKey } from './use-table-rows.ts'

export interface CellChange {
  rowId: number
  column: string
  before: unknown
  after: unknown
}

interface Edit {
  value: unknown
  /** Why it was not saved. */
  error?: string
}
export interface FailedEdit {
  rowId: number
  column: string
  error: string
}
/** Of one row, by column. */
export type RowEdits = Record<string, Edit>

export interface Edits {
  ofRow: (rowId: number) => RowEdits | undefined
  /** The cells that were not saved. */
  failed: FailedEdit[]
  /** With values other than those by which the rows were sorted: the order may be wrong. */
  changedColumns: ReadonlySet<string>
  /** The rows were sorted again. */
  forgetChanged: () => void
  /** Saves changes that can be undone. */
  apply: (changes: CellChange[]) => void
  /** Shows an invalid input with the reason. */
  reject: (change: CellChange, error: string) => void
  discard: (rowId?: number, column?: string) => void
  /** Keeps the rows in place while a cell is edited, whatever others change. */
  hold: (isHeld: boolean) => void
  /** Whether rows are held, or the last edit is recent. */
  isBusy: () => boolean
  undo: (() => void) | undefined
  redo: (() => void) | undefined
}

const maxUndone = 200
/** After an edit, the user may edit the next cell: in a filtered view, rows would move. */
const recentMs = 5_000
/** Of the API, for one request. */
const maxRows = 1_000

export function useEdits(tableId: string): Edits {
  const [edits, setEdits] = useState<ReadonlyMap<number, RowEdits>>(new Map())
  const [done, setDone] = useState<CellChange[][]>([])
  const [undone, setUndone] = useState<CellChange[][]>([])
  const [moved, setMoved] = useState<SortedValues>(new Map())
  const send = useSend(tableId)
  /** Requests run one after another, so that the last edit of a cell is saved last. */
  const running = useRef(Promise.resolve())
  const isHeld = useRef(false)
  const editedAt = useRef(Number.NEGATIVE_INFINITY)
  const set = (changes: CellChange[], error?: string) =>
    setEdits((before) => withEdits(before, changes, error))
  const save = (changes: CellChange[]) => {
    editedAt.current = performance.now()
    set(changes)
    const saved = (ofRows: CellChange[]) => {
      setEdits((before) => withoutEdits(before, ofRows))
      setMoved((before) => withSaved(before, ofRows))
    }
    const rejected = (ofRows: CellChange[], reason: string) => {
      set(ofRows, reason)
      setDone((before) => withoutChanges(before, ofRows))
      setUndone((before) => withoutChanges(before, ofRows))
    }
    running.current = running.current.then(() => send(changes, saved, rejected))
  }
  const undo = () => {
    const last = done.at(-1)!
    setDone(done.slice(0, -1))
    setUndone([...undone, last])
    save(
      last.map((change) => ({ ...change, before: change.after, after: change.before })),
    )
  }
  const redo = () => {
    const last = undone.at(-1)!
    setUndone(undone.slice(0, -1))
    setDone([...done, last])
    save(last)
  }
  return {
    ofRow: (rowId) => edits.get(rowId),
    changedColumns: new Set([...moved.values()].map(({ column }) => column)),
    forgetChanged: () => setMoved(new Map()),
    failed: listFailed(edits),
    hold(holds) {
      isHeld.current = holds
    },
    isBusy: () => isHeld.current || performance.now() - editedAt.current < recentMs,
    apply(changes) {
      if (changes.length === 0) return
      setDone([...done, changes].slice(-maxUndone))
      setUndone([])
      save(changes)
    },
    reject: (change, error) => set([change], error),
    discard: (rowId, column) =>
      setEdits((before) => withoutFailed(before, rowId, column)),
    undo: done.length > 0 ? undo : undefined,
    redo: undone.length > 0 ? redo : undefined,
  }
}

type Saved = (changes: CellChange[]) => void
type Rejected = (changes: CellChange[], reason: string) => void

/** Returns a function that sends changes, and reports for each row whether it was saved. */
function useSend(tableId: string) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  /** Replaces rows in all loaded pages. */
  function show(rows: Row[]) {
    const byId = new Map(rows.map((row) => [row.id, row]))
    queries.setQueriesData<Row[]>(
      { queryKey: [...rowsKey(botId, tableId), 'pages'] },
      (page) =>
        page?.some(({ id }) => byId.has(id))
          ? page.map((row) => byId.get(row.id) ?? row)
          : page,
    )
  }
  async function sendPart(
    part: [number, CellChange[]][],
    saved: Saved,
    rejected: Rejected,
  ) {
    try {
      const { rows, errors = [] } = await client.tables.updateTableRows({
        params: { table: tableId },
        body: { rows: part.map(([id, changes]) => ({ id, ...toValues(changes) })) },
      })
      show(rows)
      const reasons = toReasons(errors)
      saved(part.flatMap(([, changes], n) => (reasons.has(n) ? [] : changes)))
      for (const [n, reason] of reasons) rejected(part[n]?.[1] ?? [], reason)
    } catch (error) {
      const { title, hint } = explain(error)
      rejected(
        part.flatMap(([, changes]) => changes),
        hint ?? title,
      )
    }
  }
  return async (changes: CellChange[], saved: Saved, rejected: Rejected) => {
    const byRow = new Map<number, CellChange[]>()
    for (const change of changes)
      byRow.set(change.rowId, [...(byRow.get(change.rowId) ?? []), change])
    const all = [...byRow]
    for (let from = 0; from < all.length; from += maxRows)
      await sendPart(all.slice(from, from + maxRows), saved, rejected)
  }
}

/** Changed values as they were when the rows were sorted, by row and column. */
type SortedValues = ReadonlyMap<string, { column: string; value: unknown }>

/** A value that was restored has its place again. */
function withSaved(before: SortedValues, saved: CellChange[]): SortedValues {
  const next = new Map(before)
  for (const change of saved) {
    const key = `${change.rowId} ${change.column}`
    const sorted = next.get(key)
    if (!sorted) next.set(key, { column: change.column, value: change.before })
    else if (editedText(sorted.value) === editedText(change.after)) next.delete(key)
  }
  return next
}

const toValues = (changes: CellChange[]) =>
  Object.fromEntries(changes.map(({ column, after }) => [column, after]))

/** The server names rows by their position: `rows[3]: "price" must be a number, not "dear"`. */
function toReasons(errors: string[]): Map<number, string> {
  return new Map(
    errors.map((error) => {
      const [, n, reason] = /^rows\[(\d+)\]: (.*)$/s.exec(error) ?? []
      return [n === undefined ? -1 : Number(n), inWordsOfTypes(reason ?? error)]
    }),
  )
}

const listFailed = (edits: ReadonlyMap<number, RowEdits>): FailedEdit[] =>
  [...edits].flatMap(([rowId, ofRow]) =>
    Object.entries(ofRow).flatMap(([column, { error }]) =>
      error ? [{ rowId, column, error }] : [],
    ),
  )

/** A rejected change has not happened: it cannot be undone. */
function withoutChanges(history: CellChange[][], rejected: CellChange[]): CellChange[][] {
  const all = new Set(rejected)
  return history
    .map((changes) => changes.filter((change) => !all.has(change)))
    .filter((changes) => changes.length > 0)
}

function withEdits(
  before: ReadonlyMap<number, RowEdits>,
  changes: CellChange[],
  error?: string,
): ReadonlyMap<number, RowEdits> {
  const next = new Map(before)
  for (const { rowId, column, after } of changes)
    next.set(rowId, {
      ...next.get(rowId),
      [column]: { value: after, ...(error && { error }) },
    })
  return next
}

/** A later edit of the same cell stays. */
function withoutEdits(
  before: ReadonlyMap<number, RowEdits>,
  changes: CellChange[],
): ReadonlyMap<number, RowEdits> {
  const next = new Map(before)
  for (const { rowId, column, after } of changes) {
    const { [column]: edit, ...others } = next.get(rowId) ?? {}
    if (!edit || edit.value !== after) continue
    if (Object.keys(others).length > 0) next.set(rowId, others)
    else next.delete(rowId)
  }
  return next
}

/** Keeps the edits that are being saved. */
function withoutFailed(
  before: ReadonlyMap<number, RowEdits>,
  rowId: number | undefined,
  column: string | undefined,
): ReadonlyMap<number, RowEdits> {
  const kept = [...before].flatMap(([id, edits]): [number, RowEdits][] => {
    const isMeant = (name: string) =>
      (rowId === undefined || rowId === id) && (column === undefined || column === name)
    const left = Object.entries(edits).filter(
      ([name, { error }]) => !error || !isMeant(name),
    )
    return left.length > 0 ? [[id, Object.fromEntries(left)]] : []
  })
  return new Map(kept)
}
