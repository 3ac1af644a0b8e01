// Every operation that is served, with every credential that is not the right one: refused, without a word of what is behind, and without
// any effect. Requests and operations come from the contract, so that what is added to it is tried from its first day.
import { request as send } from 'node:http'
import { errors, type Role } from '@botstead/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deployCode } from '../../src/modules/bots/bot-code.ts'
import { deployIntegrationCode } from '../../src/modules/catalog/integrations/integration-code.ts'
import {
  addressOf,
  alwaysRefused,
  headersFor,
  kindOf,
  type OperationRequest,
  permits,
  propertiesOf,
  requestFor,
  type ServedOperation,
  servedOperations,
} from '../support/operation-requests.ts'
import { openScene, type Scene } from '../support/scene.ts'
import { asAdmin, bearing, digestOf, makeTenant, type Tenant } from '../support/tenants.ts'
import {
  type Credentials,
  makeWrongCredentials,
  type WrongCredential,
  wrongCredentials,
} from '../support/wrong-credentials.ts'

let scene: Scene
let victim: Tenant
let stranger: Tenant
let others: Credentials
let before: Record<string, string>
let origin: string

beforeAll(async () => {
  scene = await openScene()
  origin = await scene.listen()
  victim = await makeTenant(scene, 'victim')
  stranger = await makeTenant(scene, 'stranger')
  await deployIntegrationCode(
    scene.app.services.db,
    victim.things.integration[0]!,
    'exports.handler = () => ({})',
  )
  others = await makeWrongCredentials(scene, victim, stranger)
  before = await digestOf(scene, victim)
}, 120_000)
afterAll(() => scene?.close())

const brief = ({ status, text }: { status: number; text: string }) =>
  `${status} ${/"type":"(\w+)"/.exec(text)?.[1] ?? text.slice(0, 200)}`

async function ask(
  operation: ServedOperation,
  { method, headers, body, ...address }: OperationRequest,
): Promise<{ status: number; text: string }> {
  // A stream that opens never ends: over a socket it is seen to have opened.
  if (operation.stream) return sendOverSocket(operation, { method, headers, ...address }, headers)
  const url = addressOf(operation, { method, headers, ...address })
  const reply = await scene.app.server.inject({ method, url, headers, ...(body && { payload: body }) })
  return { status: reply.statusCode, text: JSON.stringify(reply.headers) + reply.body }
}

/** Nothing of theirs is in an answer but what the request itself says. */
function leaks(answer: string, request: unknown, tenants = [victim, stranger]): string[] {
  const said = JSON.stringify(request)
  const secrets = tenants.flatMap(({ mark, named, things }) => [mark, named, ...Object.values(things).flat()])
  return secrets.filter((secret) => answer.includes(secret) && !said.includes(secret))
}

async function refusal(
  operation: ServedOperation,
  { name, headers, query = {}, params = {}, missing = false }: WrongCredential,
): Promise<string[]> {
  const right = requestFor(operation, victim)
  const given = {
    ...right,
    headers,
    query: { ...right.query, ...query },
    params: { ...right.params, ...params },
  }
  return faultsIn(await ask(operation, given), given, missing).map((fault) => `${name}: ${fault}`)
}

function faultsIn(answer: { status: number; text: string }, request: unknown, missing = false): string[] {
  const wrong = [401, 403, 404, ...(missing ? [400] : [])].includes(answer.status) ? [] : [brief(answer)]
  return [...wrong, ...leaks(answer.text, request).map((leak) => `tells ${leak}`)]
}

test('every operation says who may call it, and a request can be made for each', () => {
  expect(
    servedOperations.filter(({ access }) => !Object.hasOwn(wrongCredentials, access)).map(({ name }) => name),
  ).toEqual([])
  const places = ['params', 'query', 'body'] as const
  const unknown = servedOperations.flatMap((operation) =>
    places.flatMap((place) =>
      Object.keys(propertiesOf(operation, place))
        .filter((field) => kindOf(operation, place, field) === undefined)
        .map((field) => `${operation.name} ${place} ${field}`),
    ),
  )
  expect(unknown).toEqual([])
  const unmounted = servedOperations.filter(
    ({ method, url }) => !scene.app.server.hasRoute({ method, url: url.replaceAll(/\{(\w+)\}/g, ':$1') }),
  )
  expect(unmounted).toEqual([])
})

