// Questions without a good answer: recorded with the bot's message or rating, listed until something answers
// them, and deleted with their messages.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Person } from '../../../../test/support/chat-people.ts'
import {
  openRecordedScene,
  type RecordedScene,
} from '../../../../test/support/recording-bot.ts'

let recorded: RecordedScene
beforeAll(async () => {
  recorded = await openRecordedScene({}, 24)
  recorded.bot.behave(async ({ eventId, conversationId, text }) => {
    const payload = answers.get(text) ?? unanswered
    await recorded.scene.call('POST', '/v1/chat/messages', {
      headers: { ...recorded.scene.asBot, 'x-botstead-cause': eventId },
      body: {
        conversationId,
        userId: recorded.scene.botId,
        type: 'text',
        payload,
        tags: {},
      },
    })
    return 200
  })
}, 60_000)
afterAll(() => recorded?.close())

const unanswered = { text: 'I do not know', metadata: { unanswered: true } }
const answers = new Map<string, object>()
const soon = { timeout: 20_000, interval: 20 }
let person: Person
let next = 0

beforeEach(async () => {
  answers.clear()
  person = recorded.people.people[next++]!
  await sql`delete from missed_question`.execute(recorded.scene.app.services.db)
  await sql`delete from dismissed_question`.execute(recorded.scene.app.services.db)
})

const call = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: object) =>
  recorded.scene.call(method, path, {
    headers: recorded.scene.asBot,
    ...(body && { body }),
  })
const missed = async (query = '') =>
  (await call('GET', `/v1/platform/missed-questions${query}`)).body.missedQuestions
const messages = async () =>
  (
    await recorded.people.call(
      'GET',
      `/conversations/${person.conversationId}/messages`,
      person.key,
    )
  ).body.messages as { id: string; payload: { text: string } }[]

/** Asks, and waits for the bot's answer. */
async function ask(text: string) {
  const before = (await messages()).length
  await recorded.people.say(person, text)
  await vi.waitFor(async () => expect(await messages()).toHaveLength(before + 2), soon)
}

/** Uploads a document, and waits until searches find it. Returns its id. */
async function upload(key: string, text: string, tags?: Record<string, string>) {
  const { file } = (
    await call('PUT', '/v1/files', {
      key,
      contentType: 'text/plain',
      size: Buffer.byteLength(text),
      index: true,
      ...(tags && { tags }),
    })
  ).body
  const { pathname, search } = new URL(file.uploadUrl)
  await fetch(`${await recorded.scene.listen()}${pathname}${search}`, {
    method: 'PUT',
    headers: { 'content-type': 'text/plain' },
    body: text,
  })
  const status = async () => (await call('GET', `/v1/files/${file.id}`)).body.file.status
  await vi.waitFor(async () => expect(await status()).toBe('indexing_completed'), 60_000)
}

test('questions of the same meaning are one, with their number, wordings and last place', async () => {
  for (const text of [
    'Do you ship to Mars?',
    'do you ship to MARS',
    'Could you please ship to Mars?',
  ])
    await ask(text)
  await ask('Where is the moon?')
  expect(await missed()).toMatchObject([
    {
      question: 'Could you please ship to Mars?',
      wordings: ['Could you please ship to Mars?', 'do you ship to MARS'],
      count: 3,
      unanswered: 3,
      rated: 0,
      conversationId: person.conversationId,
    },
    { question: 'Where is the moon?', count: 1 },
  ])
  const first = (await call('GET', '/v1/platform/missed-questions?pageSize=1')).body
  expect(first.missedQuestions).toMatchObject([{ count: 3 }])
  expect(await missed(`?pageSize=1&nextToken=${first.meta.nextToken}`)).toMatchObject([
    { count: 1 },
  ])
})

test('questions with the same words and another sense are several', async () => {
  for (const text of [
    'Can I call you?',
    'Can you call me?',
    'Is there a bus from Graz to Vienna?',
    'Is there a bus from Vienna to Graz?',
    'Is it included?',
    'Is it not included?',
  ])
    await ask(text)
  expect(await missed()).toHaveLength(6)
})

