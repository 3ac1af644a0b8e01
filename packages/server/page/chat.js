// The chat page: a person, a bot, one conversation at a time.
import { Refusal, request } from './chat-api.js'
import { openConversation } from './conversation.js'
import { page } from './page.js'
import { openPauses } from './retry.js'
import { openSession } from './session.js'

const pauses = openPauses()
let conversation = null
let session = null
let settings = null
let askedAgain = () => {}

page.onSay((text) => conversation?.say({ type: 'text', text }))
page.onNew(startOver)
page.onEarlier(() => conversation?.showEarlier())
page.onTryNow(() => {
  pauses.now()
  askedAgain()
  conversation?.tryNow()
})
start()

async function start() {
  const failure = await open().catch((error) => error)
  if (!failure) return
  const final = failure instanceof Refusal
  page.showState(final ? 'stopped' : pauses.attempt === 0 ? 'connecting' : 'offline')
  page.showTrouble(final || pauses.attempt > 0 ? failure.message : null)
  await (final ? new Promise((resolve) => (askedAgain = resolve)) : pauses.next())
  start()
}

async function open() {
  settings = await readSettings()
  session = await openSession(settings.chatUrl)
  pauses.reset()
  page.name(settings.botName)
  page.showTrouble(null)
  converse()
}

/** `/?chat=<webhook id>` talks to another bot than the server's own first one. */
async function readSettings() {
  const asked = new URLSearchParams(location.search).get('chat')
  if (asked && /^[\w-]{1,100}$/.test(asked)) return { chatUrl: `/chat/${asked}`, botName: 'Your bot' }
  const given = await request('/page-settings.json')
  if (!given.chatUrl)
    throw new Refusal(404, 'This server has no bot yet. Deploy one with: npx --no botstead deploy bundle.cjs')
  return given
}

function converse() {
  conversation = openConversation({ page, ...settings, session, onRefused })
  page.enable(true)
  // On a phone, focus would bring up the keyboard unasked.
  if (matchMedia('(pointer: fine)').matches) page.focus()
}

async function startOver() {
  page.enable(false)
  try {
    await session.startOver()
    conversation.close()
    converse()
  } catch (error) {
    page.showTrouble(`No new conversation: ${error.message}`)
    page.enable(true)
  }
}

/** The server no longer knows this conversation, or this user: begin anew, as somebody new where need be. */
function onRefused(error) {
  conversation.close()
  page.enable(false)
  if (error.status === 401) session.forget()
  else session.leave()
  start()
}
