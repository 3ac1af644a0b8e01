// Client of the Chat API. Throws Refusal for a final error response, and Hitch for a connection
// error or a temporary error response, after which the same call may succeed.

import { newId } from '../ids.js'
import { language, t } from '../texts.js'

const TIMEOUT = 20_000

export class Refusal extends Error {
  constructor(status, message, metadata = {}) {
    super(message || `The server responded with status ${status}`)
    this.status = status
    this.metadata = metadata
  }
}

export class Hitch extends Error {
  constructor(status, message) {
    super(message || `The server responded with status ${status}`)
    this.status = status
  }
}

const translated = [401, 413, 429]

/**
 * Returns why a call failed, in the language of the visitor. In English, the server's own message
 * explains more than its status.
 */
export function toReason({ status, message }) {
  if (!status) return message
  if (status >= 500) return t('status500')
  if (translated.includes(status)) return t(`status${status}`)
  return language === 'en' ? message : t('statusOther', { status })
}

export function openChatApi(baseUrl, userKey) {
  const call = (method, path, body, headers) =>
    request(`${baseUrl}${path}`, method, body, {
      ...(userKey && { 'x-user-key': userKey }),
      ...headers,
    })
  // Only the Chat API has these operations; it serves every webchat, too.
  const liveUrl = baseUrl.replace(/^\/webchat\//, '/chat/')
  const callLive = (method, path, body) =>
    request(`${liveUrl}${path}`, method, body, { 'x-user-key': userKey })
  // Only the Webchat API has this one.
  const uploadUrl = baseUrl.replace(/^\/chat\//, '/webchat/')
  const callUpload = (method, path, body) =>
    request(`${uploadUrl}${path}`, method, body, { 'x-user-key': userKey })
  const toPath = (conversationId) =>
    `/conversations/${encodeURIComponent(conversationId)}`
  return {
    createUser: () => call('POST', '/users', {}),
    getUser: () => call('GET', '/users/me'),
    getOrCreateUser: () => callLive('POST', '/users/get-or-create', {}),
    updateUser: (profile) => call('PUT', '/users/me', profile),
    createEvent: (event) => call('POST', '/events', event),
    listConversations: () => callLive('GET', '/conversations'),
    createConversation: () => call('POST', '/conversations', {}),
    listMessages: (conversationId, token) =>
      call(
        'GET',
        `${toPath(conversationId)}/messages` +
          (token ? `?nextToken=${encodeURIComponent(token)}` : ''),
      ),
    // The idempotency key makes retries safe: the server stores the message once.
    createMessage: (message, idempotencyKey) =>
      call('POST', '/messages', message, { 'idempotency-key': idempotencyKey }),
    upload: (file) => upload(file, (body) => callUpload('POST', '/files', body)),
    getParticipant: (conversationId, userId) =>
      callLive(
        'GET',
        `${toPath(conversationId)}/participants/${encodeURIComponent(userId)}`,
      ),
    stopAnswer: (conversationId) =>
      callLive('POST', `${toPath(conversationId)}/stop`, {}),
    listFeedback: async (conversationId) =>
      (await callLive('GET', `${toPath(conversationId)}/feedback?pageSize=100`)).feedback,
    setFeedback: (messageId, feedback) =>
      callLive('PUT', `/messages/${encodeURIComponent(messageId)}/feedback`, feedback),
    deleteFeedback: (messageId) =>
      callLive('DELETE', `/messages/${encodeURIComponent(messageId)}/feedback`),
    getReceipts: (conversationId) =>
      callLive('GET', `${toPath(conversationId)}/receipts`),
    setReceipt: (conversationId, messageId, isRead) =>
      callLive('PUT', `${toPath(conversationId)}/receipts`, { messageId, isRead }),
    setTyping: (conversationId, isTyping) =>
      callLive('POST', `${toPath(conversationId)}/typing`, { isTyping }),
  }
}

/** Stores a file, which everyone with its address can read, and returns its address. */
async function upload(file, createFile) {
  const contentType = file.type || 'application/octet-stream'
  const key = `${newId()}/${file.name}`
  const accessPolicies = ['public_content']
  const created = await createFile({ key, size: file.size, contentType, accessPolicies })
  const { uploadUrl, url } = created.file
  const headers = { 'content-type': contentType }
  const response = await fetch(uploadUrl, { method: 'PUT', headers, body: file }).catch(
    () => null,
  )
  if (!response) throw new Hitch(0, t('noResponse'))
  if (!response.ok) throw toFailure(response.status)
  return url
}

export async function request(url, method = 'GET', body = undefined, headers = {}) {
  const response = await send(url, method, body, headers)
  const answer = await response.json().catch(() => null)
  if (response.ok && answer !== null) return answer
  throw toFailure(response.status, answer?.message, answer?.metadata)
}

/**
 * Returns the error for a status that is not a success: Hitch if a retry may succeed, otherwise
 * Refusal.
 */
export function toFailure(status, message, metadata) {
  const isTemporary = status >= 500 || status === 429 || status === 408 || status < 400
  return new (isTemporary ? Hitch : Refusal)(status, message, metadata)
}

async function send(url, method, body, headers) {
  const timer = new AbortController()
  const alarm = setTimeout(() => timer.abort(), TIMEOUT)
  try {
    return await fetch(url, {
      method,
      headers:
        body === undefined ? headers : { 'content-type': 'application/json', ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: 'no-store',
      signal: timer.signal,
    })
  } catch {
    throw new Hitch(0, t('noResponse'))
  } finally {
    clearTimeout(alarm)
  }
}
