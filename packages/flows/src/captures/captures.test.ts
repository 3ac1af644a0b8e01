import { expect, test } from 'vitest'
import type { CaptureCard } from '../document/card-shapes.ts'
import type { BotEvent } from '../engine/event-types.ts'
import { preview } from '../tracing/preview.ts'
import { answerTo, findQuestion } from './capture.ts'

// This is a Wednesday.
const now = Date.parse('2026-03-04T12:00:00Z')
const colours = [
  { label: 'Red', value: 'r', synonyms: ['crimson'] },
  { label: 'Dark Blue', value: 'b' },
  { label: 'Grün', value: 'g' },
]

const createEvent = (type: string, payload: Record<string, unknown>): BotEvent => ({
  botId: 'bot_1',
  id: 'evt_1',
  direction: 'incoming',
  type,
  payload,
  preview: preview(type, payload),
  createdOn: new Date(now),
  state: { session: {}, context: {} },
})
const text = (content: string) => createEvent('text', { text: content })

function asking(card: Partial<CaptureCard>, defaults = {}) {
  const scopes = {
    workflow: { limit: 10, colours },
    conversation: {},
    user: { name: 'Ana' },
    bot: {},
    session: {},
    turn: {},
    env: {},
  }
  return {
    card: { type: 'capture', kind: 'raw', into: 'workflow.x', ...card } as CaptureCard,
    defaults,
    surroundings: { event: text('x'), scopes, clock: () => now },
    filling: { file: 'bot.json', timeoutMs: 10_000 },
  }
}

const answered = (answer: BotEvent | string, card: Partial<CaptureCard>, asked = 1) =>
  answerTo(typeof answer === 'string' ? text(answer) : answer, asked, asking(card))

