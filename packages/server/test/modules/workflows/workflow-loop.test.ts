// How a workflow runs: what the bot is told, in which order, until the workflow has finished; whatever the bot answers, and whatever else happens meanwhile.
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openScene, type Scene } from '../../support/scene.ts'
import { openWorkflowBot, type ToldEvent, type WorkflowBot } from '../../support/workflow-bot.ts'

let scene: Scene
let bot: WorkflowBot

beforeAll(async () => {
  bot = await openWorkflowBot()
  scene = await openScene()
  await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, { headers: scene.admin, body: { url: bot.url } })
}, 60_000)
afterAll(async () => {
  await scene?.close()
  await bot?.close()
})
beforeEach(() => {
  bot.told.length = 0
  bot.behave(() => 200)
})

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  scene.call(method, `/v1/chat/${path}`, { headers: scene.asBot, ...(body && { body }) })
async function create(given: object = {}) {
  const { status, body } = await call('POST', 'workflows', { name: 'job', status: 'pending', ...given })
  expect(status).toBe(201)
  return body.workflow
}
const update = async (id: string, change: object) => {
  const { status, body } = await call('PUT', `workflows/${id}`, change)
  expect([status, body]).toMatchObject([200, {}])
  return body.workflow
}
const get = async (id: string) => (await call('GET', `workflows/${id}`)).body.workflow
const acknowledge = ({ workflowId, id }: ToldEvent) =>
  update(workflowId!, { status: 'in_progress', eventId: id })
const becomes = (id: string, status: string) =>
  vi.waitFor(async () => expect(await get(id)).toMatchObject({ status }), 10_000)
const updates = (id: string) => bot.of(id).map(({ update, type }) => update ?? type)
const heard = (id: string, wanted: string[]) => vi.waitFor(() => expect(updates(id)).toEqual(wanted), 10_000)
/** Long enough that what must not come would have come. */
const quiet = () => pause(400)

/** One step after the other: the n-th update of a workflow is handled by the n-th. */
function steps(...handlers: ((told: ToldEvent) => unknown)[]) {
  bot.behave(async (told) => {
    const nth = bot
      .of(told.workflowId!)
      .filter(({ type, id }) => type === 'workflow_update' && id !== told.id).length
    const status = await handlers[nth]?.(told)
    return typeof status === 'number' ? status : 200
  })
}

test('started, acknowledged, continued until it says that it has finished', async () => {
  steps(
    acknowledge,
    () => {},
    ({ workflowId }) => update(workflowId!, { status: 'completed', output: { sum: 3 } }),
  )
  const { id } = await create({ input: { a: 1 }, tags: { kind: 'sum' } })
  await becomes(id, 'completed')
  expect(await get(id)).toMatchObject({
    output: { sum: 3 },
    input: { a: 1 },
    completedAt: expect.any(String),
  })
  await quiet()
  expect(updates(id)).toEqual(['workflow_started', 'workflow_continued', 'workflow_continued'])
  await vi.waitFor(async () => {
    const { events } = (await call('GET', `events?workflowId=${id}`)).body
    expect(
      events.map(({ status, workflowId }: { status: string; workflowId: string }) => [status, workflowId]),
    ).toEqual(Array(3).fill(['processed', id]))
  })
  expect(new Set(bot.of(id).map(({ id }) => id)).size).toBe(3)
})

test('what the bot is told: the workflow as it is now, its conversation and its user, as the bot sees them', async () => {
  const { body } = await call('POST', 'conversations', { channel: 'channel', tags: {} })
  const { body: people } = await call('POST', 'users', { tags: {}, name: 'Ann' })
  steps(({ workflowId }) => update(workflowId!, { status: 'completed' }))
  const made = await create({
    conversationId: body.conversation.id,
    userId: people.user.id,
    tags: { a: 'b' },
  })
  await becomes(made.id, 'completed')
  const [{ event }] = bot.of(made.id) as [ToldEvent]
  expect(event).toMatchObject({
    type: 'workflow_update',
    workflowId: made.id,
    conversationId: body.conversation.id,
    userId: people.user.id,
    status: 'pending',
  })
  expect(event.payload).toEqual({
    type: 'workflow_started',
    workflow: made,
    conversation: body.conversation,
    user: people.user,
  })
  const shown = (await call('GET', `events/${event.id}`)).body.event
  expect(shown.payload.workflow).toEqual(await get(made.id))
})