describe('with a wrong credential', () => {
  test.each(servedOperations.map((operation) => [operation.name, operation] as const))(
    '%s',
    async (_, operation) => {
      const columns = wrongCredentials[operation.access](operation, headersFor(operation, victim), others)
      if (operation.access !== 'public') expect(columns.length).toBeGreaterThan(1)
      expect((await Promise.all(columns.map((column) => refusal(operation, column)))).flat()).toEqual([])
    },
  )
})

describe('with a role that does not permit it', () => {
  const forMembers = servedOperations.filter(({ access }) => access === 'workspace' || access === 'bot')
  test.each(forMembers.map((operation) => [operation.name, operation] as const))(
    '%s',
    async (_, operation) => {
      for (const [role, token] of Object.entries(others.members) as [Role, string][]) {
        if (permits(operation, role)) continue
        const given = {
          ...requestFor(operation, victim),
          headers: { ...headersFor(operation, victim), ...bearing(token) },
        }
        const { status, text } = await ask(operation, given)
        expect([role, status, leaks(text, given)]).toEqual([role, 403, []])
      }
    },
  )
})

/** Over a socket, since only there a header can come twice. The right one twice is one too many: who stands between us may have read the other. */
describe('with a header twice', () => {
  const guarded = servedOperations.filter(({ access }) => access !== 'public' && access !== 'chat')
  test.each(guarded.map((operation) => [operation.name, operation] as const))('%s', async (_, operation) => {
    const right = requestFor(operation, victim)
    const wrong = {
      ...asAdmin(stranger),
      'x-bot-id': stranger.things.bot[0]!,
      'x-integration-alias': 'other',
      'x-user-key': stranger.userKey,
    }
    const faults = Object.entries(right.headers).flatMap(([name, value]) =>
      [
        [value, value],
        [value, wrong[name as keyof typeof wrong]],
        [wrong[name as keyof typeof wrong], value],
      ].map(async (pair) => {
        const answer = await sendOverSocket(operation, right, { ...right.headers, [name]: pair })
        return faultsIn(answer, [right, pair]).map((fault) => `${name}: ${fault}`)
      }),
    )
    expect((await Promise.all(faults)).flat()).toEqual([])
  })
})

function sendOverSocket(
  operation: ServedOperation,
  given: OperationRequest,
  headers: Record<string, string | string[]>,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const url = origin + addressOf(operation, given)
    const sent = send(
      url,
      { method: given.method, headers: { 'content-type': 'application/json', ...headers } },
      async (reply) => {
        let text = JSON.stringify(reply.rawHeaders)
        const isStream = String(reply.headers['content-type']).startsWith('text/event-stream')
        if (isStream) reply.destroy()
        else for await (const chunk of reply) text += chunk
        resolve({ status: reply.statusCode!, text })
      },
    )
    sent.on('error', reject)
    sent.end(given.body && JSON.stringify(given.body))
  })
}

test('none of all that changed anything, but that what was refused is noted', async () => {
  const { audit_chain: _end, audit_record: _noted, ...now } = await digestOf(scene, victim)
  expect(before).toMatchObject(now)
})

/** Else what is above could be refused for another reason. What deletes comes last, first what lies in something else, then what is used up least. */
test(
  'and with the right credentials each of these requests is answered',
  { timeout: 60_000 },
  async () => {
    const size = ({ path }: ServedOperation) => path.split('/').length + (path.endsWith('/me') ? -9 : 0)
    const rank = (operation: ServedOperation) => (operation.method === 'DELETE' ? 100 - size(operation) : 0)
    const answers: string[] = []
    for (const operation of [...servedOperations].sort((a, b) => rank(a) - rank(b))) {
      // Deploying a version without code has removed it.
      if (operation.name === 'platform.getBotDeployment')
        await deployCode(scene.app.services.db, victim.things.bot[0]!, 'exports.handler = () => ({})')
      const { status, text } = await ask(
        operation,
        requestFor(operation, victim, operation.method === 'DELETE' ? 1 : 0),
      )
      const refused = alwaysRefused[operation.name]
      const expected = refused ? errors[refused] : (operation.status ?? 200)
      if (status !== expected || leaks(text, {}, [stranger]).length > 0)
        answers.push(`${operation.name}: ${brief({ status, text })}`)
    }
    expect(answers).toEqual([])
    expect(
      await sql`select 1 from bot where id = ${victim.things.bot[1]}`.execute(scene.app.services.db),
    ).toMatchObject({ rows: [] })
  },
  60_000,
)
