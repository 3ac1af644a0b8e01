// Dialogues of the wizards: valid for every form, additive, and played to their end.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkDocument, findWarnings } from '../check/check.ts'
import type { FlowDocument } from '../document/document.ts'
import { compileScripts } from '../document/scripts.ts'
import { applyEdits, type DocumentEdit, type Json } from '../edits/edit.ts'
import { runScript } from '../testing/runner.ts'
import { parseScripts } from '../testing/script.ts'
import { listTranslations } from '../texts/catalogue.ts'
import { toNewLanguage } from '../texts/text-edits.ts'
import {
  AnswerError,
  answerKinds,
  type BookingAnswers,
  checkAnswers,
  type DialogueAnswers,
  dialogueKinds,
  fillIn,
  fitSentence,
  type KnownTable,
  listGreetings,
  makeDialogue,
  type OrderAnswers,
  readBeginnings,
  toBeginning,
  toBeginningsEdit,
  withFilledIn,
} from '../wizards.ts'
import { catalogue } from './texts/catalogue.ts'

const start = (cards: unknown[]) => ({
  main: { nodes: { start: { type: 'start', cards } } },
})
const plain = {
  kind: 'bot',
  version: 2,
  flows: start([{ type: 'send', message: 'Hello!' }]),
}
const menu = {
  type: 'capture',
  kind: 'singleChoice',
  textKey: 'menu',
  question: 'What now?',
  options: [{ label: 'Prices', value: 'prices' }],
  into: 'workflow.choice',
}
const choice = { type: 'choice', text: 'Welcome!', options: [{ label: 'A', value: 'a' }] }

/** Has all names that dialogues want, buttons, a time zone, and translations by keys and by places. */
const crowded: Json = {
  ...plain,
  settings: { defaults: { timezone: 'Asia/Tokyo' } },
  languages: {
    default: 'de',
    translations: {
      en: {
        'menu/question': 'What now?',
        'menu/options/prices/label': 'Prices',
        'main.start.1/message': 'Hello!',
        ...Object.fromEntries(
          ['number', 'singleChoice', 'text', 'yes', 'no'].map((name) => [
            `$standard/${name}`,
            name,
          ]),
        ),
      },
    },
  },
  variables: { user: { locale: { type: 'string' } } },
  tables: {
    ContactsTable: {
      schema: { type: 'object', properties: { Name: { type: 'string' } } },
    },
    BookingsTable: {
      keyColumn: 'slot',
      schema: { slot: { type: 'string' }, time: { type: 'string', format: 'date-time' } },
    },
    RatingsTable: { schema: { type: 'object' } },
  },
  triggers: { booking: { type: 'conversationStarted', flow: 'booking' } },
  flows: {
    main: {
      variables: { choice: { type: 'string' } },
      nodes: {
        start: { type: 'start', cards: [menu, { type: 'send', message: 'Hello!' }] },
      },
    },
    booking: {
      nodes: { start: { type: 'entry', cards: [{ type: 'send', message: choice }] } },
    },
    contactForm: { nodes: { start: { type: 'entry' } } },
  },
}
const onServer: KnownTable[] = [
  {
    name: 'PlacesTable',
    keyColumn: 'place',
    columns: {
      place: { type: 'string' },
      time: { type: 'string', format: 'date-time' },
      'Order "No."': { type: 'number' },
      status: { type: 'string' },
    },
  },
  { name: 'OrdersTable', columns: { number: { type: 'string' } } },
]
const documents: Json[] = [plain, crowded, { ...plain, flows: start([]), settings: {} }]

const hostile = fc.constantFrom(
  'Plain?',
  '{{ 1',
  'a {{{ b }} {',
  '\\',
  'x \\{{ y',
  'mail @user.name and @workflow.x',
  '名前は？',
  'constructor',
  '__proto__',
)
const text = fc.oneof(hostile, fc.string({ minLength: 1, maxLength: 30 }))

