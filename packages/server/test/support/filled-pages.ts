// Content for each page of the dashboard.
import { botCode, dashboard, expect } from './dashboard.ts'
import type { PageIds } from './dashboard-pages.ts'

/** Fails for "fail", and echoes other texts. */
const code = botCode(`
  if (text === 'fail') return { status: 500, body: '{"message":"broken"}' }
  console.log('received ' + text)
  await echo()`)

/**
 * Fills the first bot: a conversation, a handoff, a dead letter with its issue, log lines, a version, a file,
 * a table, a website and an invitation. Returns the ids of the pages.
 */
export async function fillPages(): Promise<PageIds> {
  const { workspaceId, botId } = dashboard.server.credentials
  await dashboard.call('PUT', `/v1/admin/bots/${botId}`, { code })
  const talker = await dashboard.converse('Ana')
  const { userId, conversationId } = talker
  for (const text of ['hello', 'fail']) await talker.say(text)
  const waiting = await dashboard.converse('Bo')
  const requested = { conversationId: waiting.conversationId, reason: 'refund' }
  const { handoff } = await dashboard.call('POST', '/v1/platform/handoffs', requested)
  const announced = { key: 'notes.txt', size: 5, index: true }
  const { file } = await dashboard.call('PUT', '/v1/files', announced)
  await fetch(file.uploadUrl, {
    method: 'PUT',
    body: 'Notes',
    headers: { 'content-type': 'text/plain' },
  })
  await dashboard.call('POST', '/v1/platform/invitations', {
    email: 'shown@example.org',
    role: 'viewer',
  })
  await dashboard.call('POST', `/v1/admin/bots/${botId}/versions`, {
    name: 'First',
    description: '',
  })
  const { table } = await dashboard.call('POST', '/v1/tables', {
    name: 'OrdersTable',
    schema: { number: { type: 'string' }, price: { type: 'number' } },
  })
  await dashboard.call('POST', `/v1/tables/${table.id}/rows`, {
    rows: [{ number: 'A1', price: 5 }],
  })
  const { knowledgeBase } = await dashboard.call('POST', '/v1/files/knowledge-bases', {
    name: 'K',
  })
  const { source } = await dashboard.call('POST', '/v1/platform/knowledge-sources', {
    knowledgeBaseId: knowledgeBase.id,
    type: 'page',
    url: 'http://127.0.0.1:9/',
  })
  const { broadcast } = await dashboard.call('POST', '/v1/platform/broadcasts', {
    name: 'Spring',
    audience: { integration: 'chat', channel: 'channel' },
    message: { type: 'text', payload: { text: 'Hello' } },
    startAt: '2100-01-01T00:00:00Z',
  })
  await expect
    .poll(
      async () => (await dashboard.call('GET', '/v1/platform/dead-letters/count')).count,
    )
    .toBe(1)
  return {
    workspaceId,
    botId,
    conversationId,
    userId,
    alias: 'chat',
    channelName: 'telegram',
    handoffId: handoff.id,
    broadcastId: broadcast.id,
    fileId: file.id,
    tableId: table.id,
    sourceId: source.id,
  }
}
