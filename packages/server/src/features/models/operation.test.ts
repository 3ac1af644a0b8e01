// The gateway in operation: fallbacks, circuit breaker, budgets, the ledger, the cache, recordings,
// providers of workspaces, and secrecy of keys.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  test,
} from 'vitest'
import { captureLog } from '../../../test/support/captured-log.ts'
import {
  type ModelProvider,
  openModelProvider,
  type ProviderRequest,
  type Reply,
} from '../../../test/support/model-provider.ts'
import {
  keys,
  type ModelScene,
  openModelScene,
} from '../../../test/support/model-scene.ts'
import { createPerson, signIn } from '../../../test/support/sign-in.ts'

let provider: ModelProvider
let scenes: ModelScene[]
/** By the model's name. */
let answers: Record<string, (request: ProviderRequest) => Reply | Promise<Reply>>

const getModel = ({ body, path }: ProviderRequest) =>
  body?.model ?? /models\/([^:]+):/.exec(path)?.[1] ?? ''

beforeAll(async () => {
  provider = await openModelProvider(
    (request) => answers[getModel(request)]?.(request) ?? {},
  )
})
afterAll(() => provider?.close())
beforeEach(() => {
  scenes = []
  answers = {}
  provider.requests.length = 0
})
afterEach(async () => {
  for (const scene of scenes) await scene.close()
})

const open = async (...rest: [Record<string, unknown>?, object?]) => {
  const scene = await openModelScene(provider.url, ...rest)
  scenes.push(scene)
  return scene
}

const messages = [{ role: 'user', content: 'Hi' }]
const generate = (
  scene: ModelScene,
  body: object = {},
  headers: Record<string, string> = scene.asBot,
) =>
  scene.call('POST', '/v2/cognitive/generate-text', {
    headers,
    body: { messages, ...body },
  })

/** Over a connection: `inject` never drains a response that the server writes itself. */
async function stream(scene: ModelScene, body: object) {
  const response = await fetch(
    `${await scene.listen()}/v2/cognitive/generate-text-stream`,
    {
      method: 'POST',
      headers: { ...scene.asBot, 'content-type': 'application/json' },
      body: JSON.stringify({ messages, ...body }),
    },
  )
  const lines = (await response.text()).trim().split('\n')
  return lines.map((line) => JSON.parse(line))
}

/** Waits until the ledger has so many calls. */
async function awaitCalls(scene: ModelScene, count: number) {
  for (;;) {
    const { body } = await scene.call('GET', '/v1/platform/model-calls', {
      headers: scene.asBot,
    })
    if (body.calls.length >= count) return body.calls
    await pause(20)
  }
}

const models = ['openai:gpt', 'anthropic:claude']

