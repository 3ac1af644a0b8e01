// The official clients call every served operation once, against a listening server. The server's
// log counts: the last test fails for an operation that no test calls.
import { createHash } from 'node:crypto'
import { Writable } from 'node:stream'
import { Client as ChatClient } from '@botpress/chat'
import { billing, Client } from '@botpress/client'
import {
  createClient,
  createUser,
  initialize,
  sendPerfMetrics,
} from '@botpress/webchat-client'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newId } from '../../src/core/lib/ids.ts'
import { hubIntegrations } from '../../src/features/channels/hub-entries.ts'
import { openMcpServer } from '../support/mcp.ts'
import { telegram } from '../support/messaging-rows.ts'
import { alwaysRejected } from '../support/operation-requests.ts'
import { openScene, type Scene } from '../support/scene.ts'
import { servedOperations } from '../support/served-operations.ts'
import { signIn } from '../support/sign-in.ts'

let scene: Scene
let apiUrl: string
/** Operations with a successful response, from the server's log. */
const answered = new Set<string>()

const note = (line: string) => {
  if (!line.includes('"operation"')) return
  const { operation, status } = JSON.parse(line) as { operation: string; status: number }
  if (status >= 200 && status < 300) answered.add(operation)
}

beforeAll(async () => {
  const lines = new Writable({
    write(chunk, _encoding, done) {
      String(chunk).split('\n').forEach(note)
      done()
    },
  })
  scene = await openScene({ log: pino({ level: 'info' }, lines) })
  apiUrl = await scene.listen()
})
afterAll(() => scene?.close())

const clientFor = (more: object = {}) =>
  new Client({
    apiUrl,
    token: scene.token,
    workspaceId: scene.workspaceId,
    botId: scene.botId,
    retry: { retries: 0 },
    ...more,
  })