test('not acknowledged: told three times more, then it has failed', async () => {
  const { id } = await create()
  await becomes(id, 'failed')
  expect(updates(id)).toEqual(Array(4).fill('workflow_started'))
  expect(await get(id)).toMatchObject({
    failureReason: expect.stringContaining('acknowledged'),
    completedAt: expect.any(String),
  })
  await quiet()
  expect(updates(id)).toHaveLength(4)
})

test('acknowledged late: what was missed before is forgotten', async () => {
  steps(
    () => {},
    () => {},
    () => {},
    acknowledge,
    () => {},
    ({ workflowId }) => update(workflowId!, { status: 'completed' }),
  )
  const { id } = await create()
  await becomes(id, 'completed')
  expect(updates(id)).toEqual([
    ...Array(4).fill('workflow_started'),
    'workflow_continued',
    'workflow_continued',
  ])
})

describe('a handler that does not answer well', () => {
  test('refuses (4xx): failed at once, with the reason', async () => {
    steps(() => 400)
    const { id } = await create()
    await becomes(id, 'failed')
    expect((await get(id)).failureReason).toBe('status 400')
    await quiet()
    expect(updates(id)).toEqual(['workflow_started'])
  })

  test('fails (5xx): the same event again, and then it has failed', async () => {
    bot.behave(async (told) => {
      await acknowledge(told)
      return 500
    })
    const { id } = await create()
    await becomes(id, 'failed')
    expect((await get(id)).failureReason).toBe('status 500')
    expect(updates(id)).toEqual(Array(3).fill('workflow_started'))
    expect(new Set(bot.of(id).map(({ id }) => id)).size).toBe(1)
    expect(bot.of(id).map(({ event }) => event.payload.workflow.status)).toEqual([
      'pending',
      'in_progress',
      'in_progress',
    ])
  })

  test('fails once: goes on as if nothing had been', async () => {
    let tries = 0
    bot.behave(async (told) => {
      if (++tries === 1) return 503
      await update(told.workflowId!, { status: tries === 2 ? 'in_progress' : 'completed', eventId: told.id })
    })
    const { id } = await create()
    await becomes(id, 'completed')
    expect(updates(id)).toEqual(['workflow_started', 'workflow_started', 'workflow_continued'])
  })

  test('a bot that is blocked: failed, with the reason', async () => {
    const change = (blocked: boolean) =>
      scene.call('PUT', `/v1/admin/bots/${scene.botId}`, { headers: scene.admin, body: { blocked } })
    await change(true)
    const { id } = await create()
    await becomes(id, 'failed')
    await change(false)
    expect((await get(id)).failureReason).toBe('The bot is blocked')
  })
})

describe('listening', () => {
  test('nothing happens until an event is linked to it; that comes first, then it goes on', async () => {
    const { id } = await create({ status: 'listening' })
    await quiet()
    expect(updates(id)).toEqual([])
    steps(({ workflowId }) => update(workflowId!, { status: 'listening' }))
    const { body } = await call('POST', 'events', { type: 'answer', payload: { a: 1 }, workflowId: id })
    expect(body.event.workflowId).toBe(id)
    await heard(id, ['answer', 'workflow_continued'])
    await call('POST', 'events', { type: 'second', payload: {}, workflowId: id })
    await heard(id, ['answer', 'workflow_continued', 'second', 'workflow_continued'])
    await quiet()
    expect(bot.of(id)).toHaveLength(4)
    expect((await get(id)).status).toBe('listening')
  })

  test('several at once: each is told, in order, and the workflow goes on once or more, never twice at a time', async () => {
    const { id } = await create({ status: 'listening' })
    for (const type of ['one', 'two', 'three'])
      await call('POST', 'events', { type, payload: {}, workflowId: id })
    await vi.waitFor(() => expect(updates(id).at(-1)).toBe('workflow_continued'))
    await quiet()
    expect(updates(id).filter((what) => what !== 'workflow_continued')).toEqual(['one', 'two', 'three'])
    expect(updates(id).at(-1)).toBe('workflow_continued')
  })

  test('a linked event that the bot refuses wakes it too', async () => {
    const { id } = await create({ status: 'listening' })
    bot.behave(({ type }) => (type === 'bad' ? 400 : 200))
    await call('POST', 'events', { type: 'bad', payload: {}, workflowId: id })
    await heard(id, ['bad', 'workflow_continued'])
  })

  test('one that is scheduled wakes it when it is due', async () => {
    const { id } = await create({ status: 'listening' })
    await call('POST', 'events', { type: 'later', payload: {}, workflowId: id, schedule: { delay: 300 } })
    await pause(100)
    expect(updates(id)).toEqual([])
    await heard(id, ['later', 'workflow_continued'])
  })

  test('an event while it works: told, and no second loop begins', async () => {
    let go = () => {}
    const gate = new Promise<void>((resolve) => (go = resolve))
    steps(
      async (told) => {
        await acknowledge(told)
        await gate
      },
      () => {},
      ({ workflowId }) => update(workflowId!, { status: 'completed' }),
    )
    const { id } = await create()
    await heard(id, ['workflow_started'])
    for (const type of ['one', 'two']) await call('POST', 'events', { type, payload: {}, workflowId: id })
    go()
    await becomes(id, 'completed')
    await quiet()
    expect(updates(id)).toEqual([
      'workflow_started',
      'one',
      'two',
      'workflow_continued',
      'workflow_continued',
    ])
  })
})