describe('fallbacks', () => {
  test.each([429, 500, 503, 529, 401, 404])(
    'the next model answers after a %i',
    async (status) => {
      const scene = await open()
      answers.gpt = () => ({ status })
      answers.claude = () => ({ text: ['I am Claude'] })
      const { status: got, body } = await generate(scene, { model: models })
      expect(got).toBe(200)
      expect(body).toMatchObject({
        output: 'I am Claude',
        metadata: {
          model: 'anthropic:claude',
          fallbackPath: ['openai:gpt'],
          warnings: [{ type: 'fallback_used' }],
        },
      })
    },
  )

  test('the next model answers instead of garbage, and of a slow one', async () => {
    const scene = await open()
    answers.gpt = () => ({ garbage: true })
    expect((await generate(scene, { model: models })).body.metadata.model).toBe(
      'anthropic:claude',
    )
    answers.gpt = () => ({ delayMs: 10_000 })
    const options = { maxTimeToFirstToken: 100 }
    const begun = performance.now()
    const { body } = await generate(scene, { model: models, options })
    expect(body.metadata.model).toBe('anthropic:claude')
    expect(performance.now() - begun).toBeLessThan(5_000)
  })

  test('the fallbacks of the configuration follow', async () => {
    const scene = await open({
      models: {
        'openai:gpt': { fallbacks: ['anthropic:claude'] },
        'anthropic:claude': {},
      },
      aliases: {},
    })
    answers.gpt = () => ({ status: 503 })
    expect((await generate(scene, { model: 'openai:gpt' })).body.metadata.model).toBe(
      'anthropic:claude',
    )
  })

  test('a stream falls back before its first token', async () => {
    const scene = await open()
    answers.gpt = () => ({ status: 500 })
    const chunks = await stream(scene, { model: models })
    expect(chunks.at(-1)).toMatchObject({ metadata: { fallbackPath: ['openai:gpt'] } })
    expect(chunks.some(({ restart }) => restart)).toBe(false)
  })

  test('a stream restarts in the middle only if the request allows it', async () => {
    const scene = await open()
    answers.gpt = () => ({ text: ['One ', 'two '], cutAfter: 1, pieceMs: 20 })
    answers.claude = () => ({ text: ['Whole'] })
    expect((await stream(scene, { model: models })).at(-1)).toMatchObject({
      finished: true,
      error: expect.any(String),
    })
    const chunks = await stream(scene, {
      model: models,
      options: { midStreamFallback: true },
    })
    const restarted = chunks.findIndex(({ restart }) => restart)
    expect(chunks[restarted].restart).toMatchObject({
      attempt: 2,
      fromModel: 'openai:gpt',
      toModel: 'anthropic:claude',
    })
    expect(
      chunks
        .slice(restarted + 1)
        .map(({ output }) => output ?? '')
        .join(''),
    ).toBe('Whole')
  })

  test('repeats the last model after Retry-After', async () => {
    const scene = await open()
    let count = 0
    answers.gpt = () =>
      ++count === 1
        ? { status: 429, headers: { 'retry-after': '0.3' } }
        : { text: ['Later'] }
    const begun = performance.now()
    expect((await generate(scene, { model: 'openai:gpt' })).body.output).toBe('Later')
    expect(performance.now() - begun).toBeGreaterThan(290)
  })

  test('does not wait for a long Retry-After', async () => {
    const scene = await open()
    answers.gpt = () => ({ status: 429, headers: { 'retry-after': '60' } })
    const { status, body } = await generate(scene, { model: 'openai:gpt' })
    expect(status).toBe(429)
    expect(body.metadata).toMatchObject({ retryAfterMs: 60_000 })
    expect(provider.requests).toHaveLength(1)
  })

  test('the circuit breaker spares a model that failed five times', async () => {
    const scene = await open()
    answers.gpt = () => ({ status: 503 })
    for (let i = 0; i < 5; i++) await generate(scene, { model: models })
    provider.requests.length = 0
    await generate(scene, { model: models })
    expect(provider.requests.map(getModel)).toEqual(['claude'])
    const { status, body } = await generate(scene, { model: 'openai:gpt' })
    expect(status).toBe(503)
    expect(body.message).toContain('failed several times')
  })
})

test('a provider with few turns serves bots in turn', async () => {
  const scene = await open({
    providers: {
      local: { type: 'openai-compatible', url: `${provider.url}/v1`, concurrency: 2 },
    },
    models: { 'local:slow': {} },
    aliases: {},
  })
  const { body: made } = await scene.call('POST', '/v1/admin/bots', {
    headers: scene.admin,
    body: { name: 'other' },
  })
  const other = { ...scene.asBot, 'x-bot-id': made.bot.id }
  let running = 0
  let most = 0
  answers.slow = async () => {
    most = Math.max(most, ++running)
    await pause(60)
    running--
    return {}
  }
  const ended: string[] = []
  const calls = Array.from({ length: 12 }, () =>
    generate(scene).then(() => ended.push('greedy')),
  )
  await pause(30)
  calls.push(generate(scene, {}, other).then(() => ended.push('other')))
  await Promise.all(calls)
  expect(most).toBe(2)
  expect(ended.indexOf('other')).toBeLessThan(6)
})

