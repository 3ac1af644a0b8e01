// The parts of the page around the messages: connection state, error message, message field.
import { openScroller } from './scroller.js'

const part = (id) => document.getElementById(id)
const states = {
  connecting: 'Connecting…',
  online: 'Online',
  offline: 'Offline, reconnecting…',
  stopped: 'Not connected',
}
const words = part('words')
const send = part('send')

// Screen readers read a live region after each write, so it writes changed text only.
function write(id, text) {
  if (part(id).textContent !== text) part(id).textContent = text
}

export const page = {
  log: part('log'),
  scroller: openScroller(part('scroller'), part('newest')),

  /** Shows the settings of the bot, and of the website that embeds the page. */
  configure({ botName, composerPlaceholder, color }) {
    document.title = `${botName} · Botstead`
    write('bot-name', botName)
    write('empty-title', `Say hello to ${botName}`)
    words.placeholder = composerPlaceholder ?? words.placeholder
    if (CSS.supports('color', color ?? '')) document.body.style.setProperty('--own', color)
  },
  showState(state) {
    part('connection').dataset.state = state
    write('connection-text', states[state])
  },
  /** Shows an error message; null hides it. */
  showTrouble(text) {
    part('trouble').hidden = !text
    write('trouble-text', text ?? '')
  },
  showEmpty: (on) => (part('empty').hidden = !on),
  showTyping: (on) => (part('typing').hidden = !on),
  showStop(on) {
    const hadFocus = document.activeElement === part('stop')
    part('stop').hidden = !on
    part('stop').disabled = false
    if (hadFocus && !on) words.focus()
  },
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

  onSend(sendText) {
    part('composer').addEventListener('submit', (event) => {
      event.preventDefault()
      const text = words.value.trim()
      if (!text || words.disabled) return
      words.value = ''
      settleComposer()
      sendText(text)
    })
  },
  onWriting: (note) => words.addEventListener('input', () => note(words.value.trim() === '')),
  onStop(stop) {
    part('stop').addEventListener('click', async () => {
      part('stop').disabled = true
      await stop()
      part('stop').disabled = false
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
  /** Calls tryNow when the user clicks, the device comes online, or the page becomes visible. */
  onTryNow(tryNow) {
    part('try-now').addEventListener('click', tryNow)
    addEventListener('online', tryNow)
    document.addEventListener(
      'visibilitychange',
      () => document.visibilityState === 'visible' && tryNow(),
    )
  },
}

function settleComposer() {
  send.disabled = words.disabled || words.value.trim() === ''
  // These browsers resize the field themselves.
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