const question = fc.record({
  name: text,
  kind: fc.constantFrom(...answerKinds),
  question: text,
  choices: fc.uniqueArray(text, {
    minLength: 2,
    maxLength: 4,
    selector: (one) => one.trim().toLowerCase(),
  }),
  isOptional: fc.boolean(),
})
const column = fc.constantFrom(
  null,
  'place',
  'time',
  'status',
  'Name',
  'slot',
  'number',
  'new column',
)
const table = fc.oneof(
  fc.record({ kind: fc.constant('none' as const) }),
  fc.record({
    kind: fc.constant('new' as const),
    name: fc.constantFrom('Orders', 'RatingsTable', 'my list'),
  }),
  fc.record({
    kind: fc.constant('existing' as const),
    name: fc.constantFrom(
      'ContactsTable',
      'BookingsTable',
      'RatingsTable',
      'PlacesTable',
      'OrdersTable',
    ),
    columns: fc.dictionary(
      fc.constantFrom('q0', 'q1', 'slot', 'time', 'code', 'status', 'rating', 'comment'),
      column,
    ),
  }),
)
const changes = fc.record(
  {
    title: text,
    words: fc.array(text, { maxLength: 3 }),
    button: fc.oneof(text, fc.constant('')),
    greeting: fc.constantFrom(
      null,
      '/flows/main/nodes/start/cards/0',
      '/flows/booking/nodes/start/cards/0',
      'x',
    ),
    greetingText: text,
    questions: fc
      .array(question, { maxLength: 4 })
      .map((all) => all.map((one, index) => ({ ...one, id: `q${index}` }))),
    isConfirmed: fc.boolean(),
    tellsPerson: fc.boolean(),
    closing: text,
    hours: fc.array(fc.constantFrom('', '08:00-24:00', '09:00-12:00, 12:00-13:30'), {
      minLength: 7,
      maxLength: 7,
    }),
    minutes: fc.integer({ min: 4, max: 200 }),
    capacity: fc.integer({ min: 0, max: 21 }),
    noticeHours: fc.integer({ min: 0, max: 720 }),
    daysAhead: fc.integer({ min: 0, max: 366 }),
    table,
    numberColumn: fc.constantFrom('number', 'Order "No."', 'place', 'time'),
    checkColumn: fc.constantFrom('', 'status', 'E-Mail'),
    sentence: fc.oneof(
      text,
      fc.constantFrom('{status} {{number}}', '{number}', 'No. {Order "No."}: {status}'),
    ),
    offersPerson: fc.boolean(),
    question: text,
    asksComment: fc.boolean(),
    lowUpTo: fc.integer({ min: 0, max: 4 }),
    afterHandoff: fc.boolean(),
  },
  { requiredKeys: [] },
)

const begin = (kind: DialogueAnswers['kind'], document: Json, language = 'en') =>
  toBeginning(kind, document, { language, timezone: 'Europe/Zurich' })

/** Keys that the answers of the kind have. */
function withChanges(answers: DialogueAnswers, changed: object): DialogueAnswers {
  const own = Object.entries(changed).filter(([name]) => name in answers)
  return { ...answers, ...Object.fromEntries(own) }
}

function isNew(document: unknown, { pointer }: DocumentEdit): boolean {
  let value = document
  for (const part of pointer.slice(1).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
      return true
    value = (value as Json)[name]
  }
  return false
}

/** Texts that the author of a form writes have no translations. */
const isGap = (message: string) => message.startsWith('has no translation of')
let made = 0