describe('budgets', () => {
  const withBudget = async (budget: object, more: Record<string, unknown> = {}) => {
    const scene = await open(more)
    const { status, body } = await scene.call('POST', '/v1/platform/model-budgets', {
      headers: scene.admin,
      body: budget,
    })
    expect(status).toBe(200)
    return { scene, budget: body.budget }
  }

  test('calls per bot are exact, also when they run at the same time', async () => {
    const { scene } = await withBudget({
      scope: 'bot',
      unit: 'calls',
      period: 'day',
      maximum: 3,
    })
    const got = await Promise.all(Array.from({ length: 8 }, () => generate(scene)))
    expect(got.map(({ status }) => status).sort()).toEqual([
      200, 200, 200, 403, 403, 403, 403, 403,
    ])
    expect(provider.requests).toHaveLength(3)
  })

  test.each([
    [{ scope: 'workspace', unit: 'dollars', period: 'month', maximum: 0.01 }],
    [{ scope: 'bot', unit: 'tokens', period: 'total', maximum: 1_000 }],
  ])('a used up budget rejects the next call: %j', async (wanted) => {
    const { scene, budget } = await withBudget(wanted)
    answers.gpt = () => ({ inputTokens: 20_000, outputTokens: 1 })
    expect((await generate(scene)).status).toBe(200)
    const { status, body } = await generate(scene)
    expect(status).toBe(403)
    expect(body).toMatchObject({
      type: 'QuotaExceeded',
      metadata: {
        subtype: 'MODEL_BUDGET_EXCEEDED',
        budgetId: budget.id,
        scope: wanted.scope,
        unit: wanted.unit,
        period: wanted.period,
        maximum: wanted.maximum,
      },
    })
    expect((await stream(scene, {}))[0]).toMatchObject({ type: 'QuotaExceeded' })
    const { body: listed } = await scene.call('GET', '/v1/platform/model-budgets', {
      headers: scene.admin,
    })
    expect(listed.budgets[0].used).toBeGreaterThanOrEqual(wanted.maximum)
    await scene.call('DELETE', `/v1/platform/model-budgets/${budget.id}`, {
      headers: scene.admin,
    })
    expect((await generate(scene)).status).toBe(200)
  })

  test('each conversation has its own, by its name or its event', async () => {
    const { scene } = await withBudget({
      scope: 'conversation',
      unit: 'calls',
      period: 'hour',
      maximum: 1,
    })
    const inside = (conversationId: string) =>
      generate(scene, { meta: { metadata: { conversationId } } })
    expect((await inside('one')).status).toBe(200)
    expect((await inside('two')).status).toBe(200)
    expect((await inside('one')).status).toBe(403)
    expect((await generate(scene)).status).toBe(200)
  })
})

describe('the ledger', () => {
  test('has each call with its event, conversation and user', async () => {
    const scene = await open()
    const { conversationId, userId, eventId } = await makeEvent(scene)
    answers.gpt = () => ({ inputTokens: 1_000, outputTokens: 100 })
    const headers = { ...scene.asBot, 'x-botstead-cause': eventId }
    await generate(scene, { meta: { promptSource: 'cards/ai-task' } }, headers)
    await generate(scene, { model: 'nobody:x' })
    answers.gpt = () => ({ status: 400 })
    await generate(scene)
    const [failed, ok] = await awaitCalls(scene, 2)
    expect(ok).toMatchObject({
      botId: scene.botId,
      conversationId,
      userId,
      eventId,
      kind: 'text',
      outcome: 'ok',
      model: 'openai:gpt',
      provider: 'openai',
      source: 'cards/ai-task',
      cached: false,
      inputTokens: 1_000,
      outputTokens: 100,
      cost: 0.0028,
    })
    expect(failed).toMatchObject({
      outcome: 'failed',
      cost: 0,
      error: expect.any(String),
    })
    const { body } = await scene.call(
      'GET',
      '/v1/platform/model-totals?by=conversation',
      {
        headers: scene.admin,
      },
    )
    expect(body.totals).toEqual([
      expect.objectContaining({ key: conversationId, calls: 1, failed: 0, cost: 0.0028 }),
      expect.objectContaining({ key: null, calls: 1, failed: 1 }),
    ])
  })

  test('totals leave out bots that a member may not see', async () => {
    const scene = await open()
    await generate(scene)
    await awaitCalls(scene, 1)
    const browser = await signIn(scene.app, await createPerson(scene, 'developer'))
    const totals = async () => {
      const headers = { 'x-workspace-id': scene.workspaceId }
      const path = '/v1/platform/model-totals?by=bot'
      return (await browser.call('GET', path, { headers })).body.totals
    }
    expect(await totals()).toMatchObject([{ key: scene.botId, calls: 1 }])
    const path = `/v1/admin/bots/${scene.botId}/allowlist`
    await scene.call('PUT', path, {
      headers: scene.admin,
      body: { setting: 'SELECTED_USERS' },
    })
    expect(await totals()).toEqual([])
  })

  test('estimates the tokens of a stream that its client leaves', async () => {
    const scene = await open()
    const url = await scene.listen()
    answers.gpt = () => ({
      text: Array.from({ length: 200 }, () => 'words '),
      pieceMs: 20,
    })
    const controller = new AbortController()
    const response = await fetch(`${url}/v2/cognitive/generate-text-stream`, {
      method: 'POST',
      headers: { ...scene.asBot, 'content-type': 'application/json' },
      body: JSON.stringify({ messages }),
      signal: controller.signal,
    })
    await response.body!.getReader().read()
    controller.abort()
    const [call] = await awaitCalls(scene, 1)
    expect(call).toMatchObject({ outcome: 'canceled', model: 'openai:gpt' })
    expect(call.outputTokens).toBeGreaterThan(0)
  })

  test('totals reach usages and metrics', async () => {
    const scene = await open()
    answers.gpt = () => ({ inputTokens: 1_000_000, outputTokens: 0 })
    await generate(scene)
    await awaitCalls(scene, 1)
    const metrics = (await scene.call('GET', '/metrics')).body
    expect(metrics).toContain(
      'botstead_model_calls_total{kind="text",model="openai:gpt",outcome="ok"} 1',
    )
    expect(metrics).toContain('botstead_model_cost_dollars_total{model="openai:gpt"} 2')
    await expect
      .poll(async () => {
        const { body } = await scene.call(
          'GET',
          `/v1/admin/usages/${scene.botId}?type=ai_spend`,
          {
            headers: scene.admin,
          },
        )
        return body.usage?.value
      })
      .toBe(2)
  })
})

