// Names of tools. Models accept letters, digits, `_` and `-`, at most 64; actions have other
// characters, such as the colon between an integration and its action.
import { reservedPrefix } from '@botstead/flows'
import { sha256 } from '@botstead/lib'

const maxLength = 64
const hashLength = 8

/**
 * Returns a unique name for each type of action. A type that is a valid name keeps it; so a name
 * depends on other types only if both would have the same one.
 */
export function nameTools(types: string[]): Map<string, string> {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  const byPlainness = types.toSorted(
    (a, b) => Number(plainName(a) !== a) - Number(plainName(b) !== b),
  )
  for (const type of byPlainness) {
    const plain = plainName(type)
    const fits = plain !== '' && plain.length <= maxLength && !taken.has(plain)
    const name = fits ? plain : hashedName(plain, type)
    taken.add(name)
    names.set(type, name)
  }
  return names
}

/** Flows are actions with the engine's prefix. */
const plainName = (type: string) =>
  (type.startsWith(reservedPrefix) ? type.slice(reservedPrefix.length) : type).replaceAll(
    /[^\w-]/g,
    '_',
  )

const hashedName = (plain: string, type: string) =>
  `${plain.slice(0, maxLength - hashLength - 1)}_${sha256(type).toString('hex').slice(0, hashLength)}`