test.each(dialogueKinds)('makes a valid document of every form: %s', (kind) => {
  made = 0
  const property = fc.property(
    fc.constantFrom(...documents),
    changes,
    (document, changed) => {
      const answers = withChanges(begin(kind, document), changed)
      const faults = checkAnswers(document, answers, onServer)
      if (faults.length > 0) {
        expect(() => makeDialogue(document, answers, onServer)).toThrow(AnswerError)
        return
      }
      made += 1
      const { flow, edits } = makeDialogue(document, answers, onServer)
      // Cards of a list of buttons move up; nothing else has another value.
      let before: unknown = document
      for (const edit of edits) {
        expect(edit.op === 'insert' || isNew(before, edit), JSON.stringify(edit)).toBe(
          true,
        )
        before = applyEdits(before, [edit])
      }
      const checked = checkDocument(applyEdits(document, edits)) as FlowDocument
      expect(Object.keys(document.flows as Json)).not.toContain(flow)
      const old = findWarnings(document as FlowDocument).map(({ message }) => message)
      const warnings = findWarnings(checked).filter(({ message }) => !isGap(message))
      expect(warnings.filter(({ message }) => !old.includes(message))).toEqual([])
    },
  )
  fc.assert(property, { numRuns: 400 })
  expect(made).toBeGreaterThan(20)
})

test.each(dialogueKinds)(
  'translates its own texts into each language of the bot: %s',
  (kind) => {
    for (const language of Object.keys(catalogue)) {
      const others = Object.keys(catalogue).filter((one) => one !== language)
      const translations = Object.fromEntries(others.map((one) => [one, {}]))
      const document = {
        ...plain,
        flows: start([]),
        languages: { default: language, translations },
      }
      const { questions } = begin('contact', document) as { questions: unknown }
      const answers = withChanges(
        begin(kind, document),
        kind === 'own' ? { questions } : {},
      )
      const made = applyEdits(document, makeDialogue(document, answers).edits)
      expect(findWarnings(checkDocument(made) as FlowDocument)).toEqual([])
    }
  },
)

const examples = ['faq-bot', 'bilingual-bot', 'hooks-showcase', 'greeting-bot'].map(
  (name) => {
    const file = new URL(`../../../../examples/${name}/bot.json`, import.meta.url)
    return [name, JSON.parse(readFileSync(file, 'utf8'))] as [string, Json]
  },
)

test.each(examples)('extends the example %s by all dialogues', (_name, document) => {
  const before = checkDocument(document) as FlowDocument
  const questions = (begin('contact', document) as { questions: unknown }).questions
  const extended = dialogueKinds.reduce<Json>((current, kind) => {
    const answers = withChanges(begin(kind, current), kind === 'own' ? { questions } : {})
    return applyEdits(current, makeDialogue(current, answers).edits) as Json
  }, document)
  const warnings = findWarnings(checkDocument(extended) as FlowDocument)
  expect(warnings).toEqual(findWarnings(before))
  const places = JSON.stringify(extended).split('"type":"choice"').length
  const places0 = JSON.stringify(document).split('"type":"choice"').length
  // The buttons of all dialogues are in one message, or in the list of a question.
  expect(places - places0).toBeLessThanOrEqual(1)
})

async function play(document: Json, steps: string, more = '') {
  const checked = checkDocument(document) as FlowDocument
  const { scripts } = compileScripts(checked)
  const text = `name: it\nnow: 2026-01-05T09:00:00Z\n${more}steps:\n${steps}`
  const { failure } = await runScript(
    { document: checked, scripts },
    parseScripts(text, 'f.yaml')[0]!,
  )
  if (failure)
    throw new Error(`${failure.line}: ${failure.message}\n${failure.trace ?? ''}`)
}

const withDialogue = (
  kind: DialogueAnswers['kind'],
  changed: object,
  document: Json = plain,
) =>
  applyEdits(
    document,
    makeDialogue(document, withChanges(begin(kind, document), changed)).edits,
  ) as Json

