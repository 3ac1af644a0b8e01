// The numbers of list items in HTML: start, direction and form.
import { Parser } from 'htmlparser2'
import { type NumberStyle, numberIn } from '../office/list-numbers.ts'

/** An open list: the number of the next item, null for bullets. */
export interface OpenList {
  next: number | null
  step: number
  style: NumberStyle | undefined
}

const types: Record<string, NumberStyle> = {
  a: 'lowerAlpha',
  A: 'upperAlpha',
  i: 'lowerRoman',
  I: 'upperRoman',
}
const styles: Record<string, NumberStyle> = {
  'lower-alpha': 'lowerAlpha',
  'lower-latin': 'lowerAlpha',
  'upper-alpha': 'upperAlpha',
  'upper-latin': 'upperAlpha',
  'lower-roman': 'lowerRoman',
  'upper-roman': 'upperRoman',
  'lower-greek': 'lowerGreek',
  'decimal-leading-zero': 'decimalZero',
}

/** `count` is the number of items, from which a reversed list counts down. */
export function toOpenList(
  name: string,
  { start, type = '', style = '', reversed }: Record<string, string>,
  count: number,
): OpenList {
  const written =
    /list-style(?:-type)?\s*:[^;]*?\b([a-z]+(?:-[a-z]+)+|none|disc|circle|square)\b/i
  const form = written.exec(style)?.[1]?.toLowerCase() ?? ''
  if (name !== 'ol' || /^(?:none|disc|circle|square)$/.test(form))
    return { next: null, step: 1, style: undefined }
  const isReversed = reversed !== undefined
  return {
    next: toInteger(start) ?? (isReversed ? count : 1),
    step: isReversed ? -1 : 1,
    style: styles[form] ?? types[type],
  }
}

/** Returns the label of an item, and counts it. */
export function toLabel(list: OpenList, value: string | undefined): string {
  if (list.next === null) return '-'
  const number = toInteger(value) ?? list.next
  list.next = number + list.step
  return `${numberIn(list.style, number)}.`
}

function toInteger(text: string | undefined): number | null {
  return text !== undefined && /^\s*[+-]?\d{1,9}/.test(text)
    ? Number.parseInt(text, 10)
    : null
}

/** Returns the numbers of items of all ordered lists, in their order; nothing without reversed lists. */
export function countItems(html: string): number[] {
  if (!/\sreversed\b/i.test(html)) return []
  const counts: number[] = []
  const open: (number | null)[] = []
  const isList = (name: string) => /^(?:ol|ul|menu|dir)$/.test(name)
  const parser = new Parser({
    onopentag(name) {
      if (name === 'ol') open.push(counts.push(0) - 1)
      else if (isList(name)) open.push(null)
      const list = open.at(-1)
      if (name === 'li' && typeof list === 'number') counts[list]! += 1
    },
    onclosetag(name) {
      if (isList(name)) open.pop()
    },
  })
  parser.write(html)
  parser.end()
  return counts
}
