// The chat page: one user, one bot, one conversation at a time.
import { Refusal, request } from './chat-api.js'
import { Conversation } from './conversation.js'
import { page } from './page.js'
import { openPauses } from './retry.js'
import { openSession } from './session.js'

const pauses = openPauses()
let conversation = null
let session = null
let settings = null
let retryStart = () => {}

page.onSend((text) => conversation?.send({ type: 'text', text }))
page.onNew(startOver)
page.onEarlier(() => conversation?.showEarlier())
page.onTryNow(() => {
  pauses.now()
  retryStart()
  conversation?.tryNow()
})
void start()

/** Opens the conversation, and retries until it succeeds. Shows errors instead of rejecting. */
async function start() {
  for (;;) {
    const failure = await open().catch((error) => error)
    if (!failure) return
    const final = failure instanceof Refusal
    const retrying = pauses.attempt === 0 ? 'connecting' : 'offline'
    page.showState(final ? 'stopped' : retrying)
    page.showTrouble(final || pauses.attempt > 0 ? failure.message : null)
    await (final ? new Promise((resolve) => (retryStart = resolve)) : pauses.next())
  }
}

async function open() {
  settings = await readSettings()
  session = await openSession(settings.chatUrl)
  pauses.reset()
  page.name(settings.botName)
  page.showTrouble(null)
  converse()
}

/** `/?chat=<webhook id>` selects a bot; the default is the first bot of the server. */
async function readSettings() {
  const webhookId = new URLSearchParams(location.search).get('chat')
  if (webhookId && /^[\w-]{1,100}$/.test(webhookId))
    return { chatUrl: `/chat/${webhookId}`, botName: 'Your bot' }
  const defaults = await request('/page-settings.json')
  if (!defaults.chatUrl)
    throw new Refusal(
      404,
      'This server has no bot yet. Deploy one with: npm run botstead -- deploy bundle.cjs',
    )
  return defaults
}

function converse() {
  conversation = new Conversation({ page, ...settings, session, onRefused })
  page.enable(true)
  // On a phone, focus would open the on-screen keyboard.
  if (matchMedia('(pointer: fine)').matches) page.focus()
}

async function startOver() {
  page.enable(false)
  try {
    await session.startOver()
    conversation.close()
    converse()
  } catch (error) {
    page.showTrouble(`Cannot start a new conversation: ${error.message}`)
    page.enable(true)
  }
}

/**
 * Starts a new conversation after the server rejected this one; with a new user if it rejected the
 * user key.
 */
function onRefused(error) {
  conversation.close()
  page.enable(false)
  if (error.status === 401) session.forget()
  else session.leave()
  void start()
}
