// Counts what the cells of a sheet leave out, with the first place.

export class Remarks {
  readonly #found = new Map<string, { count: number; first: string }>()

  /** `text` describes cells; `first` is the reference of one: `B3`. */
  add(text: string, first: string): void {
    const known = this.#found.get(text)
    if (known) known.count++
    else this.#found.set(text, { count: 1, first })
  }

  list(): string[] {
    return [...this.#found].map(
      ([text, { count, first }]) =>
        `${text}: ${first}${count > 1 ? ` and ${count - 1} more` : ''}`,
    )
  }
}
