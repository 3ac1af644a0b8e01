// Every served operation rejects every wrong credential, without leaking data and without any
// effect. Requests and operations come from the contract, so new operations are covered
// automatically.
import { request as send } from 'node:http'
import { errors, type Role } from '@botstead/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deployCode } from '../../src/core/bots/bot-code.ts'
import { deployIntegrationCode } from '../../src/core/catalog/integrations/integration-code.ts'
import { findIdKind } from '../support/id-kinds.ts'
import {
  alwaysRejected,
  headersFor,
  type OperationRequest,
  requestFor,
  toAddress,
} from '../support/operation-requests.ts'
import { openScene, type Scene } from '../support/scene.ts'
import {
  getProperties,
  permits,
  type ServedOperation,
  servedOperations,
} from '../support/served-operations.ts'
import {
  asAdmin,
  bearing,
  digestTenant,
  makeTenant,
  type Tenant,
} from '../support/tenants.ts'
import {
  type CredentialSet,
  makeWrongCredentials,
  type WrongCredential,
  wrongCredentials,
} from '../support/wrong-credentials.ts'

let scene: Scene
let victim: Tenant
let stranger: Tenant
let others: CredentialSet
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
  before = await digestTenant(scene, victim)
}, 120_000)
afterAll(() => scene?.close())

const brief = ({ status, text }: { status: number; text: string }) =>
  `${status} ${/"type":"(\w+)"/.exec(text)?.[1] ?? text.slice(0, 200)}`

async function ask(
  operation: ServedOperation,
  { method, headers, body, ...address }: OperationRequest,
): Promise<{ status: number; text: string }> {
  // A stream never ends; over a socket the test sees that it opened.
  if (operation.stream)
    return sendOverSocket(
      operation,
      { method, headers, ...address, ...(body && { body }) },
      headers,
    )
  const url = toAddress(operation, { method, headers, ...address })
  const reply = await scene.app.server.inject({
    method,
    url,
    headers,
    ...(body && { payload: body }),
  })
  return { status: reply.statusCode, text: JSON.stringify(reply.headers) + reply.body }
}

/** Returns the tenants' ids and marks in a response that are not in the request. */
function leaks(answer: string, request: unknown, tenants = [victim, stranger]): string[] {
  const sent = JSON.stringify(request)
  const secrets = tenants.flatMap(({ mark, named, things }) => [
    mark,
    named,
    ...Object.values(things).flat(),
  ])
  return secrets.filter((secret) => answer.includes(secret) && !sent.includes(secret))
}

async function findFaults(
  operation: ServedOperation,
  { name, headers, query = {}, params = {}, missing = false }: WrongCredential,
): Promise<string[]> {
  const right = requestFor(operation, victim)
  const request = {
    ...right,
    headers,
    query: { ...right.query, ...query },
    params: { ...right.params, ...params },
  }
  return faultsIn(await ask(operation, request), request, missing).map(
    (fault) => `${name}: ${fault}`,
  )
}

function faultsIn(
  answer: { status: number; text: string },
  request: unknown,
  missing = false,
): string[] {
  const wrong = [401, 403, 404, ...(missing ? [400] : [])].includes(answer.status)
    ? []
    : [brief(answer)]
  return [...wrong, ...leaks(answer.text, request).map((leak) => `leaks ${leak}`)]
}

test('every operation declares its callers, and the test can build a request for each', () => {
  expect(
    servedOperations
      .filter(({ access }) => !Object.hasOwn(wrongCredentials, access))
      .map(({ name }) => name),
  ).toEqual([])
  const parts = ['params', 'query', 'body'] as const
  const unknown = servedOperations.flatMap((operation) =>
    parts.flatMap((part) =>
      Object.keys(getProperties(operation, part))
        .filter((field) => findIdKind(operation, part, field) === undefined)
        .map((field) => `${operation.name} ${part} ${field}`),
    ),
  )
  expect(unknown).toEqual([])
  const unmounted = servedOperations.filter(
    ({ method, url }) =>
      !scene.app.server.hasRoute({ method, url: url.replaceAll(/\{(\w+)\}/g, ':$1') }),
  )
  expect(unmounted).toEqual([])
})

