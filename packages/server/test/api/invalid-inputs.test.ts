// Every input that the contract does not allow gets 400 with the type of its part: InvalidPayload
// or InvalidQuery. Inputs are generated from the schemas, so new operations are covered
// automatically.
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type OperationRequest,
  requestFor,
  toAddress,
} from '../support/operation-requests.ts'
import { openScene, type Scene } from '../support/scene.ts'
import {
  getProperties,
  getRequired,
  type ServedOperation,
  servedOperations,
} from '../support/served-operations.ts'
import { digestTenant, makeTenant, type Tenant } from '../support/tenants.ts'

let scene: Scene
let tenant: Tenant
let before: Record<string, string>

beforeAll(async () => {
  scene = await openScene()
  tenant = await makeTenant(scene, 'caller')
  before = await digestTenant(scene, tenant)
}, 30_000)
afterAll(() => scene?.close())

interface Wrong {
  what: string
  toWrong: (right: OperationRequest) => OperationRequest
  type: 'InvalidPayload' | 'InvalidQuery'
}
type Schema = ReturnType<typeof getProperties>[string]

const ofTypes = {
  string: 'text',
  number: 1.5,
  boolean: true,
  object: { a: 1 },
  array: ['a'],
  null: null,
}
/** Returns values of all types that the schema does not have; none for a schema without a type. */
function wrongValues(schema: Schema): unknown[] {
  const kinds = listKinds(schema)
  return kinds
    ? Object.entries(ofTypes).flatMap(([type, value]) => (kinds.has(type) ? [] : [value]))
    : []
}
function listKinds({ type, anyOf, const: only, enum: some }: Schema): Set<string> | null {
  if (anyOf)
    return anyOf
      .map(listKinds)
      .reduce((all, one) => all && one && new Set([all, one].flatMap((set) => [...set])))
  if (only !== undefined || some) return new Set(['string'])
  // 1.5 is not an integer, but has the same type.
  return typeof type === 'string' ? new Set([type === 'integer' ? 'number' : type]) : null
}

const inBody = (what: string, body: unknown): Wrong => ({
  what,
  type: 'InvalidPayload',
  toWrong: (right) => ({ ...right, body: body as never }),
})

function wrongBodies(operation: ServedOperation): Wrong[] {
  if (!operation.body) return []
  const fields = Object.entries(getProperties(operation, 'body'))
  const values = fields.flatMap(([field, schema]) =>
    wrongValues(schema).map((value) => [field, value] as const),
  )
  return [
    ...['text', 1, true, ['a'], []].map((body) =>
      inBody(`the body ${JSON.stringify(body)}`, body),
    ),
    ...getRequired(operation, 'body').map(
      (field): Wrong => ({
        what: `no ${field}`,
        type: 'InvalidPayload',
        toWrong: (right) => ({
          ...right,
          body: Object.fromEntries(
            Object.entries(right.body ?? {}).filter(([name]) => name !== field),
          ),
        }),
      }),
    ),
    ...values.map(
      ([field, value]): Wrong => ({
        what: `${field} ${JSON.stringify(value)}`,
        type: 'InvalidPayload',
        toWrong: (right) => ({ ...right, body: { ...right.body, [field]: value } }),
      }),
    ),
  ]
}

/** Texts that are not a number, a boolean, a value of the enum or a time. */
function wrongQueries(operation: ServedOperation): Wrong[] {
  const missing = getRequired(operation, 'query').map(
    (field): Wrong => ({
      what: `no ${field}`,
      type: 'InvalidQuery',
      toWrong: (right) => ({
        ...right,
        query: Object.fromEntries(
          Object.entries(right.query).filter(([name]) => name !== field),
        ),
      }),
    }),
  )
  const wrong = Object.entries(getProperties(operation, 'query')).flatMap(
    ([field, schema]) =>
      wrongTexts(field, schema).map(
        (text): Wrong => ({
          what: `?${field}=${text.slice(0, 20)}`,
          type: 'InvalidQuery',
          toWrong: (right) => ({ ...right, query: { ...right.query, [field]: text } }),
        }),
      ),
  )
  return [...missing, ...wrong]
}

