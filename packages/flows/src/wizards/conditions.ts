// Reads the conditions that wizards write, so that forms show them in words. Any other condition stays code.
import { readExpression, type Tree } from './expression-tree.ts'
import { buttonPrefix, toBeginningCondition } from './reach.ts'

type TestKind = 'isYes' | 'isNotYes' | 'isEmpty' | 'isMissing' | 'isPresent'

export type Condition =
  /** The message contains one of the words, or is the button of the dialogue. */
  | { kind: 'begins'; flow: string; words: string[] }
  | { kind: 'isButton'; flow: string }
  | { kind: TestKind; variable: string }
  | { kind: 'equals'; variable: string; value: string }
  | { kind: 'isLess' | 'isAtMost'; variable: string; value: number }
  | { kind: 'equalsVariable'; variable: string; other: string }

type Parts = Partial<Record<'flow' | 'variable' | 'other', string>> & {
  words?: string[]
  value?: string | number
}

const toTextValue = (tree: Tree): string | null =>
  tree.kind === 'value' && typeof tree.value === 'string' ? tree.value : null

const isUndefined = (tree: Tree) => tree.kind === 'name' && tree.name === 'undefined'

/** Returns null unless all items are texts. */
function toTexts(tree: Tree): string[] | null {
  if (tree.kind !== 'list') return null
  const texts = tree.items.map(toTextValue)
  return texts.every((text) => text !== null) ? texts : null
}

const scopes = ['workflow', 'conversation', 'user', 'bot', 'session']

const toVariable = (tree: Tree): string | null =>
  tree.kind === 'member' &&
  tree.object.kind === 'name' &&
  scopes.includes(tree.object.name)
    ? `${tree.object.name}.${tree.name}`
    : null

/** Placeholders of shapes. Each reads its part of the condition, or returns null if the part is of another kind. */
const placeholders: Record<string, (tree: Tree) => Parts | null> = {
  $variable: (tree) => named('variable', toVariable(tree)),
  $other: (tree) => named('other', toVariable(tree)),
  $text: (tree) => named('value', toTextValue(tree)),
  $number: (tree) =>
    tree.kind === 'value' && typeof tree.value === 'number'
      ? { value: tree.value }
      : null,
  $button(tree) {
    const value = toTextValue(tree)
    return value?.startsWith(buttonPrefix)
      ? { flow: value.slice(buttonPrefix.length) }
      : null
  },
  $phrases(tree) {
    const phrases = toTexts(tree)
    return phrases && { words: phrases.map((phrase) => phrase.trim()) }
  },
  $flows: (tree) =>
    tree.kind === 'list' &&
    toTexts({ ...tree, items: tree.items.filter((one) => !isUndefined(one)) })
      ? {}
      : null,
}

const named = (
  name: 'variable' | 'other' | 'value',
  text: string | null,
): Parts | null => (text === null ? null : { [name]: text })

/** In this order: a button is a text, too. */
const shapes: [kind: Condition['kind'], shape: string][] = [
  ['isButton', 'event.payload.value === $button'],
  ['isYes', '$variable'],
  ['isYes', '$variable === true'],
  ['isNotYes', '!$variable'],
  ['isEmpty', '$variable.length === 0'],
  ['isMissing', '$variable === null'],
  ['isPresent', '$variable !== null'],
  ['equals', '$variable === $text'],
  ['equalsVariable', '$variable === $other'],
  ['isLess', '$variable < $number'],
  ['isAtMost', 'Number($variable) <= $number'],
  [
    'begins',
    toBeginningCondition({ flows: '$flows', button: '$button', phrases: '$phrases' }),
  ],
]
const trees = shapes.map(([kind, shape]) => ({ kind, shape: readExpression(shape)! }))

/** Returns null for a condition that no wizard writes. Layout and parentheses do not count. */
export function readCondition(text: string): Condition | null {
  const tree = readExpression(text)
  if (!tree) return null
  for (const { kind, shape } of trees) {
    const parts = match(shape, tree)
    if (parts) return { kind, ...parts } as Condition
  }
  return null
}

/** Compares the trees, and reads the placeholders of the shape. */
function match(shape: unknown, tree: unknown): Parts | null {
  if (typeof shape !== 'object' || shape === null) return shape === tree ? {} : null
  const { kind, name } = shape as { kind?: string; name?: string }
  const read = kind === 'name' ? placeholders[name!] : undefined
  if (read) return read(tree as Tree)
  if (typeof tree !== 'object' || tree === null) return null
  const [wanted, found] = [Object.entries(shape), tree as Record<string, unknown>]
  if (wanted.length !== Object.keys(found).length) return null
  const all: Parts = {}
  for (const [key, inner] of wanted) {
    const inside = match(inner, found[key])
    if (!inside) return null
    Object.assign(all, inside)
  }
  return all
}
