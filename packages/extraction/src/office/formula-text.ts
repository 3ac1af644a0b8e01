// Writes formulas as one line of text. The names of the elements are those of MathML and of Office.
import type { FormulaNode } from './formula-node.ts'

interface Term {
  text: string
  /** Whether the text needs no parentheses as a part of another term. */
  isAtom: boolean
  /** Whether a letter or digit after it would seem to belong to it. */
  isOpen: boolean
}

const nothing: Term = { text: '', isAtom: true, isOpen: false }
const atom = (text: string): Term => ({ text, isAtom: true, isOpen: false })

export const writeFormula = (node: FormulaNode): string => row(node.children).text.trim()

const silent = /^(?:annotation|annotation-xml|mphantom|mspace|maligngroup|phant|\w+Pr)$/

function toTerm(node: FormulaNode): Term {
  if (silent.test(node.name)) return nothing
  const write = writers[node.name]
  if (write) return write(node)
  return node.children.length > 0 ? row(node.children) : leaf(node)
}

const invisible = /[\u2061-\u2064\u200b\ufeff]/g

function leaf({ name, text }: FormulaNode): Term {
  const content = text.replaceAll(invisible, '').replaceAll(/\s+/g, ' ')
  if (name === 'mtext' || name === 't')
    return { ...atom(content), isAtom: isWord.test(content) }
  return atom(
    /^\p{L}{2,}$/u.test(content.trim()) && name === 'mo'
      ? ` ${content.trim()} `
      : content.trim(),
  )
}

const isWord = /^(?:\p{L}\p{M}*|[\d.,]+|\p{L}+)$/u

function row(nodes: FormulaNode[]): Term {
  const terms = nodes.map(toTerm).filter(({ text }) => text !== '')
  if (terms.length < 2) return terms[0] ?? nothing
  let text = ''
  for (const [at, term] of terms.entries()) {
    const before = terms[at - 1]
    const joins =
      /^[\p{L}\d√]/u.test(term.text) &&
      (before?.isOpen || areNumbers(before?.text, term.text))
    text += (joins ? ' ' : '') + term.text
  }
  return { text, isAtom: isEnclosed(text), isOpen: terms.at(-1)!.isOpen }
}

/** 1 1/2 is not 11/2. */
const areNumbers = (before: string | undefined, next: string) =>
  /\d/.test(before?.at(-1) ?? '') && /^[\d√]/.test(next)

function isEnclosed(text: string): boolean {
  return /^(?:\([^()]*\)|\[[^[\]]*\]|\|[^|]*\|)$/.test(text) || /^[\d.,]+$/.test(text)
}

const grouped = ({ text, isAtom }: Term) => (isAtom ? text : `(${text})`)
const open = (text: string): Term => ({ text, isAtom: false, isOpen: true })

/** The children that are terms, without properties. */
const parts = ({ children }: FormulaNode) =>
  children.filter(({ name }) => !/Pr$/.test(name))
const part = (node: FormulaNode, at: number) => {
  const found = parts(node)[at]
  return found ? toTerm(found) : nothing
}
/** Office names the parts, MathML orders them. */
const named = (node: FormulaNode, name: string) => {
  const found = node.children.find((child) => child.name === name)
  return found ? toTerm(found) : nothing
}
const property = (node: FormulaNode, name: string, usual: string) => {
  const found = node.children.find((child) => /Pr$/.test(child.name))
  return found?.children.find((child) => child.name === name)?.attributes.val ?? usual
}

function fraction(over: Term, under: Term): Term {
  return open(`${grouped(over)}/${grouped(under)}`)
}

/** Primes and degrees are characters. */
function scripts(base: Term, below: Term, above: Term): Term {
  const isSign = /^[′″‴°∘*†]+$/.test(above.text)
  const sub = below.text === '' ? '' : `_${grouped(below)}`
  if (isSign)
    return { ...base, text: grouped(base) + sub + above.text.replaceAll('∘', '°') }
  const sup = above.text === '' ? '' : `^${grouped(above)}`
  const text = grouped(base) + sub + sup
  if (sub + sup === '') return base
  // H_2O has one reading, x^2y has two.
  const isOpen = isLarge.test(base.text) || !/\)$|^[^^]+_\d+$/.test(text)
  return { text, isAtom: false, isOpen }
}

/** Operators of a term that follows. */
const isLarge = /^[∑∏∫∬∮⋃⋂]$|^(?:lim|max|min)$/

const accents: Record<string, string> = {
  '¯': '\u0304',
  '‾': '\u0304',
  _: '\u0332',
  '^': '\u0302',
  ˆ: '\u0302',
  '~': '\u0303',
  '˜': '\u0303',
  '˙': '\u0307',
  '→': '\u20d7',
  '⃗': '\u20d7',
}