function wrongTexts(
  field: string,
  { type, enum: words, format }: Schema & { format?: string },
): string[] {
  if (field === 'nextToken') return ['made-up', 'AAAA', '💥', 'x'.repeat(2_000)]
  if (type === 'integer') return ['x', '-1', '1.5', '99999999999']
  if (type === 'object') return ['text']
  if (type === 'boolean') return ['maybe', '2']
  return words || format ? ['nonsense'] : []
}

/** Ids that no database can store. */
const wrongPaths = ({ url }: ServedOperation): Wrong[] =>
  [...url.matchAll(/\{(\w+)\}/g)].flatMap(([, field]) =>
    ['a\0b', '\0'].map(
      (text): Wrong => ({
        what: `${field} ${JSON.stringify(text)}`,
        type: 'InvalidPayload',
        toWrong: (right) => ({ ...right, params: { ...right.params, [field!]: text } }),
      }),
    ),
  )

const wrongInputs = (operation: ServedOperation) => [
  ...wrongBodies(operation),
  ...wrongQueries(operation),
  ...wrongPaths(operation),
]
const hasNoInput = ({ body, query, url }: ServedOperation) =>
  !body && !query && !url.includes('{')

test('has invalid inputs for every operation with parameters or a body', () => {
  const untested = servedOperations.filter(
    (operation) => wrongInputs(operation).length === 0,
  )
  // Its filters are any texts.
  expect(
    untested.filter((operation) => !hasNoInput(operation)).map(({ name }) => name),
  ).toEqual([
    'cognitive.listVoices',
    // The filters are tried in live-updates.test.ts.
    'platform.listenToWorkspace',
  ])
  expect(untested.map(({ name }) => name)).toEqual([
    'admin.getAccount',
    'admin.listPersonalAccessTokens',
    'admin.getWorkspaceMember',
    'admin.getAllWorkspaceQuotaCompletion',
    ...[
      'getBillingReadonly',
      'getBillingAddress',
      'listPlans',
      'listAddons',
      'getSubscription',
      'getAutoRechargeSettings',
      'getTrials',
      'removeTrial',
      'getPaymentMethod',
      'getQuotas',
      'getIntegrationInstanceIdentifiers',
    ].map((name) => `newer.${name}`),
    'cognitive.listModels',
    'cognitive.listVoices',
    'openai.listOpenAiModels',
    'platform.getHandoffRules',
    'platform.getRedaction',
    'platform.getRetention',
    'platform.listTableCounts',
    'platform.listenToWorkspace',
    'platform.getQueue',
    'platform.getBurstRules',
    'platform.getUpcomingTicks',
    'platform.getHealth',
    'platform.listModelBudgets',
    'platform.listModelProviders',
    'platform.listExamples',
    'platform.getInstallationState',
    'platform.checkInstallation',
    'platform.getSignIn',
    'platform.getSession',
    'platform.endSession',
    'platform.endOtherSessions',
    'platform.getSecurity',
    'platform.exportCuratedAnswers',
    'platform.getPersonRules',
    'platform.getOptOutWords',
    'platform.getServerSettings',
  ])
})

/** MCP has its own errors, one for each message of a batch. */
const isProtocolError = ({ name }: ServedOperation, answer: unknown) =>
  name.startsWith('mcp.') &&
  [answer]
    .flat()
    .every((one) => (one as { error?: { code: number } }).error?.code === -32600)

test.each(
  servedOperations
    .filter((operation) => !hasNoInput(operation))
    .map((operation) => [operation.name, operation] as const),
)('rejects invalid inputs of %s', async (_, operation) => {
  const right = requestFor(operation, tenant)
  const outcomes = wrongInputs(operation).map(async ({ what, toWrong, type }) => {
    const wrong = toWrong(right)
    const { statusCode, body } = await scene.app.server.inject({
      method: wrong.method,
      url: toAddress(operation, wrong),
      headers: { ...wrong.headers, 'content-type': 'application/json' },
      ...(wrong.body !== undefined && { payload: JSON.stringify(wrong.body) }),
    })
    const answer = JSON.parse(body)
    return (statusCode === 400 && answer.type === type) ||
      isProtocolError(operation, answer)
      ? []
      : [`${what}: ${statusCode} ${body.slice(0, 200)}`]
  })
  expect((await Promise.all(outcomes)).flat()).toEqual([])
})

test('changes nothing', async () =>
  expect(await digestTenant(scene, tenant)).toEqual(before))
