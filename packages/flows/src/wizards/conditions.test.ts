// Each condition of each wizard is read, and no other.
import { expect, test } from 'vitest'
import { applyEdits, type Json } from '../edits/edit.ts'
import {
  type DialogueAnswers,
  dialogueKinds,
  makeDialogue,
  readCondition,
  toBeginning,
  toPreset,
} from '../wizards.ts'

const plain: Json = {
  kind: 'bot',
  version: 2,
  flows: { main: { nodes: { start: { type: 'start', cards: [] } } } },
}

/** Returns the values of all fields `when`. */
function listConditions(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'when' && typeof inner === 'string' ? [inner] : listConditions(inner),
  )
}

function makeDocument(kind: DialogueAnswers['kind'], changes: object = {}): Json {
  const begun = toBeginning(kind, plain, { language: 'en', timezone: 'UTC' })
  const answers = { ...begun, ...changes } as DialogueAnswers
  return applyEdits(plain, makeDialogue(plain, answers).edits) as Json
}

test.each(dialogueKinds)('reads each condition of the dialogue %s', (kind) => {
  const own = kind === 'own' && { questions: [toPreset('date', 'q1', 'en')] }
  const { flows, triggers } = makeDocument(kind, own || {})
  const conditions = listConditions({ flows, triggers })
  expect(conditions).not.toEqual([])
  expect(conditions.filter((each) => readCondition(each) === null)).toEqual([])
})

test('reads the words and the button of a trigger', () => {
  const { triggers } = makeDocument('rating', {
    words: ['Rate, "please"', '評価'],
    button: '',
  })
  const [when] = listConditions(triggers)
  const condition = { kind: 'begins', flow: 'rating', words: ['rate please', '評価'] }
  expect(readCondition(when!)).toEqual(condition)
  const laidOut = when!.replaceAll('(', ' (\n').replace(' && ', '&&')
  expect(readCondition(laidOut)).toEqual(condition)
})

test.each([
  ['event.payload.value === "start:order"', { kind: 'isButton', flow: 'order' }],
  ['workflow.isComplete', { kind: 'isYes', variable: 'workflow.isComplete' }],
  ['(workflow.isComplete)===true', { kind: 'isYes', variable: 'workflow.isComplete' }],
  ['! workflow.isRight', { kind: 'isNotYes', variable: 'workflow.isRight' }],
  ['user.orders.length === 0', { kind: 'isEmpty', variable: 'user.orders' }],
  ['workflow.free === null', { kind: 'isMissing', variable: 'workflow.free' }],
  ['workflow.booking !== null', { kind: 'isPresent', variable: 'workflow.booking' }],
  [
    "workflow.wish === 'don\\'t \\u0041'",
    { kind: 'equals', variable: 'workflow.wish', value: "don't A" },
  ],
  [
    'workflow.free === workflow.slot',
    { kind: 'equalsVariable', variable: 'workflow.free', other: 'workflow.slot' },
  ],
  ['workflow.attempts < 3', { kind: 'isLess', variable: 'workflow.attempts', value: 3 }],
  [
    'Number(workflow.rating) <= 2',
    { kind: 'isAtMost', variable: 'workflow.rating', value: 2 },
  ],
])('reads %s', (text, condition) => {
  expect(readCondition(text)).toEqual(condition)
})

test.each([
  '',
  ' ',
  'workflow.n > 1',
  'workflow.n === 1',
  'workflow.n == null',
  'workflow.a === true && workflow.b',
  '!!workflow.a',
  '!workflow',
  'workflow.a.b',
  'event.a',
  'event.payload.value === "other"',
  'workflow?.a',
  'workflow.a ?? workflow.b',
  'workflow.a === null // once',
  'workflow.a; workflow.b',
  'workflow.a === "\\x41"',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the author's code has it
  '`${workflow.a}`',
  'Number(workflow.rating, 1) <= 2',
  '[].includes(workflow.a)',
  `${'('.repeat(5_000)}workflow.a${')'.repeat(5_000)}`,
  '!'.repeat(10_000),
])('leaves %j as code', (text) => {
  expect(readCondition(text)).toBeNull()
})
