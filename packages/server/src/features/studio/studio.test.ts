// Drafts: saving by several people at once, their history, publication, and the bot in which to try one.
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { removeOldRevisions } from './drafts.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await scene.listen()
})
afterAll(() => scene?.close())

const call = (line: string, body?: unknown) => {
  const [method, path] = line.split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string]
  return scene.call(method, `/v1/${path}`, {
    headers: { ...scene.admin },
    ...(body !== undefined && { body }),
  })
}

const sending = (...messages: string[]) => ({
  kind: 'bot',
  version: 2,
  flows: {
    main: {
      nodes: {
        start: {
          type: 'start',
          cards: messages.map((message) => ({ type: 'send', message })),
        },
      },
    },
  },
})
const toText = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

async function openBot(document?: object) {
  const { id } = (await call('POST admin/bots', { name: 'bot' })).body.bot
  if (document)
    await call(`POST admin/bots/${id}/publish-from-bot-json`, { botJson: document })
  const path = `platform/bots/${id}/draft`
  return {
    id,
    path,
    get: async () => {
      const { body } = await call(`GET ${path}`)
      expect(body).toHaveProperty('draft')
      return body.draft
    },
    save: (baseRevision: number, text: string, format?: string) =>
      call(`PUT ${path}`, { baseRevision, text, ...(format && { format }) }),
    list: async () => (await call(`GET ${path}/revisions`)).body.revisions,
    publish: (revision: number) =>
      call(`POST ${path}/publish`, { revision, message: 'Why' }),
    discard: () => call(`DELETE ${path}`),
    attempt: (revision: number) => call(`POST ${path}/try`, { revision }),
  }
}

test('begins with a minimal document, and keeps the text of each revision', async () => {
  const bot = await openBot()
  const draft = await bot.get()
  expect(draft).toMatchObject({
    format: 'JSON',
    revision: 0,
    updatedBy: null,
    hasChanges: false,
  })
  const document = JSON.parse(draft.text)
  const checked = await call('POST platform/documents/check', { document })
  expect(checked.body.problems).toEqual([])
  expect(await bot.list()).toEqual([])

  const yaml = '# mine\nkind: bot\nversion: 2\nflows: {}\n'
  const saved = await bot.save(0, yaml, 'YAML')
  expect(saved).toMatchObject({
    status: 200,
    body: {
      draft: {
        text: yaml,
        format: 'YAML',
        revision: 1,
        hasChanges: true,
        publishedRevision: 0,
      },
      overwritten: [],
    },
  })
  // A repetition changes nothing, also after another change.
  expect((await bot.save(0, yaml, 'YAML')).body.draft.revision).toBe(1)
  await bot.save(1, yaml.replace('mine', 'ours'))
  expect((await bot.save(0, yaml, 'YAML')).body.draft).toMatchObject({
    revision: 2,
    text: yaml.replace('mine', 'ours'),
  })
  expect(
    (await bot.list()).map(({ revision }: { revision: number }) => revision),
  ).toEqual([2, 1, 0])
  const first = (await call(`GET ${bot.path}/revisions/1`)).body
  expect(first).toMatchObject({
    text: yaml,
    revision: { revision: 1, isPublished: false },
  })
  expect((await call(`GET ${bot.path}/revisions/x`)).status).toBe(404)
  const page = (await call(`GET ${bot.path}/revisions?pageSize=2`)).body
  const rest = await call(
    `GET ${bot.path}/revisions?pageSize=2&nextToken=${encodeURIComponent(page.meta.nextToken)}`,
  )
  expect(rest.body).toMatchObject({ revisions: [{ revision: 0 }], meta: {} })
})

test('rejects invalid texts with their position, and stores documents with problems', async () => {
  const bot = await openBot()
  const reject = async (text: string, format = 'JSON') => {
    const { status, body } = await bot.save(0, text, format)
    return [status, body.type, body.metadata?.line, body.metadata?.column]
  }
  expect(await reject('{\n  "a": nope }')).toEqual([400, 'InvalidPayload', 2, 9])
  expect(await reject('a: 1\nb: [1', 'YAML')).toEqual([400, 'InvalidPayload', 2, 6])
  expect((await reject('"\u{d800}"')).slice(0, 2)).toEqual([400, 'InvalidPayload'])
  expect((await reject('a: \0', 'YAML')).slice(0, 2)).toEqual([400, 'InvalidPayload'])
  expect((await reject('['.repeat(100_000) + ']'.repeat(100_000)))[0]).toBe(400)
  expect((await reject('['.repeat(500) + ']'.repeat(500), 'YAML'))[0]).toBe(400)
  expect((await reject(' '.repeat(5_000_001)))[0]).toBe(400)
  expect((await bot.get()).revision).toBe(0)
  const wrong = sending('Hi')
  wrong.flows.main.nodes.start.cards[0]!.type = 'none'
  expect((await bot.save(0, toText(wrong))).status).toBe(200)
  const published = await bot.publish(1)
  expect(published).toMatchObject({ status: 400, body: { type: 'InvalidPayload' } })
  expect(published.body.metadata.problems[0].pointer).toMatch(
    /^\/flows\/main\/nodes\/start\/cards\/0/,
  )
})