test('asks, corrects an answer, stores all and hands over', async () => {
  const choices = ['Small', 'Large']
  const size = {
    id: 'q9',
    name: 'Size {{',
    kind: 'singleChoice',
    question: 'Which {{ size }}, @user.x?',
    choices,
    isOptional: false,
  }
  const { questions } = begin('contact', plain) as {
    questions: { isOptional: boolean }[]
  }
  questions[2]!.isOptional = true
  const document = withDialogue('contact', { questions: [...questions, size] })
  await play(
    document,
    `
  - user: hello
  - bot: Hello!
  - bot: { type: choice, text: What can I do for you?, options: [{ label: Contact us }] }
  - user: Please CONTACT me!
  - bot: What is your name?
  - user: Ana
  - bot: What is your e-mail address?
  - user: nonsense
  - bot: { contains: e-mail }
  - user: ana@example.org
  - bot: { contains: If you prefer not to answer }
  - user: skip
  - bot: { contains: "Which {{ size }}, @user.x?" }
  - user: Large
  - bot: { contains: "Name: Ana\\nE-mail: ana@example.org\\nMessage: –\\nSize {{: Large" }
  - user: no
  - bot: { contains: Which answer should I change }
  - user: Name
  - bot: What is your name?
  - user: Anna
  - bot: { contains: "Name: Anna" }
  - user: yes
  - bot: { contains: Thank you }
  - bot: A colleague will write to you here.
  - handoff: {
      reason: Contact form,
      summary: "Name: Anna\\nE-mail: ana@example.org\\nMessage: –\\nSize {{: Large"
      }
  - tables: { ContactsTable: [{ name: Anna, email: ana@example.org, message: null, user: user_1 }] }
  - handoff: returned
  - user: contact us
  - bot: What is your name?
  - user: cancel
  - bot: All right. Nothing is stored.
`,
  )
})

test('begins below the buttons of a question, which still waits afterwards', async () => {
  const document: Json = {
    ...plain,
    flows: {
      main: {
        variables: { choice: { type: 'string' } },
        nodes: {
          start: {
            type: 'start',
            cards: [
              { ...menu, textKey: undefined },
              { type: 'send', message: 'You: @workflow.choice' },
            ],
          },
        },
      },
    },
  }
  const clean = JSON.parse(JSON.stringify(document)) as Json
  expect(listGreetings(clean)).toEqual([
    { pointer: '/flows/main/nodes/start/cards/0', text: 'What now?' },
    { pointer: '/flows/main/nodes/start/cards/1', text: 'You: @workflow.choice' },
  ])
  await play(
    withDialogue('rating', { lowUpTo: 2 }, clean),
    `
  - user: hello
  - bot: { type: choice, options: [{ label: Prices }, { label: Rate us }] }
  - user: Rate us
  - bot: { contains: How satisfied }
  - user: "2"
  - bot: { contains: tell us why }
  - user: feedback is a word that begins it
  - bot: Thank you for your rating.
  - bot: { contains: We are sorry }
  - user: yes
  - bot: { contains: A colleague }
  - handoff: { summary: "2\\nfeedback is a word that begins it" }
  - handoff: solved
  - tables: { RatingsTable: [{ rating: 2, comment: feedback is a word that begins it }] }
  - user: prices
  - bot: "You: prices"
`,
  )
})

test('begins by its button, whatever its label says and other dialogues listen to', async () => {
  const first = withDialogue('rating', { button: 'Rate us', words: ['us'] })
  const document = withDialogue('contact', { button: 'Contact us' }, first)
  const press = (label: string, flow: string) => `
  - user: hello
  - bot: Hello!
  - bot: { type: choice, options: [{ value: "start:rating" }, { value: "start:contactForm" }] }
  - user: { type: text, text: ${label}, value: "start:${flow}" }
`
  expect(Object.keys(document.flows as Json)).toEqual(['main', 'rating', 'contactForm'])
  await play(
    document,
    `${press('Anders benannt', 'rating')}  - bot: { contains: How satisfied }\n`,
  )
  await play(
    document,
    `${press('Contact us', 'contactForm')}  - bot: What is your name?\n`,
  )
})

