// Reads the part of JavaScript in which wizards write conditions. Nothing is compiled, so it runs in pages
// whose content security policy forbids `eval`.
import { unquote } from '../code/unquoted.ts'

export type Tree =
  | { kind: 'name'; name: string }
  | { kind: 'value'; value: string | number | boolean | null }
  | { kind: 'list'; items: Tree[] }
  | { kind: 'member'; object: Tree; name: string }
  | { kind: 'call'; callee: Tree; inputs: Tree[] }
  | { kind: 'not'; operand: Tree }
  | { kind: 'operation'; operator: string; left: Tree; right: Tree }
  | { kind: 'choice'; test: Tree; yes: Tree; no: Tree }
  | { kind: 'function'; parameter: string; result: Tree }
  | { kind: 'template'; texts: string[]; values: Tree[] }
  | { kind: 'pattern'; source: string; flags: string }

/** Returns null for text that is no expression, or one that needs more of JavaScript. */
export function readExpression(text: string): Tree | null {
  try {
    return new Reader(text).readAll()
  } catch (error) {
    if (error instanceof Unreadable) return null
    throw error
  }
}

class Unreadable extends Error {}

const reject = (): never => {
  throw new Unreadable()
}

/** Binary operators, those that bind least first. */
const levels = [['||'], ['&&'], ['===', '!=='], ['<=', '>=', '<', '>']]
const maxDepth = 50
const words = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
])

class Reader {
  readonly #text: string
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  readAll(): Tree {
    const tree = this.#readChoice()
    this.#match(/\s*/y)
    return this.#at < this.#text.length ? reject() : tree
  }

  #readChoice(): Tree {
    this.#depth += 1
    if (this.#depth > maxDepth) reject()
    const test = this.#readOperation(0)
    let tree = test
    if (this.#takes('?')) {
      const yes = this.#readChoice()
      this.#expect(':')
      tree = { kind: 'choice', test, yes, no: this.#readChoice() }
    }
    this.#depth -= 1
    return tree
  }

  #readOperation(level: number): Tree {
    const operators = levels[level]
    if (!operators) return this.#readUnary()
    let left = this.#readOperation(level + 1)
    for (;;) {
      const operator = operators.find((each) => this.#takes(each))
      if (operator === undefined) return left
      left = { kind: 'operation', operator, left, right: this.#readOperation(level + 1) }
    }
  }

  #readUnary(): Tree {
    let count = 0
    while (this.#match(/\s*!(?!=)/y) !== null) count += 1
    let tree = this.#readMembers()
    for (; count > 0; count--) tree = { kind: 'not', operand: tree }
    return tree
  }

  #readMembers(): Tree {
    let tree = this.#readPrimary()
    for (;;) {
      if (this.#takes('.'))
        tree = { kind: 'member', object: tree, name: this.#readName() }
      else if (this.#takes('('))
        tree = { kind: 'call', callee: tree, inputs: this.#readItems(')') }
      else return tree
    }
  }

  #readPrimary(): Tree {
    if (this.#takes('[')) return { kind: 'list', items: this.#readItems(']') }
    if (this.#takes('`')) return this.#readTemplate()
    const parameter = this.#match(/\s*\(?\s*([A-Za-z_$][\w$]*)\s*\)?\s*=>/y)
    if (parameter)
      return { kind: 'function', parameter: parameter[1]!, result: this.#readChoice() }
    if (this.#takes('(')) {
      const inner = this.#readChoice()
      this.#expect(')')
      return inner
    }
    const pattern = this.#match(
      /\s*\/((?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([a-z]*)/y,
    )
    if (pattern) return { kind: 'pattern', source: pattern[1]!, flags: pattern[2]! }
    const text = this.#match(/\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/y)
    if (text) return { kind: 'value', value: unquote(text[1]!) ?? reject() }
    const number = this.#match(/\s*(\d+(?:\.\d+)?)(?![\w$.])/y)
    if (number) return { kind: 'value', value: Number(number[1]) }
    const name = this.#readName()
    return words.has(name)
      ? { kind: 'value', value: words.get(name)! }
      : { kind: 'name', name }
  }

  #readItems(end: string): Tree[] {
    const items: Tree[] = []
    while (!this.#takes(end)) {
      items.push(this.#readChoice())
      if (!this.#takes(',')) {
        this.#expect(end)
        break
      }
    }
    return items
  }

  /** Text with an escape is not read: its meaning differs from that of its characters. */
  #readTemplate(): Tree {
    const texts: string[] = []
    const values: Tree[] = []
    for (;;) {
      texts.push(this.#match(/[^`\\$]*/y)![0])
      if (this.#match(/`/y)) return { kind: 'template', texts, values }
      if (!this.#match(/\$\{/y)) reject()
      values.push(this.#readChoice())
      this.#expect('}')
    }
  }

  #readName(): string {
    return this.#match(/\s*([A-Za-z_$][\w$]*)/y)?.[1] ?? reject()
  }

  #expect(symbol: string): void {
    if (!this.#takes(symbol)) reject()
  }

  #takes(symbol: string): boolean {
    const from = this.#match(/\s*/y)![0].length
    if (this.#text.startsWith(symbol, this.#at)) {
      this.#at += symbol.length
      return true
    }
    this.#at -= from
    return false
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found) this.#at = pattern.lastIndex
    return found
  }
}