/** Calls the Platform API, which official clients do not have. */
const onPlatform = async (
  path: string,
  method: string,
  headers: Record<string, string>,
  body?: object,
) => {
  const json = body && {
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  return (
    await fetch(`${apiUrl}/v1/platform/${path}`, { method, headers, ...json })
  ).json()
}

test('Admin', async () => {
  const client = clientFor()
  const { account } = await client.updateAccount({ displayName: 'Robin' })
  expect((await client.getAccount({})).account).toEqual(account)
  await client.setAccountPreference({ key: 'theme', value: 'dark' })
  expect(await client.getAccountPreference({ key: 'theme' })).toEqual({ value: 'dark' })

  const { pat } = await client.createPersonalAccessToken({ note: 'walk' })
  expect((await client.listPersonalAccessTokens({})).pats.map(({ id }) => id)).toContain(
    pat.id,
  )
  await client.deletePersonalAccessToken({ id: pat.id })

  const workspace = await client.createWorkspace({ name: 'Second' })
  expect(await client.checkHandleAvailability({ handle: 'second' })).toEqual({
    available: true,
    suggestions: [],
  })
  await client.updateWorkspace({ id: workspace.id, handle: 'second' })
  expect(await client.getWorkspace({ id: workspace.id })).toMatchObject({
    handle: 'second',
    ownerId: account.id,
  })
  expect((await client.listWorkspaces({})).workspaces).toHaveLength(2)

  await client.updateWorkspace({ id: workspace.id, isPublic: true })
  expect((await client.getPublicWorkspace({ id: workspace.id })).handle).toBe('second')
  expect(
    (await client.listPublicWorkspaces({ search: 'SECOND' })).workspaces.map(
      ({ id }) => id,
    ),
  ).toEqual([workspace.id])
  await client.setWorkspacePreference({ key: 'theme', value: 'light' })
  expect(await client.getWorkspacePreference({ key: 'theme' })).toEqual({
    value: 'light',
  })

  const member = await client.createWorkspaceMember({
    email: 'ann@example.org',
    role: 'viewer',
  })
  expect(
    await client.updateWorkspaceMember({ id: member.id, role: 'developer' }),
  ).toEqual({
    ...member,
    role: 'developer',
  })
  const myself = await client.getWorkspaceMember({})
  expect((await client.listWorkspaceMembers({})).members).toEqual([
    myself,
    { ...member, role: 'developer' },
  ])
  const { pat: first } = await onPlatform(
    `members/${member.id}/token`,
    'POST',
    scene.admin,
  )
  expect((await clientFor({ token: first.value }).getAccount({})).account.email).toBe(
    'ann@example.org',
  )
  await client.updateBotAllowlist({
    botId: scene.botId,
    setting: 'SELECTED_USERS',
    users: { [member.id]: true },
  })
  expect(await client.getBotAllowlist({ botId: scene.botId })).toEqual({
    setting: 'SELECTED_USERS',
    users: [{ id: member.id }],
  })
  await client.deleteWorkspaceMember({ id: member.id })
  const { records } = await client.getAuditRecords({ id: scene.workspaceId })
  expect(records[0]).toMatchObject({
    action: 'REMOVE_WORKSPACE_MEMBER',
    resourceId: member.id,
    userId: account.id,
  })
  expect((await onPlatform('audit', 'GET', scene.admin)).entries).toHaveLength(
    records.length,
  )
  expect(await onPlatform('audit/verification', 'GET', scene.admin)).toMatchObject({
    whole: true,
    checked: records.length,
  })

  const { bot } = await client.createBot({ name: 'walker' })
  await client.updateBot({
    id: bot.id,
    description: 'walks',
    code: 'exports.handler = () => ({})',
  } as never)
  const { deployment } = await onPlatform(`bots/${bot.id}/deployment`, 'GET', scene.admin)
  expect(deployment).toEqual({
    version: expect.any(String),
    deployedAt: expect.any(String),
  })
  expect((await client.getBot({ id: bot.id })).bot.name).toBe('walker')
  expect((await client.listBots({})).bots.map(({ id }) => id)).toEqual([
    bot.id,
    scene.botId,
  ])
  const key = await client.createBotApiKey({ botId: bot.id, note: 'walk' })
  expect(
    (await client.listBotApiKeys({ botId: bot.id })).baks.map(({ id }) => id),
  ).toEqual([key.id])
  expect(
    await clientFor({ token: key.value }).introspect({ botId: bot.id }),
  ).toMatchObject({
    botId: bot.id,
    userId: bot.id,
  })
  await client.deleteBotApiKey({ id: key.id })

  scene.app.services.issues.report(bot.id, {
    code: 'event_failed',
    message: 'walked into a wall',
  })
  await expect
    .poll(async () => (await client.listBotIssues({ id: bot.id })).issues.length)
    .toBe(1)
  const [found] = (await client.listBotIssues({ id: bot.id })).issues
  expect((await client.getBotIssue({ id: bot.id, issueId: found!.id })).issue).toEqual(
    found,
  )
  expect(
    (await client.listBotIssueEvents({ id: bot.id, issueId: found!.id })).issueEvents,
  ).toMatchObject([{ data: { message: { raw: 'walked into a wall' } } }])
  await client.deleteBotIssue({ id: bot.id, issueId: found!.id })
  const today = new Date().toISOString()
  expect(
    (await client.getBotAnalytics({ id: bot.id, startDate: today, endDate: today }))
      .records,
  ).toMatchObject([{ messages: 0, newUsers: 0 }])
  expect(await client.getBotLogs({ id: bot.id, timeStart: '2020-01-01' })).toEqual({
    logs: [],
  })
  const { code } = await client.getBotWebchat({ id: bot.id, type: 'sharableUrl' })
  expect((await fetch(code)).status).toBeLessThan(500)

  const { version } = await client.createBotVersion({ id: bot.id, name: 'first' })
  expect(await client.listBotVersions({ id: bot.id })).toEqual({ versions: [version] })
  const { url } = await client.getBotVersion({ id: bot.id, versionId: version.id })
  expect(await (await fetch(url)).json()).toMatchObject({ kind: 'bot' })
  await client.deployBotVersion({ id: bot.id, versionId: version.id })
  const versions = `bots/${bot.id}/versions`
  expect(await onPlatform(versions, 'GET', scene.admin)).toMatchObject({
    versions: [{ id: version.id, number: 1, name: 'first' }],
    running: { versionId: version.id, isModified: false },
  })
  const renamed = { headers: scene.admin, body: { name: 'renamed' } }
  expect(
    (await scene.call('PUT', `/v1/platform/${versions}/${version.id}`, renamed)).body,
  ).toMatchObject({ version: { name: 'renamed' } })
  expect(await onPlatform(`${versions}/${version.id}`, 'DELETE', scene.admin)).toEqual({})
  const document = await client.getBotJson({ id: bot.id })
  expect(await onPlatform('documents/check', 'POST', scene.admin, { document })).toEqual({
    problems: [],
    warnings: [],
    isPartial: false,
  })
  const difyExport = {
    kind: 'app',
    app: { name: 'Help', mode: 'chat' },
    model_config: {},
  }
  const converted = await onPlatform('documents/convert', 'POST', scene.admin, {
    fileName: 'help.yml',
    content: Buffer.from(JSON.stringify(difyExport)).toString('base64'),
  })
  expect(converted).toMatchObject({ report: { name: 'Help', counts: { carried: 1 } } })
  await client.publishFromBotJson({ id: bot.id, botJson: document })
  expect(
    (await client.rotateBotSigningSecrets({ id: bot.id })).newSigningSecret,
  ).not.toBe('')
  await client.transferBot({ id: bot.id, targetWorkspaceId: workspace.id })
  const elsewhere = clientFor({ workspaceId: workspace.id })
  expect((await elsewhere.listBots({})).bots.map(({ id }) => id)).toEqual([bot.id])
  expect(await elsewhere.listActivities({ botId: bot.id, taskId: 'none' })).toEqual({
    activities: [],
    meta: {},
  })
  await elsewhere.deleteBot({ id: bot.id })
  await client.deleteWorkspace({ id: workspace.id })
  await clientFor({ token: first.value }).deleteAccount({})
})

test('Admin: usage and billing', async () => {
  const client = clientFor()
  const [target, type] = [{ id: scene.workspaceId }, 'bot_count' as const]
  const { usage } = await client.getUsage({ ...target, type })
  expect(usage).toMatchObject({ ...target, type, value: 1 })
  expect((await client.listWorkspaceUsages({ ...target, type })).usages).toEqual([usage])
  expect(
    (await client.getMultipleUsages({ types: [type], ids: [scene.workspaceId] })).usages,
  ).toEqual([usage])
  expect((await client.breakDownWorkspaceUsageByBot({ ...target, type })).data).toEqual([
    { botId: scene.botId, value: 1 },
  ])
  expect((await client.listUsageHistory({ ...target, type })).usages).toEqual([usage])
  expect((await client.listUsageActivity({ ...target, type })).data).toEqual([])
  expect((await client.listUsageActivityDaily({ ...target, type })).data).toEqual([])
  const { quota } = await client.getWorkspaceQuota({ ...target, type })
  expect(quota).toEqual({ type, period: usage.period, value: usage.quota })
  expect((await client.listWorkspaceQuotas(target)).quotas).toContainEqual(quota)
  expect(Object.keys(await client.getAllWorkspaceQuotaCompletion({}))).toContain(
    scene.workspaceId,
  )

  expect(await client.listWorkspaceInvoices(target)).toEqual({ invoices: [] })
  expect(await client.getUpcomingInvoice(target)).toEqual({ total: 0, lineItems: [] })
  expect(await client.chargeWorkspaceUnpaidInvoices(target)).toEqual({
    chargedInvoices: [],
    failedInvoices: [],
  })
  await client.migrateWorkspaceToV4(target)
})

test('Admin: operations of the vendor', async () => {
  await expect(
    clientFor().changeAISpendQuota({ monthlySpendingLimit: 10 }),
  ).rejects.toMatchObject({
    type: alwaysRejected['admin.changeAISpendQuota'],
  })
})

test('Newer clients: billing and usage', async () => {
  const client = new billing.Client({
    apiUrl,
    token: scene.token,
    workspaceId: scene.workspaceId,
  })
  expect(await client.getBillingReadonly({})).toEqual({
    planReadonly: true,
    addonsReadonly: true,
  })
  expect(await client.getBillingAddress({})).toEqual({ address: null })
  const [plan] = await client.listPlans({})
  expect(await client.getPlan({ planId: plan!.id })).toEqual(plan)
  expect((await client.getSubscription({})).plan.current).toMatchObject({
    planId: plan!.id,
    price: 0,
  })
  expect(await client.listAddons({})).toEqual([])
  expect(await client.getAutoRechargeSettings({})).toEqual({ settings: {} })
  expect(await client.getTrials({})).toEqual({ trials: [] })
  expect(await client.listInvoices({})).toEqual({ invoices: [], meta: {} })
  expect(await client.getPaymentMethod({})).toEqual({ paymentMethod: null })
  const quotas = await client.getQuotas({})
  const period = new Date().toISOString().slice(0, 7)
  const feature = 'bot_count' as const
  const used = { usage: expect.any(Number), quota: quotas[feature] }
  expect(await client.getWorkspaceUsage({ feature, period })).toEqual(used)
  expect((await client.getWorkspaceUsages({ period })).quotas[feature]).toEqual(used)
  const answer = await fetch(`${apiUrl}/v1/chat/integrations/identifiers`, {
    headers: { ...scene.asBot, 'x-integration-alias': 'chat' },
  })
  expect(await answer.json()).toEqual({ identifiers: [] })
})

test('Drafts', async () => {
  const { bot } = await clientFor().createBot({ name: 'drafted' })
  const path = `bots/${bot.id}/draft`
  const ask = (method: string, below = '', body?: object) =>
    onPlatform(`${path}${below}`, method, scene.admin, body)
  const { draft } = await ask('GET')
  const text = draft.text.replace(
    '"cards": []',
    '"cards": [{ "type": "send", "message": "Hi" }]',
  )
  expect(await ask('PUT', '', { baseRevision: 0, text })).toMatchObject({
    draft: { text, revision: 1, hasChanges: true },
    overwritten: [],
  })
  expect((await ask('GET', '/revisions')).revisions).toMatchObject([
    { revision: 1 },
    { revision: 0 },
  ])
  expect(await ask('GET', '/revisions/0')).toMatchObject({ text: draft.text })
  const { texts } = await ask('GET', '/texts')
  expect(texts).toMatchObject([{ text: 'Hi', flow: 'main' }])
  const change = { key: texts[0].key, language: null, text: 'Hi', original: 'Hi' }
  expect(await ask('PATCH', '/texts', { changes: [change] })).toEqual({ revision: 1 })
  const tests = { Greets: { steps: [{ user: 'hi' }, { bot: 'Hi' }] } }
  const tested = { text: JSON.stringify({ ...JSON.parse(text), tests }) }
  expect(await ask('POST', '/test', tested)).toMatchObject({
    passed: 1,
    results: [{ name: 'Greets' }],
  })
  const trial = await ask('POST', '/try', { revision: 1 })
  expect(trial).toMatchObject({ revision: 1, botId: expect.any(String) })
  expect(await ask('POST', '/publish', { revision: 1 })).toMatchObject({
    draft: { revision: 1, publishedRevision: 1, hasChanges: false },
    version: { name: 'Published draft' },
  })
  const copilot = `bots/${bot.id}/copilot-runs`
  expect(await onPlatform(copilot, 'GET', scene.admin)).toMatchObject({
    runs: [],
    allowance: { hasModel: false, usedToday: { tokens: 0, dollars: 0 } },
  })
  const provider = { type: 'mistral', key: 'a-key', models: { small: {} } }
  await onPlatform('model-providers/copilot', 'PUT', scene.admin, provider)
  const { run } = await onPlatform(copilot, 'POST', scene.admin, { request: 'Greet' })
  expect(run).toMatchObject({ number: 1, state: 'running', request: 'Greet' })
  await onPlatform(`${copilot}/1/stop`, 'POST', scene.admin, {})
  const ended = await onPlatform(`${copilot}/1`, 'GET', scene.admin)
  expect(ended).toMatchObject({ run: { number: 1, hasChange: false }, text: null })
  await onPlatform('model-providers/copilot', 'DELETE', scene.admin)
  expect(await ask('DELETE')).toMatchObject({ draft: { revision: 2, hasChanges: false } })
  await clientFor().deleteBot({ id: bot.id })
})

/** Chat and webchat have two versions each. */
const comingWithServer = ['chat', 'webchat', ...hubIntegrations.map(({ name }) => name)]

test('Admin: integrations', async () => {
  const client = clientFor()
  const ref = { name: 'weather', version: '1.0.0' }
  await client.validateIntegrationCreation(ref)
  const { integration } = await client.createIntegration({
    ...ref,
    visibility: 'public',
    events: { rain: { schema: { type: 'object' } } },
  })
  const target = { id: integration.id }
  await client.validateIntegrationUpdate({ ...target, title: 'Weather' })
  expect(
    (await client.updateIntegration({ ...target, title: 'Weather' })).integration,
  ).toMatchObject({
    title: 'Weather',
    events: integration.events,
  })
  const { integration: found } = await client.getIntegration(target)
  expect(
    (await client.getIntegrationByName({ ...ref, version: 'latest' })).integration,
  ).toEqual(found)
  expect((await client.listIntegrations({ search: 'rain' })).integrations).toEqual([])
  expect((await client.listIntegrations({ search: 'weath' })).integrations).toMatchObject(
    [{ ...target, matchedOn: { name: true, title: true } }],
  )
  expect((await client.getPublicIntegration(ref)).integration).toMatchObject({
    ...target,
    meta: { installs: 0 },
  })
  expect((await client.getPublicIntegrationById(target)).integration.meta.views).toBe(1)
  expect(
    (await client.listPublicIntegrations({ sortBy: 'name' })).integrations.map(
      ({ name }) => name,
    ),
  ).toEqual([...comingWithServer, 'chat', 'weather', 'webchat'].sort())
  expect(await client.getIntegrationLogs({ ...target, timeStart: '2020-01-01' })).toEqual(
    {
      logs: [],
    },
  )
  await client.requestIntegrationVerification({ integrationId: integration.id })
  expect(
    (await client.rotateIntegrationSigningSecrets(target)).newSigningSecret,
  ).not.toBe(integration.signingSecret)
  await client.updateIntegration({
    id: integration.id,
    code: 'exports.handler = () => ({})',
  })
  const deployed = await onPlatform(
    `integrations/${integration.id}/deployment`,
    'GET',
    scene.admin,
  )
  expect(deployed.deployment.version).toEqual(expect.any(String))
  const built = await onPlatform(
    `integrations/${integration.id}/package`,
    'GET',
    scene.admin,
  )
  expect(built.integration).toMatchObject({ ...ref, title: 'Weather' })
  const again = { ...built.integration, code: built.code, version: '2.0.0' }
  const sent = { interfaces: built.interfaces, integrations: [again] }
  const { packages } = await onPlatform('packages', 'POST', scene.admin, sent)
  expect(packages).toMatchObject([
    { name: 'weather', version: '2.0.0', state: 'created' },
  ])
  await client.deleteIntegration({ id: packages[0].id })
  const key = await client.createIntegrationApiKey({
    integrationId: integration.id,
    note: 'walk',
  })
  expect(
    (await client.listIntegrationApiKeys({ integrationId: integration.id })).iaks.map(
      ({ id }) => id,
    ),
  ).toEqual([key.id])
  await client.deleteIntegrationApiKey({ id: key.id })
  await client.deleteIntegration(target)
  expect(await client.runVrl({ data: { a: 'b' }, script: '.c = upcase!(.a)' })).toEqual({
    data: { a: 'b', c: 'B' },
    result: 'B',
  })
})

test('Admin: interfaces and plugins', async () => {
  const client = clientFor()
  const item = { schema: { type: 'object', properties: { id: { type: 'string' } } } }
  const ref = { name: 'listable', version: '1.0.0' }
  const { interface: made } = await client.createInterface({
    ...ref,
    entities: { item },
    public: true,
  })
  const target = { id: made.id }
  expect(
    (await client.updateInterface({ ...target, title: 'Listable' })).interface,
  ).toMatchObject({
    title: 'Listable',
    entities: { item },
  })
  const { interface: found } = await client.getInterface(target)
  expect(
    (await client.getInterfaceByName({ ...ref, version: 'latest' })).interface,
  ).toEqual(found)
  expect((await client.listInterfaces({ name: 'listable' })).interfaces).toMatchObject([
    target,
  ])
  expect((await client.getPublicInterfaceById(target)).interface).toEqual(found)
  expect((await client.getPublicInterface(ref)).interface).toEqual(found)
  expect((await client.listPublicInterfaces({})).interfaces).toMatchObject([target])

  const named = { name: 'lister', version: '1.0.0' }
  const actions = {
    show: {
      input: {
        schema: { properties: { item: { $ref: 'interface:items/entities/item' } } },
      },
      output: { schema: {} },
    },
  }
  const code = { node: 'n', browser: 'b' }
  const { plugin } = await client.createPlugin({
    ...named,
    actions,
    code,
    dependencies: { interfaces: { items: target } },
  })
  const here = { id: plugin.id }
  expect(
    (await client.updatePlugin({ ...here, visibility: 'public' })).plugin.dependencies
      .interfaces.items,
  ).toEqual({ ...target, ...ref })
  const { plugin: kept } = await client.getPlugin(here)
  expect((await client.getPluginByName({ ...named, version: '^1.0.0' })).plugin).toEqual(
    kept,
  )
  expect((await client.listPlugins({ version: 'latest' })).plugins).toMatchObject([here])
  expect((await client.getPublicPluginById(here)).plugin).toEqual(kept)
  expect((await client.getPublicPlugin(named)).plugin).toEqual(kept)
  expect((await client.listPublicPlugins({ name: 'lister' })).plugins).toMatchObject([
    here,
  ])
  expect(await client.getPluginCode({ ...here, platform: 'node' })).toEqual({ code: 'n' })
  expect(await client.getPublicPluginCode({ ...here, platform: 'browser' })).toEqual({
    code: 'b',
  })
  const resolved = { properties: { item: item.schema } }
  expect(
    (await client.getDereferencedPlugin({ ...here, interfaces: {} })).plugin.actions.show
      ?.input.schema,
  ).toEqual(resolved)
  expect(
    (await client.getDereferencedPublicPluginById({ ...here, interfaces: {} })).plugin
      .actions.show?.input.schema,
  ).toEqual(resolved)
  await client.deletePlugin(here)
  await client.deleteInterface(target)
})

test('Runtime', async () => {
  const integrationId = newId('integration')
  await sql`
    insert into integration (id, workspace_id, name, version, url, definition)
    values (${integrationId}, ${scene.workspaceId}, 'telegram', '1.0.0', 'http://127.0.0.1:9/',
      ${JSON.stringify(telegram)}::jsonb)`.execute(scene.app.services.db)
  const bot = clientFor()
  await clientFor({ headers: { 'x-multiple-integrations': 'true' } }).updateBot({
    id: scene.botId,
    integrations: { tg: { integrationId, enabled: true, configuration: {} } } as never,
  })
  const integration = clientFor({ integrationAlias: 'tg' })
  expect(await integration.configureIntegration({ identifier: 'me' })).toEqual({})

  const installed = { botId: scene.botId, integrationId, integrationInstanceAlias: 'tg' }
  const { shareableId } = await bot.createIntegrationShareableId(installed)
  expect(await bot.getIntegrationShareableId(installed)).toEqual({
    shareableId,
    isExpired: false,
  })
  await bot.unlinkSandboxedConversations(installed)
  await bot.deleteIntegrationShareableId(installed)

  const { user } = await integration.createUser({ tags: { id: '1' }, name: 'Ann' })
  expect((await integration.getOrCreateUser({ tags: { id: '1' } })).user.id).toBe(user.id)
  expect((await bot.updateUser({ id: user.id, name: 'Bea' })).user.name).toBe('Bea')
  expect((await bot.getUser({ id: user.id })).user.name).toBe('Bea')
  expect(
    (await bot.listUsers({ tags: { 'tg:id': '1' } })).users.map(({ id }) => id),
  ).toEqual([user.id])

  const { conversation } = await integration.createConversation({
    channel: 'dm',
    tags: { id: '1' },
  })
  const target = { id: conversation.id }
  expect(
    (await integration.getOrCreateConversation({ channel: 'dm', tags: { id: '1' } }))
      .conversation.id,
  ).toBe(conversation.id)
  await integration.updateConversation({ ...target, tags: { room: 'r' } })
  expect((await bot.getConversation(target)).conversation.tags).toEqual({
    'tg:id': '1',
    'tg:room': 'r',
  })
  expect(
    (await bot.listConversations({ channel: 'dm' })).conversations.map(({ id }) => id),
  ).toEqual([conversation.id])
  await integration.addParticipant({ ...target, userId: user.id })
  expect((await bot.getParticipant({ ...target, userId: user.id })).participant.id).toBe(
    user.id,
  )
  expect((await bot.listParticipants(target)).participants.map(({ id }) => id)).toEqual([
    user.id,
  ])

  const textMessage = {
    conversationId: conversation.id,
    userId: user.id,
    type: 'text',
    payload: { text: 'hi' },
  }
  const { message } = await integration.createMessage({
    ...textMessage,
    tags: { id: '1' },
  })
  expect(
    (await integration.getOrCreateMessage({ ...textMessage, tags: { id: '1' } })).message
      .id,
  ).toBe(message.id)
  await integration.updateMessage({ id: message.id, payload: { text: 'ho' } })
  expect((await bot.getMessage({ id: message.id })).message).toMatchObject({
    payload: { text: 'ho' },
    direction: 'incoming',
  })
  expect(
    (await bot.listMessages({ conversationId: conversation.id })).messages.map(
      ({ id }) => id,
    ),
  ).toEqual([message.id])

  const { event } = await integration.createEvent({
    type: 'added',
    payload: { content: 'milk' },
  })
  expect((await bot.getEvent({ id: event.id })).event.type).toBe('tg:added')
  expect((await bot.listEvents({ type: 'tg:added' })).events.map(({ id }) => id)).toEqual(
    [event.id],
  )

  const later = { schedule: { delay: 3_600_000 } }
  const { event: doomed } = await bot.createEvent({
    type: 'reminder',
    payload: {},
    ...later,
  })
  expect((await bot.listEvents({ status: 'scheduled' })).events).toEqual([doomed])
  await bot.cancelScheduledEvent({ id: doomed.id })
  expect((await bot.getEvent({ id: doomed.id })).event.status).toBe('canceled')
  const { message: scheduledMessage } = await bot.createMessage({
    ...textMessage,
    tags: {},
    ...later,
  })
  await bot.deleteMessage({ id: scheduledMessage.id })
  const { workflow } = await bot.createWorkflow({
    name: 'walk',
    status: 'listening',
    tags: { step: '1' },
    conversationId: conversation.id,
    userId: user.id,
  })
  expect(
    (
      await bot.getOrCreateWorkflow({
        name: 'walk',
        status: 'listening',
        tags: { step: '1' },
      })
    ).workflow.id,
  ).toBe(workflow.id)
  expect(
    (await bot.updateWorkflow({ id: workflow.id, tags: { step: '2' } })).workflow.tags,
  ).toEqual({
    step: '2',
  })
  expect((await bot.getWorkflow({ id: workflow.id })).workflow).toMatchObject({
    status: 'listening',
    input: {},
    output: {},
  })
  expect(
    (
      await bot.listWorkflows({ tags: { step: '2' }, statuses: ['listening'] })
    ).workflows.map(({ id }) => id),
  ).toEqual([workflow.id])
  await bot.deleteWorkflow({ id: workflow.id })

  const memory = { type: 'conversation', id: conversation.id, name: 'memory' } as const
  expect(
    (await integration.getOrSetState({ ...memory, payload: { a: 1 } })).state.payload,
  ).toEqual({ a: 1 })
  expect(
    (await integration.patchState({ ...memory, payload: { b: 2 } })).state.payload,
  ).toEqual({
    a: 1,
    b: 2,
  })
  expect(
    (await integration.setStateExpiry({ ...memory, expiry: 60_000 })).state.payload,
  ).toEqual({
    a: 1,
    b: 2,
  })
  expect(
    (await integration.setState({ ...memory, payload: { c: 3 } })).state.payload,
  ).toEqual({
    c: 3,
  })
  expect(await integration.getState(memory)).toMatchObject({
    state: { conversationId: conversation.id, payload: { c: 3 } },
    meta: { cached: false },
  })

  const past = {
    ...textMessage,
    tags: { id: '0' },
    createdAt: '2020-01-01T00:00:00.000Z',
    discriminateByTags: ['id'],
  }
  expect((await integration.importMessages({ messages: [past] })).messages).toMatchObject(
    [{ createdAt: past.createdAt, direction: 'incoming' }],
  )
  const arrived = await integration.initializeIncomingMessage({
    user: { tags: { id: '1' }, discriminateByTags: [] },
    conversation: { channel: 'dm', tags: { id: '1' }, discriminateByTags: ['id'] },
    message: {
      type: 'text',
      payload: { text: 'again' },
      tags: { id: '1' },
      discriminateByTags: ['id'],
    },
  })
  expect([arrived.user.id, arrived.conversation.id, arrived.message?.id]).toEqual([
    user.id,
    conversation.id,
    message.id,
  ])
  expect(await bot.listTagValues({ key: 'tg:id', type: 'message' })).toEqual({
    tags: [{ value: '0' }, { value: '1' }],
    meta: {},
  })
  expect(await bot.trackAnalytics({ name: 'walks', count: 2 })).toEqual({})
  expect(
    await integration.captureObservation({
      name: 'step',
      data: { a: 1 },
      conversationId: conversation.id,
    }),
  ).toEqual({})
  expect(
    await bot.listActionRuns({ id: scene.botId, integrationName: 'telegram' }),
  ).toEqual({
    data: [],
    meta: {},
  })

  await bot.deleteMessage({ id: message.id })
  await bot.removeParticipant({ ...target, userId: user.id })
  await bot.deleteConversation(target)
  await bot.deleteUser({ id: user.id })
})

test('Files', async () => {
  const client = clientFor()
  const { file } = await client.upsertFile({
    key: 'a/b.txt',
    size: 5,
    contentType: 'text/plain',
    tags: { a: 'b' },
  })
  await fetch(file.uploadUrl, {
    method: 'PUT',
    headers: { 'content-type': 'text/plain' },
    body: 'hello',
  })
  const { file: found } = await client.getFile({ id: file.id })
  expect([found.status, await (await fetch(found.url)).text()]).toEqual([
    'upload_completed',
    'hello',
  ])
  expect(
    (await client.listFiles({ tags: { a: 'b' } })).files.map(({ id }) => id),
  ).toEqual([file.id])
  const { file: changed } = await client.updateFileMetadata({
    id: file.id,
    tags: { a: null, c: 'd' },
    metadata: { pages: 3 },
    expiresAt: null,
  })
  expect([changed.tags, changed.metadata]).toEqual([{ c: 'd' }, { pages: 3 }])
  const { file: copy } = await client.copyFile({
    idOrKey: 'a/b.txt',
    destinationKey: 'a/c.txt',
  })
  expect([copy.key, copy.tags, await (await fetch(copy.url)).text()]).toEqual([
    'a/c.txt',
    { c: 'd' },
    'hello',
  ])
  expect(await client.listFileTags({})).toEqual({ tags: ['c'], meta: {} })
  expect(await client.listFileTagValues({ tag: 'c' })).toEqual({
    values: ['d'],
    meta: {},
  })
  expect(await client.deleteFile({ id: 'a/b.txt' })).toEqual({})
})

test('Tables', async () => {
  const client = clientFor()
  const { table } = await client.createTable({
    name: 'OrderTable',
    schema: { type: 'object', properties: { item: { type: 'string' } } },
    tags: { a: 'b' },
  })
  expect((await client.listTables({ tags: { a: 'b' } })).tables).toEqual([table])
  expect(await client.getTable({ table: 'OrderTable' })).toEqual({
    table,
    rows: 0,
    stale: 0,
    indexing: 0,
  })
  const { rows } = await client.createTableRows({
    table: 'OrderTable',
    rows: [{ item: 'shoe' }, { item: 'sock' }],
  })
  expect((await client.getTableRow({ table: table.id, id: 1 })).row).toEqual(rows[0])
  expect(
    (await client.findTableRows({ table: 'OrderTable', filter: { item: 'sock' } })).rows,
  ).toEqual([rows[1]])
  expect(
    (
      await client.updateTableRows({
        table: 'OrderTable',
        rows: [{ id: 1, item: 'boot' }],
      })
    ).rows,
  ).toMatchObject([{ id: 1, item: 'boot' }])
  const upserted = await client.upsertTableRows({
    table: 'OrderTable',
    keyColumn: 'item',
    rows: [{ item: 'boot' }, { item: 'hat' }],
  })
  expect(upserted).toMatchObject({ inserted: [{ id: 3 }], updated: [{ id: 1 }] })
  expect(await client.deleteTableRows({ table: 'OrderTable', ids: [1, 2, 3] })).toEqual({
    deletedRows: 3,
  })
  expect(
    await client.getOrCreateTable({ table: 'OrderTable', schema: {} }),
  ).toMatchObject({
    created: false,
    table,
  })
  expect(
    (await client.updateTable({ table: table.id, schema: { price: { type: 'number' } } }))
      .table.schema.properties,
  ).toHaveProperty('price')
  expect(
    (await client.renameTableColumn({ table: table.id, name: 'item', newName: 'thing' }))
      .table.schema.properties,
  ).toHaveProperty('thing')
  expect(
    await client.duplicateTable({ sourceTableId: table.id, tableName: 'SpareTable' }),
  ).toMatchObject({
    rows: 0,
    table: { name: 'SpareTable' },
  })
  const { job } = await client.exportTable({ table: table.id })
  expect((await client.getTableJobs({ table: table.id })).jobs).toMatchObject([
    { id: job.id, type: 'export' },
  ])
  const { file } = await client.uploadFile({
    key: 'orders.csv',
    content: 'thing,price\nshoe,3\n',
  })
  expect(
    (await client.importTable({ table: table.id, fileId: file.id })).job,
  ).toMatchObject({
    type: 'import',
    inputFileId: file.id,
  })
  const body = { fileId: file.id, columns: { thing: 'thing' } }
  expect(
    await onPlatform('table-imports/preview', 'POST', scene.asBot, { fileId: file.id }),
  ).toMatchObject({ format: 'csv', columns: [{ name: 'thing' }, { name: 'price' }] })
  expect(
    await onPlatform(`tables/${table.id}/imports`, 'POST', scene.asBot, body),
  ).toMatchObject({
    job: { type: 'import' },
  })
  const findRow = () =>
    onPlatform(`tables/${table.id}/rows/find`, 'POST', scene.asBot, { limit: 1 })
  await expect.poll(findRow).toMatchObject({ rows: [{ id: expect.any(Number) }] })
  const exported = { format: 'csv' }
  const changed = { filter: { id: -1 }, delete: true }
  for (const [path, sent] of [
    ['exports', exported],
    ['row-changes', changed],
  ] as const)
    expect(
      await onPlatform(`tables/${table.id}/${path}`, 'POST', scene.asBot, sent),
    ).toMatchObject({ job: { tableId: table.id } })
  const conversion = { column: Object.values(body.columns)[0], type: 'array' }
  for (const path of ['column-conversions/preview', 'column-conversions'])
    await onPlatform(`tables/${table.id}/${path}`, 'POST', scene.asBot, conversion)
  expect(await onPlatform('table-counts', 'GET', scene.asBot)).toMatchObject({
    tables: expect.arrayContaining([expect.objectContaining({ id: table.id })]),
  })
  expect(await onPlatform(`tables/${table.id}/jobs`, 'GET', scene.asBot)).toMatchObject({
    jobs: expect.arrayContaining([expect.objectContaining({ type: 'convert_column' })]),
  })
  expect(
    await onPlatform(`tables/${table.id}/rejected-rows`, 'GET', scene.asBot),
  ).toMatchObject({
    rows: [],
  })
  expect(await client.deleteTable({ table: 'SpareTable' })).toEqual({})
})

test('Knowledge', async () => {
  const client = clientFor()
  const { knowledgeBase } = await client.createKnowledgeBase({
    name: 'Handbook',
    tags: { lang: 'en', old: 'yes' },
  })
  const tags = { source: 'knowledge-base', kbId: knowledgeBase.id }
  const { file } = await client.upsertFile({ key: 'handbook.md', size: 1, tags })
  await client.setFilePassages({
    id: file.id,
    passages: [
      { content: 'Holidays', type: 'title' },
      { content: 'Thirty days a year', pageNumber: 2 },
    ],
  })
  const { passages } = await client.listFilePassages({ id: file.id })
  expect(passages.map(({ content, meta }) => [content, meta.position])).toEqual([
    ['Holidays', 0],
    ['Thirty days a year', 1],
  ])
  const found = await client.searchFiles({
    query: 'how many days',
    tags,
    includeBreadcrumb: true,
    contextDepth: 0,
  })
  expect(found.passages.map(({ content, meta }) => [content, meta.pageNumber])).toEqual([
    ['Holidays\n\nThirty days a year', 2],
  ])
  await walkKnowledge(knowledgeBase.id)
  await walkWebsites(knowledgeBase.id)
  await walkCuratedAnswers()
  await walkKnowledgeChecks()
  const updated = await client.updateKnowledgeBase({
    id: knowledgeBase.id,
    name: 'Rules',
    tags: { old: null },
  })
  expect((await client.listKnowledgeBases({})).knowledgeBases).toMatchObject([
    updated.knowledgeBase,
  ])
  await client.deleteKnowledgeBase({ id: knowledgeBase.id })
  await expect(client.getFile({ id: file.id })).rejects.toMatchObject({ code: 404 })
})

async function walkKnowledge(kbId: string) {
  const ask = (path: string, method = 'GET', body?: object) =>
    onPlatform(`files${path}`, method, scene.asBot, body)
  const { file } = await clientFor().uploadFile({
    key: 'kb/tea.txt',
    content: 'Tea at four',
  })
  expect(await ask('?name=tea')).toMatchObject({ files: [{ id: file.id }], meta: {} })
  expect((await ask(`/counts?knowledgeBaseId=${kbId}`)).counts).toHaveLength(1)
  const sha256 = createHash('sha256').update('Tea at four').digest('hex')
  const files = [{ key: file.key, sha256 }]
  expect(await ask('/stored', 'POST', { files })).toEqual({
    keys: [file.key],
    changed: [],
  })
  expect(await ask(`/${file.id}/index`, 'POST')).toMatchObject({ file: { index: true } })
  expect(await ask(`/search?query=thirty&knowledgeBaseId=${kbId}`)).toMatchObject({
    passages: [{ content: 'Thirty days a year', knowledgeBaseId: kbId }],
  })
  expect(await ask('/answers?query=thirty%20days')).toMatchObject({
    answers: expect.any(Array),
  })
}

async function walkCuratedAnswers() {
  const ask = (path = '', method = 'GET', body?: object) =>
    onPlatform(`curated-answers${path}`, method, scene.asBot, body)
  const { curatedAnswer } = await ask('', 'POST', {
    questions: ['Is there tea?'],
    text: 'At four',
  })
  expect(await ask(`/${curatedAnswer.id}`)).toEqual({ curatedAnswer })
  expect(await ask('?search=tea')).toEqual({ curatedAnswers: [curatedAnswer], meta: {} })
  expect(await ask('/find', 'POST', { question: 'is there tea' })).toMatchObject({
    match: { id: curatedAnswer.id, kind: 'equal', text: 'At four' },
  })
  const { csv } = await ask('/export')
  expect(await ask('/import', 'POST', { csv })).toMatchObject({
    unchanged: 1,
    errors: [],
  })
  const changed = await ask(`/${curatedAnswer.id}`, 'PUT', { text: 'At five' })
  expect(changed).toMatchObject({ curatedAnswer: { text: 'At five' } })
  expect(await ask(`/${curatedAnswer.id}`, 'DELETE')).toEqual({})
}

async function walkKnowledgeChecks() {
  const ask = (path = '', method = 'GET', body?: object) =>
    onPlatform(`knowledge-checks${path}`, method, scene.asBot, body)
  const sent = { question: 'Is there tea?', expectedText: 'at FOUR' }
  const { knowledgeCheck } = await ask('', 'POST', sent)
  expect(await ask()).toEqual({ knowledgeChecks: [knowledgeCheck], meta: {} })
  const changed = { ...sent, expectedText: 'at five' }
  expect(await ask(`/${knowledgeCheck.id}`, 'PUT', changed)).toMatchObject({
    knowledgeCheck: changed,
  })
  expect(await ask('/run', 'POST', {})).toMatchObject({ better: [], worse: [] })
  expect(await ask(`/${knowledgeCheck.id}`, 'DELETE')).toEqual({})
}

async function walkMissedQuestions(conversationId: string) {
  const sent = { conversationId, userId: scene.botId, tags: {}, type: 'text' }
  const metadata = { unanswered: true, question: 'Is there tea?' }
  const payload = { text: 'I do not know', metadata }
  await clientFor().createMessage({ ...sent, payload } as never)
  const { missedQuestions } = await onPlatform('missed-questions', 'GET', scene.asBot)
  expect(missedQuestions).toMatchObject([{ question: 'Is there tea?', count: 1 }])
  const { key } = missedQuestions[0]
  expect(
    await onPlatform('missed-questions/dismiss', 'POST', scene.asBot, { key }),
  ).toEqual({})
}

async function walkWebsites(knowledgeBaseId: string) {
  const ask = (path = '', method = 'GET', body?: object) =>
    onPlatform(`knowledge-sources${path}`, method, scene.asBot, body)
  const url = 'http://127.0.0.1:9/sitemap.xml'
  const { source } = await ask('', 'POST', { knowledgeBaseId, type: 'sitemap', url })
  expect(source).toMatchObject({ url, schedule: 'off', maxPages: 500 })
  const ended = async () =>
    expect((await ask(`/${source.id}`)).source.problem).toContain('cannot reach')
  await vi.waitFor(ended, { timeout: 30_000 })
  expect(
    await ask(`/${source.id}`, 'PUT', { schedule: 'weekly', maxPages: 7 }),
  ).toMatchObject({
    source: { schedule: 'weekly', maxPages: 7, nextRefreshAt: expect.any(String) },
  })
  expect(await ask(`/${source.id}/refresh`, 'POST', {})).toMatchObject({
    source: { status: 'pending' },
  })
  expect(await ask(`?knowledgeBaseId=${knowledgeBaseId}`)).toMatchObject({
    sources: [{ id: source.id }],
  })
  expect(await ask(`/${source.id}/pages?status=failed`)).toEqual({ pages: [], meta: {} })
  expect(await ask(`/${source.id}`, 'DELETE')).toEqual({})
}

test('Platform', async () => {
  const ask = (path: string, method = 'GET') => onPlatform(path, method, scene.asBot)
  await clientFor().updateBot({ id: scene.botId, url: 'http://127.0.0.1:9/' } as never)
  const guest = await ChatClient.connect({ apiUrl: `${apiUrl}/chat/${scene.webhookId}` })
  const { conversation } = await guest.createConversation({})
  await guest.createMessage({
    conversationId: conversation.id,
    payload: { type: 'text', text: 'hi' },
  })
  expect(await ask(`conversations/${conversation.id}/messages`)).toMatchObject({
    messages: [{ message: { conversationId: conversation.id } }],
  })
  expect(await ask('conversations')).toMatchObject({
    conversations: [{ conversation: { id: conversation.id } }],
  })
  expect(await ask(`conversations/${conversation.id}/transcript`)).toMatchObject({
    messages: [
      { message: { conversationId: conversation.id }, author: { isBot: false } },
    ],
  })
  expect(await ask(`conversations/${conversation.id}/export`)).toMatchObject({
    conversation: { id: conversation.id },
    messages: [{ message: { payload: { text: 'hi' } } }],
  })
  const [known] = (await ask('users')).users
  expect(await ask(`users/${known.user.id}`)).toEqual({ ...known, states: [] })
  expect(await ask('health')).toMatchObject({ health: { ready: true } })
  expect(await ask('analytics?name=walks')).toMatchObject({
    analytics: [{ name: 'walks', count: 2 }],
  })
  expect(await ask('flow-node-counts?days=7')).toEqual({ counts: [], meta: {} })
  expect(await ask('observations?name=step')).toMatchObject({
    observations: [{ name: 'step', data: { a: 1 }, integration: 'tg' }],
  })

  /** No server listens at the bot's URL. */
  const died = async () => {
    await expect.poll(async () => (await ask('dead-letters')).deadLetters.length).toBe(1)
    return (await ask('dead-letters')).deadLetters[0]
  }
  const { id, eventId } = await died()
  const { bots } = await onPlatform('bots', 'GET', scene.admin)
  expect(bots.find((bot: { id: string }) => bot.id === scene.botId).deadLetters).toBe(1)
  await expect
    .poll(async () => (await ask('issues?status=open')).issues.length)
    .toBeGreaterThan(0)
  const [issue] = (await ask('issues')).issues
  expect((await ask(`issues/${issue.id}`)).occurrences).toHaveLength(issue.eventsCount)
  const muted = await fetch(`${apiUrl}/v1/platform/issues/${issue.id}`, {
    method: 'PUT',
    headers: { ...scene.asBot, 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'muted' }),
  })
  expect((await muted.json()).issue.status).toBe('muted')
  const stale = await onPlatform('issues/resolve', 'POST', scene.asBot, {
    lastSeenBefore: new Date().toISOString(),
  })
  expect(stale.count).toBe((await ask('issues?status=resolved')).issues.length)
  const { trace } = await ask(`events/${eventId}/trace`)
  expect(trace.failedAttempts).toHaveLength(3)
  expect(await ask(`messages/${trace.event.messageId}/trace`)).toMatchObject({ trace })
  expect(await ask(`dead-letters/${id}`)).toMatchObject({
    deadLetter: { id, kind: 'event' },
    attempts: [{}, {}, {}],
    event: { id: eventId },
  })
  expect(await ask(`dead-letters/${id}/redeliver`, 'POST')).toEqual({})
  expect((await died()).id).toBe(id)
  expect(await ask('dead-letters/count')).toEqual({ count: 1 })
  const edited = await fetch(
    `${apiUrl}/v1/platform/dead-letters/${id}/redeliver-edited`,
    {
      method: 'POST',
      headers: { ...scene.admin, 'content-type': 'application/json' },
      body: JSON.stringify({ botId: scene.botId, payload: { text: 'edited' } }),
    },
  )
  expect(await edited.json()).toEqual({})
  await died()
  expect((await ask('queue')).queue).toMatchObject({ deadLetters: 1 })
  expect((await ask('queue/deliveries')).deliveries).toEqual([])
  expect((await ask('queue/scheduled?kind=message')).scheduled).toEqual([])
  expect((await ask('queue/recurring')).recurring).toEqual(expect.any(Array))
  expect((await ask('logs?level=debug')).logs).toEqual([])
  expect(await ask('dead-letters/redeliver', 'POST')).toEqual({ count: 1 })
  await died()
  expect((await ask('failures')).failures).toMatchObject([
    { id: eventId, deadLetterId: id },
  ])
  expect(await ask('failures/redeliver', 'POST')).toEqual({ count: 1 })
  await died()
  expect(await ask(`events/${eventId}/redeliver`, 'POST')).toMatchObject({
    event: { id: eventId, status: 'pending' },
  })
  await died()
  expect(await ask(`dead-letters/${id}`, 'DELETE')).toEqual({})
  expect(await ask('dead-letters/discard', 'POST')).toEqual({ count: 0 })
  expect(await ask('failures/discard', 'POST')).toEqual({ count: 0 })
  await walkMissedQuestions(conversation.id)
})