test('finds an order in any capitals, and offers a person after three attempts', async () => {
  const document = withDialogue('order', {
    checkColumn: 'E-Mail',
    sentence: 'It is {status}.',
  })
  await play(
    document,
    `
  - user: where is my order?
  - bot: What is your order number?
  - user: a-1
  - bot: { contains: E-Mail }
  - user: other@example.org
  - bot: { contains: no such order }
  - bot: What is your order number?
  - user: a-1
  - bot: { contains: E-Mail }
  - user: ANA@example.org
  - bot: It is on its way.
  - user: order
  - bot: What is your order number?
  - user: x
  - bot: { contains: E-Mail }
  - user: x
  - bot: { contains: no such order }
  - bot: What is your order number?
  - user: x
  - bot: { contains: E-Mail }
  - user: x
  - bot: { contains: no such order }
  - bot: What is your order number?
  - user: x
  - bot: { contains: E-Mail }
  - user: x
  - bot: { contains: no such order }
  - bot: { contains: Shall a colleague help you }
  - user: no
  - bot: All right.
`,
    'tables: { OrdersTable: [{ number: A-1, email: ana@example.org, status: on its way }] }\n',
  )
})

test.each([
  ['#a1', 'Kunde@Example.org', 'kunde@example.org '],
  ['A-1', '+41 44 123 45 67', '0041 44 1234567'],
  ['a 1', '044 123 45 67', '+41441234567'],
])('finds the order %s of %j by %j', async (number, stored, typed) => {
  await play(
    withDialogue('order', { checkColumn: 'Contact', sentence: '{number} is {status}.' }),
    `
  - user: order
  - bot: What is your order number?
  - user: "${number}"
  - bot: { contains: Contact }
  - user: "wrong@example.org"
  - bot: { contains: no such order }
  - bot: What is your order number?
  - user: "${number}"
  - bot: { contains: Contact }
  - user: "${typed}"
  - bot: A-1 is on its way.
`,
    `tables: { OrdersTable: [{ number: A-1, contact: "${stored}", status: on its way }] }\n`,
  )
})

const sales: KnownTable = {
  name: 'SalesTable',
  columns: {
    no: { type: 'number' },
    price: { type: 'number' },
    due: { type: 'string', format: 'date-time' },
  },
}

test('writes numbers and days of an order in the language of the visitor', async () => {
  const table = { kind: 'existing', name: 'SalesTable', columns: {} }
  const answers = withChanges(begin('order', inGerman(plain)), {
    table,
    numberColumn: 'no',
    checkColumn: '',
    sentence: '{no}: {price}, {due}',
  })
  const document = inGerman(plain)
  const made = applyEdits(
    document,
    makeDialogue(document, answers, [sales]).edits,
  ) as Json
  await play(
    made,
    `
  - user: { type: text, text: order, metadata: { language: de } }
  - bot: Wie lautet Ihre Bestellnummer?
  - user: { type: text, text: "#1001", metadata: { language: de } }
  - bot: { matches: "^1001: 12,5, 5\\\\. Jan" }
`,
    'tables: { SalesTable: [{ no: 1001, price: 12.5, due: "2026-01-05T09:00:00.000Z" }] }\n',
  )
})

test('writes the order of an own table in both languages, with days and readable texts', async () => {
  const repairs: KnownTable = {
    name: 'RepairsTable',
    columns: {
      'Order number': { type: 'string' },
      Status: { type: 'string' },
      'Ready on': { type: 'string', format: 'date-time' },
    },
  }
  const document = inGerman(plain)
  const answers = {
    ...(begin('order', document) as OrderAnswers),
    table: { kind: 'existing', name: 'RepairsTable', columns: {} } as const,
    numberColumn: 'Order number',
  }
  const sentence = fitSentence(answers, [repairs])
  expect(sentence).toBe('Your order {Order number}: {Status}.')
  const make = (changes: Partial<OrderAnswers>) =>
    applyEdits(
      document,
      makeDialogue(document, { ...answers, ...changes }, [repairs]).edits,
    ) as Json
  const steps = (language: string, answer: string) => `
  - user: { type: text, text: order, metadata: { language: ${language} } }
  - bot: { contains: "?" }
  - user: { type: text, text: a1, metadata: { language: ${language} } }
  - bot: ${answer}
`
  const rows =
    'tables: { RepairsTable: [{ Order number: A-1, Status: ready, Ready on: "2026-01-05T00:00:00.000Z" }] }\n'
  await play(make({ sentence }), steps('de', '"Ihre Bestellung A-1: ready."'), rows)
  const own = make({ sentence: '{Order number}: {Ready on}.' })
  expect(JSON.stringify(own)).toContain(
    '"{{ workflow.orderNumber }}: {{ workflow.readyOn }}."',
  )
  await play(own, steps('en', '"A-1: January 5, 2026."'), rows)
})

