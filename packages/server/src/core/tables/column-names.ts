// Rules for column names. Names are never part of a statement; the rejected ones would be ambiguous
// in filters, paths or results.
import { ApiError } from '@botstead/contract'

const maxLength = 30
/**
 * The fields that every row has besides its columns, and names with a special meaning in
 * JavaScript.
 */
const taken = [
  'id',
  'createdAt',
  'updatedAt',
  'computed',
  'stale',
  'similarity',
  '__proto__',
]
export const isTaken = (name: string) => taken.includes(name)

/** Throws InvalidIdentifier. */
export function checkColumnName(name: string) {
  const refuse = (why: string): never => {
    throw new ApiError(
      'InvalidIdentifier',
      `Invalid column name "${name.slice(0, 100)}": ${why}`,
    )
  }
  if (name === '' || [...name].length > maxLength)
    refuse(`use 1 to ${maxLength} characters`)
  if (isTaken(name)) refuse('this name is reserved')
  // filters use dots for paths into objects and dollar signs for operators
  if (/[.\p{C}]/u.test(name) || name.startsWith('$') || name.trim() !== name)
    refuse('no dots, no dollar in front, no spaces around, nothing invisible')
}

/**
 * Returns the closest valid column name for a header in a file. Names of system fields stay
 * unchanged.
 */
export function columnNameFor(text: string): string {
  const plain = text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\p{C}/gu, '')
    .replaceAll('.', '_')
    .replace(/^[\s$]+/, '')
  const short = [...plain.trim()].slice(0, maxLength).join('').trim()
  return short === '' || short === '__proto__' ? 'column' : short
}
