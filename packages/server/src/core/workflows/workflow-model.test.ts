// Compares workflows with a model under random commands from fast-check. SEED=… repeats a run.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { seed } from '../../../test/support/random.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import {
  openWorkflowBot,
  type ReceivedUpdate,
  type WorkflowBot,
} from '../../../test/support/workflow-bot.ts'
import { ModelWorkflow, type Status } from '../../../test/support/workflow-model.ts'
import { timeOutWorkflows } from './clock.ts'

let scene: Scene
let bot: WorkflowBot
/** Running handlers by workflow; the test decides their responses. */
const handling = new Map<
  string,
  { delivery: ReceivedUpdate; answer: (status: number) => void }
>()

beforeAll(async () => {
  bot = await openWorkflowBot()
  bot.behave(
    (delivery) =>
      new Promise<number>((answer) =>
        handling.set(delivery.workflowId!, { delivery, answer }),
      ),
  )
  scene = await openScene()
  await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
    headers: scene.admin,
    body: { url: bot.url },
  })
}, 60_000)
afterAll(async () => {
  for (const { answer } of handling.values()) answer(200)
  await scene?.close()
  await bot?.close()
})

interface Pair {
  model: ModelWorkflow
  id: string
}
type Pairs = Pair[]
type Real = Record<string, never>

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  scene.call(method, `/v1/chat/${path}`, { headers: scene.asBot, ...(body && { body }) })

/** Waits until deliveries and status of each workflow equal the model's. */
async function expectAgreement(pairs: Pairs) {
  await vi.waitFor(
    async () => {
      for (const { model, id } of pairs) {
        expect(bot.of(id).map(({ update, type }) => update ?? type)).toEqual(model.told)
        expect([id, handling.has(id)]).toEqual([id, model.running !== null])
        const { status, body } = await call('GET', `workflows/${id}`)
        expect([status, body.workflow?.status]).toEqual(
          model.isGone ? [404, undefined] : [200, model.status],
        )
      }
    },
    { timeout: 10_000, interval: 5 },
  )
}

abstract class Step implements fc.AsyncCommand<Pairs, Real> {
  readonly which: number
  constructor(which: number) {
    this.which = which
  }
  check = (pairs: Readonly<Pairs>) => pairs.length > 0 && this.fits(this.of(pairs))
  async run(pairs: Pairs) {
    await this.act(this.of(pairs), pairs)
    await expectAgreement(pairs)
  }
  of = (pairs: Readonly<Pairs>) => pairs[this.which % pairs.length]!
  fits(_pair: Pair) {
    return true
  }
  abstract act(pair: Pair, pairs: Pairs): Promise<void>
  toString = () =>
    `${this.constructor.name} ${JSON.stringify({ ...this, toString: undefined })}`
}

class Create implements fc.AsyncCommand<Pairs, Real> {
  readonly status: 'pending' | 'listening'
  readonly parent: number
  constructor(status: 'pending' | 'listening', parent: number) {
    this.status = status
    this.parent = parent
  }
  check = (pairs: Readonly<Pairs>) => pairs.length < 4
  async run(pairs: Pairs) {
    const parent = pairs[this.parent]
    const link = parent && !parent.model.isGone ? { parentWorkflowId: parent.id } : {}
    const { status, body } = await call('POST', 'workflows', {
      name: 'modelled',
      status: this.status,
      timeoutAt: '2999-01-01',
      ...link,
    })
    expect(status).toBe(201)
    pairs.push({
      model: new ModelWorkflow(
        this.status,
        'parentWorkflowId' in link ? parent!.model : null,
      ),
      id: body.workflow.id,
    })
    await expectAgreement(pairs)
  }
  toString = () => `Create ${this.status} ${this.parent}`
}

