// Bodies of operations with schemas that alone do not give a valid request.
import { chatVersion } from '../../src/core/catalog/integrations/hub.ts'
import { toTableName } from './id-kinds.ts'
import type { Tenant } from './tenants.ts'

/** Values that the schemas cannot express, or that would be too small to have an effect. */
export const bodies: Record<
  string,
  (tenant: Tenant, nth: number) => Record<string, unknown>
> = {
  'admin.runVrl': () => ({ data: {}, script: '.a = 1' }),
  // A development version; other versions are unique by number.
  'admin.createIntegration': ({ named }) => ({
    name: `${named}/made`,
    version: '1.0.0',
    dev: true,
  }),
  'admin.createInterface': ({ named }, nth) => ({
    name: `${named}/made`,
    version: `1.${nth}.0`,
  }),
  'admin.createPlugin': ({ named }, nth) => ({
    name: `${named}/made`,
    version: `1.${nth}.0`,
    code: { node: '', browser: '' },
  }),
  'platform.publishPackages': ({ named }, nth) => ({
    interfaces: [{ name: `${named}/built`, version: `1.${nth}.0` }],
    integrations: [],
  }),
  'admin.validateIntegrationCreation': ({ named }) => ({
    name: `${named}/made`,
    version: '1.0.0',
  }),
  'admin.transferBot': ({ things }) => ({ targetWorkspaceId: things.workspace[1] }),
  'admin.createWorkspaceMember': ({ mark }, nth) => ({
    email: `${mark}-new-${nth}@example.org`,
  }),
  'files.setFilePassages': ({ mark }) => ({
    passages: [{ content: `shared ${mark}` }, { content: mark }],
  }),
  'chat.createMessage': () => ({ payload: { type: 'text', text: 'a' } }),
  'webchat.createMessage': () => ({ payload: { type: 'text', text: 'a' } }),
  'webchat.createEvent': () => ({ payload: { type: 'custom', data: {} } }),
  // A new one for each request.
  'files.copyFile': () => ({ overwrite: true }),
  // Not one of those that other operations use.
  'platform.redeliverDeadLetters': () => ({ reason: 'of none' }),
  'platform.discardDeadLetters': () => ({ reason: 'of none' }),
  'platform.redeliverFailures': () => ({ reason: 'of none' }),
  'platform.discardFailures': () => ({ reason: 'of none' }),
  'platform.resolveIssues': () => ({ lastSeenBefore: '2020-01-01' }),
  // Other operations need the installed one.
  'admin.publishFromBotJson': ({ mark, things }) => {
    const named = { version: '1.0.0', enabled: true }
    const tg = {
      ...named,
      name: `telegram-${mark}`,
      id: things.integration[0],
      configuration: { mark },
    }
    return {
      botJson: {
        kind: 'bot',
        version: 1,
        user: { tags: { mark: {} } },
        integrations: { chat: { ...named, name: 'chat', version: chatVersion }, tg },
      },
    }
  },
  // Without a bot in it, a file is rejected.
  'platform.convertBot': () => ({
    fileName: 'assistant.yml',
    content: Buffer.from(
      'kind: app\napp: { name: A, mode: chat }\nmodel_config: { pre_prompt: Be brief. }\n',
    ).toString('base64'),
  }),
  'platform.saveBotDraft': ({ mark }, nth) => ({
    baseRevision: 0,
    text: JSON.stringify({
      kind: 'bot',
      version: 2,
      user: { tags: { mark: {} } },
      mark,
      nth,
    }),
  }),
  'platform.saveDraftTexts': ({ mark }) => ({
    changes: [{ key: 'a/message', language: null, text: mark, original: mark }],
  }),
  // None is the current one.
  'platform.publishBotDraft': () => ({ revision: 1_000 }),
  'platform.tryBotDraft': () => ({ revision: 1_000 }),
  'platform.testBotDraft': () => ({ revision: 1_000 }),
  'runtime.createConversation': () => ({ channel: 'dm' }),
  'runtime.getOrCreateConversation': () => ({ channel: 'dm' }),
  // No handler would process a started workflow.
  'runtime.createWorkflow': () => ({ status: 'listening' }),
  'runtime.getOrCreateWorkflow': () => ({ status: 'listening' }),
  // An immediate expiry would send an event during other tests.
  'runtime.setStateExpiry': () => ({ expiry: 3_600_000 }),
  'runtime.initializeIncomingMessage': ({ things }, nth) => ({
    userId: things.user[nth] ?? things.user[0],
    conversationId: things.conversation[0],
  }),
  // By the server id, which clients see for conversations without a chosen id.
  'tables.createTable': ({ named }, nth) => ({
    name: `${toTableName(named)}${nth}Table`,
    schema: { a: { type: 'string' } },
  }),
  // Keeps its name, so the request is repeatable.
  'tables.renameTableColumn': ({ mark }) => ({ name: mark, newName: mark }),
  'tables.createTableRows': ({ mark }) => ({ rows: [{ [mark]: 'made' }] }),
  'tables.updateTableRows': ({ mark }) => ({ rows: [{ id: 1, [mark]: 'changed' }] }),
  'tables.upsertTableRows': ({ mark }) => ({
    keyColumn: mark,
    rows: [{ [mark]: mark }, { [mark]: 'upserted' }],
  }),
  'tables.deleteTableRows': ({ mark }) => ({ filter: { [mark]: mark } }),
  'cognitive.generateText': () => question,
  'cognitive.generateTextStream': () => question,
  'cognitive.transcribeAudio': () => ({ url: 'data:audio/mpeg;base64,AAAA' }),
  'openai.createChatCompletion': () => ({ ...question, model: 'auto' }),
  'platform.createCuratedAnswer': ({ mark }) => ({
    questions: [`Is there ${mark}?`],
    text: mark,
  }),
  'platform.importCuratedAnswers': ({ mark }) => ({
    csv: `questions,answer\nWho is ${mark}?,${mark}\n`,
  }),
  'platform.createKnowledgeCheck': ({ mark }) => ({ question: mark, expectedText: mark }),
  'platform.setModelProvider': () => ({ models: { small: {} } }),
  'platform.startCopilotRun': ({ mark }) => ({ request: mark }),
  'mcp.sendAuthoringMessage': () => ({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  'mcp.sendMcpMessage': () => ({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  'platform.testServerSettings': () => ({ setting: { backups: null } }),
  'platform.setMcpServer': () => ({ url: 'https://mcp.example.org' }),
  'platform.createModelBudget': () => ({ maximum: 1_000_000 }),
  'runtime.callAction': ({ things }) => ({
    type: 'chat:sendEvent',
    input: { conversationId: things.chatConversation[1], payload: {} },
  }),
}

const question = { messages: [{ role: 'user', content: 'a' }] }