test('Live updates', async () => {
  const stop = new AbortController()
  const { headers, body } = await fetch(`${apiUrl}/v1/platform/live`, {
    headers: scene.admin,
    signal: stop.signal,
  })
  expect(headers.get('content-type')).toBe('text/event-stream')
  const { value } = await body!.getReader().read()
  expect(Buffer.from(value!).toString()).toMatch(
    /^id: .+\nevent: message\ndata: {"topic":"ready"}/,
  )
  stop.abort()
})

test('Installation', async () => {
  const state = await onPlatform('installation', 'GET', scene.admin)
  expect(state.servers.length).toBeGreaterThan(0)
  expect(
    (await onPlatform('installation/checks', 'GET', scene.admin)).findings,
  ).not.toEqual([])
  const settings = 'installation/settings'
  const backups = { schedule: '0 3 1 1 *', keep: 3, verify: false }
  expect(
    await onPlatform(`${settings}/test`, 'POST', scene.admin, { setting: { backups } }),
  ).toMatchObject({ isGood: true })
  await onPlatform(settings, 'PUT', scene.admin, { backups })
  expect((await onPlatform(settings, 'GET', scene.admin)).backups.value).toEqual(backups)
  await onPlatform(settings, 'PUT', scene.admin, { backups: null })
})

