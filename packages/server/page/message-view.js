// Shows a message: one function per payload type. Payloads are untrusted: read texts with `words`,
// addresses with `webAddress` and `mediaAddress`. A payload that does not fit its type is shown as
// JSON.
import { element, link, mediaAddress, webAddress } from './dom.js'
import { markdown } from './markdown.js'
import { t } from './texts.js'

const views = new Map(
  Object.entries({
    text: (payload, turn) =>
      words(payload.text) && (turn.own ? plain(payload.text) : markdown(payload.text)),
    markdown: (payload) => words(payload.markdown) && markdown(payload.markdown),
    image: (payload, turn) => picture(payload.imageUrl, words(payload.title), turn),
    audio: (payload, turn) =>
      player(
        'audio',
        payload.audioUrl,
        words(payload.transcript) || words(payload.title),
        turn,
      ),
    video: (payload, turn) =>
      player('video', payload.videoUrl, words(payload.title), turn),
    file: (payload) => file(payload.fileUrl, words(payload.title)),
    location,
    card,
    carousel: (payload, turn) =>
      element(
        'div',
        {
          class: 'carousel',
          role: 'group',
          'aria-label': t('cards', { count: list(payload.items).length }),
          tabindex: 0,
        },
        ...list(payload.items).map((item) => card(item, turn)),
      ),
    choice: (payload, turn) =>
      element(
        'div',
        {},
        markdown(words(payload.text)),
        choices(list(payload.options), turn),
      ),
    dropdown,
    bloc: (payload, turn) =>
      element(
        'div',
        { class: 'bloc' },
        ...list(payload.items).map((item) =>
          toView(flat(item), { ...turn, inside: true }),
        ),
      ),
  }),
)

/**
 * Returns the element of a message. `turn.own`: sent by the user. `turn.send(payload)`: sends a
 * button's answer. `turn.loads(address)`: whether a picture, audio or video loads without a click; all do
 * by default. `turn.remember(address)`: called when one loads after a click.
 */
export function toView(payload, turn) {
  const view = views.get(payload?.type)
  // No nested blocs: they could be endless.
  if (!view || (turn.inside && payload.type === 'bloc')) return unknown(payload)
  return view(payload, turn) || unknown(payload)
}

/** Items have a nested payload in the Webchat API, and none in the Chat API. */
const flat = ({ type, payload, ...rest }) => ({ ...(payload ?? rest), type })
const words = (value) => (typeof value === 'string' ? value : '')
const list = (value) =>
  Array.isArray(value)
    ? value.filter((item) => item && typeof item === 'object').slice(0, 200)
    : []
const plain = (text) => element('div', { class: 'plain', dir: 'auto' }, text)

function unknown(payload) {
  const type = words(payload?.type) || '(none)'
  return element(
    'div',
    {},
    element(
      'div',
      { class: 'unsafe' },
      t(views.has(type) ? 'invalidMessage' : 'unknownType', { type }),
    ),
    element('pre', { tabindex: 0 }, JSON.stringify(payload, null, 2) ?? ''),
  )
}

const unusable = (kind, address, text = 'unusable') =>
  element(
    'div',
    { class: 'unsafe' },
    t(text, { kind }),
    element('code', {}, words(address).slice(0, 300)),
  )

/** Returns the element, or a button that loads it: its server would learn who reads the message, and when. */
function onClick(turn, kind, src, create) {
  if (!turn.loads || turn.loads(src)) return create()
  const load = ({ currentTarget }) => {
    turn.remember(src)
    currentTarget.replaceWith(create())
  }
  const { host } = new URL(src)
  return element(
    'button',
    { type: 'button', class: 'load', click: load },
    t('load', { kind: t(kind), host }),
  )
}

function picture(address, title, turn) {
  const src = mediaAddress(address, 'image')
  if (!src) return unusable(t('image'), address)
  const create = () => loadedPicture(address, src, title)
  return element(
    'figure',
    { class: 'picture' },
    onClick(turn, 'image', src, create),
    title ? element('figcaption', { dir: 'auto' }, title) : null,
  )
}

function loadedPicture(address, src, title) {
  const image = element('img', {
    src,
    alt: title || t('image'),
    loading: 'lazy',
    referrerpolicy: 'no-referrer',
  })
  const href = webAddress(address)
  const replace = () => image.replaceWith(unusable(t('image'), address, 'notLoaded'))
  image.addEventListener('error', replace, { once: true })
  return href ? link(href, {}, image) : image
}

function player(kind, address, title, turn) {
  const src = mediaAddress(address, kind)
  if (!src) return unusable(t(kind), address)
  const create = () =>
    element(kind, {
      src,
      controls: true,
      preload: 'metadata',
      'aria-label': title || t(kind),
    })
  return element(
    'figure',
    { class: 'picture' },
    onClick(turn, kind, src, create),
    title ? element('figcaption', { dir: 'auto' }, title) : null,
  )
}

/** Characters that turn the direction of text: `invoice[U+202E]fdp.exe` would look like a PDF file. */
const directions = /[\u202a-\u202e\u2066-\u2069]/g

function file(address, title) {
  const href = webAddress(address)
  if (!href) return unusable(t('file'), address)
  return link(
    href,
    { class: 'file' },
    element('span', { dir: 'auto' }, (title || lastPart(href)).replace(directions, '')),
  )
}

