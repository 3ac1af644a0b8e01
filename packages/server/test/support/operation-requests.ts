// Builds a minimal valid request for any served operation from its schemas, with ids of a tenant.
import type { ErrorType, Operation } from '@botstead/contract'
import { chatIntegrationId } from '../../src/core/catalog/integrations/hub.ts'
import { findIdKind, stateParams } from './id-kinds.ts'
import { bodies } from './operation-bodies.ts'
import {
  getProperties,
  getRequired,
  type InputLocation,
  type Schema,
  type ServedOperation,
} from './served-operations.ts'
import { broadcastBody } from './tenant-content.ts'
import { shared } from './tenant-packages.ts'
import {
  asIntegration,
  bearing,
  type Headers,
  publicWorkspaceId,
  rightHeaders,
  type Tenant,
  type ThingKind,
} from './tenants.ts'

export interface OperationRequest {
  method: Operation['method']
  params: Record<string, string>
  query: Record<string, string>
  headers: Headers
  body?: Record<string, unknown>
}

bodies['platform.importTableColumns'] = ({ mark }) => ({ columns: { [mark]: mark } })
bodies['platform.changeTableRows'] = ({ mark }) => ({
  filter: {},
  values: { [mark]: mark },
})
bodies['platform.previewColumnConversion'] = ({ mark }) => ({
  column: mark,
  type: 'array',
})
bodies['platform.convertTableColumn'] = ({ mark }) => ({ column: mark, type: 'object' })
bodies['platform.createInvitation'] = ({ mark }, nth) => ({
  email: `${mark}-invited-${nth}@example.org`,
})
bodies['platform.mergeUsers'] = ({ things }, nth) => ({
  userIds: [things.user[nth] ?? things.user[0]],
})
bodies['platform.verifyUserAddress'] = ({ mark }) => ({ kind: 'id', address: mark })
// Nothing listens there, so the refresh ends at once.
bodies['platform.createKnowledgeSource'] = () => ({ url: 'http://127.0.0.1:9/new' })
bodies['platform.createBroadcast'] = ({ mark }) => broadcastBody(mark)
bodies['platform.previewBroadcast'] = ({ mark }) => {
  const { audience, message } = broadcastBody(mark)
  return { audience, message }
}
bodies['platform.addOptOut'] = () => ({ integration: 'tg', channel: 'dm' })
bodies['platform.assignHandoff'] = () => ({ from: null, to: null })
bodies['platform.setPassword'] = () => ({ password: null })

/** Operations that apply to no object here, with their error for permitted callers. */
export const alwaysRejected: Record<string, ErrorType> = Object.fromEntries(
  [
    'admin.changeAISpendQuota',
    ...[
      'setBillingAddress',
      'setPlan',
      'getAddon',
      'setAddons',
      'previewSubscriptionUpdate',
    ].map(newer),
    ...[
      'setCancelAtPeriodEnd',
      'setAutoRechargeSettings',
      'createTrial',
      'removeTrial',
    ].map(newer),
    ...[
      'createCreditGrant',
      'payInvoice',
      'setPaymentMethod',
      'createPaymentMethodIntent',
    ].map(newer),
    'platform.deleteModelBudget',
    'platform.deleteModelProvider',
    // No user opted out of this channel.
    'platform.removeOptOut',
    // No person asked anything.
    'platform.dismissMissedQuestion',
  ].map((name) => [name, 'ResourceNotFound']),
)
// The chats of the tenants have no admin secret.
alwaysRejected['webchat.generateUserKey'] = 'Forbidden'
// The servers of these tests have no models.
for (const name of [
  'generateText',
  'generateTextStream',
  'transcribeAudio',
  'generateAudio',
])
  alwaysRejected[`cognitive.${name}`] = 'ReferenceNotFound'
for (const name of ['cognitive.generateAudioStream', 'cognitive.generateImage'])
  alwaysRejected[name] = 'ReferenceNotFound'
for (const name of ['createChatCompletion', 'createEmbeddings'])
  alwaysRejected[`openai.${name}`] = 'ReferenceNotFound'