test('Examples', async () => {
  const { examples } = await onPlatform('examples', 'GET', scene.admin)
  const [{ name }] = examples
  expect((await onPlatform(`examples/${name}`, 'GET', scene.admin)).example.name).toBe(
    name,
  )
})

test('Webhook requests', async () => {
  const { webhook_id: webhookId } = await scene.app.services.db
    .selectFrom('installation')
    .select('webhook_id')
    .where('alias', '=', 'tg')
    .executeTakeFirstOrThrow()
  // No server listens at the integration's URL.
  await fetch(`${apiUrl}/webhooks/${webhookId}/news`, { method: 'POST', body: 'x' })
  const installed = `bots/${scene.botId}/integrations/tg`
  expect((await onPlatform(`${installed}/uses`, 'GET', scene.admin)).plugins).toEqual([])
  const changed = { headers: scene.admin, body: { sandboxIdentifiers: null } }
  expect(
    (await scene.call('PUT', `/v1/platform/${installed}/identifier`, changed)).body,
  ).toEqual({})
  await onPlatform(`${installed}/setup-link`, 'GET', scene.admin)
  const linked = await onPlatform(
    `${installed}/sandbox-conversations`,
    'GET',
    scene.admin,
  )
  expect(linked).toEqual({ conversations: [], meta: {} })
  const diary = `${installed}/webhook-requests`
  const ask = (path: string, method = 'GET') =>
    onPlatform(diary + path, method, scene.admin)
  await expect
    .poll(async () => (await ask('')).requests.length, { timeout: 5_000 })
    .toBe(1)
  const [request] = (await ask('')).requests
  expect(await ask(`/${request.id}`)).toMatchObject({
    request,
    content: { body: { text: 'x' } },
  })
  expect(await ask(`/${request.id}/replay`, 'POST')).toMatchObject({
    request: { path: '/news', replayOf: request.id },
  })
})

