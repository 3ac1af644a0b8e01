// Formulas that KaTeX draws without MathML: boxes that its style sheet puts above each other. Their order in
// the file is not that of reading.

import type { FormulaNode } from './office/formula-node.ts'
import { writeFormula } from './office/formula-text.ts'

interface Box {
  classes: Set<string>
  /** Vertical position: smaller is higher. Null outside of piles. */
  top: number | null
  text: string
  children: Box[]
}

const newBox = ({ class: names = '', style = '' }: Record<string, string> = {}): Box => ({
  // Newer versions prefix common names.
  classes: new Set(names.split(/\s+/).map((name) => name.replace(/^katex-/, ''))),
  top: topIn(style),
  text: '',
  children: [],
})

function topIn(style: string): number | null {
  const [, top] = /(?:^|;)\s*top\s*:\s*(-?[\d.]+)em/.exec(style) ?? []
  return top === undefined ? null : Number(top)
}

/** Collects the boxes of one formula. Has the methods of FormulaTree. */
export class KatexTree {
  readonly #open = [newBox()]

  open(_: string, attributes: Record<string, string>): void {
    const box = newBox(attributes)
    this.#open.at(-1)!.children.push(box)
    this.#open.push(box)
  }

  text(content: string): void {
    this.#open.at(-1)!.children.push({ ...newBox(), text: content })
  }

  close(): void {
    if (this.#open.length > 1) this.#open.pop()
  }

  /** Returns the formula as one line of text. */
  write(): string {
    return writeFormula(node('mrow', toNodes(this.#open[0]!.children))).replace(
      /\ue020\s?(.)/gu,
      (_, sign) => `${sign}\u0338`.normalize('NFC'),
    )
  }
}

const node = (
  name: string,
  children: FormulaNode[],
  attributes: Record<string, string> = {},
): FormulaNode => ({ name, attributes, text: '', children })

function toRow(boxes: Box[]): FormulaNode {
  const nodes = toNodes(boxes)
  return nodes.length === 1 ? nodes[0]! : node('mrow', nodes)
}

/** A box with scripts belongs to the box before it. */
function toNodes(boxes: Box[]): FormulaNode[] {
  const nodes: FormulaNode[] = []
  for (const box of boxes) {
    const base = box.classes.has('msupsub') ? nodes.pop() : undefined
    const next = box.classes.has('msupsub')
      ? toScripts(base ?? node('mrow', []), box)
      : toNode(box)
    const [before, leaf] = [nodes.at(-1), firstLeaf(next)]
    if (before && leaf && isNumber(before) && isNumber(leaf))
      leaf.text = nodes.pop()!.text + leaf.text
    nodes.push(next)
  }
  return nodes
}

const isNumber = ({ text }: FormulaNode) => /^[\d.,]+$/.test(text)

/** Each digit is a box, and only the last one has the power of the number. */
const firstLeaf = (one: FormulaNode): FormulaNode | undefined => {
  const [first] = one.children
  if (first === undefined) return one
  return /^(?:mrow|msup|msub|msubsup)$/.test(one.name) ? firstLeaf(first) : undefined
}

function toNode(box: Box): FormulaNode {
  const { classes, text, children } = box
  if (children.length === 0) return { ...node('mi', []), text }
  if (classes.has('mfrac')) return toFraction(box)
  if (classes.has('sqrt')) return toRoot(box)
  if (classes.has('op-limits')) return toLimits(box)
  if (classes.has('mtable')) return toTable(box)
  if (classes.has('accent')) return toAccent(box)
  if (classes.has('vlist')) return node('mrow', pileIn(box).map(toNode))
  if (classes.has('text')) return { ...node('mtext', []), text: textIn(box) }
  return toRow(children)
}

const has = (box: Box, name: string): boolean =>
  box.classes.has(name) || box.children.some((child) => has(child, name))

const textIn = (box: Box): string => box.text + box.children.map(textIn).join('')

/** Returns the boxes of the first pile that have text, from top to bottom. */
function pileIn(box: Box): Box[] {
  const list = find(box, 'vlist')?.children ?? []
  return list
    .filter((one) => one.top !== null && /[^\s\u200b]/.test(textIn(one)))
    .sort((one, other) => one.top! - other.top!)
}

function find(box: Box, name: string): Box | undefined {
  if (box.classes.has(name)) return box
  for (const child of box.children) {
    const found = find(child, name)
    if (found) return found
  }
  return undefined
}

function toFraction(box: Box): FormulaNode {
  const [above, below] = pileIn(box)
  const parts = [above, below].map((one) => toRow(one?.children ?? []))
  return node('mfrac', parts, has(box, 'frac-line') ? {} : { linethickness: '0' })
}

function toAccent(box: Box): FormulaNode {
  const pile = pileIn(box)
  const isAccent = (one: Box) => has(one, 'accent-body')
  const toPart = (boxes: Box[]) => toRow(boxes.flatMap(({ children }) => children))
  return node('mover', [
    toPart(pile.filter((one) => !isAccent(one))),
    toPart(pile.filter(isAccent)),
  ])
}

function toRoot({ children }: Box): FormulaNode {
  const degree = children.find(({ classes }) => classes.has('root'))
  const inside = children.filter((one) => one !== degree)
  const base = toRow(inside.flatMap((one) => pileIn(one).flatMap((row) => row.children)))
  return degree
    ? node('mroot', [base, toRow(pileIn(degree).flatMap((row) => row.children))])
    : node('msqrt', [base])
}

/** A pile with one script and a depth below the line is an index. */
function toScripts(base: FormulaNode, box: Box): FormulaNode {
  const [above, below] = pileIn(box)
  const first = toRow(above?.children ?? box.children)
  if (below) return node('msubsup', [base, toRow(below.children), first])
  return node(find(box, 'vlist-t')?.classes.has('vlist-t2') ? 'msub' : 'msup', [
    base,
    first,
  ])
}

function toLimits(box: Box): FormulaNode {
  const pile = pileIn(box)
  const at = pile.findIndex((one) => has(one, 'mop'))
  const [above, base, below] = [at - 1, at, at + 1].map((index) =>
    toRow(pile[index]?.children ?? []),
  )
  return node('munderover', [base!, below!, above!])
}

/** Columns are piles of their rows. */
function toTable({ children }: Box): FormulaNode {
  const columns = children
    .filter(({ classes }) => [...classes].some((name) => name.startsWith('col-align-')))
    .map(pileIn)
  const rows = Array.from(
    { length: Math.max(0, ...columns.map(({ length }) => length)) },
    (_, at) =>
      node(
        'mtr',
        columns.map((column) => node('mtd', toNodes(column[at]?.children ?? []))),
      ),
  )
  return node('mtable', rows)
}
