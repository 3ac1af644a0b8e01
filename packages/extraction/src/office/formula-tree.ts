// Formulas of MathML and of Office (ECMA-376, 22.1), which write by position what a line of text writes with
// signs: 1/2, x^(n+1), √2.
import type { FormulaNode } from './formula-node.ts'
import { writeFormula } from './formula-text.ts'

const newNode = (name: string, attributes: Record<string, string> = {}): FormulaNode => ({
  name,
  attributes,
  text: '',
  children: [],
})

/** Collects the elements inside of one formula. */
export class FormulaTree {
  readonly #open = [newNode('math')]

  open(name: string, attributes: Record<string, string>): void {
    const node = newNode(name, attributes)
    this.#open.at(-1)!.children.push(node)
    this.#open.push(node)
  }

  text(content: string): void {
    this.#open.at(-1)!.text += content
  }

  close(): void {
    if (this.#open.length > 1) this.#open.pop()
  }

  /** Returns the formula as one line of text. */
  write(): string {
    return writeFormula(this.#open[0]!)
  }
}