test('Messages in a row', async () => {
  const rules = { seconds: 2, mode: 'restart' }
  expect(await onPlatform('burst-rules', 'PUT', scene.asBot, rules)).toEqual({ rules })
  expect(await onPlatform('burst-rules', 'GET', scene.asBot)).toEqual({ rules })
  await onPlatform('burst-rules', 'PUT', scene.asBot, { seconds: 0, mode: 'wait' })
})

test('Channels', async () => {
  const bot = `bots/${scene.botId}`
  const { channels, available } = await onPlatform(`${bot}/channels`, 'GET', scene.admin)
  expect([channels, available.length]).toEqual([[], 14])
  const { steps } = await onPlatform(`${bot}/first-steps`, 'GET', scene.admin)
  expect(steps[0].name).toBe('talk')
  const guide = `${bot}/channel-guides/telegram`
  expect((await onPlatform(guide, 'GET', scene.admin)).guide.title).toBe('Telegram')
  const body = { configuration: { botToken: '1:wrong', apiUrl: 'http://127.0.0.1:9' } }
  const path = `/v1/platform/${guide}/check`
  const checked = await scene.call('POST', path, { headers: scene.admin, body })
  expect(checked.body.problem).toContain('127.0.0.1')
  for (const verb of ['verify', 'test']) {
    const channel = `/v1/platform/${bot}/channels/tg/${verb}`
    const reply = await scene.call('POST', channel, { headers: scene.admin, body: {} })
    expect(reply.body.type).toBe('ResourceNotFound')
  }
})