function lastPart(href) {
  const name = new URL(href).pathname.split('/').filter(Boolean).at(-1)
  try {
    return name ? decodeURIComponent(name) : href
  } catch {
    return name
  }
}

function location(payload) {
  const { latitude, longitude } = payload
  if (!Number.isFinite(latitude) || !Number.isFinite(longitude)) return unknown(payload)
  const map = link(
    `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=15/${latitude}/${longitude}`,
    {},
    t('openMap'),
  )
  const lines = [
    words(payload.title),
    words(payload.address),
    `${latitude}, ${longitude}`,
  ].filter(Boolean)
  return element(
    'div',
    {},
    ...lines.map((line, index) =>
      element(index === 0 && lines.length > 1 ? 'strong' : 'div', { dir: 'auto' }, line),
    ),
    map,
  )
}

function card(payload, turn) {
  const src = mediaAddress(payload.imageUrl, 'image')
  const create = () =>
    element('img', {
      src,
      alt: '',
      loading: 'lazy',
      referrerpolicy: 'no-referrer',
      error: (event) => event.target.remove(),
    })
  const image = src && onClick(turn, 'image', src, create)
  const subtitle = words(payload.subtitle)
  return element(
    'div',
    { class: 'card' },
    image,
    element('h2', { dir: 'auto' }, words(payload.title)),
    subtitle ? element('p', { dir: 'auto' }, subtitle) : null,
    element(
      'div',
      { class: 'options' },
      ...list(payload.actions).map((action) => actionButton(action, turn)),
    ),
  )
}

function actionButton({ action, label, value }, turn) {
  const name = words(label) || words(value)
  if (action !== 'url')
    return sendButton(
      name,
      { text: action === 'say' ? words(value) || name : name, value: words(value) },
      turn,
    )
  const href = webAddress(value)
  return href
    ? link(href, { dir: 'auto' }, name)
    : element(
        'button',
        { type: 'button', disabled: true, title: t('invalidAddress') },
        name,
      )
}

/** The messages of the buttons. */
const answers = new WeakMap()

/** Choosing disables the buttons of a choice; a card or carousel keeps its other buttons. */
function sendButton(label, { text, value }, turn) {
  const payload = textPayload(text, value)
  const choose = ({ currentTarget: button }) => {
    const show = (isChosen) => {
      const group = button.closest('.choices')
      if (group) showChoice(group, isChosen ? button.textContent : null)
      else showChosen(button, isChosen)
    }
    show(true)
    turn.send(payload, () => show(false))
  }
  const button = element(
    'button',
    {
      type: 'button',
      'aria-pressed': 'false',
      dir: 'auto',
      disabled: !text,
      click: choose,
    },
    label,
  )
  answers.set(button, payload)
  return button
}

/** Shows the user's choice if the message answers the choice in this view. Returns whether it does. */
export function showAnsweredChoice(view, message) {
  const group = view.querySelector('.choices')
  const options = [...(group?.querySelectorAll('button, option') ?? [])]
  const isAnswer = options.some(({ textContent }) => textContent === message?.text)
  if (isAnswer) showChoice(group, message.text)
  return isAnswer
}

/** Shows that the user chose the card's button that sends this message. */
export function showPressedButton(view, message) {
  const buttons = [...view.querySelectorAll('.card button')]
  const chosen = buttons.find((button) => isSame(answers.get(button), message))
  if (chosen) showChosen(chosen, true)
}

const isSame = (answer, message) =>
  answer && answer.text === message?.text && answer.value === message.value

function showChosen(button, isChosen) {
  button.disabled = isChosen
  button.setAttribute('aria-pressed', String(isChosen))
}

/** Disables the group without a choice. */
export function closeChoice(group) {
  for (const control of group.querySelectorAll('button, select')) control.disabled = true
}

/** Disables the buttons after one is chosen, and marks the one with this label; null enables them. */
function showChoice(group, label) {
  for (const button of group.querySelectorAll('button, select')) {
    button.disabled = label !== null
    if (button.ariaPressed !== null)
      button.setAttribute('aria-pressed', String(button.textContent === label))
  }
}

/** Returns the message of a button: its label as text, and its value where it differs. */
const textPayload = (text, value) => ({
  type: 'text',
  text,
  ...(value && value !== text && { value }),
})

const choices = (options, turn) =>
  element(
    'div',
    { class: 'options choices' },
    ...options.map(({ label, value }) =>
      sendButton(
        words(label) || words(value),
        { text: words(label) || words(value), value: words(value) },
        turn,
      ),
    ),
  )

function dropdown(payload, turn) {
  const options = list(payload.options)
  const question = words(payload.text)
  const select = element(
    'select',
    { 'aria-label': question || t('options') },
    ...options.map(({ label, value }, index) =>
      element('option', { value: index }, words(label) || words(value)),
    ),
  )
  const choose = () => {
    const { label, value } = options[Number(select.value)] ?? {}
    if (words(label) || words(value))
      answer(textPayload(words(label) || words(value), words(value)))
  }
  const answer = (message) => {
    showChoice(controls, message.text)
    turn.send(message, () => showChoice(controls, null))
  }
  const controls = element(
    'div',
    { class: 'options choices' },
    select,
    element('button', { type: 'button', click: choose }, t('choose')),
  )
  return element('div', {}, markdown(question), options.length > 0 ? controls : null)
}
