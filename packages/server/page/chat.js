// The chat page: one user, one bot, one conversation at a time. With `?clientId=` it uses the Webchat
// API, with `?chat=` or at `/talk/{id}` the Chat API, which has the same paths for everything
// that the page calls. With `?preview` it shows how settings look, and calls nothing.
import { Refusal, request, toReason } from './api/chat-api.js'
import { openPauses } from './api/retry.js'
import { openSession } from './api/session.js'
import { Conversation } from './conversation.js'
import { connectHost } from './host.js'
import { page } from './page.js'
import { preview } from './preview.js'
import { speak, t } from './texts.js'

const pauses = openPauses()
let conversation = null
/** Whether the next conversation begins when the visitor writes. */
let isIdle = false
/** Resolves when that conversation has begun. */
let beginning = null
let session = null
let settings = null
/** Resolves with the settings of the website that embeds the page. */
let embedding = null
let retryStart = () => {}

page.onSend(sendDraft)
page.onAttach(async (file) => (await begun()).attach(file))
page.onWriting((isEmpty) => conversation?.noteWriting(isEmpty))
page.onStop(stopAnswer)
page.onNew(startOver)
page.onEarlier(() => conversation?.showEarlier())
page.onTryNow(() => {
  pauses.now()
  retryStart()
  conversation?.tryNow()
})
page.onClose(() => settings?.host?.close())
// Another page of the visitor has begun a conversation.
addEventListener('storage', () => isIdle && !beginning && void start())
if (new URLSearchParams(location.search).has('preview')) preview(page)
else void start()

/**
 * Opens the conversation, and retries until it succeeds. Shows errors instead of rejecting. Only with
 * `mayCreate` it creates a user or a conversation.
 */
async function start({ mayCreate = false } = {}) {
  for (;;) {
    const failure = await open(mayCreate).catch((error) => error)
    if (!failure) return
    const final = failure instanceof Refusal
    const retrying = pauses.attempt === 0 ? 'connecting' : 'offline'
    page.showState(final ? 'stopped' : retrying)
    page.showTrouble(final || pauses.attempt > 0 ? toReason(failure) : null)
    if (final) settings?.host?.fail(failure)
    await (final ? new Promise((resolve) => (retryStart = resolve)) : pauses.next())
  }
}

async function open(mayCreate) {
  await speak(navigator.languages)
  settings ??= await readSettings()
  if (settings.language) await speak([settings.language])
  page.configure(settings)
  const { user } = settings
  // A bot of the webchat may greet each visitor who opens it.
  const options = { ...settings, mayCreate: mayCreate || settings.isWebchat === true }
  const opened = await openSession(settings.chatUrl, options)
  // The visitor signed in or out in the meantime.
  if (settings.user !== user) return open(mayCreate)
  if (conversation) return
  session = opened
  pauses.reset()
  if (session) converse()
  else awaitWords()
  settings.host?.connect(methods)
}

/** What the website that embeds the page can call. */
const methods = {
  sendMessage: async (text) => (await begun()).send({ type: 'text', text }),
  async sendEvent(data) {
    await begun()
    const { conversationId } = session
    await session.api.createEvent({ conversationId, payload: { type: 'custom', data } })
  },
  getUser: async () => (await session.api.getUser()).user,
  async updateUser({ userKey, data, ...profile }) {
    if (userKey && userKey !== session.userKey) await changeUser(userKey)
    const userData = data === undefined ? {} : { userData: data }
    return (await session.api.updateUser({ ...profile, ...userData })).user
  },
  config(configuration) {
    Object.assign(settings, toLook(configuration))
    page.configure(settings)
  },
  restartConversation: startOver,
}

/** Resolves with the conversation; begins one if there is none any more. */
async function begun() {
  if (!conversation) {
    beginning ??= start({ mayCreate: true }).finally(() => (beginning = null))
    await beginning
  }
  return conversation
}

/** The text stays in its field until the conversation has begun. */
async function sendDraft(text) {
  const isBegun = conversation !== null
  if (!isBegun) page.holdDraft(text)
  await methods.sendMessage(text)
  if (!isBegun) page.clearDraft()
}

async function changeUser(userKey) {
  conversation?.close()
  conversation = null
  isIdle = false
  page.enable(false)
  settings.user = { userToken: userKey }
  await open(false)
}