test('Live chat', async () => {
  const { headers } = await scene.chatUser()
  const ask = async (method: string, path: string, body?: unknown, as = headers) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const given = {
      ...as,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    return (await fetch(apiUrl + path, { method, headers: given, ...sent })).json()
  }
  const chat = `/chat/${scene.webhookId}`
  const { conversation } = await ask('POST', `${chat}/conversations`, {})
  const { id: conversationId } = conversation
  const { message } = await ask(
    'POST',
    '/v1/chat/messages',
    {
      conversationId,
      userId: scene.botId,
      type: 'text',
      payload: { text: 'a' },
      tags: {},
    },
    scene.asBot as never,
  )
  const path = `${chat}/messages/${message.id}/feedback`
  const { feedback } = await ask('PUT', path, { rating: 4 })
  const own = await ask('GET', `${chat}/conversations/${conversationId}/feedback`)
  expect(own).toEqual({ feedback: [feedback], meta: {} })
  const platform = '/v1/platform'
  const asBot = scene.asBot as never
  expect((await ask('GET', `${platform}/feedback`, undefined, asBot)).feedback).toEqual([
    feedback,
  ])
  expect(
    await ask('GET', `${platform}/feedback/${feedback.id}`, undefined, asBot),
  ).toEqual({
    feedback,
  })
  expect(await ask('DELETE', path)).toEqual({})
  const places = [
    [`${chat}/conversations/${conversationId}`, headers],
    [`${platform}/conversations/${conversationId}`, asBot],
  ] as const
  for (const [place, as] of places) {
    expect(await ask('POST', `${place}/stop`, {}, as)).toEqual({ stopped: false })
    expect(await ask('POST', `${place}/typing`, { isTyping: true }, as)).toEqual({})
  }
})

test('Personal data', async () => {
  const onBot = (path: string, method = 'GET', body?: object) =>
    onPlatform(path, method, scene.asBot, body)
  const { id } = await scene.chatUser({ name: 'Erased' })
  const { counts } = await onBot(`users/${id}/personal-data`)
  expect(counts).toEqual({ users: 1 })
  const path = `${apiUrl}/v1/platform/users/${id}/personal-data/export`
  const file = await fetch(path, { headers: scene.asBot })
  expect((await file.blob()).size).toBeGreaterThan(100)
  const { erasure } = await onBot(`users/${id}/erasures`, 'POST', {})
  const erased = () =>
    vi.waitFor(async () => {
      const [newest] = (await onBot('erasures')).erasures
      expect(newest.state).toBe('done')
      return newest
    }, 30_000)
  const { receipt } = await erased()
  expect((await onBot(`erasures/${erasure.id}`)).erasure).toMatchObject({
    counts,
    receipt,
  })
  const verified = await onPlatform('erasure-receipts/verify', 'POST', scene.admin, {
    receipt,
  })
  expect(verified).toMatchObject({ isValid: true })
  expect((await onBot('erasures', 'POST', { receipt })).erasure.userId).toBe(id)
  await erased()

  const redaction = { rules: [{ kind: 'card', where: ['logs'] }] }
  expect(await onBot('redaction', 'PUT', redaction)).toMatchObject(redaction)
  expect(await onBot('redaction')).toEqual({ ...redaction, installation: [] })
  const tried = await onBot('redaction/try', 'POST', {
    ...redaction,
    text: '4111111111111111',
  })
  expect(tried.text).toBe('[card]')

  const { rules } = await onBot('retention', 'PUT', { messages: 365 })
  expect(rules).toEqual({ messages: 365 })
  expect((await onBot('retention')).effective).toMatchObject(rules)
  expect((await onBot('retention/dry-run', 'POST', {})).counts).toMatchObject({
    logs: { count: 0 },
  })
})

test('Persons', async () => {
  const onBot = (path: string, method = 'GET', body?: object) =>
    onPlatform(path, method, scene.asBot, body)
  const [{ id }, other] = await Promise.all([
    scene.chatUser({ name: 'Ana' }),
    scene.chatUser({ name: 'Ann' }),
  ])
  const address = { kind: 'phone', address: '+40712345678' }
  for (const user of [id, other.id])
    expect(
      (await onBot(`users/${user}/addresses`, 'POST', address)).person.users,
    ).toMatchObject([{ addresses: [{ ...address, verifiedBy: 'account' }] }])
  const { suggestions } = await onBot(`merge-suggestions?userId=${id}`)
  expect(suggestions).toMatchObject([{ ...address, users: [{}, {}] }])
  const { person } = await onBot(`users/${id}/merge`, 'POST', { userIds: [other.id] })
  expect(person.users).toHaveLength(2)
  expect(await onBot(`users/${other.id}/person`)).toEqual({ person, suggestions: [] })
  expect((await onBot(`users/${id}/split`, 'POST', {})).person.users).toHaveLength(1)
  expect(await onBot(`users/${id}/keep-apart`, 'POST', { userId: other.id })).toEqual({})
  const rules = { mergeBy: ['email'] }
  expect(await onBot('person-rules', 'PUT', rules)).toEqual({ rules })
  expect(await onBot('person-rules')).toEqual({ rules })
})

