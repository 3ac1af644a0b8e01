// How a column may be called. Names are never part of a statement; what is refused would mean something else where rows are looked for, or shown.
import { ApiError } from '@botstead/contract'

const longest = 30
/** What every row has besides its columns, and what JavaScript takes for something else. */
const taken = ['id', 'createdAt', 'updatedAt', 'computed', 'stale', 'similarity', '__proto__']
export const isTaken = (name: string) => taken.includes(name)

/** Throws InvalidIdentifier. */
export function checkColumnName(name: string) {
  const refuse = (why: string): never => {
    throw new ApiError('InvalidIdentifier', `Invalid column name "${name.slice(0, 100)}": ${why}`)
  }
  if (name === '' || [...name].length > longest) refuse(`use 1 to ${longest} characters`)
  if (isTaken(name)) refuse('this name is reserved')
  // dots are paths into objects, and dollars operators, where rows are looked for
  if (/[.\p{C}]/u.test(name) || name.startsWith('$') || name.trim() !== name)
    refuse('no dots, no dollar in front, no spaces around, nothing invisible')
}

/** The nearest name that a column may have, for what a file calls it; what every row has keeps its name. */
export function columnNameFor(text: string): string {
  const plain = text
    .replaceAll(/\p{C}/gu, '')
    .replaceAll('.', '_')
    .replace(/^[\s$]+/, '')
  const short = [...plain.trim()].slice(0, longest).join('').trim()
  return short === '' || short === '__proto__' ? 'column' : short
}