async function makeEvent({ asBot, call, app, botId }: ModelScene) {
  const { db } = app.services
  const user = await call('POST', '/v1/chat/users', {
    headers: asBot,
    body: { tags: {} },
  })
  const userId = user.body.user.id as string
  const { rows } = await sql<{ id: string }>`
    insert into conversation (bot_id, id, integration, channel, tags)
    values (${botId}, 'conv_01KAJ0ZP5S8V3N7Q4XW2R9TDHM', 'chat', 'channel', '{}') returning id`.execute(
    db,
  )
  const conversationId = rows[0]!.id
  const { body } = await call('POST', '/v1/chat/events', {
    headers: asBot,
    body: { type: 'custom', payload: {}, conversationId, userId },
  })
  return { conversationId, userId, eventId: body.event.id as string }
}

test('the cache answers an identical request, unless it asks for a new one', async () => {
  const scene = await open({ cache: { seconds: 60 } })
  const first = await generate(scene)
  const second = await generate(scene, { meta: { promptSource: 'other' } })
  expect(second.body).toMatchObject({
    output: first.body.output,
    metadata: { cached: true, cost: 0 },
  })
  expect(provider.requests).toHaveLength(1)
  await generate(scene, { temperature: 0.5 })
  await generate(scene, { options: { skipCache: true } })
  expect(provider.requests).toHaveLength(3)
  expect((await stream(scene, {})).at(-1).metadata.cached).toBe(true)
})

test('is off by default: identical requests reach the model', async () => {
  const scene = await open()
  await generate(scene)
  await generate(scene)
  expect(provider.requests).toHaveLength(2)
})

test('recorded calls are replayed without a model, others fail with the difference', async () => {
  const folder = join((await open()).folder, 'calls')
  const recording = await open({}, { config: { modelsRecord: folder } })
  answers.gpt = () => ({ text: ['Recorded ', 'words'] })
  await generate(recording, { temperature: 0.2 })
  await stream(recording, { model: 'openai:gpt' })
  const names = await readdir(folder)
  expect(names).toHaveLength(2)
  const { caller } = JSON.parse(await readFile(join(folder, names[0]!), 'utf8'))
  expect(caller).toMatchObject({ botId: recording.botId, conversationId: null })
  provider.requests.length = 0

  const replaying = await open(
    { providers: {}, models: {}, aliases: {} },
    { config: { modelsReplay: folder } },
  )
  const { body } = await generate(replaying, {
    temperature: 0.2,
    meta: { promptSource: 'x' },
  })
  expect(body).toMatchObject({
    output: 'Recorded words',
    metadata: { model: 'openai:gpt' },
  })
  const chunks = await stream(replaying, { model: 'openai:gpt' })
  expect(chunks.map(({ output }) => output).filter(Boolean)).toEqual([
    'Recorded ',
    'words',
  ])
  const missing = await generate(replaying, { temperature: 0.9 })
  expect(missing.status).toBe(400)
  expect(missing.body.message).toContain('- options.temperature: 0.2')
  expect(missing.body.message).toContain('+ options.temperature: 0.9')
  expect(provider.requests).toHaveLength(0)
})

