// Tests of the document: their names, and the edits that add, rename and delete them.
import { type Edit, toPointer } from '../draft/edits.ts'
import { isObject, type Json } from '../flows/bot-document.ts'

const maxName = 200

/** Returns the first name that no test has: `Orders tea`, `Orders tea 2`. */
export function freeTestName({ tests }: Json, wanted: string): string {
  const taken = (name: string) => isObject(tests) && Object.hasOwn(tests, name)
  const base =
    wanted
      .trim()
      .slice(0, maxName - 5)
      .trim() || 'Test'
  if (!taken(base)) return base
  for (let number = 2; ; number++)
    if (!taken(`${base} ${number}`)) return `${base} ${number}`
}

/** Returns the problem of a name; null if the test may have it. `own` is its present name. */
export function findNameProblem({ tests }: Json, name: string, own?: string) {
  const trimmed = name.trim()
  if (trimmed === '') return 'empty'
  if (trimmed.length > maxName) return 'long'
  return trimmed !== own && isObject(tests) && Object.hasOwn(tests, trimmed)
    ? 'taken'
    : null
}

export const addTest = ({ tests }: Json, name: string, test: Json): Edit[] =>
  isObject(tests)
    ? [{ op: 'insert', pointer: toPointer('tests', name), value: test }]
    : [{ op: 'set', pointer: '/tests', value: { [name]: test } }]

export const renameTest = (from: string, to: string): Edit[] =>
  from === to
    ? []
    : [{ op: 'move', from: toPointer('tests', from), pointer: toPointer('tests', to) }]

export const deleteTest = (name: string): Edit[] => [
  { op: 'remove', pointer: toPointer('tests', name) },
]
