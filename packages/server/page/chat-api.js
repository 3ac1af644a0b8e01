// The part of the Chat API that this page uses. Everything that fails does so as a Refusal (the server said no, and why) or as
// a Hitch (no answer, or not now: the same call may succeed later).

const ANSWER_WITHIN = 20_000

export class Refusal extends Error {
  constructor(status, message) {
    super(message || `The server answered ${status}`)
    this.status = status
  }
}

export class Hitch extends Error {}

export function openChatApi(baseUrl, userKey) {
  const call = (method, path, body, headers) =>
    request(`${baseUrl}${path}`, method, body, { ...(userKey && { 'x-user-key': userKey }), ...headers })
  const messagesPath = (conversationId) => `/conversations/${encodeURIComponent(conversationId)}/messages`
  return {
    createUser: () => call('POST', '/users', {}),
    getUser: () => call('GET', '/users/me'),
    createConversation: () => call('POST', '/conversations', {}),
    listMessages: (conversationId, token) =>
      call('GET', messagesPath(conversationId) + (token ? `?nextToken=${encodeURIComponent(token)}` : '')),
    // Under one key a message is written once, however often an answer gets lost and the call is repeated.
    createMessage: (message, onceKey) => call('POST', '/messages', message, { 'idempotency-key': onceKey }),
  }
}

export async function request(url, method = 'GET', body = undefined, headers = {}) {
  const response = await send(url, method, body, headers)
  const answer = await response.json().catch(() => null)
  if (response.ok && answer !== null) return answer
  throw failureOf(response.status, answer?.message)
}

/** What a status that is not a success means: worth another try, or final. */
export function failureOf(status, message) {
  const passes = status >= 500 || status === 429 || status === 408 || status < 400
  return passes ? new Hitch(message || `The server answered ${status}`) : new Refusal(status, message)
}

async function send(url, method, body, headers) {
  const timer = new AbortController()
  const alarm = setTimeout(() => timer.abort(), ANSWER_WITHIN)
  try {
    return await fetch(url, {
      method,
      headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: 'no-store',
      signal: timer.signal,
    })
  } catch {
    throw new Hitch('The server does not answer')
  } finally {
    clearTimeout(alarm)
  }
}