function over(base: Term, above: Term): Term {
  const accent =
    accents[above.text] ?? (/^\p{M}$/u.test(above.text) ? above.text : undefined)
  if (accent === undefined) return scripts(base, nothing, above)
  return [...base.text].length === 1
    ? atom(base.text + accent)
    : { ...base, text: grouped(base) + accent }
}

const root = (base: Term, degree: Term): Term =>
  degree.text === ''
    ? open(`√${grouped(base)}`)
    : open(`${grouped(base)}^(1/${grouped(degree)})`)

const enclosed = (
  terms: Term[],
  [before, separator, after]: [string, string, string],
): Term => atom(before + terms.map(({ text }) => text).join(separator) + after)

const table = (rows: FormulaNode[]): Term =>
  atom(
    rows
      .map((one) =>
        parts(one)
          .map((cell) => toTerm(cell).text)
          .join(', '),
      )
      .join('; '),
  )

/** Pairs of scripts; those before the base are behind `mprescripts`. */
function multiscripts(node: FormulaNode): Term {
  const [base, ...rest] = node.children
  const at = rest.findIndex(({ name }) => name === 'mprescripts')
  const pair = ([below, above]: FormulaNode[]) =>
    scripts(nothing, below ? toTerm(below) : nothing, above ? toTerm(above) : nothing)
      .text
  const before = at < 0 ? '' : pair(rest.slice(at + 1))
  return open(
    before +
      (base ? grouped(toTerm(base)) : '') +
      pair(at < 0 ? rest : rest.slice(0, at)),
  )
}

const writers: Record<string, (node: FormulaNode) => Term> = {
  mfrac: (node) =>
    /^0(?:\D|$)/.test(node.attributes.linethickness ?? '')
      ? enclosed([part(node, 0), part(node, 1)], ['binom(', ', ', ')'])
      : fraction(part(node, 0), part(node, 1)),
  msup: (node) => scripts(part(node, 0), nothing, part(node, 1)),
  msub: (node) => scripts(part(node, 0), part(node, 1), nothing),
  msubsup: (node) => scripts(part(node, 0), part(node, 1), part(node, 2)),
  mover: (node) => over(part(node, 0), part(node, 1)),
  munder: (node) => scripts(part(node, 0), part(node, 1), nothing),
  munderover: (node) => scripts(part(node, 0), part(node, 1), part(node, 2)),
  mmultiscripts: multiscripts,
  msqrt: (node) => root(row(node.children), nothing),
  mroot: (node) => root(part(node, 0), part(node, 1)),
  mfenced: (node) =>
    enclosed(node.children.map(toTerm), [
      node.attributes.open ?? '(',
      node.attributes.separators?.trim()[0] ?? ', ',
      node.attributes.close ?? ')',
    ]),
  mtable: (node) => table(node.children),
  maction: (node) => part(node, 0),
  semantics: (node) => part(node, 0),
  f: (node) =>
    property(node, 'type', '') === 'noBar'
      ? enclosed([named(node, 'num'), named(node, 'den')], ['binom(', ', ', ')'])
      : fraction(named(node, 'num'), named(node, 'den')),
  sSup: (node) => scripts(named(node, 'e'), nothing, named(node, 'sup')),
  sSub: (node) => scripts(named(node, 'e'), named(node, 'sub'), nothing),
  sSubSup: (node) => scripts(named(node, 'e'), named(node, 'sub'), named(node, 'sup')),
  sPre: (node) =>
    open(
      scripts(nothing, named(node, 'sub'), named(node, 'sup')).text +
        grouped(named(node, 'e')),
    ),
  rad: (node) => root(named(node, 'e'), named(node, 'deg')),
  nary: (node) => {
    const sign = atom(property(node, 'chr', '∫'))
    const { text } = scripts(sign, named(node, 'sub'), named(node, 'sup'))
    return open(`${text} ${named(node, 'e').text}`)
  },
  d: (node) =>
    enclosed(parts(node).map(toTerm), [
      property(node, 'begChr', '('),
      property(node, 'sepChr', '|'),
      property(node, 'endChr', ')'),
    ]),
  func: (node) => open(`${named(node, 'fName').text} ${grouped(named(node, 'e'))}`),
  limLow: (node) => scripts(named(node, 'e'), named(node, 'lim'), nothing),
  limUpp: (node) => scripts(named(node, 'e'), nothing, named(node, 'lim')),
  acc: (node) => over(named(node, 'e'), atom(property(node, 'chr', '^'))),
  bar: (node) => over(named(node, 'e'), atom('¯')),
  m: (node) => table(parts(node)),
  eqArr: (node) =>
    atom(
      parts(node)
        .map((one) => toTerm(one).text)
        .join('; '),
    ),
}
