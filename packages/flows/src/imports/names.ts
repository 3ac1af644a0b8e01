// Names in the document for labels of the source: unique, valid, and never those of a property that every
// object has.

const plainLetters = (label: string) =>
  label
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/ß/g, 'ss')

function toWords(label: string): string[] {
  return plainLetters(label.slice(0, 500))
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())
}

/** Leaves place for a number. */
const maxLength = 50

export class UniqueNames {
  readonly #taken: Set<string>
  readonly #separator: string

  /** `-` for nodes, flows and knowledge bases, `_` for variables and tables. */
  constructor(separator: '-' | '_', reserved: Iterable<string> = []) {
    this.#separator = separator
    this.#taken = new Set(reserved)
  }

  /** Returns a new name like the label, or like `otherwise` if the label has no Latin letter or digit. */
  create(label: string, otherwise: string): string {
    const joined = toWords(label).join(this.#separator)
    const named = /^[a-z]/.test(joined)
      ? joined
      : joined && `${otherwise}${this.#separator}${joined}`
    const name = (named || otherwise).slice(0, maxLength).replace(/[-_]+$/, '')
    for (let number = 1; ; number++) {
      const tried = number === 1 ? name : `${name}${this.#separator}${number}`
      if (this.#taken.has(tried) || tried in Object.prototype) continue
      this.#taken.add(tried)
      return tried
    }
  }
}
