// Curated answers by the API: their rows, the answer to a question, CSV.
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import {
  recordStatements,
  type SentStatement,
} from '../../../../test/support/sent-statements.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await scene.listen()
}, 60_000)
afterAll(() => scene?.close())

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
const call = (method: Method, path = '', body?: object) =>
  scene.call(method, `/v1/platform/curated-answers${path}`, {
    headers: scene.asBot,
    ...(body && { body }),
  })

async function create(
  questions: string[],
  text: string,
  more: object = {},
): Promise<string> {
  const { status, body } = await call('POST', '', { questions, text, ...more })
  expect([status, body]).toEqual([201, expect.anything()])
  return body.curatedAnswer.id
}
const list = async (query = '') => (await call('GET', query)).body.curatedAnswers
const find = async (question: string, knowledgeBases?: string[]) =>
  (await call('POST', '/find', { question, ...(knowledgeBases && { knowledgeBases }) }))
    .body.match
const answerTo = async (...asked: Parameters<typeof find>) => (await find(...asked))?.text

beforeEach(async () => {
  for (const { id } of await list()) await call('DELETE', `/${id}`)
})

async function createBase(name: string): Promise<string> {
  const path = '/v1/files/knowledge-bases'
  return (await scene.call('POST', path, { headers: scene.asBot, body: { name } })).body
    .knowledgeBase.id
}

describe('rows', () => {
  test('are created, changed in part, searched in pages and deleted', async () => {
    const first = await create(['When are you open?', 'Opening hours'], 'From 9 to 5.', {
      buttons: [{ label: 'Where?' }],
      imageUrl: 'https://example.org/a.png',
      language: 'en',
      validFrom: '2026-01-01T00:00:00Z',
    })
    const second = await create(['Do you deliver?'], 'Yes, to Austria.')
    expect((await list()).map(({ id }: { id: string }) => id)).toEqual([second, first])
    expect(await list('?search=austria%20DELIVER')).toMatchObject([{ id: second }])
    expect(await list('?search=nothing')).toEqual([])
    expect(await list('?language=en')).toMatchObject([{ id: first }])
    const page = (await call('GET', '?pageSize=1')).body
    expect(page.curatedAnswers).toMatchObject([{ id: second }])
    expect(await list(`?pageSize=1&nextToken=${page.meta.nextToken}`)).toMatchObject([
      { id: first },
    ])
    const changed = await call('PUT', `/${first}`, {
      text: 'Always.',
      imageUrl: null,
      validFrom: null,
    })
    expect(changed.body.curatedAnswer).toMatchObject({
      questions: ['When are you open?', 'Opening hours'],
      text: 'Always.',
      buttons: [{ label: 'Where?' }],
      accountId: scene.accountId,
    })
    expect(changed.body.curatedAnswer).not.toHaveProperty('imageUrl')
    expect(changed.body.curatedAnswer).not.toHaveProperty('validFrom')
    expect((await call('GET', `/${first}`)).body).toEqual(changed.body)
    expect((await call('DELETE', `/${first}`)).status).toBe(200)
    expect((await call('GET', `/${first}`)).status).toBe(404)
    expect((await call('DELETE', `/${first}`)).status).toBe(404)
  })

  test.each([
    ['no question', { questions: [], text: 'a' }, '/questions'],
    [
      'a question without a word',
      { questions: ['a', '?!'], text: 'a' },
      '`questions[1]` has no word',
    ],
    ['a question of two lines', { questions: ['a\nb'], text: 'a' }, '/questions/0'],
    ['an empty text', { questions: ['a'], text: ' ' }, '`text` is empty'],
    [
      'a script as a picture',
      { questions: ['a'], text: 'a', imageUrl: 'javascript:alert(1)' },
      '`imageUrl`',
    ],
    [
      'an unknown knowledge base',
      { questions: ['a'], text: 'a', knowledgeBaseId: 'kb_x' },
      '"kb_x"',
    ],
    [
      'a period that ends before it begins',
      {
        questions: ['a'],
        text: 'a',
        validFrom: '2026-02-01T00:00:00Z',
        validTo: '2026-01-01T00:00:00Z',
      },
      '`validTo` must be after `validFrom`',
    ],
    [
      'a language that is none',
      { questions: ['a'], text: 'a', language: 'e n' },
      '/language',
    ],
  ])('are rejected with %s', async (_, body, message) => {
    const reply = await call('POST', '', body)
    expect(reply.status).toBeGreaterThanOrEqual(400)
    expect(reply.status).toBeLessThan(500)
    expect(reply.body.message).toContain(message)
    expect(await list()).toEqual([])
  })

  test('a change checks the period together with the stored part', async () => {
    const id = await create(['a'], 'a', { validFrom: '2026-02-01T00:00:00Z' })
    const reply = await call('PUT', `/${id}`, { validTo: '2026-01-01T00:00:00Z' })
    expect([reply.status, reply.body.type]).toEqual([400, 'InvalidPayload'])
  })
})