/** The visitor signed in or out on the website, or the website has a new key. */
function changeVisitor(user) {
  settings.user = user
  const isStarted = conversation !== null || isIdle
  conversation?.close()
  conversation = null
  isIdle = false
  page.enable(false)
  if (isStarted) void start()
  else retryStart()
}

/** An id in the URL, of a bot or its chat, selects the bot. */
async function readSettings() {
  const query = new URLSearchParams(location.search)
  const clientId = query.get('clientId')
  const talkId = /^\/talk\/([^/]+)$/.exec(location.pathname)?.[1]
  const id = query.get('chat') ?? clientId ?? talkId ?? ''
  const noChat = new Refusal(0, t('noChat'))
  if (!/^[\w-]{1,100}$/.test(id)) throw noChat
  if (query.has('embedded')) embedding ??= connectHost()
  const stored = await request(`/webchat/${id}/settings.json`).catch((error) =>
    Promise.reject(error.status === 404 ? noChat : error),
  )
  const { configuration, ...website } = (await embedding) ?? {}
  const chosen = { ...stored, ...toLook(configuration), ...website }
  if (website.host) Object.assign(website.host, { onOpened, onUser: changeVisitor })
  return clientId
    ? { ...chosen, chatUrl: `/webchat/${clientId}`, isWebchat: true }
    : chosen
}

/** The fields that a website may change. With another `chatUrl` it would reach bots that exclude it. */
function toLook(configuration = {}) {
  const fields =
    'botName composerPlaceholder color avatarUrl radius theme greeting suggestions language'
  const chosen = fields.split(' ').filter((name) => Object.hasOwn(configuration, name))
  return Object.fromEntries(chosen.map((name) => [name, configuration[name]]))
}

/** The website shows the chat; `isModal`: the chat covers the website, also its button. */
function onOpened({ isModal = false }) {
  page.showClose(isModal)
  focusWords()
}

/** On a phone, focus would open the on-screen keyboard. */
function focusWords() {
  if (!matchMedia('(pointer: coarse)').matches) page.focus()
}

/** Shows the greeting. The conversation begins when the visitor writes. */
function awaitWords() {
  conversation = null
  isIdle = true
  page.showState('ready')
  page.showTrouble(null)
  page.showEmpty(true)
  page.enable(true)
  if (!settings.host) focusWords()
}

function converse() {
  isIdle = false
  page.showTrouble(null)
  conversation = new Conversation({ page, ...settings, session, onRefused, onSignal })
  page.enable(true)
  if (settings.isWebchat) void reportStart(session).catch(() => {})
  // A hidden page must not take the focus of the website.
  if (!settings.host) focusWords()
}

/** The bot may greet the visitor of a new conversation. */
async function reportStart({ api, conversationId }) {
  const payload = { type: 'conversation_started', data: {} }
  const { event } = await api.createEvent({ conversationId, payload })
  if (event.payload.data.status.isInitial)
    settings.host?.emit('conversation', conversationId)
}

/** Passes signals on to the website that embeds the page. */
function onSignal({ type, data }) {
  const { host } = settings
  if (type === 'webchat_visibility') host?.emit('visibility', data.visibility)
  if (type === 'webchat_config') host?.emit('config', data.config)
  if (type === 'custom') host?.emit('customEvent', data.event)
  if (type !== 'message_created') return
  const { id, createdAt, payload, userId, conversationId } = data
  const block = { type: 'bubble', block: payload }
  const message = {
    id,
    conversationId,
    authorId: userId,
    timestamp: createdAt,
    payload,
    block,
  }
  host?.emit('message', message)
}

async function stopAnswer() {
  try {
    await conversation.stopAnswer()
  } catch (error) {
    page.showTrouble(t('cannotStop', { reason: toReason(error) }))
  }
}

async function startOver() {
  if (!conversation) return
  if (!settings.isWebchat) {
    session.end()
    conversation.close()
    return awaitWords()
  }
  page.enable(false)
  try {
    await session.startOver()
    conversation.close()
    converse()
  } catch (error) {
    page.showTrouble(t('cannotStartOver', { reason: toReason(error) }))
    page.enable(true)
  }
}

/**
 * The server rejected the conversation, or the user key. The next conversation begins when the visitor
 * writes again: if an operator erased a user, an open page must not create another one.
 */
function onRefused(error) {
  conversation.close()
  if (error.status === 401) session.forget()
  else session.leave()
  if (!settings.user) return awaitWords()
  conversation = null
  page.enable(false)
  void start()
}