test('names no difference if nothing similar was recorded, and shortens long ones', async () => {
  const folder = join((await open()).folder, 'calls')
  const recording = await open({}, { config: { modelsRecord: folder } })
  const secret = 'rules of another bot '
  const withText = (content: string) => ({ messages: [{ role: 'user', content }] })
  await generate(recording, withText(`${secret.repeat(100)}before`))
  const replaying = await open({}, { config: { modelsReplay: folder } })

  const { body: near } = await generate(replaying, withText(`${secret.repeat(100)}after`))
  expect(near.metadata.subtype).toBe('MODEL_CALL_NOT_RECORDED')
  expect(near.message).toContain('another bot before"')
  expect(near.message).toContain('another bot after"')
  expect(near.message.length).toBeLessThan(1_000)

  const messages = ['a', 'b', 'c', 'd', 'e'].map((content) => ({ role: 'user', content }))
  await generate(recording, { messages, model: 'openai:gpt' })
  for (const file of await readdir(folder))
    if (!(await readFile(join(folder, file), 'utf8')).includes('"e"'))
      await rm(join(folder, file))
  const { body: far } = await generate(replaying, withText('other'))
  expect(far.message).toContain('none of the 1 recordings')
})

/** Makes a workspace with a bot. */
async function openOtherWorkspace(scene: ModelScene, name: string) {
  const account = { authorization: scene.admin.authorization! }
  const made = await scene.call('POST', '/v1/admin/workspaces', {
    headers: account,
    body: { name },
  })
  const workspaceId: string = made.body.id
  const headers = { ...account, 'x-workspace-id': workspaceId }
  const { body } = await scene.call('POST', '/v1/admin/bots', { headers, body: { name } })
  return { workspaceId, asBot: { ...account, 'x-bot-id': body.bot.id as string } }
}

describe('recordings of several workspaces', () => {
  test('replays none of another workspace, and tells nothing of it', async () => {
    const folder = join((await open()).folder, 'calls')
    const recording = await open({}, { config: { modelsRecord: folder } })
    answers.gpt = () => ({ text: ['The code is 4711'] })
    await generate(recording, { model: 'openai:gpt', temperature: 0.2 })
    const replaying = await open({}, { config: { modelsReplay: folder } })
    const other = await openOtherWorkspace(replaying, 'Other')

    for (const temperature of [0.2, 0.9]) {
      const { status, body } = await generate(
        replaying,
        { model: 'openai:gpt', temperature },
        other.asBot,
      )
      expect(status, JSON.stringify(body)).toBe(400)
      expect(body.metadata.subtype).toBe('MODEL_CALL_NOT_RECORDED')
      expect(body.message).toBe('There are no recordings for this workspace')
    }
    const own = await generate(replaying, { model: 'openai:gpt', temperature: 0.2 })
    expect(own.body.output).toBe('The code is 4711')
  })

  test('keeps the answers of each workspace to the same request', async () => {
    const folder = join((await open()).folder, 'calls')
    const recording = await open({}, { config: { modelsRecord: folder } })
    const other = await openOtherWorkspace(recording, 'Other')
    const request = { model: 'openai:gpt' }
    answers.gpt = () => ({ text: ['Of the first'] })
    await generate(recording, request)
    answers.gpt = () => ({ text: ['Of the other'] })
    await generate(recording, request, other.asBot)
    expect(await readdir(folder)).toHaveLength(2)

    const replaying = await open({}, { config: { modelsReplay: folder } })
    // As if the other workspace had been moved here.
    await replaying.app.services.db
      .insertInto('workspace')
      .values({ id: other.workspaceId, name: 'Other' })
      .execute()
    const headers = { ...replaying.admin, 'x-workspace-id': other.workspaceId }
    await replaying.app.services.db
      .insertInto('workspace_member')
      .values({
        workspace_id: other.workspaceId,
        account_id: replaying.accountId,
        role: 'owner',
      })
      .execute()
    const { body } = await replaying.call('POST', '/v1/admin/bots', { headers, body: {} })
    expect((await generate(replaying, request)).body.output).toBe('Of the first')
    const asOther = { ...replaying.asBot, 'x-bot-id': body.bot.id }
    expect((await generate(replaying, request, asOther)).body.output).toBe('Of the other')
  })

  test('replays a file without a caller for all, and an earlier one for its bot only', async () => {
    const folder = join((await open()).folder, 'calls')
    const recording = await open({}, { config: { modelsRecord: folder } })
    answers.gpt = () => ({ text: ['Shared'] })
    const call = { model: 'openai:gpt' }
    await generate(recording, call)
    const [name] = await readdir(folder)
    const { caller, ...shared } = JSON.parse(await readFile(join(folder, name!), 'utf8'))
    await rm(join(folder, name!))
    const replaying = await open({}, { config: { modelsReplay: folder } })
    const other = await openOtherWorkspace(replaying, 'Other')
    const outputs = async (content: object) => {
      await writeFile(
        join(folder, `${name!.split('.')[0]}.json`),
        JSON.stringify(content),
      )
      const replies = [
        await generate(replaying, call),
        await generate(replaying, call, other.asBot),
      ]
      return replies.map(({ body }) => body.output ?? body.metadata.subtype)
    }
    expect(await outputs(shared)).toEqual(['Shared', 'Shared'])
    const { workspaceId: _, ...earlier } = { ...caller, botId: other.asBot['x-bot-id'] }
    expect(await outputs({ ...shared, caller: earlier })).toEqual([
      'MODEL_CALL_NOT_RECORDED',
      'Shared',
    ])
  })
})

