// A bot of several languages answers each person in theirs.
import { expect, test } from 'vitest'
import { node, openBot, strings, text } from '../../test/engine-bot.ts'
import type { DeliveredEvent } from './event-types.ts'

const document = {
  variables: { user: { locale: strings, name: strings } },
  languages: {
    default: 'en',
    translations: {
      de: {
        'hi/message': {
          text: 'Hallo {{ user.name }}!',
          original: 'Hello {{ user.name }}!',
        },
        'color/question': 'Welche Farbe?',
        'color/options/red/label': 'Rot',
        'color/options/blue/label': 'Blau',
        'color/options/blue/synonyms/0': 'himmelfarben',
        'color/retryMessage': 'Rot oder Blau?',
        '$standard/confirmation': 'Bitte ja oder nein.',
        '$standard/yes': 'Ja!',
        'bye/message/text': 'Tschüss, {{ workflow.color }}',
      },
      'pt-BR': { 'hi/message': 'Oi {{ user.name }}!' },
      pt: { 'hi/message': ' ', 'color/question': 'Que cor?' },
    },
  },
  flows: {
    main: {
      variables: { color: strings, sure: { type: 'boolean' } },
      nodes: {
        start: node('start', [
          { ...text('Hello {{ user.name }}!'), textKey: 'hi' },
          {
            type: 'capture',
            textKey: 'color',
            kind: 'singleChoice',
            question: 'Which colour?',
            options: [
              { label: 'Red', value: 'red' },
              { label: 'Blue', value: 'blue', synonyms: ['sky'] },
            ],
            retryMessage: 'Red or blue?',
            into: 'workflow.color',
          },
          {
            type: 'capture',
            kind: 'confirmation',
            question: 'Sure?',
            into: 'workflow.sure',
          },
          {
            type: 'send',
            message: { type: 'text', text: 'Bye, {{ workflow.color }}' },
            textKey: 'bye',
          },
        ]),
      },
    },
  },
}

type Bot = ReturnType<typeof openBot>

/** Returns the texts that the bot sent, also those above buttons. */
async function answer({ server, handle }: Bot, event: DeliveredEvent) {
  const before = server.sent.length
  await handle(event)
  return server.sent.slice(before).map(({ payload }) => payload.text)
}

const opened = () => {
  const bot = openBot(document)
  const options = () => bot.server.sent.at(-1)!.payload.options
  const say = (said: string, language?: string) => {
    const event = bot.createMessage(said)
    const { payload } = event.payload.message as { payload: object }
    if (language) Object.assign(payload, { metadata: { language } })
    return answer(bot, event)
  }
  return { bot, say, options }
}

test('speaks the language of the browser, and stores the same values of choices', async () => {
  const { say, options } = opened()
  expect(await say('x', 'de-CH')).toEqual(['Hallo !', 'Welche Farbe?'])
  expect(options()).toEqual([
    { label: 'Rot', value: 'red' },
    { label: 'Blau', value: 'blue' },
  ])
  expect(await say('grün')).toEqual(['Rot oder Blau?'])
  expect(await say('himmelfarben')).toEqual(['Sure?'])
  expect(options()).toEqual([
    { label: 'Ja!', value: 'yes' },
    { label: 'Nein', value: 'no' },
  ])
  expect(await say('hm')).toEqual(['Bitte ja oder nein.'])
  expect(await say('ja')).toEqual(['Tschüss, blue'])
})

test('falls back from the region to the language to the original', async () => {
  const { say } = opened()
  expect(await say('x', 'pt-BR')).toEqual(['Oi !', 'Que cor?'])
  const other = opened()
  expect(await other.say('x', 'fr')).toEqual(['Hello !', 'Which colour?'])
  expect(await other.say('sky', '{{ 1 }}')).toEqual(['Sure?'])
})

test('prefers the variable user.locale, then tags of the user', async () => {
  const { bot } = opened()
  const event = bot.createMessage('x')
  Object.assign(event.payload, {
    user: { id: 'u', tags: { 'telegram:language': 'de', name: 'fr' } },
  })
  expect((await answer(bot, event))[0]).toBe('Hallo !')
  const switching = structuredClone(document) as typeof document
  const { cards } = switching.flows.main.nodes.start as unknown as { cards: object[] }
  cards.unshift({ type: 'set', variable: 'user.locale', value: 'pt_br' })
  const other = openBot(switching)
  const message = other.createMessage('x')
  Object.assign(message.payload, { user: { id: 'u', tags: { language: 'de' } } })
  expect((await answer(other, message))[0]).toBe('Oi !')
})

test('tells code and texts the language in which it answers', async () => {
  const more = structuredClone(document) as typeof document & { languages: unknown }
  const { cards } = more.flows.main.nodes.start as unknown as { cards: object[] }
  const day =
    'new Date("2026-12-02").toLocaleDateString(language ?? "en", { weekday: "long", timeZone: "UTC" })'
  cards.unshift(
    { type: 'code', code: 'user.name = language' },
    text(`{{ language }} {{ ${day} }} {{ 1.5.toLocaleString(language ?? "en") }}`),
  )
  const read = async (locale: string, given: typeof more) => {
    const bot = openBot(given)
    const event = bot.createMessage('x')
    Object.assign((event.payload.message as { payload: object }).payload, {
      metadata: { language: locale },
    })
    return answer(bot, event)
  }
  expect((await read('de-CH', more)).slice(0, 2)).toEqual([
    'de Mittwoch 1,5',
    'Hallo de!',
  ])
  expect((await read('pt-BR', more))[0]).toBe('pt-BR quarta-feira 1,5')
  expect((await read('fr', more))[0]).toBe('en Wednesday 1.5')
  const { languages: _, ...one } = more
  expect((await read('de', one as typeof more))[0]).toBe(' Wednesday 1.5')
})