test('keeps an answer that fits the table', () => {
  const answers = begin('order', plain) as OrderAnswers
  const sentence = 'Number {number}.'
  expect(fitSentence({ ...answers, sentence }, [])).toBe(sentence)
  expect(fitSentence({ ...answers, sentence: '{place}' }, [])).toBe(answers.sentence)
})

const inGerman = (document: Json): Json => ({
  ...document,
  languages: { default: 'en', translations: { de: {} } },
})

const german = (text: string) =>
  `  - user: { type: text, text: "${text}", metadata: { language: de } }\n`

const germanBooking = `
${german('termin buchen')}  - bot: { type: choice, text: Was möchten Sie tun? }
${german('Termin buchen')}  - bot: { contains: Welcher Tag }
${german('sonntag')}  - bot: { contains: Am Sonntag, 11. Januar ist nichts frei }
  - bot: { contains: Welcher Tag }
${german('heute')}  - bot: {
      type: choice,
      options: [{ label: "15:00" }, { label: "16:00" }, { label: Anderer Tag }]
      }
${german('anderer Tag')}  - bot: { contains: Welcher Tag }
${german('heute')}  - bot: { type: choice }
${german('15:00')}  - bot: Wie heißen Sie?
${german('Ana')}  - bot: Wie lautet Ihre E-Mail-Adresse?
${german('ana@example.org')}  - bot: { contains: "Wann: Montag, 5. Januar um 15:00" }
`

test('writes days in the language of the visitor, also in documents of earlier wizards', async () => {
  const document = withDialogue('booking', bookingChanges, inGerman(plain))
  await play(document, germanBooking)
  const earlier = JSON.stringify(document).replaceAll(
    '.setLocale(language ?? \\"en\\")',
    '.setLocale(\\"en\\")',
  )
  expect(earlier).not.toContain('language ??')
  await play(JSON.parse(earlier) as Json, germanBooking)
})