test('other answers of the bot are no missed questions', async () => {
  const fakes = [{ unanswered: 'true' }, { unanswered: false }, 'unanswered', null]
  for (const [at, metadata] of fakes.entries()) {
    answers.set(`fake ${at}`, { text: 'I know', metadata })
    await ask(`fake ${at}`)
  }
  expect(await missed()).toEqual([])
})

test('the bot may state the question', async () => {
  answers.set('yes', {
    text: 'No',
    metadata: { unanswered: true, question: 'Is there a pool?' },
  })
  await ask('yes')
  expect(await missed()).toMatchObject([{ question: 'Is there a pool?' }])
})

test('a bad rating makes a question missed, until it is taken back', async () => {
  answers.set('Is it good?', { text: 'Yes' })
  await ask('Is it good?')
  const rated = (await messages())[0]!
  const path = `/messages/${rated.id}/feedback`
  const rate = (rating: string | number) =>
    recorded.people.call('PUT', path, person.key, { rating })
  await rate('positive')
  expect(await missed()).toEqual([])
  await rate(1)
  expect(await missed()).toMatchObject([
    { question: 'Is it good?', count: 1, rated: 1, unanswered: 0 },
  ])
  await rate(5)
  expect(await missed()).toEqual([])
  await rate('negative')
  expect(await missed()).toHaveLength(1)
  await recorded.people.call('DELETE', path, person.key)
  expect(await missed()).toEqual([])
})

test('a curated answer mends a question that is asked again, until the answer is deleted', async () => {
  await ask('Do you sell rockets?')
  await ask('Do you sell a rocket, please?')
  const [{ wordings }] = await missed()
  const { curatedAnswer } = (
    await call('POST', '/v1/platform/curated-answers', {
      questions: wordings,
      text: 'No.',
    })
  ).body
  expect(await missed()).toEqual([])
  await ask('do you sell rockets')
  expect(await missed()).toEqual([])
  await call('DELETE', `/v1/platform/curated-answers/${curatedAnswer.id}`)
  expect(await missed()).toMatchObject([{ count: 3 }])
})

test('a document that came later mends a question, one that was there does not', async () => {
  await upload('garage.txt', 'The garage has two floors.')
  await ask('Is there a garage?')
  expect(await missed()).toMatchObject([
    {
      question: 'Is there a garage?',
      best: { fileKey: 'garage.txt', matched: ['garage'] },
    },
  ])
  await upload('floors.txt', 'There is a garage with two floors below the house.')
  expect(await missed()).toEqual([])
  await ask('Is there a garage?')
  expect(await missed()).toMatchObject([{ count: 2 }])
})

test('marks a question that the bot answers since the minimum score was lowered', async () => {
  const { knowledgeBase } = (
    await call('POST', '/v1/files/knowledge-bases', {
      name: 'strict',
      tags: { minScore: '1' },
    })
  ).body
  const setMinimum = (minScore: string) =>
    call('PUT', `/v1/files/knowledge-bases/${knowledgeBase.id}`, {
      name: 'strict',
      tags: { minScore },
    })
  const tags = { source: 'knowledge-base', kbId: knowledgeBase.id }
  await upload('sauna.txt', 'The sauna is open until ten in the evening.', tags)
  answers.set('Is the sauna warm?', { text: 'Yes' })
  await ask('Is the sauna open?')
  await ask('Is the sauna warm?')
  const rated = (await messages())[0]!
  const path = `/messages/${rated.id}/feedback`
  await recorded.people.call('PUT', path, person.key, { rating: 'negative' })
  const marks = async () =>
    Object.fromEntries(
      (await missed()).map(({ question, isAnswered }: Listed) => [question, isAnswered]),
    )
  const unmarked = { 'Is the sauna open?': undefined, 'Is the sauna warm?': undefined }
  expect(await marks()).toEqual(unmarked)
  await setMinimum('0.1')
  expect(await marks()).toEqual({ ...unmarked, 'Is the sauna open?': true })
  await setMinimum('1')
  expect(await marks()).toEqual(unmarked)
})

interface Listed {
  question: string
  isAnswered?: boolean
  mailRequests?: { email: string; rowId: number }[]
}

