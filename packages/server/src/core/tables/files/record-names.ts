// Names the columns of a file: each header gets a valid name that no other column has. Names that differ
// from their header are noted.
import { ApiError } from '@botstead/contract'
import { nextSlice } from '@botstead/lib'
import { columnNameFor, isTaken } from '../column-names.ts'
import type { Notes } from './file-texts.ts'

/** The fields of the rows in exports, which imports leave out. */
const exported = ['id', 'createdAt', 'updatedAt']
/** Records without any text may be above the names. */
export const isHeader = (cells: unknown[]): boolean =>
  cells.some((cell) => cell !== null && String(cell).trim() !== '')

/** Values that are no names; years are. */
const value =
  /^(?:[+-]?\d{1,20}(?:[.,]\d{1,20})?|\d{1,4}[-./]\d{1,2}[-./]\d{1,4}|[^\s@]{1,64}@[^\s@]{1,100})$/
const year = /^(?:19|20)\d\d$/

/** JSON objects may all have different keys. */
const maxNames = 1_000
const maxLength = 30
/** As many as a spreadsheet has. */
export const maxFileColumns = 16_384

export class RecordNames {
  /** In the order of the file. */
  readonly names = new Set<string>()
  readonly #notes: Set<string>
  /** Names of columns by keys of JSON. */
  readonly #byKey = new Map<string, string>()
  /** By beginning: the first number that may be free. Otherwise many equal names take quadratic time. */
  readonly #nextNumbers = new Map<string, number>()
  #isExport: boolean | null = null

  constructor({ notes }: Notes) {
    this.#notes = notes
  }

  /** Returns a name for each cell of a header. Throws InvalidDataFormat for too many. */
  async fromHeader(cells: (string | null)[]): Promise<string[]> {
    if (cells.length > maxFileColumns)
      throw new ApiError(
        'InvalidDataFormat',
        `The file has ${cells.length} columns: at most ${maxFileColumns} can be read`,
      )
    const headers = cells.map((cell, at) => cell?.trim() || `column ${at + 1}`)
    this.#isExport = exported.every((name) => headers.includes(name))
    if (
      cells.length > 2 &&
      cells[0]?.trim() &&
      !cells.slice(1).some((cell) => cell?.trim())
    )
      this.#notes.add(
        `Only the first of ${cells.length} columns has a name: remove titles above the names`,
      )
    const values = cells.filter(
      (cell) => value.test(cell?.trim() ?? '') && !year.test(cell!.trim()),
    )
    if (values.length > 0)
      this.#notes.add(
        `The first row has the value ${quoted(values[0]!)}, and was read as the names of the columns: ` +
          'add names above it if it is a row',
      )
    const reserved = new Set(await mapInSlices(headers, columnNameFor))
    return mapInSlices(headers, (header) =>
      this.#name(header, (name) => reserved.has(name)),
    )
  }

  /** Returns the names of an object's keys, null if two keys have the same. */
  fromKeys(keys: string[]): string[] | null {
    this.#isExport ??= exported.every((name) => keys.includes(name))
    const all = new Set(keys)
    const names = keys.map((key) => this.#byKey.get(key) ?? this.#nameKey(key, all))
    return new Set(names).size < names.length ? null : names
  }

  #nameKey(key: string, keys: Set<string>): string {
    if (this.#byKey.size >= maxNames) return columnNameFor(key)
    const name = this.#name(key.trim(), (other) => other !== key && keys.has(other))
    this.#byKey.set(key, name)
    return name
  }

  #name(header: string, isReserved: (name: string) => boolean): string {
    const wanted = columnNameFor(header)
    const isSystem = isTaken(wanted) && !(this.#isExport && exported.includes(wanted))
    const name =
      isSystem || this.names.has(wanted) ? this.#numbered(wanted, isReserved) : wanted
    this.names.add(name)
    if (name !== header)
      this.#notes.add(`The column ${quoted(header)} is named ${quoted(name)}`)
    return name
  }

  #numbered(name: string, isReserved: (name: string) => boolean): string {
    const letters = [...name]
    for (let number = 2; ; number++) {
      const digits = `${number}`.length
      const short = letters
        .slice(0, maxLength - 1 - digits)
        .join('')
        .trimEnd()
      const from = `${short} ${digits}`
      number = Math.max(number, this.#nextNumbers.get(from) ?? 2)
      this.#nextNumbers.set(from, number + 1)
      if (`${number}`.length > digits) continue
      const numbered = `${short} ${number}`
      if (!this.names.has(numbered) && !isReserved(numbered)) return numbered
    }
  }
}

/** A header has up to 16,384 cells. */
async function mapInSlices<T, R>(all: T[], convert: (one: T) => R): Promise<R[]> {
  const converted: R[] = []
  for (const [at, one] of all.entries()) {
    if (at % perSlice === perSlice - 1) await nextSlice()
    converted.push(convert(one))
  }
  return converted
}
const perSlice = 1_000

const quoted = (text: string) =>
  JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)