describe('taken up from outside', () => {
  test('from listening or paused to in_progress: it goes on', async () => {
    const { id } = await create({ status: 'listening' })
    await update(id, { status: 'paused' })
    await call('POST', 'events', { type: 'meanwhile', payload: {}, workflowId: id })
    await heard(id, ['meanwhile'])
    await quiet()
    expect(updates(id)).toEqual(['meanwhile'])
    steps(({ workflowId }) => update(workflowId!, { status: 'completed' }))
    await update(id, { status: 'in_progress' })
    await becomes(id, 'completed')
    expect(updates(id)).toEqual(['meanwhile', 'workflow_continued'])
  })

  test('made in the handling of a message: it goes on when that is over, and fails with it', async () => {
    const { body } = await call('POST', 'conversations', { channel: 'channel', tags: {} })
    const ids: Record<string, string> = {}
    bot.behave(async ({ type, event, workflowId, update: kind }) => {
      if (kind) return void (await update(workflowId!, { status: 'completed' }))
      ids[type] = (await create({ status: 'in_progress', eventId: event.id })).id
      await pause(100)
      return type === 'bad' ? 400 : 200
    })
    for (const type of ['good', 'bad'])
      await call('POST', 'events', { type, payload: {}, conversationId: body.conversation.id })
    await vi.waitFor(() => expect(Object.keys(ids)).toEqual(['good', 'bad']))
    await becomes(ids.good!, 'completed')
    expect(updates(ids.good!)).toEqual(['workflow_continued'])
    const good = bot.told.find(({ type }) => type === 'good')!
    expect(bot.of(ids.good!)[0]!.at).toBeGreaterThan(good.answeredAt!)
    await becomes(ids.bad!, 'failed')
    expect((await get(ids.bad!)).failureReason).toBe('status 400')
  })
})

describe('children', () => {
  test.each(['completed', 'failed', 'cancelled'])('one that is %s wakes its parent', async (status) => {
    const parent = await create({ status: 'listening' })
    const child = await create({ status: 'listening', parentWorkflowId: parent.id, tags: { a: 'b' } })
    const ended = await update(child.id, { status, output: { a: 1 } })
    await heard(parent.id, ['child_workflow_finished', 'workflow_continued'])
    const [finished] = bot.of(parent.id) as [ToldEvent]
    expect(finished.event.payload).toMatchObject({ childWorkflow: ended, workflow: { id: parent.id } })
    expect(ended.output).toEqual(status === 'cancelled' ? {} : { a: 1 })
  })

  test('one whose time is up, and one that is not acknowledged, tell it too; one that is deleted says so', async () => {
    const parent = await create({ status: 'listening' })
    await update(parent.id, { status: 'paused' })
    const link = { parentWorkflowId: parent.id }
    const late = await create({
      status: 'listening',
      ...link,
      timeoutAt: new Date(Date.now() + 50).toISOString(),
    })
    await becomes(late.id, 'timedout')
    await heard(parent.id, ['child_workflow_finished'])
    const idle = await create(link)
    await becomes(idle.id, 'failed')
    await heard(parent.id, ['child_workflow_finished', 'child_workflow_finished'])
    const gone = await create({ status: 'listening', ...link })
    expect((await call('DELETE', `workflows/${gone.id}`)).status).toBe(200)
    await heard(parent.id, ['child_workflow_finished', 'child_workflow_finished', 'child_workflow_deleted'])
    const children = bot
      .of(parent.id)
      .map(({ event }) => [event.payload.childWorkflow.id, event.payload.childWorkflow.status])
    expect(children).toEqual([
      [late.id, 'timedout'],
      [idle.id, 'failed'],
      [gone.id, 'listening'],
    ])
  })

  test('a parent that has finished, or is gone, is told nothing, and its children go on', async () => {
    const parent = await create({ status: 'listening' })
    const [one, other] = [
      await create({ status: 'listening', parentWorkflowId: parent.id }),
      await create({ status: 'listening', parentWorkflowId: parent.id }),
    ]
    await update(parent.id, { status: 'completed' })
    await update(one.id, { status: 'completed' })
    await call('DELETE', `workflows/${parent.id}`)
    expect((await update(other.id, { status: 'completed' })).parentWorkflowId).toBeUndefined()
    await quiet()
    expect(bot.of(parent.id)).toEqual([])
  })
})