test('names the people who want an answer by e-mail, until their rows are deleted', async () => {
  for (const text of ['Do you sell tents?', 'do you sell TENTS', 'Do you sell boats?'])
    await ask(text)
  const emails = async () =>
    (await missed()).map(({ question, mailRequests, isAnswered }: Listed) => ({
      question,
      emails: mailRequests?.map(({ email }) => email),
      isAnswered,
    }))
  const boats = { question: 'Do you sell boats?' }
  expect(await emails()).toEqual([{ question: 'do you sell TENTS' }, boats])
  const schema = { question: { type: 'string' }, email: { type: 'string' } }
  await call('POST', '/v1/tables', { name: 'OpenQuestionsTable', schema })
  const rows = [
    { question: 'Do you sell tents?', email: 'ana@example.org' },
    { question: 'do you sell TENTS', email: 'ben@example.org' },
    { question: 'do you sell TENTS', email: 'ben@example.org' },
    { question: 'Do you sell boats?', email: '' },
    { question: 'Who?', email: 'else@example.org' },
  ]
  const at = '/v1/tables/OpenQuestionsTable/rows'
  expect((await call('POST', at, { rows })).status).toBe(200)
  const wanted = {
    question: 'do you sell TENTS',
    emails: ['ben@example.org', 'ben@example.org', 'ana@example.org'],
  }
  expect(await emails()).toEqual([wanted, boats])
  const answer = { questions: ['Do you sell tents?'], text: 'Yes.' }
  await call('POST', '/v1/platform/curated-answers', answer)
  expect(await emails()).toEqual([{ ...wanted, isAnswered: true }, boats])
  const ids = (await missed())[0].mailRequests.map(
    ({ rowId }: { rowId: number }) => rowId,
  )
  expect((await call('POST', `${at}/delete`, { ids })).status).toBe(200)
  expect(await emails()).toEqual([boats])
  await call('DELETE', '/v1/tables/OpenQuestionsTable')
  await call('POST', '/v1/tables', {
    name: 'OpenQuestionsTable',
    schema: { other: schema.email },
  })
  expect(await emails()).toEqual([boats])
})

test('a dismissed question does not return', async () => {
  await ask('asdf jklö')
  const [{ key }] = await missed()
  const dismiss = (key: string) =>
    call('POST', '/v1/platform/missed-questions/dismiss', { key })
  expect((await dismiss(key)).status).toBe(200)
  expect((await dismiss(key)).status).toBe(200)
  await ask('ASDF, jklö!')
  expect(await missed()).toEqual([])
  expect((await dismiss('0'.repeat(32))).body.type).toBe('ResourceNotFound')
})

test('is deleted with its conversation', async () => {
  await ask('Who am I?')
  expect(await missed()).toHaveLength(1)
  await call('DELETE', `/v1/chat/conversations/${person.conversationId}`)
  const { rows } = await sql`select from missed_question`.execute(
    recorded.scene.app.services.db,
  )
  expect(rows).toEqual([])
})

test('stores no text that the rules of the bot redact', async () => {
  const rules = [{ kind: 'phone', where: ['storage'] }]
  expect((await call('PUT', '/v1/platform/redaction', { rules })).status).toBe(200)
  answers.set('go', {
    text: 'No',
    metadata: { unanswered: true, question: 'Whose number is +43 664 1234567?' },
  })
  await ask('Is +43 664 1234567 yours?')
  await ask('go')
  const texts = (await missed()).map(({ question }: { question: string }) => question)
  expect(texts.join()).toContain('[phone]')
  expect(texts.join()).not.toContain('1234567')
  await call('PUT', '/v1/platform/redaction', { rules: [] })
})

test('a question is recorded once for repeated requests with an Idempotency-Key', async () => {
  const { conversationId } = person
  await recorded.people.call('POST', '/messages', person.key, {
    conversationId,
    payload: { type: 'text', text: 'Once?' },
  })
  await sql`delete from missed_question`.execute(recorded.scene.app.services.db)
  const send = () =>
    recorded.scene.call('POST', '/v1/chat/messages', {
      headers: { ...recorded.scene.asBot, 'idempotency-key': 'once' },
      body: {
        conversationId,
        userId: recorded.scene.botId,
        type: 'text',
        payload: unanswered,
        tags: {},
      },
    })
  const sent = await Promise.all([send(), send(), send()])
  expect(new Set(sent.map(({ body }) => body.message?.id)).size).toBe(1)
  const [{ count }] = await missed()
  expect(count).toBeLessThanOrEqual(2)
})