describe('the answer to a question', () => {
  test('is found by equal words, by their forms and with a misspelling', async () => {
    await create(['When are you open?', 'Can I return an item?'], 'From 9 to 5.')
    expect(await find('WHEN ARE YOU OPEN')).toMatchObject({
      kind: 'equal',
      question: 'When are you open?',
      text: 'From 9 to 5.',
    })
    expect(await find('Could I return items, please?')).toMatchObject({ kind: 'words' })
    expect(await find('When are you oepn?')).toMatchObject({ kind: 'misspelt' })
    for (const other of [
      'When are you open on Sundays?',
      'When are you closed?',
      'Are you open?',
      '',
    ])
      expect(await find(other)).toBe(undefined)
  })

  test('is found at once after a change, and no longer after its deletion', async () => {
    expect(await answerTo('Do you deliver?')).toBe(undefined)
    const id = await create(['Do you deliver?'], 'Yes.')
    expect(await answerTo('Do you deliver?')).toBe('Yes.')
    await call('PUT', `/${id}`, { text: 'No.', questions: ['Is there a delivery?'] })
    expect(await answerTo('Do you deliver?')).toBe(undefined)
    expect(await answerTo('Is there a delivery?')).toBe('No.')
    await call('DELETE', `/${id}`)
    expect(await answerTo('Is there a delivery?')).toBe(undefined)
  })

  test('is stemmed in its own language', async () => {
    await create(['Habt ihr einen Parkplatz?'], 'Ja.', { language: 'de' })
    await create(['¿Aceptan ustedes tarjetas de crédito?'], 'Sí.')
    expect(await answerTo('Haben Sie auch Parkplätze?')).toBe(undefined)
    expect(await answerTo('Habt ihr einen Parkplatz')).toBe('Ja.')
    expect(await answerTo('Tienen ustedes parking')).toBe(undefined)
    expect(await answerTo('aceptan tarjeta de credito')).toBe('Sí.')
  })

  test('is left out before and after its period', async () => {
    const soon = new Date(Date.now() + 3_600_000).toISOString()
    const before = new Date(Date.now() - 3_600_000).toISOString()
    await create(['Summer?'], 'Later.', { validFrom: soon })
    await create(['Winter?'], 'Over.', { validTo: before })
    await create(['Spring?'], 'Now.', { validFrom: before, validTo: soon })
    expect(await answerTo('Summer?')).toBe(undefined)
    expect(await answerTo('Winter?')).toBe(undefined)
    expect(await answerTo('Spring?')).toBe('Now.')
  })

  test('of a knowledge base is used by cards that search it', async () => {
    const knowledgeBaseId = await createBase('Shop')
    await create(['Parking?'], 'Of the shop.', { knowledgeBaseId })
    expect(await answerTo('Parking?')).toBe('Of the shop.')
    expect(await answerTo('Parking?', ['Other'])).toBe(undefined)
    expect(await answerTo('Parking?', [])).toBe(undefined)
    expect(await answerTo('Parking?', ['Other', 'Shop'])).toBe('Of the shop.')
    await scene.call('PUT', `/v1/files/knowledge-bases/${knowledgeBaseId}`, {
      headers: scene.asBot,
      body: { name: 'Store' },
    })
    expect(await answerTo('Parking?', ['Shop'])).toBe(undefined)
    expect(await answerTo('Parking?', ['Store'])).toBe('Of the shop.')
    await create(['Parking?'], 'Of all.')
    expect(await answerTo('Parking?', [])).toBe('Of all.')
    await scene.call('DELETE', `/v1/files/knowledge-bases/${knowledgeBaseId}`, {
      headers: scene.asBot,
    })
    expect((await list()).map(({ text }: { text: string }) => text)).toEqual(['Of all.'])
  })

  test('of the answer changed last wins', async () => {
    const id = await create(['Same?'], 'First.')
    await create(['Same?'], 'Second.')
    expect(await answerTo('same')).toBe('Second.')
    await call('PUT', `/${id}`, { language: 'en' })
    expect(await answerTo('same')).toBe('First.')
  })

  test('takes a word of the documents for no misspelling', async () => {
    await create(['Do you repair Fonelas?'], 'Yes.')
    expect(await find('Do you repair Fonolas?')).toMatchObject({ kind: 'misspelt' })
    const { file } = (
      await scene.call('PUT', '/v1/files', {
        headers: scene.asBot,
        body: { key: 'a.md', contentType: 'text/markdown', size: 20, index: true },
      })
    ).body
    const { pathname, search } = new URL(file.uploadUrl)
    await fetch(`${await scene.listen()}${pathname}${search}`, {
      method: 'PUT',
      headers: { 'content-type': 'text/markdown' },
      body: 'We like our Fonolas.',
    })
    const status = async () =>
      (await scene.call('GET', `/v1/files/${file.id}`, { headers: scene.asBot })).body
        .file.status
    await vi.waitFor(
      async () => expect(await status()).toBe('indexing_completed'),
      60_000,
    )
    expect(await find('Do you repair Fonolas?')).toBe(undefined)
  })

  test('belongs to its bot alone, and integrations do not see it', async () => {
    await create(['Secret?'], 'Hidden.')
    const { bot } = (
      await scene.call('POST', '/v1/admin/bots', {
        headers: scene.admin,
        body: { name: 'other' },
      })
    ).body
    const other = bot.id
    const reply = await scene.call('POST', '/v1/platform/curated-answers/find', {
      headers: { ...scene.asBot, 'x-bot-id': other },
      body: { question: 'Secret?' },
    })
    expect([reply.status, reply.body]).toEqual([200, {}])
  })

  test('is part of the explanation of a search', async () => {
    const id = await create(['When are you open?'], 'From 9 to 5.')
    const path = '/v1/platform/files/search?query=When%20is%20it%20open'
    const { body } = await scene.call('GET', path, { headers: scene.asBot })
    expect(body.curatedAnswer).toMatchObject({
      id,
      kind: 'words',
      question: 'When are you open?',
    })
  })

  test.each([
    ['prototype keys', '__proto__ constructor toString'],
    ['signs of patterns', "(a+)+$ ' \\ | & !"],
    ['odd Unicode', '\ud800 \u202e \u0000e 👩‍👩‍👧'],
    ['a long text', 'colour '.repeat(700)],
  ])('is not found by %s', async (_, question) => {
    await create(['When are you open?', 'constructor'], 'From 9 to 5.')
    const reply = await call('POST', '/find', { question })
    expect([200, 400]).toContain(reply.status)
    expect(reply.body.match).toBe(undefined)
  })
})

