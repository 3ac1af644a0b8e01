// Captures whose values a model extracts.
import { beforeEach, describe, expect, test } from 'vitest'
import { model, openBot, rejection, resetModel, send } from '../../test/model-bot.ts'

beforeEach(resetModel)

describe('captures by model', () => {
  const age = {
    type: 'capture',
    kind: 'number',
    question: 'How old?',
    into: 'workflow.age',
    max: 120,
    byModel: true,
  }
  const cards = [age, send('{{ workflow.age }}')]
  const unread = 'That is not a number. Please write one number.'

  test('asks the model only if the rules find nothing', async () => {
    const bot = openBot(cards)
    await bot.say('hi')
    expect(await bot.say('200')).toEqual(['That is too large. Please give at most 120.'])
    expect(model.requests).toEqual([])
    model.replies = [{ value: 33 }]
    expect(await bot.say('a year older than my sister')).toEqual(['33'])
    expect(model.requests[0]!.messages[0]!.content).toBe(
      '{"question":"How old?","message":"a year older than my sister"}',
    )
  })

  test.each([
    [{ value: null }, unread],
    [{ value: 'old' }, unread],
    [{ value: ['1', '2'] }, unread],
    [{ value: 500 }, 'That is too large. Please give at most 120.'],
    [rejection(400, 'ReferenceNotFound'), unread],
    [rejection(403, 'QuotaExceeded'), unread],
  ])('reads %j by the rules of the kind', async (reply, expected) => {
    const bot = openBot(cards)
    await bot.say('hi')
    model.replies = [reply]
    expect(await bot.say('I am old')).toEqual([expected])
  })

  test.each([
    [
      'date',
      {},
      '2026-03-09T15:00',
      '2026-03-09T15:00:00.000Z',
      'Wednesday, 2026-03-04 12:00',
    ],
    ['boolean', {}, true, 'true', 'true for yes'],
    ['confirmation', {}, false, 'false', 'false for no'],
    ['email', {}, 'ana@example.com', 'ana@example.com', 'e-mail'],
    [
      'singleChoice',
      { options: '{{ ["red", "blue"] }}' },
      'blue',
      'blue',
      '"value":"red"',
    ],
    [
      'multipleChoice',
      { options: '{{ ["salt and ice", "b"] }}' },
      ['b'],
      '["b"]',
      'salt and ice',
    ],
    ['regex', { pattern: '^[A-Z]{2}(\\d+)$' }, 'AB12', '12', 'AB12'.slice(0, 0)],
  ])('reads a %s', async (kind, more, value, expected, described) => {
    const card = { type: 'capture', kind, into: 'workflow.any', byModel: true, ...more }
    const bot = openBot([card, send('={{ workflow.any }}')])
    await bot.say('hi')
    model.replies = [{ value }]
    expect(await bot.say('whichever comes next after that one')).toEqual([`=${expected}`])
    expect(model.requests[0]!.systemPrompt).toContain(described)
  })

  test('does not accept a choice that is not an option', async () => {
    const card = {
      type: 'capture',
      kind: 'multipleChoice',
      into: 'workflow.any',
      byModel: true,
      options: '{{ ["a", "b"] }}',
    }
    const bot = openBot([card])
    await bot.say('hi')
    model.replies = [{ value: ['a', 'admin'] }]
    expect(await bot.say('hmm')).toHaveLength(1)
    expect(bot.server.sent[0]!.payload.text).toContain('Please choose from the options')
  })

  test('does not take null for a text', async () => {
    const regex = { ...age, kind: 'regex', pattern: '^[a-z]{4}$', into: 'workflow.text' }
    const bot = openBot([regex])
    await bot.say('hi')
    model.replies = [{ value: null }]
    expect(await bot.say('no idea')).toEqual(['That does not have the expected format.'])
  })

  test('does not call the model without byModel', async () => {
    const bot = openBot([{ ...age, byModel: false }])
    await bot.say('hi')
    expect(await bot.say('old')).toEqual([unread])
    expect(model.requests).toEqual([])
  })
})