test.each<[CaptureCard['kind'], BotEvent | string, unknown, Partial<CaptureCard>?]>([
  ['raw', ' as it is ', ' as it is '],
  [
    'raw',
    createEvent('image', { imageUrl: 'https://a.b/c.png' }),
    '[image] https://a.b/c.png',
  ],
  ['text', ' trimmed ', 'trimmed'],
  ['text', createEvent('image', { imageUrl: 'https://a.b/c.png' }), undefined],
  [
    'raw',
    createEvent('audio', { audioUrl: 'https://a.b/c.ogg', transcript: 'Two' }),
    'Two',
  ],
  [
    'number',
    createEvent('audio', { audioUrl: 'https://a.b/c.ogg', transcript: 'It is 42.' }),
    42,
  ],
  ['text', createEvent('audio', { audioUrl: 'https://a.b/c.ogg' }), undefined],
  ['text', '😀😀', '😀😀', { max: 2 }],
  ['text', 'abc', undefined, { max: 2 }],
  ['number', '42', 42],
  ['number', 'about -3.5, I think', -3.5],
  ['number', '1,234.5', 1234.5],
  ['number', '1.234,5', 1234.5],
  ['number', '1,234', 1234],
  ['number', '0,234', 0.234],
  ['number', '1.234.567', 1234567],
  ['number', '12 345', 12345],
  ['number', '3,14', 3.14],
  ['number', '.5', 0.5],
  ['number', '1e3', 1000],
  ['number', '$20', 20],
  ['number', '2 or 3', undefined],
  ['number', 'B52', undefined],
  ['number', '9', undefined, { max: '{{ workflow.limit - 2 }}' }],
  ['number', '8', 8, { max: '{{ workflow.limit - 2 }}', min: 8 }],
  ['boolean', 'Yes, please', true],
  ['boolean', 'false', false],
  ['boolean', 'sure', undefined],
  ['boolean', 'maybe', undefined],
  ['confirmation', 'Sure!', true],
  ['confirmation', '👍', true],
  ['confirmation', 'Yes, that is right', true],
  ['confirmation', "don't", false],
  ['confirmation', 'no thanks', false],
  ['confirmation', 'perhaps', undefined],
  ['email', 'it is <Ana.B+x@Example.co.uk>.', 'Ana.B+x@Example.co.uk'],
  ['email', 'jürgen@müller.de', 'jürgen@müller.de'],
  ['email', 'a@b', undefined],
  ['email', 'a@b.de or c@d.de', undefined],
  ['email', `${'a@'.repeat(900)}x`, undefined],
  ['phone', '+41 (0)44 123-45 67', '+41441234567'],
  ['phone', 'call 0041 44 123 45 67!', '+41441234567'],
  ['phone', '(555) 123-4567', '5551234567'],
  ['phone', '12345', undefined],
  ['phone', '+1234567890123456', undefined],
  ['phone', '(+44) 020 7946 0958', '+442079460958'],
  ['phone', '+39 06 1234 5678', '+390612345678'],
  ['phone', '+1 555 123 4567', '+15551234567'],
  ['phone', '+1 555 123 45', undefined],
  ['phone', '+999 1234567', undefined],
  ['url', 'see https://example.com/a?b=c.', 'https://example.com/a?b=c'],
  ['url', 'example.com', 'https://example.com/'],
  ['url', 'javascript:alert(1)', undefined],
  ['url', 'https://user:pass@example.com', undefined],
  ['url', 'nothing. here', undefined],
  ['date', '2026-12-24', '2026-12-24'],
  ['date', '2026-12-24T10:00:00+02:00', '2026-12-24T08:00:00.000Z'],
  ['date', '2026-12-24 at 10:00', '2026-12-24T10:00:00.000Z'],
  ['date', 'today', '2026-03-04'],
  ['date', 'Tomorrow', '2026-03-05'],
  ['date', 'tomorrow at 3 pm', '2026-03-05T15:00:00.000Z'],
  ['date', '3:30pm tomorrow', '2026-03-05T15:30:00.000Z'],
  ['date', 'next monday', '2026-03-09'],
  ['date', 'wed', '2026-03-11'],
  ['date', 'on Friday at 9:15', '2026-03-06T09:15:00.000Z'],
  ['date', 'in 3 days', '2026-03-07'],
  ['date', 'in an hour', '2026-03-04T13:00:00.000Z'],
  ['date', '24.12.2026', '2026-12-24'],
  ['date', '24.12.', '2026-12-24'],
  ['date', '1/2/2027', undefined],
  ['date', '24/12/26', '2026-12-24'],
  ['date', 'March 2nd', '2027-03-02'],
  ['date', '5 march', '2026-03-05'],
  ['date', 'Dec 24, 2026 at noon', '2026-12-24T12:00:00.000Z'],
  ['date', 'Friday, 6 March 2026', '2026-03-06'],
  ['date', 'at 11', '2026-03-05T11:00:00.000Z'],
  ['date', '30 February', undefined],
  ['date', '2026-02-30', undefined],
  ['date', 'may', undefined],
  ['date', 'constructor', undefined],
  ['date', 'yesterday', undefined, { min: 'today' }],
  ['date', 'today at 3 pm', '2026-03-04T15:00:00.000Z', { min: 'today', max: 'today' }],
  ['date', 'tomorrow', undefined, { max: 'today' }],
  ['singleChoice', 'r', 'r', { options: colours }],
  ['singleChoice', 'the dark blue one, please', 'b', { options: colours }],
  ['singleChoice', 'blue', 'b', { options: colours }],
  ['singleChoice', 'GRUN', 'g', { options: colours }],
  ['singleChoice', 'Crimson', 'r', { options: colours }],
  ['singleChoice', '2', 'b', { options: colours }],
  ['singleChoice', 'red or blue', 'r', { options: [{ label: 'Red', value: 'r' }] }],
  ['singleChoice', 'red and dark blue', undefined, { options: colours }],
  ['singleChoice', 'pink', undefined, { options: colours }],
  ['singleChoice', 'red', 'r', { options: '{{ workflow.colours }}' }],
  ['singleChoice', 'b', 'b', { options: '{{ ["a", "b"] }}' }],
  ['singleChoice', '9', undefined, { options: colours }],
  ['multipleChoice', 'red, grün and red', ['r', 'g'], { options: colours }],
  ['multipleChoice', 'dark blue', ['b'], { options: colours }],
  ['multipleChoice', 'red and pink', undefined, { options: colours }],
  ['multipleChoice', 'red, blue', undefined, { options: colours, max: 1 }],
  ['regex', 'order AB-12, please', 'AB-12', { pattern: '[A-Z]{2}-\\d+' }],
  ['regex', 'order AB-12, please', '12', { pattern: '[A-Z]{2}-(\\d+)' }],
  ['regex', `${'a'.repeat(5000)}!`, undefined, { pattern: '^(a+)+$' }],
  ['regex', 'x', undefined, { pattern: '(' }],
  [
    'file',
    createEvent('file', { fileUrl: 'https://a.b/c.pdf', title: 'c.pdf' }),
    { type: 'file', url: 'https://a.b/c.pdf', title: 'c.pdf' },
  ],
  [
    'file',
    createEvent('bloc', {
      items: [
        { type: 'text', payload: { text: 'x' } },
        { type: 'image', payload: { imageUrl: 'u' } },
      ],
    }),
    { type: 'image', url: 'u' },
  ],
  ['file', 'no file', undefined],
  ['file', createEvent('constructor', {}), undefined],
])('reads a %s from %j as %j', async (kind, answer, value, card = {}) => {
  expect(await answered(answer, { kind, ...card })).toMatchObject(
    value === undefined ? { outcome: 'again' } : { outcome: 'captured', value },
  )
})