test('fills in a language that the document got after its dialogues', async () => {
  const { questions } = begin('contact', plain) as { questions: unknown }
  const changes = { own: { questions }, booking: bookingChanges } as Record<
    string,
    object
  >
  const made = dialogueKinds.reduce<Json>(
    (document, kind) => withDialogue(kind, changes[kind] ?? {}, document),
    plain,
  )
  const isMade = (text: string) => !['Hello!', 'When?'].includes(text)
  const changed = JSON.parse(
    JSON.stringify(made).replace(/Which day would[^"]+/, 'When?'),
  ) as Json
  const all = listTranslations(inGerman(changed)).texts.filter(
    ({ pointer }) => pointer !== null,
  )
  const added = withFilledIn(changed, toNewLanguage(changed, 'de', 'en'))
  expect(added.texts).toBe(all.filter(({ text }) => isMade(text)).length)
  expect(added.words).toBeGreaterThan(20)
  const filled = applyEdits(changed, added.edits) as Json
  expect(fillIn(filled)).toEqual({ edits: [], texts: 0, words: 0 })
  await play(
    filled,
    `${german('hallo')}  - bot: Hello!
  - bot: { options: [{}, { label: Termin buchen }, {}, {}, {}] }
${germanBooking.replaceAll('Welcher Tag', 'When?')}${german('stopp')}  - bot: { contains: nichts gespeichert }
${german('kontakt')}  - bot: Wie heißen Sie?
`,
  )
})

test('fills in nothing that an author has changed, and no language that wizards do not know', () => {
  const document = withDialogue('rating', { question: 'Good?', words: ['stars'] })
  const inPolish = { ...document, languages: { default: 'en', translations: { pl: {} } } }
  expect(fillIn(inPolish)).toEqual({ edits: [], texts: 0, words: 0 })
  const changed = structuredClone(inGerman(document)) as {
    flows: Record<string, { nodes: Record<string, { cards: Json[] }> }>
  }
  changed.flows.rating!.nodes.askRating!.cards[0]!.cancelWords = ['no thanks']
  const { edits } = fillIn(changed as unknown as Json)
  expect(
    edits.filter(({ pointer }) => pointer.includes('/askRating/cards/0/cancelWords')),
  ).toEqual([])
  const written = edits.flatMap((edit) =>
    'value' in edit ? [JSON.stringify(edit.value)] : [],
  )
  expect(written.filter((value) => /Good|bewertung/.test(value))).toEqual([])
  const twice = {
    ...changed,
    languages: { default: 'en', translations: { de: {}, 'de-AT': {} } },
  }
  const regional = fillIn(twice as unknown as Json).edits
  expect(regional.some(({ pointer }) => pointer.includes('de-AT'))).toBe(false)
  expect(
    fillIn({ flows: 7, triggers: [null], languages: { default: 'de' } }).edits,
  ).toEqual([])
})

const bookingSteps = `
  - user: I want to book
  - bot: { type: choice, text: What would you like to do? }
  - user: Book a time
  - bot: { contains: Which day }
  - user: Sunday
  - bot: { contains: no free times on Sunday }
  - bot: { contains: Which day }
  - user: last Monday
  - bot: { contains: at most 60 days ahead }
  - user: today
  - bot: { type: choice, options: [{ label: "15:00" }, { label: "16:00" }, { label: Another day }] }
  - user: "15:00"
  - bot: What is your name?
  - user: Ana
  - bot: What is your e-mail address?
  - user: ana@example.org
  - bot: { contains: "15:00" }
  - user: yes
`
const bookingChanges = {
  hours: ['9–12, 12.00-17', '', '', '', '', '', ''],
  noticeHours: 5,
}

test('books a free time, changes it, and cancels it', async () => {
  await play(
    withDialogue('booking', bookingChanges),
    `${bookingSteps}
  - bot: { matches: "^Booked: Monday, January 5 at 15:00. Your booking number is EVT9" }
  - tables: { BookingsTable: [{ slot: "2026-01-05T14:00:00.000Z#1", status: booked, name: Ana }] }
  - user: booking
  - bot: { contains: What would you like to do }
  - user: Change or cancel a booking
  - bot: What is your booking number?
  - user: wrong
  - bot: { contains: no coming booking }
  - bot: What is your booking number?
  - user: evt9
  - bot: { contains: "Your booking is on Monday, January 5 at 15:00" }
  - user: Change the time
  - bot: { contains: Which day }
  - user: today
  - bot: { type: choice, options: [{ label: "16:00" }, { label: Another day }] }
  - user: "16:00"
  - bot: { contains: "Changed: Monday, January 5 at 16:00. Your booking number stays EVT9" }
  - tables: { BookingsTable: [{ slot: "2026-01-05T15:00:00.000Z#1", status: booked, name: Ana }] }
  - user: booking
  - bot: { contains: What would you like to do }
  - user: Change or cancel a booking
  - bot: What is your booking number?
  - user: EVT9
  - bot: { contains: "at 16:00" }
  - user: Cancel the booking
  - bot: { contains: "Really cancel your booking on Monday, January 5 at 16:00" }
  - user: no
  - bot: Your booking stays as it is.
  - user: booking
  - bot: { contains: What would you like to do }
  - user: Change or cancel a booking
  - bot: What is your booking number?
  - user: EVT9
  - bot: { contains: "at 16:00" }
  - user: Cancel the booking
  - bot: { contains: Really cancel }
  - user: yes
  - bot: Your booking is cancelled.
  - tables: { BookingsTable: [{ slot: null, status: cancelled, name: Ana }] }
`,
  )
})

test('understands times, offers the free ones for a taken one, and another day by a button', async () => {
  const row = { slot: '2026-01-05T14:00:00.000Z#1', time: '2026-01-05T14:00:00.000Z' }
  await play(
    withDialogue('booking', bookingChanges),
    `
  - user: hello
  - bot: Hello!
  - bot: { type: choice, options: [{ label: Book a time }] }
  - user: { type: text, text: Book a time, value: "start:booking" }
  - bot: { contains: Which day }
  - user: today
  - bot: { type: choice, options: [{ label: "16:00" }, { label: Another day }] }
  - user: 3 pm
  - bot: {
      text: "This time is not free on Monday, January 5. Please choose one of these.",
      options: [{ label: "16:00" }, { label: Another day }]
      }
  - user: Another day
  - bot: { contains: Which day }
  - user: today
  - bot: { type: choice }
  - user: half past four
  - bot: { contains: not free }
  - user: four o'clock
  - bot: What is your name?
  - user: Ana
  - bot: What is your e-mail address?
  - user: ana@example.org
  - bot: { contains: "16:00" }
  - user: yes
  - bot: { contains: Booked }
  - tables: { BookingsTable: [{}, { localTime: "2026-01-05 16:00 Europe/Zurich" }] }
`,
    `tables: { BookingsTable: [${JSON.stringify(row)}] }\n`,
  )
})

test('offers another time if the last place was taken meanwhile', async () => {
  const [asked] = bookingSteps.split('  - user: yes')
  const document = withDialogue('booking', bookingChanges)
  // Another visitor books between the offer and the confirmation.
  const trigger = { type: 'event', event: 'other', flow: 'other' }
  const row = {
    slot: '2026-01-05T14:00:00.000Z#1',
    time: '2026-01-05T14:00:00.000Z',
    status: 'booked',
  }
  const card = { type: 'table', table: 'BookingsTable', operation: 'create', row }
  const flows = {
    ...(document.flows as Json),
    other: { nodes: { start: { type: 'entry', cards: [card] } } },
  }
  await play(
    { ...document, flows, triggers: { ...(document.triggers as Json), other: trigger } },
    `${asked}  - event: { type: other, payload: {} }
  - user: yes
  - bot: { contains: Somebody has just taken this time }
  - bot: { type: choice, options: [{ label: "16:00" }, { label: Another day }] }
  - user: "16:00"
  - bot: { contains: "at 16:00" }
  - user: yes
  - bot: { contains: "Booked: Monday, January 5 at 16:00" }
  - tables: { BookingsTable: [
      { slot: "2026-01-05T14:00:00.000Z#1" }, { slot: "2026-01-05T15:00:00.000Z#1", name: Ana }
      ] }
`,
  )
})

test('reads and replaces the words that begin a dialogue, and no other condition', () => {
  const document = withDialogue('rating', { words: ['Rate, please'], button: 'Stars' })
  const trigger = (document.triggers as Json).rating
  expect(readBeginnings(trigger)).toEqual([' rate please ', ' stars '])
  const edit = toBeginningsEdit('/triggers/rating', trigger, [
    'Say "it\\',
    '名前',
    ' ',
    'say it',
  ])
  const changed = applyEdits(document, [edit]) as Json
  expect(readBeginnings((changed.triggers as Json).rating)).toEqual([' say it ', '名前'])
  expect(findWarnings(checkDocument(changed) as FlowDocument)).toEqual([])
  for (const other of [
    null,
    {},
    { when: 'true' },
    { when: '[1].some((words) => words)' },
  ])
    expect(readBeginnings(other)).toBeNull()
})

test('names each wrong field of a form', () => {
  const answers = begin('booking', plain) as BookingAnswers
  const wrong = {
    title: ' ',
    hours: ['9 to 12', '', '', '', '', '', ''],
    capacity: 0,
    timezone: 'Mars',
    words: [],
    button: '',
  }
  const faults = checkAnswers(plain, { ...answers, ...wrong }, [])
  expect(faults.map(({ field }) => field)).toEqual([
    'title',
    'hours.0',
    'capacity',
    'timezone',
    'words',
  ])
})