test('Handoffs', async () => {
  const { headers } = await scene.chatUser()
  const { body } = await scene.call('POST', `/chat/${scene.webhookId}/conversations`, {
    headers,
    body: {},
  })
  const onPlatform = async (method: Method, path: string, sent?: object) => {
    const to = `/v1/platform${path}`
    return (
      await scene.call(method, to, {
        headers: scene.asBot as never,
        ...(sent && { body: sent }),
      })
    ).body
  }
  type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
  const ask = (method: Method, path: string, sent?: object) =>
    onPlatform(method, `/handoffs${path}`, sent)
  const { handoff } = await ask('POST', '', { conversationId: body.conversation.id })
  const path = `/${handoff.id}`
  const details = { ...handoff, user: { id: expect.any(String) } }
  expect(await ask('GET', path)).toEqual({ handoff: details })
  expect(await ask('GET', '?state=waiting')).toEqual({ handoffs: [details], meta: {} })
  expect(await ask('GET', '/count?state=waiting')).toEqual({ count: 1 })
  expect(await ask('PUT', path, { tags: { urgent: 'yes' } })).toMatchObject({
    handoff: { tags: { urgent: 'yes' } },
  })
  const { accountId } = scene
  expect(
    await ask('POST', `${path}/assign`, { from: null, to: accountId }),
  ).toMatchObject({
    handoff: { state: 'assigned', assignedTo: accountId },
  })
  const answer = { type: 'text', payload: { text: 'Hello' } }
  const { message } = await ask('POST', `${path}/messages`, answer)
  expect(message.payload).toEqual(answer.payload)
  expect(await ask('POST', `${path}/read`, { messageId: message.id })).toEqual({})
  const receipts = `/chat/${scene.webhookId}/conversations/${body.conversation.id}/receipts`
  const seen = { headers, body: { messageId: message.id, isRead: true } }
  expect((await scene.call('PUT', receipts, seen)).body).toEqual({})
  const { createdAt: until } = message
  expect((await scene.call('GET', receipts, { headers })).body).toEqual({
    own: { deliveredUntil: until, readUntil: until },
    person: { readUntil: until, isHandedOver: true, assignee: { name: 'Robin' } },
  })
  expect(await ask('POST', `${path}/close`, { outcome: 'solved' })).toMatchObject({
    handoff: { state: 'closed', outcome: 'solved' },
  })

  const notes = `/conversations/${body.conversation.id}/notes`
  const { note } = await onPlatform('POST', notes, { text: 'A friend' })
  expect(await onPlatform('GET', notes)).toEqual({ notes: [note], meta: {} })
  expect(await onPlatform('DELETE', `/notes/${note.id}`)).toEqual({})

  const times = {
    createdAt: '2020-01-01T00:00:00.000Z',
    updatedAt: '2020-01-02T00:00:00.000Z',
  }
  const pastUser = {
    id: newId('user', 1_577_836_800_000),
    ...times,
    tags: {},
    name: 'Ann',
  }
  expect(await onPlatform('POST', '/history', { users: [pastUser] })).toEqual({
    users: 1,
    conversations: 0,
    messages: 0,
  })

  const replies = '/canned-replies'
  const reply = { name: 'greeting', text: 'Hello {{user.name}}' }
  const { cannedReply } = await onPlatform('POST', replies, reply)
  expect(cannedReply).toMatchObject(reply)
  const own = `${replies}/${cannedReply.id}`
  const changed = await onPlatform('PUT', own, { text: 'Hi' })
  expect(await onPlatform('GET', replies)).toEqual({
    cannedReplies: [changed.cannedReply],
    meta: {},
  })
  expect(await onPlatform('DELETE', own)).toEqual({})
  const send = async (method: 'GET' | 'PUT', path: string, sent?: object) => {
    const more = { headers: scene.asBot as never, ...(sent && { body: sent }) }
    return (await scene.call(method, `/v1/platform/${path}`, more)).body
  }
  const { rules } = await send('PUT', 'handoff-rules', { afterFailures: 3 })
  expect(await send('GET', 'handoff-rules')).toEqual({ rules })
  expect(await send('GET', 'handoff-times')).toMatchObject({
    requested: 1,
    firstAnswer: { count: 1 },
    solution: { count: 1 },
  })
})

test('Broadcasts', async () => {
  const { id: userId, headers } = await scene.chatUser()
  await scene.call('POST', `/chat/${scene.webhookId}/conversations`, {
    headers,
    body: {},
  })
  const call = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    sent?: object,
  ) => {
    const to = `/v1/platform/${path}`
    const more = { headers: scene.asBot as never, ...(sent && { body: sent }) }
    return (await scene.call(method, to, more)).body
  }
  const message = { type: 'text', payload: { text: 'Hi {{ user.id }}' } }
  const given = { audience: { integration: 'chat', channel: 'channel' }, message }
  expect(await call('POST', 'broadcasts/preview', given)).toMatchObject({
    messages: expect.arrayContaining([expect.objectContaining({ userId })]),
  })
  const startAt = '2100-01-01T00:00:00.000Z'
  const created = await call('POST', 'broadcasts', { name: 'News', ...given, startAt })
  const { broadcast } = created
  expect(broadcast).toMatchObject({ name: 'News', ...given, startAt, state: 'scheduled' })
  const path = `broadcasts/${broadcast.id}`
  expect(await call('GET', 'broadcasts')).toEqual({ broadcasts: [broadcast], meta: {} })
  expect(await call('GET', path)).toMatchObject({ broadcast, report: { total: 0 } })
  expect(await call('POST', `${path}/stop`, {})).toMatchObject({
    broadcast: { state: 'stopped' },
  })
  expect(await call('POST', `${path}/resume`, {})).toEqual({ broadcast })
  expect(await call('GET', `${path}/recipients`)).toEqual({ recipients: [], meta: {} })
  expect(await call('GET', `${path}/recipients/export`)).toEqual({
    csv: 'userId,userName,conversationId,messageId,state,reason,detail,sentAt\r\n',
    meta: {},
  })
  expect(await call('DELETE', path)).toEqual({})

  const person = { integration: 'chat', channel: 'channel', userId }
  const { optOut } = await call('POST', 'opt-outs', person)
  expect(optOut).toMatchObject({ ...person, notedBy: scene.accountId })
  expect(await call('GET', 'opt-outs')).toEqual({ optOuts: [optOut], meta: {} })
  expect(await call('POST', 'opt-outs/remove', person)).toEqual({})
  const words = { stop: ['halt'], start: ['go'] }
  expect(await call('PUT', 'opt-out-words', { words })).toEqual({
    words,
    isDefault: false,
  })
  expect(await call('GET', 'opt-out-words')).toEqual({ words, isDefault: false })
})

test('Chat', async () => {
  const chatUrl = `${apiUrl}/chat/${scene.webhookId}`
  const client = await ChatClient.connect({
    apiUrl: chatUrl,
    userId: 'walker',
    encryptionKey: scene.chatKey,
  })
  const guest = await ChatClient.connect({ apiUrl: chatUrl })
  await client.updateUser({ name: 'Walter' })
  expect((await client.getUser({})).user).toMatchObject({ id: 'walker', name: 'Walter' })

  const { conversation } = await client.createConversation({})
  const target = { conversationId: conversation.id }
  await client.getOrCreateConversation({ id: 'walk' })
  expect((await client.getConversation({ id: conversation.id })).conversation).toEqual(
    conversation,
  )
  expect((await client.listConversations({})).conversations).toHaveLength(2)
  await client.addParticipant({ ...target, userId: guest.user.id })
  expect(
    (await client.getParticipant({ ...target, userId: guest.user.id })).participant.id,
  ).toBe(guest.user.id)
  expect((await client.listParticipants(target)).participants).toHaveLength(2)

  const listener = await guest.listenConversation({ id: conversation.id })
  const heard: string[] = []
  listener.on(
    'message_created',
    ({ payload }) => void heard.push(String((payload as { text?: string }).text)),
  )
  const { message } = await client.createMessage({
    ...target,
    payload: { type: 'text', text: 'hi' },
  })
  await expect.poll(() => heard).toEqual(['hi'])
  expect((await guest.getMessage({ id: message.id })).message).toEqual(message)
  expect((await guest.listMessages(target)).messages).toEqual([message])
  const { event } = await client.createEvent({ ...target, payload: { a: 1 } })
  expect((await client.getEvent({ id: event.id })).event).toEqual(event)

  const { id } = (
    await clientFor().listConversations({
      channel: 'channel',
      participantIds: await ids('walker'),
    })
  ).conversations.at(-1)!
  expect(
    await clientFor().callAction({
      type: 'chat:sendEvent',
      input: { conversationId: id, payload: { b: 2 } },
    }),
  ).toEqual({
    output: {},
    meta: { cached: false },
  })
  await client.deleteMessage({ id: message.id })
  await client.removeParticipant({ ...target, userId: guest.user.id })
  await expect.poll(() => answered.has('chat.listenConversation')).toBe(true)
  await listener.disconnect()
  await client.deleteConversation({ id: conversation.id })
  await guest.deleteUser({})
})