describe('a damaged recording', () => {
  const damages: [string, string][] = [
    ['{"request": {"a"', 'it is not JSON'],
    ['', 'it is not JSON'],
    ['null', 'it has no `request`'],
    ['[]', 'it has no `request`'],
    ['{"request":"a","response":{}}', 'it has no `request`'],
    ['{"request":{}}', 'its `response` has no text `output`'],
    ['{"request":{},"response":null}', 'its `response` has no text `output`'],
    ['{"request":{},"response":{"output":5}}', 'its `response` has no text `output`'],
    [
      '{"request":{},"response":{"output":"a","model":"m","provider":"p"}}',
      '`pieces` is not a list of texts',
    ],
    ['{"caller":5,"request":{}}', '`caller` is not an object'],
  ]

  /** Records one call, and replays it. */
  async function openRecorded() {
    const folder = join((await open()).folder, 'calls')
    const recording = await open({}, { config: { modelsRecord: folder } })
    answers.gpt = () => ({ text: ['Recorded'] })
    await generate(recording, { model: 'openai:gpt', temperature: 0.2 })
    const [name] = await readdir(folder)
    const text = await readFile(join(folder, name!), 'utf8')
    const replaying = await open({}, { config: { modelsReplay: folder } })
    const damage = (content: string, file = name!) =>
      writeFile(join(folder, file), content)
    const replay = (temperature: number, asBot = replaying.asBot) =>
      generate(replaying, { model: 'openai:gpt', temperature }, asBot)
    return { folder, name: name!, text, replaying, damage, replay }
  }

  test('of the request itself is named with its fault', async () => {
    const { name, text, damage, replay } = await openRecorded()
    for (const [content, fault] of damages) {
      await damage(content)
      const { status, body } = await replay(0.2)
      expect([status, body.metadata?.subtype], content).toEqual([
        400,
        'MODEL_RECORDING_DAMAGED',
      ])
      expect(body.message).toBe(
        `The recording ${name} is damaged: ${fault}. Restore the file, or record the call again`,
      )
    }
    await damage(text)
    expect((await replay(0.2)).body.output).toBe('Recorded')
  })

  test('of another request is named by a miss, which still shows the difference', async () => {
    const { damage, replay } = await openRecorded()
    for (const [content, fault] of damages) {
      await damage(content, 'shared.json')
      const { status, body } = await replay(0.9)
      expect([status, body.metadata?.subtype], content).toEqual([
        400,
        'MODEL_CALL_NOT_RECORDED',
      ])
      expect(body.message).toContain('- options.temperature: 0.2')
      expect(body.message).toContain(
        `Damaged recordings are ignored: shared.json (${fault})`,
      )
    }
  })

  test('of another workspace is not named', async () => {
    const { damage, replay, replaying } = await openRecorded()
    const other = await openOtherWorkspace(replaying, 'Other')
    await damage('{', `abc.${replaying.workspaceId}.json`)
    const { body } = await replay(0.9, other.asBot)
    expect(body.message).toBe('There are no recordings for this workspace')
    expect((await replay(0.9)).body.message).toContain(
      `abc.${replaying.workspaceId}.json (it is`,
    )
  })

  test('that cannot be read is no missing one', async () => {
    const { folder, name, replay } = await openRecorded()
    await rm(join(folder, name))
    await mkdir(join(folder, name))
    const { body } = await replay(0.2)
    expect(body.metadata?.subtype).toBe('MODEL_RECORDING_DAMAGED')
    expect(body.message).toContain('it cannot be read (EISDIR)')
  })
})