test('asks which reading of an answer is meant, and reads by the locale of bot or user', async () => {
  const card = { kind: 'number' } as const
  expect(await answered('1.500', card)).toEqual({
    outcome: 'again',
    say: {
      type: 'choice',
      text: 'Which one do you mean?',
      options: [
        { label: '1.5', value: '1.5' },
        { label: '1500', value: '1500' },
      ],
    },
  })
  const button = (value: string) => createEvent('text', { text: value, value })
  // The text alone has two readings again.
  for (const [value, number] of [
    ['1500', 1500],
    ['1.234', 1.234],
  ] as const)
    expect(await answered(button(value), card)).toEqual({
      outcome: 'captured',
      value: number,
    })
  const small = { ...card, max: 10 }
  expect(await answered('1.500', small)).toEqual({ outcome: 'captured', value: 1.5 })
  const german = asking(card, { locale: 'de' })
  expect(await answerTo(text('1.500'), 1, german)).toEqual({
    outcome: 'captured',
    value: 1500,
  })
  const ofUser = asking(card)
  Object.assign(ofUser.surroundings.scopes.user, { locale: 'en-GB' })
  expect(await answerTo(text('1.500'), 1, ofUser)).toEqual({
    outcome: 'captured',
    value: 1.5,
  })
  Object.assign(ofUser.surroundings.scopes.user, { locale: 'no locale' })
  expect(await answerTo(text('1.500'), 1, ofUser)).toMatchObject({ outcome: 'again' })
})

test('offers the days that may be meant within the limits, also with an own message', async () => {
  const card = { kind: 'date', retryMessage: 'Which day?', cancelLabel: 'Stop' } as const
  expect(await answered('next Friday', card)).toEqual({
    outcome: 'again',
    say: {
      type: 'choice',
      text: 'Which one do you mean?',
      options: [
        { label: 'Friday, 6 March 2026', value: '2026-03-06' },
        { label: 'Friday, 13 March 2026', value: '2026-03-13' },
        { label: 'Stop', value: 'Stop' },
      ],
    },
  })
  const button = { text: 'Friday, 13 March 2026', value: '2026-03-13' }
  for (const answer of [createEvent('text', button), text(button.text)])
    expect(await answered(answer, card)).toEqual({
      outcome: 'captured',
      value: '2026-03-13',
    })
  const soon = { ...card, max: '2026-03-10' }
  expect(await answered('next Friday', soon)).toEqual({
    outcome: 'captured',
    value: '2026-03-06',
  })
  const german = asking(card, { locale: 'de', timezone: 'Europe/Berlin' })
  expect(await answerTo(text('morgen um Mitternacht'), 1, german)).toMatchObject({
    say: {
      options: [{ label: expect.stringContaining('Donnerstag') }, {}, { label: 'Stop' }],
    },
  })
})