test('Webchat', async () => {
  const visitor = { clientId: scene.webhookId, apiUrl }
  const opened = initialize(visitor)
  const init = await new Promise<{
    conversation: { id: string }
    user: { id: string; userKey: string }
  }>((resolve) => opened.on('init', resolve))
  const client = createClient({ ...visitor, userKey: init.user.userKey })
  const guest = await createUser({ ...visitor, name: 'guest' })
  const conversationId = init.conversation.id
  const received: unknown[] = []
  opened.on('message_created', ({ payload }) => received.push(payload))
  const listening = client.listenConversation({ conversationId })
  await new Promise((resolve) => listening.on('open', resolve))
  const payload = { type: 'text', text: 'hi' } as const
  const { message } = await client.createMessage({ conversationId, payload })
  const messageId = message.id
  await expect.poll(() => received).toEqual([payload])
  expect(await client.getMessage({ messageId })).toEqual({ message })
  const changed = { type: 'text', text: 'hello' } as const
  await client.updateMessage({ messageId, payload: changed })
  await client.addMessageFeedback({ messageId, value: 'positive' })
  const { messages } = await client.listConversationMessages({ conversationId })
  const feedback = { value: 'positive' }
  expect(messages).toEqual([{ ...message, payload: changed, feedback }])
  await client.removeMessageFeedback({ messageId })
  const select = { method: 'PUT', headers: { 'x-user-key': init.user.userKey } }
  await fetch(`${apiUrl}/${scene.webhookId}/messages/${messageId}/select`, {
    ...select,
    headers: { ...select.headers, 'content-type': 'application/json' },
    body: '{}',
  })

  const inConversation = { conversationId, userId: guest.user.id }
  expect((await client.addParticipant(inConversation)).participant.name).toBe('guest')
  expect((await client.getParticipant(inConversation)).participant.name).toBe('guest')
  expect((await client.listParticipants({ conversationId })).participants).toHaveLength(2)
  await client.removeParticipant(inConversation)
  const { conversation } = await client.createConversation()
  const other = { conversationId: conversation.id }
  expect(await client.getConversation(other)).toEqual({ conversation })
  const { conversations } = await client.listConversations({})
  expect(conversations.map(({ lastMessage }) => lastMessage?.id)).toEqual([
    undefined,
    messageId,
  ])
  await client.deleteConversation(other)

  const { event } = await client.createEvent({
    conversationId,
    payload: { type: 'custom', data: { a: 1 } },
  })
  expect(await client.getEvent({ eventId: event.id })).toEqual({ event })
  expect((await client.createFile({ key: 'a.txt', size: 1 })).file.contentType).toBe(
    'text/plain',
  )
  await sendPerfMetrics(
    scene.webhookId,
    { duration: 1, event: 'walk', properties: {} },
    apiUrl,
  )
  await client.updateUser({ userData: { a: 1 } })
  expect((await client.getUser()).user.data).toEqual({ a: 1 })
  await client.deleteMessage({ messageId })
  listening.disconnect()
  opened.disconnect()
  await client.deleteUser({ userId: init.user.id })
})

/** A user id that the client chose. */
const ids = async (chosen: string) =>
  (await clientFor().listUsers({ tags: { 'chat:fid': chosen } })).users.map(
    ({ id }) => id,
  )

test('Models', async () => {
  const get = (path: string, headers = scene.asBot) =>
    fetch(`${apiUrl}${path}`, { headers }).then((response) => response.json())
  expect(await get('/v2/cognitive/models')).toEqual({ models: [] })
  expect(await get('/v2/cognitive/voices')).toEqual({ voices: [] })
  expect(await get('/v1/openai/models')).toEqual({ object: 'list', data: [] })
  expect((await get('/v1/platform/model-calls')).calls).toEqual([])
  expect(await get('/v1/platform/model-totals?by=bot', scene.admin)).toEqual({
    totals: [],
  })
  const send = (path: string, method: string, body: object) =>
    fetch(`${apiUrl}/v1/platform/${path}`, {
      method,
      headers: { ...scene.admin, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).then((response) => response.json())
  const mcpServers = `bots/${scene.botId}/mcp-servers`
  const { server } = await send(`${mcpServers}/docs`, 'PUT', {
    url: 'https://mcp.example.org',
  })
  expect(await get(`/v1/platform/${mcpServers}`, scene.admin)).toEqual({
    servers: [server],
  })
  expect(await get(`/v1/platform/${mcpServers}/docs`, scene.admin)).toEqual({
    server,
    tools: [],
  })
  expect(await onPlatform(`${mcpServers}/docs`, 'DELETE', scene.admin)).toEqual({})
  const remote = await openMcpServer(() => {
    const made = new McpServer({ name: 'shop', version: '1' })
    made.registerTool('say', {}, () => ({ content: [] }))
    return made
  })
  await send(`${mcpServers}/shop`, 'PUT', { url: remote.url })
  const { tool } = await get('/v1/platform/mcp-tool?action=shop:say')
  expect(tool).toMatchObject({
    name: 'say',
    action: 'shop:say',
    inputSchema: { type: 'object' },
  })
  await onPlatform(`${mcpServers}/shop`, 'DELETE', scene.admin)
  await remote.close()
  const chosen = await send(`bots/${scene.botId}/mcp-tools`, 'PUT', {
    actions: ['chat:sendEvent'],
  })
  expect(chosen.actions).toEqual(['chat:sendEvent'])
  expect(await get(`/v1/platform/bots/${scene.botId}/mcp-tools`, scene.admin)).toEqual(
    chosen,
  )
  const ping = await fetch(`${apiUrl}/mcp/${scene.botId}`, {
    method: 'POST',
    headers: { ...scene.asBot, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  })
  expect(await ping.json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  const authoring = await fetch(`${apiUrl}/mcp/authoring`, {
    method: 'POST',
    headers: { ...scene.admin, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  })
  expect(await authoring.json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  const { budget } = await send('model-budgets', 'POST', {
    scope: 'bot',
    unit: 'calls',
    period: 'day',
    maximum: 5,
  })
  expect(await get('/v1/platform/model-budgets', scene.admin)).toEqual({
    budgets: [budget],
  })
  const { provider } = await send('model-providers/own', 'PUT', {
    type: 'mistral',
    key: 'a-key',
    models: { small: {} },
  })
  expect(provider).toMatchObject({ name: 'own', hasKey: true })
  expect((await get('/v2/cognitive/models')).models).toMatchObject([{ id: 'own:small' }])
  expect(await get('/v1/platform/model-providers', scene.admin)).toEqual({
    providers: [provider],
  })
  await onPlatform(`model-budgets/${budget.id}`, 'DELETE', scene.admin)
  await onPlatform('model-providers/own', 'DELETE', scene.admin)
})

test('Backups and archives', async () => {
  const walk = async (path: string, body?: object) => {
    const list = async () => {
      const { backups, archives } = await onPlatform(path, 'GET', scene.admin)
      return (backups ?? archives)[0]
    }
    expect(await onPlatform(path, 'POST', scene.admin, body)).not.toHaveProperty('code')
    await expect.poll(async () => (await list()).state, { timeout: 20_000 }).toBe('done')
    const { id } = await list()
    const { url } = await onPlatform(`${path}/${id}/link`, 'POST', scene.admin)
    expect((await fetch(url)).status).toBe(200)
    await onPlatform(`${path}/${id}`, 'DELETE', scene.admin)
    expect(await list()).toBeUndefined()
  }
  await walk('installation/backups')
  await walk('archives', { passphrase: null })
})

test('Sign-in', async () => {
  const ways = await (await fetch(`${apiUrl}/v1/platform/sign-in`)).json()
  expect(ways).toEqual({
    hasSession: false,
    session: null,
    password: false,
    openId: null,
    talk: null,
  })
  const browser = await signIn(scene.app, scene.accountId)
  const { body } = await browser.call('GET', '/v1/platform/session')
  expect((await browser.call('GET', '/v1/platform/sessions')).body.sessions).toEqual([
    body.session,
  ])
  const invitations = '/v1/platform/invitations'
  const newMember = { email: 'invited@example.org', role: 'viewer' }
  const invited = await scene.call('POST', invitations, {
    headers: scene.admin,
    body: newMember,
  })
  const { invitation } = invited.body
  expect(
    (await scene.call('GET', invitations, { headers: scene.admin })).body.invitations,
  ).toEqual([invitation])
  await scene.call('DELETE', `${invitations}/${invitation.id}`, { headers: scene.admin })
  const secret = await browser.call('POST', '/v1/platform/second-factor', { body: {} })
  expect(secret.body.url).toContain(secret.body.secret)
  const password = { body: { password: 'a long enough password' } }
  expect((await browser.call('PUT', '/v1/platform/password', password)).body).toEqual({})
  expect((await browser.call('GET', '/v1/platform/security')).body.hasPassword).toBe(true)
  const again = await signIn(scene.app, scene.accountId)
  const last = (await again.call('GET', '/v1/platform/session')).body.session
  await browser.call('DELETE', `/v1/platform/sessions/${last.id}`)
  expect((await browser.call('DELETE', '/v1/platform/sessions')).body).toEqual({
    ended: 0,
  })
  expect((await browser.call('DELETE', '/v1/platform/session')).body).toEqual({})
})

test('covers every served operation', async () => {
  await expect
    .poll(() =>
      servedOperations
        .filter(({ name }) => !answered.has(name) && !Object.hasOwn(alwaysRejected, name))
        .map(({ name }) => name),
    )
    .toEqual([])
})
