// The signs between the parts of a formula in MathML, which it draws by position: 1/2, x^2.

const signs: Record<string, string[]> = {
  mfrac: ['', '/'],
  msup: ['', '^'],
  msub: ['', '_'],
  msubsup: ['', '_', '^'],
  mroot: ['', '^1/'],
}

export class MathSigns {
  /** The open elements, with the numbers of their children. */
  readonly #path: { name: string; children: number }[] = []

  /** Returns the sign before the element. */
  open(name: string): string {
    const parent = this.#path.at(-1)
    this.#path.push({ name, children: 0 })
    return parent ? (signs[parent.name]?.[parent.children++] ?? '') : ''
  }

  close(): void {
    this.#path.pop()
  }
}
