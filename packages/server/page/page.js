// The parts of the page around the messages: the connection's state, what is wrong, the field to write in.
import { openScroller } from './scroller.js'

const part = (id) => document.getElementById(id)
const states = {
  connecting: 'Connecting…',
  online: 'Online',
  offline: 'Offline, trying again…',
  stopped: 'Not connected',
}
const words = part('words')
const send = part('send')

// A live region speaks whenever it is written to, so it is only written to when there is something new.
function write(id, text) {
  if (part(id).textContent !== text) part(id).textContent = text
}

export const page = {
  log: part('log'),
  scroller: openScroller(part('scroller'), part('newest')),

  name(botName) {
    document.title = `${botName} · Botstead`
    write('bot-name', botName)
    write('empty-title', `Say hello to ${botName}`)
  },
  showState(state) {
    part('connection').dataset.state = state
    write('connection-text', states[state])
  },
  /** What is wrong, in a sentence; null when nothing is. */
  showTrouble(text) {
    part('trouble').hidden = !text
    write('trouble-text', text ?? '')
  },
  showEmpty: (on) => (part('empty').hidden = !on),
  showTyping: (on) => (part('typing').hidden = !on),
  showEarlier(on) {
    const hadFocus = document.activeElement === part('earlier')
    part('earlier').hidden = !on
    if (hadFocus && !on) part('scroller').focus({ preventScroll: true })
  },
  enable(on) {
    words.disabled = !on
    part('new-conversation').disabled = !on
    settleComposer()
  },
  focus: () => words.focus(),

  onSay(say) {
    part('composer').addEventListener('submit', (event) => {
      event.preventDefault()
      const text = words.value.trim()
      if (!text || words.disabled) return
      words.value = ''
      settleComposer()
      say(text)
    })
  },
  onNew: (begin) => part('new-conversation').addEventListener('click', begin),
  onEarlier(show) {
    part('earlier').addEventListener('click', async (event) => {
      event.currentTarget.disabled = true
      await show()
      part('earlier').disabled = false
    })
  },
  /** When the user asks, and when the device says that there may be a connection again. */
  onTryNow(tryNow) {
    part('try-now').addEventListener('click', tryNow)
    addEventListener('online', tryNow)
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && tryNow())
  },
}

function settleComposer() {
  send.disabled = words.disabled || words.value.trim() === ''
  // Browsers that size the field by its content do so themselves.
  if (CSS.supports('field-sizing', 'content')) return
  words.style.height = 'auto'
  words.style.height = `${words.scrollHeight}px`
}

words.addEventListener('input', settleComposer)
words.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
  event.preventDefault()
  part('composer').requestSubmit()
})