test('a missing folder of recordings ends the start', async () => {
  const folder = join((await open()).folder, 'nowhere')
  await expect(open({}, { config: { modelsReplay: folder } })).rejects.toThrow(
    `BOTSTEAD_MODELS_REPLAY: the folder "${folder}" does not exist`,
  )
})

describe('providers of workspaces', () => {
  const key = 'sk-workspace-secret-0123456789'
  const set = (scene: ModelScene, body: object, name = 'own') =>
    scene.call('PUT', `/v1/platform/model-providers/${name}`, {
      headers: scene.admin,
      body,
    })
  const own = () => ({
    type: 'openai-compatible',
    url: `${provider.url}/v1`,
    key,
    models: { small: { price: { input: 1, output: 1 } } },
  })

  test('are called with their key, which is encrypted and never shown', async () => {
    const scene = await open()
    const { status, body } = await set(scene, own())
    expect(status).toBe(200)
    expect(body.provider).toMatchObject({ name: 'own', hasKey: true })
    expect((await generate(scene, { model: 'own:small' })).status).toBe(200)
    expect(provider.requests[0]!.headers.authorization).toBe(`Bearer ${key}`)
    const listed = await scene.call('GET', '/v1/platform/model-providers', {
      headers: scene.admin,
    })
    expect(JSON.stringify(listed.body)).not.toContain(key)
    const { rows } = await sql<{ row: string }>`
      select model_provider::text as row from model_provider`.execute(
      scene.app.services.db,
    )
    expect(rows[0]!.row).not.toContain(key)
    expect(rows[0]!.row).not.toContain(Buffer.from(key).toString('hex'))
    const { body: models } = await scene.call('GET', '/v2/cognitive/models', {
      headers: scene.asBot,
    })
    expect(models.models.map(({ id }: { id: string }) => id)).toContain('own:small')
  })

  test('keep their key only at the same address', async () => {
    const scene = await open()
    await set(scene, own())
    const { key: _, ...same } = own()
    expect((await set(scene, same)).body.provider.hasKey).toBe(true)
    const moved = { ...same, url: `${provider.url}/elsewhere` }
    expect((await set(scene, moved)).body.provider.hasKey).toBe(false)
  })

  test('must not lead into the network of the server', async () => {
    const scene = await open()
    const blocked = { ...own(), url: 'http://169.254.169.254/v1' }
    const { status, body } = await set(scene, blocked)
    expect(status).toBe(400)
    expect(body.message).toContain('`url`')
  })

  test('reject a key that a header cannot carry', async () => {
    const scene = await open()
    for (const key of ['…', 'a key', 'key\n', 'ключ']) {
      const { status, body } = await set(scene, { ...own(), key })
      expect([status, body.message]).toEqual([
        400,
        expect.stringContaining('`key` must consist'),
      ])
    }
  })

  test('report an address that is not allowed, and name the host in the log only', async () => {
    const { log, text } = captureLog()
    const scene = await open({}, { log })
    await set(scene, own())
    await sql`update model_provider set url = 'http://169.254.169.254/v1'`.execute(
      scene.app.services.db,
    )
    const { status, body } = await generate(scene, { model: 'own:small' })
    expect([status, body.type]).toEqual([400, 'Runtime'])
    expect(body.message).toContain(
      'The address of the provider of "own:small" is not allowed',
    )
    expect(JSON.stringify(body)).not.toContain('169.254')
    expect(text()).toContain('not allowed: 169.254.169.254')
  })

  test('cannot replace models of the operator', async () => {
    const scene = await open()
    await set(scene, { ...own(), models: { gpt: {} } }, 'openai')
    await generate(scene, { model: 'openai:gpt' })
    expect(provider.requests[0]!.headers.authorization).toBe(
      `Bearer ${keys.STAND_IN_OPENAI_KEY}`,
    )
  })
})