// The handoffs of the tenants are assigned to no one.
alwaysRejected['platform.answerHandoff'] = 'ResourceLockedConflict'
alwaysRejected['platform.readHandoff'] = 'ResourceLockedConflict'
// Both ids are those of one user.
alwaysRejected['platform.keepUsersApart'] = 'RelationConflict'
// An operation before has announced other content.
alwaysRejected['platform.indexFile'] = 'InvalidPayload'
// It needs a receipt that the installation signed.
alwaysRejected['platform.repeatErasure'] = 'InvalidPayload'
// The MCP servers of the tenants do not answer.
alwaysRejected['platform.getMcpTool'] = 'ResourceNotFound'
// Their originals were not kept.
alwaysRejected['platform.replayWebhookRequest'] = 'LimitExceeded'
// The first bots of the tenants are made of code.
for (const name of ['saveBotDraft', 'saveDraftTexts', 'startCopilotRun'])
  alwaysRejected[`platform.${name}`] = 'ReferenceConstraint'
// The drafts of the tenants have few revisions.
alwaysRejected['platform.getDraftRevision'] = 'ResourceNotFound'
for (const name of ['publishBotDraft', 'tryBotDraft', 'testBotDraft'])
  alwaysRejected[`platform.${name}`] = 'RelationConflict'
for (const name of ['getCopilotRun', 'stopCopilotRun'])
  alwaysRejected[`platform.${name}`] = 'ResourceNotFound'
// The integrations of the tenants are no channels.
for (const name of ['verifyChannel', 'testChannel'])
  alwaysRejected[`platform.${name}`] = 'ResourceNotFound'
// Only for the operator of the installation.
for (const name of [
  'getInstallationState',
  'checkInstallation',
  'listBackups',
  'createBackup',
])
  alwaysRejected[`platform.${name}`] = 'Forbidden'
for (const name of ['getServerSettings', 'setServerSettings', 'testServerSettings'])
  alwaysRejected[`platform.${name}`] = 'Forbidden'
for (const name of ['createBackupLink', 'deleteBackup'])
  alwaysRejected[`platform.${name}`] = 'Forbidden'
// Codes that work once; a session that a token does not have.
alwaysRejected['platform.signInWithLink'] = 'Unauthorized'
alwaysRejected['platform.endSession'] = 'InvalidPayload'
alwaysRejected['platform.signInWithPassword'] = 'Unauthorized'
for (const name of ['previewInvitation', 'signInWithInvitation', 'acceptInvitation'])
  alwaysRejected[`platform.${name}`] = 'ResourceGone'
// The servers of these tests have no provider.
for (const name of ['startOpenId', 'signInWithOpenId'])
  alwaysRejected[`platform.${name}`] = 'ResourceNotFound'
for (const name of ['confirmSecondFactor', 'replaceRecoveryCodes', 'removeSecondFactor'])
  alwaysRejected[`platform.${name}`] = 'Forbidden'
function newer(name: string) {
  return `newer.${name}`
}

/** Values of required fields that name no object. */
const words: Record<string, string> = {
  'runtime.listTagValues.key': 'tg:id',
  'platform.deleteModelBudget.id': 'budget_01KAJ0ZP5S8V3N7Q4XW2R9TDHM',
  'platform.setModelProvider.name': 'own',
  'platform.deleteModelProvider.name': 'none',
  'platform.setMcpServer.name': 'new',
  'platform.getMcpServer.name': 'docs',
  'platform.deleteMcpServer.name': 'docs',
  'platform.getIntegrationUses.alias': 'tg',
  'platform.getIntegrationSetupLink.alias': 'tg',
  'platform.setIntegrationIdentifier.alias': 'tg',
  'platform.listSandboxConversations.alias': 'tg',
  'platform.listWebhookRequests.alias': 'tg',
  'platform.getWebhookRequest.alias': 'tg',
  'platform.replayWebhookRequest.alias': 'tg',
  'platform.getChannelGuide.name': 'telegram',
  'platform.checkChannel.name': 'telegram',
  'platform.verifyChannel.alias': 'tg',
  'platform.testChannel.alias': 'tg',
  'platform.getDraftRevision.revision': '1000',
  'platform.getCopilotRun.number': '1000',
  'platform.stopCopilotRun.number': '1000',
  'platform.getExample.example': 'faq-bot',
  'newer.getPlan.planId': 'self-hosted',
  'newer.getWorkspaceUsage.period': new Date().toISOString(),
  'newer.getWorkspaceUsages.period': new Date().toISOString(),
  'newer.getAddon.addonId': 'none',
  'newer.payInvoice.invoiceId': 'none',
  'files.copyFile.destinationKey': 'copied',
  'files.listFileTagValues.tag': 'nth',
  // Occurs in passages of every tenant.
  'files.searchFiles.query': 'shared',
  'tables.getTableRow.id': '1',
  'admin.listActionRuns.integrationName': 'chat',
  'admin.getIntegrationLogs.timeStart': '2020-01-01',
  'admin.getIntegrationByName.version': 'latest',
  'admin.getPublicIntegrationById.id': chatIntegrationId,
  'admin.getPublicIntegration.name': 'chat',
  'admin.getPublicWorkspace.id': publicWorkspaceId,
  'admin.getMultipleUsages.types': 'bot_count',
  'admin.listUsageActivity.type': 'ai_spend',
  'admin.listUsageActivityDaily.type': 'ai_spend',
  'admin.getBotLogs.timeStart': '2020-01-01',
  'admin.getBotAnalytics.startDate': '2026-01-01',
  'admin.getBotAnalytics.endDate': '2026-01-31',
  'admin.getPublicIntegration.version': '0.7.6',
  'admin.getInterfaceByName.version': 'latest',
  'admin.getPluginByName.version': 'latest',
  'admin.getPluginCode.platform': 'node',
  'admin.getPublicInterfaceById.id': shared.interface,
  'admin.getPublicInterface.name': shared.name,
  'admin.getPublicInterface.version': 'latest',
  'admin.getPublicPluginById.id': shared.plugin,
  'admin.getPublicPlugin.name': shared.name,
  'admin.getPublicPlugin.version': 'latest',
  'admin.getDereferencedPublicPluginById.id': shared.plugin,
  'admin.getPublicPluginCode.id': shared.plugin,
  'admin.getPublicPluginCode.platform': 'node',
}

