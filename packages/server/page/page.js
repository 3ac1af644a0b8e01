// The parts of the page around the messages: connection state, error message, message field.
import { element, webAddress } from './dom.js'
import { inkOn } from './ink.js'
import { markdown } from './markdown.js'
import { openScroller } from './scroller.js'
import { t } from './texts.js'

const part = (id) => document.getElementById(id)
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
  configure({ composerPlaceholder, uploads = true, ...look }) {
    const { botName } = look
    document.title = botName
    write('bot-name', botName)
    write('empty-title', t('sayHello', { name: botName }))
    words.placeholder = composerPlaceholder ?? t('write')
    part('attach').hidden = !uploads
    paint(look)
    greet(look)
  },
  /** `ready`: without a connection, because no conversation has begun. */
  showState(state) {
    part('connection').dataset.state = state
    write('connection-text', state === 'ready' ? '' : t(state))
  },
  /** Shows whether a person answers in place of the bot, with a text. */
  showPerson(on, text = '') {
    part('connection').classList.toggle('with-person', on)
    part('person').hidden = !on || text === ''
    write('person', on ? text : '')
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
    part('attach').disabled = !on
    part('new-conversation').disabled = !on
    settleComposer()
  },
  focus: () => words.focus(),
  /** Shows a text that cannot be sent yet. */
  holdDraft(text) {
    words.value = text
    page.enable(false)
  },
  clearDraft() {
    words.value = ''
    settleComposer()
  },
  showClose: (on) => (part('close').hidden = !on),
  /** Calls close for the button and for Escape, unless that ends something else. */
  onClose(close) {
    part('close').addEventListener('click', close)
    addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !event.isComposing && !event.defaultPrevented) close()
    })
  },

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
  /** Files from the button, the clipboard, or dropped on the page. */
  onAttach(attach) {
    const take = (event, files) => {
      if (part('attach').hidden || words.disabled || files.length === 0) return
      event.preventDefault()
      for (const file of files) attach(file)
    }
    const chooser = part('files')
    part('attach').addEventListener('click', () => chooser.click())
    chooser.addEventListener('change', (event) => {
      take(event, [...chooser.files])
      chooser.value = ''
    })
    words.addEventListener('paste', (event) =>
      take(event, [...event.clipboardData.files]),
    )
    addEventListener('dragover', (event) => event.preventDefault())
    addEventListener('drop', (event) => take(event, [...event.dataTransfer.files]))
  },
  onWriting: (note) =>
    words.addEventListener('input', () => note(words.value.trim() === '')),
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

/** The brand's hue, dark or light enough to be seen on the ground: at least 3 to 1. */
const edge =
  'light-dark(oklch(from var(--own) min(l, 0.55) c h), oklch(from var(--own) max(l, 0.7) c h))'

/** Applies colour, picture, corners and theme. */
function paint({ botName, color, avatarUrl, radius, theme, greeting }) {
  const { style } = document.documentElement
  style.colorScheme = ['light', 'dark'].includes(theme) ? theme : ''
  style.setProperty('--radius', Number.isInteger(radius) ? `${radius}px` : '')
  for (const name of ['--own', '--own-ink', '--edge'])
    document.body.style.removeProperty(name)
  if (CSS.supports('color', color ?? '')) {
    document.body.style.setProperty('--own', color)
    document.body.style.setProperty(
      '--own-ink',
      inkOn(getComputedStyle(send).backgroundColor),
    )
    document.body.style.setProperty('--edge', edge)
  }
  // A brand without a picture has its initial, and none of the product's pictures.
  const isBranded = Boolean(color || greeting) && !webAddress(avatarUrl)
  write('initial', [...botName.trim()][0]?.toUpperCase() ?? '')
  part('initial').hidden = !isBranded
  for (const image of document.querySelectorAll('[data-picture]')) {
    image.hidden = isBranded
    const original = image.dataset.picture
    const shown = webAddress(avatarUrl) ?? original
    if (image.getAttribute('src') !== shown) image.src = shown
    image.classList.toggle('avatar', shown !== original)
    image.onerror = () => {
      image.onerror = null
      image.src = original
    }
  }
}

/** Shows the greeting and suggested questions of an empty conversation. */
function greet({ greeting, suggestions = [] }) {
  part('empty-text').replaceChildren(greeting ? markdown(greeting) : t('answersAppear'))
  const buttons = suggestions.map((text) =>
    element(
      'button',
      { type: 'button', class: 'quiet', dir: 'auto', click: () => ask(text) },
      text,
    ),
  )
  part('suggestions').replaceChildren(...buttons)
}

function ask(text) {
  if (words.disabled) return
  words.value = text
  part('composer').requestSubmit()
  words.focus()
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