test('keys appear in no log line, response or archive of failures', async () => {
  const { log, text } = captureLog()
  const scene = await open({}, { log })
  const quoting = (request: ProviderRequest): Reply => ({
    status: 500,
    error: `headers: ${JSON.stringify(request.headers)}`,
  })
  answers = { gpt: quoting, claude: quoting, gemini: quoting, small: quoting }
  const responses: unknown[] = []
  for (const model of [
    'openai:gpt',
    'anthropic:claude',
    'google-ai:gemini',
    'mistral:small',
  ]) {
    responses.push(await generate(scene, { model }), await stream(scene, { model }))
    answers = Object.fromEntries(
      Object.keys(answers).map((name) => [
        name,
        (request) => ({ ...quoting(request), status: 400 }),
      ]),
    )
  }
  await awaitCalls(scene, 8)
  const { rows } = await sql`select model_call::text from model_call`.execute(
    scene.app.services.db,
  )
  const everything = JSON.stringify([
    responses,
    rows,
    text(),
    await scene.call('GET', '/metrics'),
  ])
  for (const key of Object.values(keys)) expect(everything).not.toContain(key)
  expect(everything).toContain('openai:gpt')
})

test('does not log contents unless the operator wants it', async () => {
  const readLog = async (more: object) => {
    const { log, text } = captureLog()
    answers.gpt = () => ({ text: ['a secret answer'] })
    await generate(await open(more as never, { log }), {
      messages: [{ role: 'user', content: 'a secret question' }],
    })
    return text()
  }
  expect(await readLog({})).not.toMatch(/a secret (answer|question)/)
  expect(await readLog({ logContents: true })).toMatch(
    /a secret question.*a secret answer/,
  )
})

test('the log names the host of a provider that is not reachable', async () => {
  const { log, text } = captureLog()
  const local = { type: 'openai-compatible', url: 'http://127.0.0.1:9/v1' }
  const models = { 'local:llama': {} }
  const scene = await open({ providers: { local }, models, aliases: {} }, { log })
  const { body } = await generate(scene, { model: 'local:llama' })
  expect(body.message).toBe(
    'The provider of "local:llama" is not reachable (ECONNREFUSED)',
  )
  expect(JSON.stringify(body)).not.toContain('127.0.0.1')
  expect(text()).toContain('ECONNREFUSED: 127.0.0.1:9')
})

test('without a model, the error names the settings', async () => {
  const scene = await open({ providers: {}, models: {}, aliases: {} })
  const { body } = await generate(scene)
  expect(body.message).toContain(
    'BOTSTEAD_MODEL_URL and BOTSTEAD_MODEL, or BOTSTEAD_MODELS',
  )
})

test('an invalid file of models ends the start with the reason', async () => {
  await expect(open({ models: { 'nobody:x': {} } })).rejects.toThrow(
    /"nobody:x" must begin with/,
  )
  await expect(
    open({ providers: { openai: { type: 'openai', key: 'NOT_SET_ANYWHERE' } } }),
  ).rejects.toThrow(/NOT_SET_ANYWHERE/)
  process.env.KEY_WITH_DOTS = '…'
  const dotted = {
    providers: { openai: { type: 'openai', key: 'KEY_WITH_DOTS' } },
    models: {},
  }
  await expect(
    open(dotted).finally(() => delete process.env.KEY_WITH_DOTS),
  ).rejects.toThrow(
    /KEY_WITH_DOTS of the provider "openai" must consist of visible ASCII/,
  )
})

test('redacts prompts, streams and embeddings before they reach a model', async () => {
  const scene = await open()
  const rules = [{ kind: 'email', where: ['models'] }]
  const body = { rules }
  const set = await scene.call('PUT', '/v1/platform/redaction', {
    headers: scene.asBot,
    body,
  })
  expect(set.status).toBe(200)
  const asked = [{ role: 'user', content: 'Write to quagga@example.org' }]
  expect((await generate(scene, { messages: asked })).status).toBe(200)
  await stream(scene, { messages: asked })
  const input = ['quagga@example.org']
  await scene.call('POST', '/v1/openai/embeddings', {
    headers: scene.asBot,
    body: { model: 'local:nomic', input },
  })
  const sent = provider.requests.map((request) => JSON.stringify(request.body))
  expect(sent.length).toBeGreaterThan(2)
  for (const one of sent) {
    expect(one).toContain('[e-mail]')
    expect(one).not.toContain('quagga')
  }
})
