// Every operation with every role: accepted with the permission, 403 without it, and 401 or 404 for
// members of other workspaces. Operations and permissions come from the contract; the last tests
// state by hand what the permissions must mean.
import {
  namesWorkspace,
  type Permission,
  permissions,
  type Role,
  roles,
} from '@botstead/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newId } from '../../src/core/lib/ids.ts'
import { findIdKind } from '../support/id-kinds.ts'
import {
  headersFor,
  type OperationRequest,
  requestFor,
  toAddress,
} from '../support/operation-requests.ts'
import { openScene, type Scene } from '../support/scene.ts'
import {
  permits,
  type ServedOperation,
  servedOperations,
} from '../support/served-operations.ts'
import { bearing, digestTenant, makeTenant, type Tenant } from '../support/tenants.ts'
import { makeMembers } from '../support/wrong-credentials.ts'

let scene: Scene
let tenant: Tenant
let stranger: Tenant
let members: Record<Role, string>

beforeAll(async () => {
  scene = await openScene()
  tenant = await makeTenant(scene, 'tenant')
  stranger = await makeTenant(scene, 'stranger')
  members = await makeMembers(scene, tenant)
}, 60_000)
afterAll(() => scene?.close())

async function ask(
  operation: ServedOperation,
  request: OperationRequest,
  token: string,
): Promise<{ status: number; type: string | undefined }> {
  const { method, body } = request
  const headers = { ...request.headers, ...bearing(token) }
  const reply = await scene.app.server.inject({
    method,
    url: toAddress(operation, request),
    headers,
    ...(body && { payload: body }),
  })
  return { status: reply.statusCode, type: reply.json().type }
}

/**
 * Returns a request with unknown ids, so that it changes nothing for the next one. The workspace of
 * the path is real, because the permission check reads it.
 */
function withUnknownIds(operation: ServedOperation): OperationRequest {
  const right = requestFor(operation, tenant)
  const params = Object.entries(right.params).map(([field, value]) => {
    const isReal =
      namesWorkspace(operation) ||
      findIdKind(operation, 'params', field) === null ||
      field === 'key'
    return [field, isReal ? value : newId('bot')]
  })
  return { ...right, params: Object.fromEntries(params) }
}

const endsWorkspace = ['admin.deleteWorkspace']
const guarded = servedOperations.filter(
  ({ access, stream }) => (access === 'workspace' || access === 'bot') && !stream,
)
const harmlessRequest = (operation: ServedOperation) =>
  endsWorkspace.includes(operation.name)
    ? requestFor(operation, tenant, 1)
    : withUnknownIds(operation)

describe('each role has exactly its permissions', () => {
  test.each(guarded.map((operation) => [operation.name, operation] as const))(
    '%s',
    async (_, operation) => {
      const answers = []
      for (const role of roles) {
        const { status, type } = await ask(
          operation,
          harmlessRequest(operation),
          members[role],
        )
        answers.push([
          role,
          type === 'Forbidden' ? 'not permitted' : 'permitted',
          status < 500 && status !== 401,
        ])
      }
      expect(answers).toEqual(
        roles.map((role) => [
          role,
          permits(operation, role) ? 'permitted' : 'not permitted',
          true,
        ]),
      )
    },
  )
})

describe('a viewer changes nothing', () => {
  const permitted = guarded.filter((operation) => permits(operation, 'viewer'))
  let before: Record<string, string>
  beforeAll(async () => {
    // The matrix above has started one.
    const running = sql`select from archive_job where ended_at is null`
    const { db } = scene.app.services
    await vi.waitFor(
      async () => expect((await running.execute(db)).rows).toEqual([]),
      20_000,
    )
    // The first use of a token changes its row.
    await ask(permitted[0]!, requestFor(permitted[0]!, tenant), members.viewer)
    before = await digestTenant(scene, tenant)
  })

  test.each(permitted.map((operation) => [operation.name, operation] as const))(
    '%s',
    async (_, operation) => {
      const { status } = await ask(
        operation,
        requestFor(operation, tenant),
        members.viewer,
      )
      expect(status).toBeLessThan(500)
      expect(await digestTenant(scene, tenant)).toEqual(before)
    },
  )
})

describe('a member of another workspace gets 401 or 404', () => {
  test.each(guarded.map((operation) => [operation.name, operation] as const))(
    '%s',
    async (_, operation) => {
      const { status } = await ask(
        operation,
        { ...requestFor(operation, tenant), headers: headersFor(operation, tenant) },
        stranger.token,
      )
      expect([401, 404]).toContain(status)
    },
  )
})

test.each([
  ['agent', 403],
  ['editor', 403],
  ['viewer', 200],
] as const)('an %s that acts as an integration gets %i', async (role, status) => {
  const operation = servedOperations.find(
    ({ name }) => name === 'runtime.listConversations',
  )!
  const request = requestFor(operation, tenant)
  const headers = { ...request.headers, 'x-integration-alias': 'tg' }
  expect(await ask(operation, { ...request, headers }, members[role])).toMatchObject({
    status,
  })
})