describe('time', () => {
  const soon = () => ({ timeoutAt: new Date(Date.now() + 100).toISOString() })

  test('is up: timed out, the bot is told, and may say that it has failed', async () => {
    steps(({ workflowId }) => update(workflowId!, { status: 'failed', failureReason: 'too slow' }))
    const { id } = await create({ status: 'listening', ...soon() })
    await becomes(id, 'failed')
    expect(updates(id)).toEqual(['workflow_timedout'])
    expect(bot.of(id)[0]!.event.payload.workflow.status).toBe('timedout')
    expect(await get(id)).toMatchObject({ failureReason: 'too slow', completedAt: expect.any(String) })
  })

  test('is up while the bot is at it: told after that, and nothing goes on', async () => {
    steps(async (told) => {
      await acknowledge(told)
      await vi.waitFor(async () => expect((await get(told.workflowId!)).status).toBe('timedout'), 5_000)
    })
    const { id } = await create(soon())
    await heard(id, ['workflow_started', 'workflow_timedout'])
    await quiet()
    expect(updates(id)).toHaveLength(2)
    expect((await get(id)).status).toBe('timedout')
  })

  test('can be moved', async () => {
    const { id } = await create({ status: 'listening', ...soon() })
    await update(id, { timeoutAt: '2999-01-01' })
    await pause(1_500)
    expect((await get(id)).status).toBe('listening')
    await update(id, { timeoutAt: '2001-01-01' })
    await becomes(id, 'timedout')
  })
})

test('a bot that does nothing, step after step, is told ever more slowly; once it does something, at once', async () => {
  let isIdle = true
  bot.behave(async (told) => {
    if (told.update === 'workflow_started') await acknowledge(told)
    else if (!isIdle) await update(told.workflowId!, { status: 'completed' })
  })
  const { id } = await create()
  await vi.waitFor(() => expect(bot.of(id).length).toBeGreaterThan(16), 10_000)
  const gaps = bot.of(id).map(({ at }, i, all) => at - (all[i - 1]?.at ?? at))
  // The pauses alone, which no fast machine shortens: 10, 20, 40 … milliseconds.
  for (const [i, least] of [10, 20, 40, 80, 160].entries())
    expect(gaps[i + 12]).toBeGreaterThanOrEqual(least - 2)
  isIdle = false
  await becomes(id, 'completed')
})

test('deleted while its bot is at it: nothing more of it', async () => {
  steps(async (told) => {
    await acknowledge(told)
    await call('DELETE', `workflows/${told.workflowId}`)
  })
  const { id } = await create()
  await heard(id, ['workflow_started'])
  await quiet()
  expect(updates(id)).toHaveLength(1)
  expect((await call('GET', `events?workflowId=${id}`)).body.events).toEqual([])
})

test('one workflow at a time, many side by side', async () => {
  const running = new Map<string, number>()
  let most = 0
  let together = 0
  const rounds = 6
  bot.behave(async (told) => {
    const id = told.workflowId!
    running.set(id, (running.get(id) ?? 0) + 1)
    most = Math.max(most, running.get(id)!)
    together = Math.max(together, [...running.values()].filter((n) => n > 0).length)
    await pause(5)
    const nth = bot.of(id).filter(({ update }) => update).length
    if (told.update)
      await update(id, nth >= rounds ? { status: 'completed' } : { status: 'in_progress', eventId: told.id })
    running.set(id, running.get(id)! - 1)
  })
  const made = await Promise.all(Array.from({ length: 12 }, () => create()))
  await Promise.all(
    made.flatMap(({ id }) =>
      [1, 2, 3, 4].map((n) => call('POST', 'events', { type: `poke-${n}`, payload: {}, workflowId: id })),
    ),
  )
  for (const { id } of made) await becomes(id, 'completed')
  expect(most).toBe(1)
  expect(together).toBeGreaterThan(1)
  for (const { id } of made) expect(bot.of(id).filter(({ update }) => update)).toHaveLength(rounds)
})