test('asks a model for no text with several readings', async () => {
  const extract = () => Promise.reject(new Error('asked'))
  const card = asking({ kind: 'date', byModel: true })
  expect(await answerTo(text('05/03/2026'), 1, { ...card, extract })).toMatchObject({
    outcome: 'again',
  })
})

test('asks again up to the number of retries, then fails', async () => {
  const card = {
    kind: 'number',
    retries: 2,
    retryMessage: 'A number, {{ user.name }}!',
  } as const
  expect(await answered('x', card, 1)).toEqual({
    outcome: 'again',
    say: { type: 'text', text: 'A number, Ana!' },
  })
  expect(await answered('x', card, 2)).toMatchObject({ outcome: 'again' })
  expect(await answered('x', card, 3)).toMatchObject({
    outcome: 'failed',
    reason: 'That is not a number. Please write one number.',
  })
})

test('rejects answers that validate does not accept', async () => {
  const card = {
    kind: 'number',
    validate: 'value % 2 === 0 && value < workflow.limit',
  } as const
  expect(await answered('4', card)).toEqual({ outcome: 'captured', value: 4 })
  expect(await answered('5', card)).toMatchObject({ outcome: 'again' })
  expect(await answered('12', card)).toMatchObject({ outcome: 'again' })
})

test('cancels a capture of any kind on a cancel word', async () => {
  expect(
    await answered('Never mind!', { kind: 'raw', cancelWords: ['never mind'] }),
  ).toEqual({
    outcome: 'cancelled',
  })
  expect(
    await answerTo(text('stop'), 1, asking({ kind: 'text' }, { cancelWords: ['stop'] })),
  ).toEqual({
    outcome: 'cancelled',
  })
  expect(
    await answerTo(
      text('stop'),
      1,
      asking({ kind: 'text', cancelWords: [] }, { cancelWords: ['stop'] }),
    ),
  ).toMatchObject({ outcome: 'captured' })
})

test('offers choices as buttons, also when it asks again', async () => {
  const options = colours.map(({ label, value }) => ({ label, value }))
  expect(
    await findQuestion(
      asking({ kind: 'singleChoice', options: colours, question: 'Which, @user.name?' }),
    ),
  ).toEqual({
    type: 'choice',
    text: 'Which, Ana?',
    options,
  })
  expect(
    await answered('pink', { kind: 'singleChoice', options: colours }),
  ).toMatchObject({
    say: { type: 'choice', text: 'Please choose one of the options.', options },
  })
  expect(
    await findQuestion(
      asking({
        kind: 'singleChoice',
        options: '{{ [1,2,3,4,5,6,7] }}',
        question: 'Which?',
      }),
    ),
  ).toMatchObject({ type: 'dropdown' })
  expect(
    await findQuestion(asking({ kind: 'confirmation', question: 'Sure?' })),
  ).toMatchObject({
    type: 'choice',
    options: [{ value: 'yes' }, { value: 'no' }],
  })
  expect(
    await findQuestion(
      asking({ kind: 'file', question: { type: 'image', imageUrl: 'u' } }),
    ),
  ).toEqual({
    type: 'image',
    imageUrl: 'u',
  })
  expect(
    await findQuestion(asking({ kind: 'text', question: '{{ user.name }}?' })),
  ).toEqual({
    type: 'text',
    text: 'Ana?',
  })
  expect(await findQuestion(asking({}))).toBeNull()
})