/** Operations of both agents and editors. */
const reading = [
  'admin.getWorkspaceMember',
  'admin.listBots',
  'platform.countHandoffs',
  'platform.getConversationTranscript',
  'platform.getCuratedAnswer',
  'platform.getHandoff',
  'platform.getUser',
  'platform.listCannedReplies',
  'platform.listConversationNotes',
  'platform.listCuratedAnswers',
  'platform.listenToWorkspace',
  'platform.listFeedback',
  'platform.listHandoffs',
  'platform.searchConversations',
  'platform.searchUsers',
  'runtime.getConversation',
  'runtime.getMessage',
  'runtime.getParticipant',
  'runtime.listConversations',
  'runtime.listMessages',
  'runtime.listParticipants',
]
const answering = [
  'platform.answerHandoff',
  'platform.assignHandoff',
  'platform.closeHandoff',
  'platform.createConversationNote',
  'platform.deleteConversationNote',
  'platform.readHandoff',
  'platform.requestHandoff',
  'platform.setConversationTyping',
  'platform.updateHandoff',
  'runtime.addParticipant',
  'runtime.removeParticipant',
  'runtime.updateConversation',
]
const knowing = [
  'files.createKnowledgeBase',
  'files.deleteFile',
  'files.deleteKnowledgeBase',
  'files.getFile',
  'files.listFilePassages',
  'files.listFiles',
  'files.listKnowledgeBases',
  'files.updateKnowledgeBase',
  'files.upsertFile',
  'platform.countFiles',
  'platform.createCuratedAnswer',
  'platform.createKnowledgeCheck',
  'platform.createKnowledgeSource',
  'platform.deleteCuratedAnswer',
  'platform.deleteKnowledgeCheck',
  'platform.deleteKnowledgeSource',
  'platform.dismissMissedQuestion',
  'platform.explainSearch',
  'platform.exportCuratedAnswers',
  'platform.findAnswers',
  'platform.findCuratedAnswer',
  'platform.findStoredFiles',
  'platform.getKnowledgeSource',
  'platform.importCuratedAnswers',
  'platform.indexFile',
  'platform.listKnowledgeChecks',
  'platform.listKnowledgePages',
  'platform.listKnowledgeSources',
  'platform.listMissedQuestions',
  'platform.refreshKnowledgeSource',
  'platform.runKnowledgeChecks',
  'platform.searchFilesByName',
  'platform.updateCuratedAnswer',
  'platform.updateKnowledgeCheck',
  'platform.updateKnowledgeSource',
]

describe('permissions', () => {
  const listPermitted = (role: Role) =>
    servedOperations
      .filter(({ access }) => access === 'workspace' || access === 'bot')
      .filter((operation) => permits(operation, role))
      .map(({ name }) => name)
      .toSorted()
  const having = (permission: Permission) => permissions[permission].join(' ')
  const startingWith = (...areas: string[]) =>
    (Object.keys(permissions) as Permission[]).filter((name) =>
      areas.includes(name.split('.')[0]!),
    )

  test('let billing read bills and usage, but no bots, files, tables, packages or members', () => {
    expect(
      (Object.keys(permissions) as Permission[]).filter((name) =>
        permissions[name].includes('billing'),
      ),
    ).toEqual([
      'workspace.read',
      'membership.read',
      'billing.read',
      'billing.write',
      'usage.read',
    ])
  })

  const remedy = 'add the operation to a list of this file, or give it another permission'
  test('let an agent answer users, and nothing else', () => {
    expect(listPermitted('agent'), remedy).toEqual(
      [
        ...reading,
        'admin.listWorkspaceMembers',
        ...answering,
        'platform.createCuratedAnswer',
      ].toSorted(),
    )
  })

  test('let an editor write what the bot says and knows, and nothing else', () => {
    expect(listPermitted('editor'), remedy).toEqual(
      [
        ...reading,
        'admin.getBotAnalytics',
        'platform.getHandoffTimes',
        'platform.listAnalytics',
        ...['listDraftTexts', 'saveDraftTexts'].map((name) => `platform.${name}`),
        ...['create', 'update', 'delete'].map((verb) => `platform.${verb}CannedReply`),
        ...knowing,
      ].toSorted(),
    )
  })

  test('let a viewer read and change nothing', () => {
    const may = (Object.keys(permissions) as Permission[]).filter((name) =>
      permissions[name].includes('viewer'),
    )
    expect(may.filter((name) => !/\.(read|list)$/.test(name))).toEqual([])
    expect(
      startingWith('bots', 'data', 'files', 'tables', 'packages').filter(
        (name) => name.endsWith('.read') && !may.includes(name),
      ),
    ).toEqual([])
  })

  test.each([
    'bots.create',
    'bots.update',
    'bots.delete',
    'data.write',
    'files.write',
    'tables.write',
    'packages.write',
    'keys.write',
  ] as const)('give %s to a developer', (name) => {
    expect(having(name)).toBe('developer manager administrator owner')
  })

  test.each([
    'members.write',
    'audit.read',
    'billing.read',
    'billing.write',
    'bots.deleteAny',
  ] as const)('do not give %s to a developer', (name) => {
    expect(permissions[name]).not.toContain('developer')
  })

  test('let a manager also read the audit log and transfer bots', () => {
    const more = (Object.keys(permissions) as Permission[]).filter(
      (name) =>
        permissions[name].includes('manager') && !permissions[name].includes('developer'),
    )
    expect(more).toEqual(['audit.read', 'bots.transfer'])
  })

  test.each([
    'members.write',
    'workspace.update',
    'bots.deleteAny',
    'bots.readAny',
    'bots.allowlist',
  ] as const)('give %s to an administrator', (name) => {
    expect(having(name)).toBe('administrator owner')
  })

  test('let only an owner delete the workspace', () => {
    expect(having('workspace.delete')).toBe('owner')
  })

  test('let an owner do everything', () => {
    expect(
      (Object.keys(permissions) as Permission[]).filter(
        (name) => !permissions[name].includes('owner'),
      ),
    ).toEqual([])
  })
})