/** The bot's handler changes the status or not, and responds. */
class Handle extends Step {
  readonly move: Status | null
  readonly status: number
  constructor(which: number, move: Status | null, status: number) {
    super(which)
    this.move = move
    this.status = status
  }
  override fits = ({ model }: Pair) => model.running !== null
  async act({ model, id }: Pair) {
    const { delivery, answer } = handling.get(id)!
    if (this.move && !model.isGone) {
      const reply = await call('PUT', `workflows/${id}`, {
        status: this.move,
        eventId: delivery.id,
      })
      expect(reply.status).toBe(model.move(this.move, true) ? 200 : 400)
    }
    handling.delete(id)
    answer(this.status)
    model.answered(this.status === 200)
  }
}
/** A caller outside the handler changes the status. */
class Move extends Step {
  readonly move: Status
  constructor(which: number, move: Status) {
    super(which)
    this.move = move
  }
  override fits = ({ model }: Pair) => !model.isGone
  async act({ model, id }: Pair) {
    const reply = await call('PUT', `workflows/${id}`, { status: this.move })
    expect(reply.status).toBe(model.move(this.move, false) ? 200 : 400)
  }
}
class Poke extends Step {
  override fits = ({ model }: Pair) => !model.isGone
  async act({ model, id }: Pair) {
    expect(
      (await call('POST', 'events', { type: 'poke', payload: {}, workflowId: id }))
        .status,
    ).toBe(201)
    model.poke()
  }
}
class TimeOut extends Step {
  override fits = ({ model }: Pair) => !model.isGone
  async act({ model, id }: Pair) {
    await call('PUT', `workflows/${id}`, { timeoutAt: '2001-01-01' })
    await timeOutWorkflows(scene.app.services)
    model.timeOut()
  }
}
class Remove extends Step {
  override fits = ({ model }: Pair) => !model.isGone
  async act({ model, id }: Pair, pairs: Pairs) {
    expect((await call('DELETE', `workflows/${id}`)).status).toBe(200)
    model.remove()
    for (const pair of pairs) if (pair.model.parent === model) pair.model.parent = null
  }
}

const often = <T>(value: T, count: number): T[] => Array(count).fill(value)
/** Final statuses are rare, so that workflows live long enough. */
const move = fc.constantFrom<Status[]>(
  ...often<Status>('in_progress', 8),
  ...often<Status>('listening', 4),
  'paused',
  'completed',
  'failed',
  'cancelled',
)
const which = fc.nat(3)
const handle = fc
  .tuple(which, fc.option(move, { freq: 1 }), fc.constantFrom(...often(200, 12), 400))
  .map(([at, to, status]) => new Handle(at, to, status))
const create = fc
  .tuple(fc.constantFrom<('pending' | 'listening')[]>('pending', 'listening'), fc.nat(3))
  .map(([status, parent]) => new Create(status, parent))
const commands = [
  ...often<fc.Arbitrary<fc.AsyncCommand<Pairs, Real>>>(handle, 14),
  ...often(
    which.map((at) => new Poke(at)),
    4,
  ),
  ...often(create, 2),
  fc.tuple(which, move).map(([at, to]) => new Move(at, to)),
  fc.oneof(
    which.map((at) => new TimeOut(at)),
    which.map((at) => new Remove(at)),
  ),
]

test('random commands have the same effects as in the model', {
  timeout: 240_000,
}, async () => {
  console.log(`SEED=${seed}`)
  const runs = Number(process.env.MODEL_RUNS ?? 15)
  await fc.assert(
    fc.asyncProperty(
      fc.commands(commands, { maxCommands: 60, size: 'max' }),
      async (script) => {
        const pairs: Pairs = []
        await new Create('pending', 0).run(pairs)
        await new Create('listening', 0).run(pairs)
        await fc.asyncModelRun(() => ({ model: pairs, real: {} }), script)
        // A step is pending or handled elsewhere exactly while the workflow is active.
        const rows = await scene.app.services.db
          .selectFrom('workflow')
          .selectAll()
          .where('id', 'in', [...pairs.map(({ id }) => id), ''])
          .execute()
        for (const { status, step_event_id, handled_in } of rows) {
          if (status === 'pending' || status === 'in_progress')
            expect(step_event_id ?? handled_in).not.toBeNull()
          else if (status !== 'listening' && status !== 'paused')
            expect([step_event_id, handled_in]).toEqual([null, null])
        }
      },
    ),
    { numRuns: runs, seed, interruptAfterTimeLimit: 150_000, endOnFailure: true },
  )
})