describe('CSV', () => {
  const importCsv = async (csv: string) => (await call('POST', '/import', { csv })).body

  test('imports rows, and reports each that is invalid', async () => {
    await createBase('Docs')
    const csv = [
      'Question;Answer;Buttons;Language;Knowledge base;Valid to',
      '"When are you open?\nOpening hours";"From 9; to 5.";"Where?\nOrder = I order";en;Docs;',
      ';No question;;;;',
      'Is it good?;;;;;',
      'A?;B;;english words;;',
      'C?;D;;;Nowhere;',
      'E?;F;;;;tomorrow',
      'G?;H;;;;;too much',
      '?!;I;;;;',
      'Do you deliver?;Yes;;;;2999-01-01T00:00:00Z',
    ].join('\n')
    expect(await importCsv(csv)).toEqual({
      created: 2,
      updated: 0,
      unchanged: 0,
      errors: [
        { line: 5, message: '`questions` is empty' },
        { line: 6, message: '`answer` is empty' },
        { line: 7, message: '`language` must be a code such as en: "english words"' },
        { line: 8, message: 'The bot has no knowledge base "Nowhere"' },
        {
          line: 9,
          message: '`validTo` is no time such as 2026-12-24T08:00:00Z: "tomorrow"',
        },
        { line: 10, message: 'The row has more cells than the first line: "too much"' },
        { line: 11, message: '`questions[0]` has no word: "?!"' },
      ],
    })
    expect(await list()).toMatchObject([
      {
        questions: ['Do you deliver?'],
        text: 'Yes',
        validTo: '2999-01-01T00:00:00.000Z',
      },
      {
        questions: ['When are you open?', 'Opening hours'],
        text: 'From 9; to 5.',
        buttons: [{ label: 'Where?' }, { label: 'Order', value: 'I order' }],
        language: 'en',
      },
    ])
    expect(await importCsv(csv)).toMatchObject({ created: 0, unchanged: 2 })
  })

  test('exports what an import reads again without a change', async () => {
    const knowledgeBaseId = await createBase('Base, "quoted"')
    await create(['=1+1?', 'When, "exactly"?'], '-5 %\nor "more", @home', {
      buttons: [{ label: '+ 1' }, { label: 'a = b', value: 'c = d' }, { label: 'x = y' }],
      imageUrl: 'https://example.org/a.png?b=c,d',
      language: 'pt-BR',
      knowledgeBaseId,
      validFrom: '2026-01-01T00:00:00Z',
    })
    const before = await list()
    const { csv } = (await call('GET', '/export')).body
    expect(csv).toContain("'=1+1?")
    expect(await importCsv(csv)).toEqual({
      created: 0,
      updated: 0,
      unchanged: 1,
      errors: [],
    })
    const [{ id }] = before
    await call('PUT', `/${id}`, {
      text: 'Other',
      buttons: [],
      language: null,
      imageUrl: null,
    })
    expect(await importCsv(csv)).toEqual({
      created: 0,
      updated: 1,
      unchanged: 0,
      errors: [],
    })
    expect(await list()).toEqual([{ ...before[0], updatedAt: expect.anything() }])
    await call('DELETE', `/${id}`)
    expect(await importCsv(csv)).toMatchObject({
      created: 0,
      errors: [{ line: 2, message: `Curated answer "${id}" was not found` }],
    })
  })

  test.each([
    ['without the column of answers', 'question\na', 'no column `answer`'],
    [
      'with an unknown column',
      'question,answer,colour\na,b,c',
      'unknown column "colour"',
    ],
    ['with a column twice', 'question,answer,answer\na,b,c', '`answer` twice'],
    ['with an open quote', 'question,answer\n"a,b', 'unclosed quote'],
  ])('rejects a file %s', async (_, csv, message) => {
    const body = await importCsv(csv)
    expect(body).toMatchObject({
      type: 'InvalidPayload',
      message: expect.stringContaining(message),
    })
    expect(await list()).toEqual([])
  })
})

test('many questions need as many statements as one', async () => {
  await create(['When are you open?'], 'From 9 to 5.')
  const { db, curatedAnswers } = scene.app.services
  const questions = Array.from({ length: 20 }, (_, i) => `Is number ${i} open?`)
  const record = recordStatements()
  const count = async (asked: string[]) => {
    const sent: SentStatement[] = []
    const found = await record(sent, () =>
      curatedAnswers.findAnswered(db, scene.botId, asked),
    )
    return [found, sent.length] as const
  }
  await count(questions) // fills the caches
  const exact = 'when are you OPEN'
  expect(await count([exact, ...questions])).toEqual([new Set([exact]), 1])
  expect(await count([questions[0]!])).toEqual([new Set(), 1])
  vi.restoreAllMocks()
})