describe('with a wrong credential', () => {
  test.each(servedOperations.map((operation) => [operation.name, operation] as const))(
    'rejects %s',
    async (_, operation) => {
      const columns = wrongCredentials[operation.access](
        operation,
        headersFor(operation, victim),
        others,
      )
      if (operation.access !== 'public') expect(columns.length).toBeGreaterThan(1)
      expect(
        (
          await Promise.all(columns.map((column) => findFaults(operation, column)))
        ).flat(),
      ).toEqual([])
    },
  )
})

describe('with a role without the permission', () => {
  const forMembers = servedOperations.filter(
    ({ access }) => access === 'workspace' || access === 'bot',
  )
  test.each(forMembers.map((operation) => [operation.name, operation] as const))(
    'rejects %s',
    async (_, operation) => {
      for (const [role, token] of Object.entries(others.members) as [Role, string][]) {
        if (permits(operation, role)) continue
        const request = {
          ...requestFor(operation, victim),
          headers: { ...headersFor(operation, victim), ...bearing(token) },
        }
        const { status, text } = await ask(operation, request)
        expect([role, status, leaks(text, request)]).toEqual([role, 403, []])
      }
    },
  )
})

/**
 * Also rejected with equal values, because a proxy may have read the other one. Only a socket can
 * send a header twice.
 */
describe('with a repeated header', () => {
  const guarded = servedOperations.filter(
    ({ access }) => access !== 'public' && access !== 'chat',
  )
  test.each(guarded.map((operation) => [operation.name, operation] as const))(
    'rejects %s',
    async (_, operation) => {
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
          const answer = await sendOverSocket(operation, right, {
            ...right.headers,
            [name]: pair,
          })
          return faultsIn(answer, [right, pair]).map((fault) => `${name}: ${fault}`)
        }),
      )
      expect((await Promise.all(faults)).flat()).toEqual([])
    },
  )
})

function sendOverSocket(
  operation: ServedOperation,
  request: OperationRequest,
  headers: Record<string, string | string[]>,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const url = origin + toAddress(operation, request)
    const sent = send(
      url,
      {
        method: request.method,
        headers: { 'content-type': 'application/json', ...headers },
      },
      async (reply) => {
        let text = JSON.stringify(reply.rawHeaders)
        const isStream = String(reply.headers['content-type']).startsWith(
          'text/event-stream',
        )
        if (isStream) reply.destroy()
        else for await (const chunk of reply) text += chunk
        resolve({ status: reply.statusCode!, text })
      },
    )
    sent.on('error', reject)
    sent.end(request.body && JSON.stringify(request.body))
  })
}

test('changes nothing but the audit log', async () => {
  const {
    audit_chain: _end,
    audit_record: _noted,
    ...now
  } = await digestTenant(scene, victim)
  expect(before).toMatchObject(now)
})

/**
 * Ensures that the requests above are not rejected for another reason. Deletions come last, of
 * nested objects first.
 */
test('accepts each of these requests with the right credentials', {
  timeout: 60_000,
}, async () => {
  const size = ({ path }: ServedOperation) =>
    path.split('/').length + (path.endsWith('/me') ? -9 : 0)
  const rank = (operation: ServedOperation) =>
    operation.method === 'DELETE' ? 100 - size(operation) : 0
  // The same handlers in the Chat API have deleted these objects.
  const done = [
    'webchat.deleteConversation',
    'webchat.deleteMessage',
    'webchat.deleteUser',
  ]
  const performed = servedOperations.filter(({ name }) => !done.includes(name))
  const answers: string[] = []
  for (const operation of performed.sort((a, b) => rank(a) - rank(b))) {
    // The deployment of a version without code has removed the code.
    if (operation.name === 'platform.getBotDeployment')
      await deployCode(
        scene.app.services.db,
        victim.things.bot[0]!,
        'exports.handler = () => ({})',
      )
    const { status, text } = await ask(
      operation,
      requestFor(operation, victim, operation.method === 'DELETE' ? 1 : 0),
    )
    const error = alwaysRejected[operation.name]
    const expected = error ? errors[error] : (operation.status ?? 200)
    if (status !== expected || leaks(text, {}, [stranger]).length > 0)
      answers.push(`${operation.name}: ${brief({ status, text })}`)
  }
  expect(answers).toEqual([])
  expect(
    await sql`select 1 from bot where id = ${victim.things.bot[1]}`.execute(
      scene.app.services.db,
    ),
  ).toMatchObject({ rows: [] })
})