test('merges changes of two people, and reports values that both changed', async () => {
  const bot = await openBot(sending('a', 'b'))
  const base = await bot.get()
  const change = (from: string, to: string) => base.text.replace(`"${from}"`, `"${to}"`)
  await bot.save(0, change('a', 'A'))
  const merged = (await bot.save(0, change('b', 'B'))).body
  expect(merged).toMatchObject({
    draft: { text: change('a', 'A').replace('"b"', '"B"'), revision: 2 },
    overwritten: [],
  })
  const pointer = '/flows/main/nodes/start/cards/0/message'
  expect((await bot.save(0, change('a', 'mine'))).body.overwritten).toEqual([
    { pointer, theirs: 'A' },
  ])
  const { text } = (await call(`GET ${bot.path}/revisions/2`)).body
  expect(text).toContain('"A"')
})

test('rejects a publication if another person saves meanwhile', async () => {
  const bot = await openBot(sending('old'))
  await bot.save(0, toText(sending('new')))
  let publishing: ReturnType<typeof bot.publish> | undefined
  // The save holds the row until the publication waits for it.
  await scene.app.services.db.transaction().execute(async (trx) => {
    await sql`update bot_draft set revision = 2 where bot_id = ${bot.id}`.execute(trx)
    await sql`
      insert into bot_draft_revision (bot_id, revision, text, bytes, format, value_hash)
      select bot_id, 2, text, bytes, format, value_hash from bot_draft_revision
      where bot_id = ${bot.id} and revision = 1`.execute(trx)
    publishing = bot.publish(1)
    await vi.waitFor(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where wait_event_type = 'Lock'
          and datname = current_database()`.execute(trx)
      expect(rows.length).toBeGreaterThan(0)
    })
  })
  expect(await publishing).toMatchObject({
    status: 409,
    body: {
      type: 'RelationConflict',
      metadata: { reason: 'outdated', draft: { revision: 2 } },
    },
  })
  const deployed = (await call(`GET admin/bots/${bot.id}/bot-json`)).body
  expect(deployed.flows.main.nodes.start.cards[0].message).toBe('old')
})

test('publishes the current revision as a version, and follows other deployments', async () => {
  const bot = await openBot(sending('old'))
  const { text } = await bot.get()
  const yaml =
    '# kept\nkind: bot\nversion: 2\nflows: {main: {nodes: {start: {type: start, cards: []}}}}\n'
  await bot.save(0, yaml, 'YAML')
  expect(await bot.publish(0)).toMatchObject({
    status: 409,
    body: {
      type: 'RelationConflict',
      metadata: { reason: 'outdated', draft: { revision: 1 } },
    },
  })
  const published = await bot.publish(1)
  expect(published).toMatchObject({
    status: 200,
    body: {
      draft: { hasChanges: false, publishedRevision: 1, text: yaml },
      version: { name: 'Published draft', description: 'Why' },
    },
  })
  const { versions } = (await call(`GET platform/bots/${bot.id}/versions`)).body
  expect(versions[0].id).toBe(published.body.version.id)
  const deployed = (await call(`GET admin/bots/${bot.id}/bot-json`)).body
  expect(deployed.flows.main.nodes.start.cards).toEqual([])

  await call(`POST admin/bots/${bot.id}/publish-from-bot-json`, {
    botJson: sending('other'),
  })
  const followed = await bot.get()
  expect(followed).toMatchObject({ revision: 2, publishedRevision: 2, hasChanges: false })
  expect(followed.text).toMatch(/^# kept(.|\n)*message: other/)

  await bot.save(2, followed.text.replace('message: other', 'message: draft'))
  await call(`POST admin/bots/${bot.id}/publish-from-bot-json`, {
    botJson: sending('newest'),
  })
  expect(await bot.get()).toMatchObject({ revision: 3, hasChanges: true })
  const discarded = (await bot.discard()).body.draft
  expect(discarded).toMatchObject({ revision: 4, hasChanges: false })
  expect(discarded.text).toContain('message: newest')
  expect((await call(`GET ${bot.path}/revisions/3`)).body.text).toContain(
    'message: draft',
  )
  expect(text).toContain('"old"')
})

test('a bot of code has no draft', async () => {
  const { id } = (
    await call('POST admin/bots', { name: 'code', code: 'exports.handler = () => {}' })
  ).body.bot
  expect(await call(`GET platform/bots/${id}/draft`)).toEqual({
    status: 200,
    body: { draft: null },
  })
  expect(await call(`DELETE platform/bots/${id}/draft`)).toMatchObject({
    status: 409,
    body: { type: 'ReferenceConstraint', metadata: { reason: 'notFlows' } },
  })
})

test('keeps a day of history, and a base that is deleted is a conflict', async () => {
  const bot = await openBot()
  for (const word of ['a', 'b', 'c']) {
    const { revision } = await bot.get()
    await bot.save(revision, toText({ word }))
  }
  const { db } = scene.app.services
  await sql`update bot_draft_revision set created_at = now() - interval '25 hours'
    where bot_id = ${bot.id}`.execute(db)
  await removeOldRevisions(db)
  expect(
    (await bot.list()).map(({ revision }: { revision: number }) => revision),
  ).toEqual([3, 0])
  expect(await bot.save(1, toText({ word: 'd' }))).toMatchObject({
    status: 409,
    body: { metadata: { reason: 'outdated', draft: { revision: 3 } } },
  })
  expect((await bot.save(9, '{}')).status).toBe(409)
})

test('people who save at once lose no change', async () => {
  const bot = await openBot()
  const people = ['ana', 'ben', 'cem', 'dia']
  const begin = {
    kind: 'bot',
    list: [{ id: 'begin' }],
    ...Object.fromEntries(people.map((p) => [p, 0])),
  }
  const { revision } = (await bot.save(0, toText(begin))).body.draft
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 4, maxLength: 4 }),
      async (counts) => {
        const start = await bot.get()
        const before = JSON.parse(start.text)
        await Promise.all(
          people.map(async (person, i) => {
            let [base, text] = [start.revision, start.text]
            for (let n = 0; n < counts[i]!; n++) {
              const document = JSON.parse(text)
              document[person]++
              document.list.splice(n % 2 ? 0 : document.list.length, 0, {
                id: `${person}-${document[person]}`,
              })
              // Some answers are lost, and the request is repeated.
              const request = [base, toText(document)] as const
              if (n % 3 === 0) await bot.save(...request)
              const saved = await bot.save(...request)
              expect(saved).toMatchObject({ status: 200, body: { overwritten: [] } })
              ;({ revision: base, text } = saved.body.draft)
            }
          }),
        )
        const after = JSON.parse((await bot.get()).text)
        people.forEach((person, i) => {
          expect(after[person]).toBe(before[person] + counts[i]!)
        })
        const ids = after.list.map(({ id }: { id: string }) => id)
        expect(new Set(ids).size).toBe(ids.length)
        const sum = people.reduce((total, person) => total + after[person], 1)
        expect(ids).toHaveLength(sum)
      },
    ),
    { numRuns: 5 },
  )
  expect(revision).toBe(1)
})

/** Returns a function that sends a text in a new conversation, and returns the text of the answer. */
async function openTalk(webhookId: string) {
  const chat = `/chat/${webhookId}`
  const { body: user } = await scene.call('POST', `${chat}/users`, { body: {} })
  const headers = { 'x-user-key': user.key }
  return async (text: string): Promise<string> => {
    const { body } = await scene.call('POST', `${chat}/conversations`, {
      headers,
      body: {},
    })
    const conversationId = body.conversation.id
    const payload = { type: 'text', text }
    await scene.call('POST', `${chat}/messages`, {
      headers,
      body: { conversationId, payload },
    })
    return vi.waitUntil(
      async () => {
        const { body } = await scene.call(
          'GET',
          `${chat}/conversations/${conversationId}/messages`,
          { headers },
        )
        const { payload } =
          body.messages.find((one: { userId: string }) => one.userId !== user.user.id) ??
          {}
        return payload?.text ?? payload?.markdown
      },
      { interval: 20, timeout: 15_000 },
    )
  }
}

// Starts a process for each of its deployments.
test('runs the draft in a bot for tests, which is deleted with the bot', {
  timeout: 60_000,
}, async () => {
  const bot = await openBot(sending('published'))
  const draft = await bot.get()
  const change = (to: string) => draft.text.replace('"published"', `"${to}"`)
  await bot.save(0, change('first'))
  const { body: trial } = await bot.attempt(1)
  expect(trial).toMatchObject({ revision: 1, webhookId: expect.any(String) })
  expect(trial).not.toHaveProperty('loadError')
  const answerTo = await openTalk(trial.webhookId)
  expect(await answerTo('hi')).toBe('first')
  const times: number[] = []
  for (const [i, word] of ['second', 'third', 'fourth'].entries()) {
    const from = performance.now()
    const { revision } = (await bot.save(i + 1, change(word))).body.draft
    expect((await bot.attempt(revision)).body.botId).toBe(trial.botId)
    expect(await answerTo('hi')).toBe(word)
    times.push(performance.now() - from)
  }
  if (process.env.BOTSTEAD_TEST_LOG)
    console.log('from save to answer, ms:', times.map(Math.round))
  expect((await bot.attempt(1)).status).toBe(409)
  const listed = (await call('GET admin/bots')).body.bots.map(
    ({ id }: { id: string }) => id,
  )
  expect(listed).not.toContain(trial.botId)
  const overviews = (await call('GET platform/bots?pageSize=100')).body.bots
  expect(overviews.map(({ id }: { id: string }) => id)).toContain(bot.id)
  expect(overviews.map(({ id }: { id: string }) => id)).not.toContain(trial.botId)
  await call(`DELETE admin/bots/${bot.id}`)
  expect((await call(`GET admin/bots/${trial.botId}`)).status).toBe(404)
})

test('answers in the bot for tests with the knowledge of the bot', {
  timeout: 60_000,
}, async () => {
  const document = {
    kind: 'bot',
    version: 2,
    knowledgeBases: { shop: { name: 'Shop' } },
    flows: { main: { nodes: { start: { type: 'start', cards: [{ type: 'answer' }] } } } },
  }
  const bot = await openBot()
  const headers = { ...scene.asBot, 'x-bot-id': bot.id }
  const ofBot = async (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
    (await scene.call(method, `/v1/${path}`, { headers, ...(body && { body }) })).body
  const { knowledgeBase } = await ofBot('POST', 'files/knowledge-bases', { name: 'Shop' })
  const text = '# Parking\n\nThe garage costs 7 euros per night.'
  const { file } = await ofBot('PUT', 'files', {
    key: 'parking.md',
    size: Buffer.byteLength(text),
    index: true,
    tags: { source: 'knowledge-base', kbId: knowledgeBase.id },
  })
  const { pathname, search } = new URL(file.uploadUrl)
  await fetch(`${await scene.listen()}${pathname}${search}`, {
    method: 'PUT',
    headers: { 'content-type': 'text/markdown' },
    body: text,
  })
  await vi.waitUntil(
    async () =>
      (await ofBot('GET', `files/${file.id}`)).file.status === 'indexing_completed',
    { interval: 50, timeout: 30_000 },
  )
  await ofBot('POST', 'platform/curated-answers', {
    questions: ['Do you sell vouchers?'],
    text: 'Yes, at the desk.',
  })
  await bot.get()
  await bot.save(0, toText(document))
  const { body: trial } = await bot.attempt(1)
  const answerTo = await openTalk(trial.webhookId)
  expect(await answerTo('What does the garage cost?')).toContain('7 euros')
  expect(await answerTo('Do you sell vouchers?')).toBe('Yes, at the desk.')
  // People see what the bot for tests has itself.
  const { body } = await scene.call('GET', '/v1/files/knowledge-bases', {
    headers: { ...scene.asBot, 'x-bot-id': trial.botId },
  })
  expect(body.knowledgeBases).toMatchObject([{ name: 'Shop' }])
  expect(body.knowledgeBases[0].id).not.toBe(knowledgeBase.id)
})

test('records saves of a person to a bot once in ten minutes, and each publication', async () => {
  const [bot, other] = [await openBot(), await openBot()]
  const count = async (operation: string, target: { id: string }) => {
    const { rows } = await sql`select from audit_record
      where operation = ${`platform.${operation}`} and target_id = ${target.id}`.execute(
      scene.app.services.db,
    )
    return rows.length
  }
  const save = async (target: typeof bot, message: string) => {
    const { revision } = await target.get()
    return (await target.save(revision, toText(sending(message)))).body.draft.revision
  }
  for (const message of ['one', 'two', 'three']) await save(bot, message)
  expect(await count('saveBotDraft', bot)).toBe(1)
  await save(other, 'one')
  expect(await count('saveBotDraft', other)).toBe(1)
  for (const message of ['four', 'five']) await bot.publish(await save(bot, message))
  expect(await count('publishBotDraft', bot)).toBe(2)
  expect(await count('saveBotDraft', bot)).toBe(1)
  await sql`alter table audit_record disable trigger keep_audit_record`.execute(
    scene.app.services.db,
  )
  await sql`update audit_record set at = at - interval '11 minutes'`.execute(
    scene.app.services.db,
  )
  await save(bot, 'six')
  expect(await count('saveBotDraft', bot)).toBe(2)
})

describe('tests of a draft', () => {
  const runTests = async (cards: object[], tests: object, body: object = {}) => {
    const bot = await openBot()
    const nodes = { start: { type: 'start', cards } }
    const text = toText({ kind: 'bot', version: 2, flows: { main: { nodes } }, tests })
    return call(`POST ${bot.path}/test`, { text, ...body })
  }
  const steps = [{ user: 'hi' }, { bot: 'Hello' }]

  test('return the step, the reason and the trace of a failure', async () => {
    const tests = {
      Greets: { steps },
      Waits: { steps: [{ user: 'hi' }, { bot: 'Bye' }] },
    }
    const { status, body } = await runTests([{ type: 'send', message: 'Hello' }], tests)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      passed: 1,
      results: [
        { name: 'Greets', visited: [{ flow: 'main', nodes: ['start'] }] },
        {
          name: 'Waits',
          failure: {
            step: 2,
            message: expect.stringContaining('Hello'),
            difference: { expected: 'Bye', actual: 'Hello' },
            place: { flow: 'main', node: 'start', card: 0 },
          },
        },
      ],
    })
    expect(body.results[0]).not.toHaveProperty('failure')
    expect(body.results[1].failure.trace).toContain('main / start')
  })

  test('reject a document with problems, and one that is not the current revision', async () => {
    expect(
      (await runTests([{ type: 'none' }], { Greets: { steps } })).body,
    ).toMatchObject({
      type: 'InvalidPayload',
      metadata: { problems: [{ pointer: '/flows/main/nodes/start/cards/0/type' }] },
    })
    expect((await runTests([], {}, { revision: 0 })).body.message).toContain(
      'exactly one',
    )
    const bot = await openBot()
    expect((await call(`POST ${bot.path}/test`, { revision: 7 })).body.type).toBe(
      'RelationConflict',
    )
    expect((await call(`POST ${bot.path}/test`, { revision: 0 })).body).toEqual({
      passed: 0,
      results: [],
    })
  })

  test('end code that never ends, while the server answers others', async () => {
    const endless = { type: 'code', code: 'while (true) {}' }
    const tests = { Ends: { steps: [{ user: 'hi' }] } }
    const running = runTests([endless], tests)
    const bot = await openBot()
    const since = performance.now()
    expect(await bot.get()).toHaveProperty('text')
    expect(performance.now() - since).toBeLessThan(5_000)
    const { status, body } = await running
    if (status === 200)
      expect(body).toMatchObject({ passed: 0, results: [{ failure: {} }] })
    else expect(body.type).toBe('OperationTimeout')
  }, 120_000)
})

test('rejects a save that would replace a value of another person, if asked to', async () => {
  const bot = await openBot(sending('a', 'b'))
  const { text } = await bot.get()
  await bot.save(0, text.replace('"a"', '"mine"'))
  const save = (changed: string) =>
    call(`PUT ${bot.path}`, {
      baseRevision: 0,
      text: text.replace('"a"', `"${changed}"`),
      onConflict: 'reject',
    })
  expect(await save('yours')).toMatchObject({
    status: 409,
    body: {
      metadata: {
        reason: 'conflict',
        revision: 1,
        pointers: ['/flows/main/nodes/start/cards/0/message'],
      },
    },
  })
  expect(JSON.parse((await bot.get()).text).flows.main.nodes.start.cards[0].message).toBe(
    'mine',
  )
  expect((await save('mine')).status).toBe(200)
})
