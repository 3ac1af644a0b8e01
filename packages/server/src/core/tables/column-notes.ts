// Reads the notes of a column (`x-zui`). Responses show the notes that the contract knows, as
// written; all others stay in the schema only.
import { ApiError, ColumnNotes, type Computed } from '@botstead/contract'
import { findMismatchHere } from '../compute/index.ts'

type Json = Record<string, unknown>

const shape = { type: 'object', properties: ColumnNotes.properties }

/**
 * Returns the notes of a column. Also accepts `searchable` and `computed` beside the type, as some
 * authors write them. Throws InvalidJsonSchema.
 */
export function columnNotes(written: Json, name: string): Partial<ColumnNotes> {
  const noted = written['x-zui']
  const all = {
    ...pick(written, ['searchable', 'computed']),
    ...(typeof noted === 'object' && noted !== null ? (noted as Json) : {}),
  }
  const notes = pick(all, Object.keys(ColumnNotes.properties))
  const mismatch = findMismatchHere(shape, notes)
  if (mismatch)
    throw new ApiError(
      'InvalidJsonSchema',
      `Invalid \`x-zui\` in the column "${name}": ${mismatch}`,
    )
  checkComputed(notes.computed as Computed | undefined, name)
  return notes
}

function checkComputed(computed: Computed | undefined, name: string) {
  const needed =
    computed &&
    ({ code: 'code', ai: 'prompt', workflow: 'workflowId' } as const)[computed.action]
  if (needed && !computed[needed])
    throw new ApiError(
      'InvalidJsonSchema',
      `The computed column "${name}" must specify \`${needed}\``,
    )
}

const pick = (from: Json, keys: string[]): Json =>
  Object.fromEntries(
    Object.entries(from).filter(
      ([key, value]) => keys.includes(key) && value !== undefined,
    ),
  )