/** Operations for integrations alone. */
const forIntegrations = [
  'runtime.configureIntegration',
  'newer.getIntegrationInstanceIdentifiers',
]
/** Operations that delete the caller. */
export const endsItsCaller = ['admin.deleteAccount']
export const headersFor = (operation: ServedOperation, tenant: Tenant): Headers =>
  endsItsCaller.includes(operation.name)
    ? bearing(tenant.leaver)
    : rightHeadersFor(operation, tenant)
const rightHeadersFor = (operation: ServedOperation, tenant: Tenant): Headers => {
  if (/^platform\.(signInWith|startOpenId)/.test(operation.name))
    return { 'x-botstead-session': '1' }
  return forIntegrations.includes(operation.name)
    ? asIntegration(tenant)
    : rightHeaders[operation.access](tenant)
}

/** Builds a request with the owner's credentials. `nth` selects the object of each kind. */
export function requestFor(
  operation: ServedOperation,
  tenant: Tenant,
  nth = 0,
): OperationRequest {
  const thing = (place: InputLocation, field: string) => {
    const things = tenant.things[findIdKind(operation, place, field) as ThingKind]
    return words[`${operation.name}.${field}`] ?? (things && (things[nth] ?? things[0]))
  }
  const names = [...operation.url.matchAll(/\{(\w+)\}/g)].map(([, field]) => field!)
  const params = Object.fromEntries(
    names.map((field) => [
      field,
      field === 'webhookId'
        ? tenant.things.webhook[0]!
        : (thing('params', field) ?? stateParams[field]!),
    ]),
  )
  const query = Object.fromEntries(
    getRequired(operation, 'query').map((field) => {
      const schema = getProperties(operation, 'query')[field]!
      // A list in an address has one member.
      return [
        field,
        words[`${operation.name}.${field}`] ??
          String(
            filled(schema.type === 'array' ? (schema.items ?? {}) : schema, () =>
              thing('query', field),
            ),
          ),
      ]
    }),
  )
  const least = Object.fromEntries(
    getRequired(operation, 'body').map((field) => [
      field,
      filled(getProperties(operation, 'body')[field]!, () => thing('body', field)),
    ]),
  )
  const body = operation.body && { ...least, ...bodies[operation.name]?.(tenant, nth) }
  return {
    method: operation.method,
    params,
    query,
    headers: headersFor(operation, tenant),
    ...(body && { body }),
  }
}

/** Returns the smallest value that a schema accepts. */
function filled(schema: Schema, thing: () => string | undefined): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return filled(schema.anyOf[0]!, thing)
  if (schema.type === 'object') {
    const { properties = {}, required = [] } = schema
    return Object.fromEntries(
      required.map((field) => [field, filled(properties[field]!, () => undefined)]),
    )
  }
  if (schema.type === 'array') return []
  if (schema.type === 'boolean') return false
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 0
  return thing() ?? 'a'.repeat(schema.minLength ?? 1)
}

export const toAddress = (
  { url }: ServedOperation,
  { params, query }: OperationRequest,
) => {
  const path = url.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(params[name]!),
  )
  const search = new URLSearchParams(query).toString()
  return search === '' ? path : `${path}?${search}`
}
