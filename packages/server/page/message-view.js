// What a message looks like: one function per type of payload. A payload may hold anything, whoever wrote it: fields are read with `words`,
// addresses with `webAddress` and `mediaAddress`, and what does not fit its type is shown as it came.
import { element, link, mediaAddress, webAddress } from './dom.js'
import { markdown } from './markdown.js'

const views = new Map(
  Object.entries({
    text: (payload, turn) => words(payload.text) && (turn.own ? plain(payload.text) : markdown(payload.text)),
    markdown: (payload) => words(payload.markdown) && markdown(payload.markdown),
    image: (payload) => picture(payload.imageUrl, words(payload.title)),
    audio: (payload) => played('audio', payload.audioUrl, words(payload.title)),
    video: (payload) => played('video', payload.videoUrl, words(payload.title)),
    file: (payload) => file(payload.fileUrl, words(payload.title)),
    location,
    card,
    carousel: (payload, turn) =>
      element(
        'div',
        {
          class: 'carousel',
          role: 'group',
          'aria-label': `${list(payload.items).length} cards`,
          tabindex: 0,
        },
        ...list(payload.items).map((item) => card(item, turn)),
      ),
    choice: (payload, turn) =>
      element('div', {}, markdown(words(payload.text)), choices(list(payload.options), turn)),
    dropdown,
    bloc: (payload, turn) =>
      element(
        'div',
        { class: 'bloc' },
        ...list(payload.items).map((item) => viewOf(item, { ...turn, inside: true })),
      ),
  }),
)

/** `turn.own`: the user's own message. `turn.say(payload)` answers on the user's behalf, for buttons. */
export function viewOf(payload, turn) {
  const view = views.get(payload?.type)
  // A bloc within a bloc has no end.
  if (!view || (turn.inside && payload.type === 'bloc')) return unknown(payload)
  return view(payload, turn) || unknown(payload)
}

const words = (value) => (typeof value === 'string' ? value : '')
const list = (value) =>
  Array.isArray(value) ? value.filter((item) => item && typeof item === 'object').slice(0, 200) : []
const plain = (text) => element('div', { class: 'plain', dir: 'auto' }, text)

function unknown(payload) {
  const type = words(payload?.type) || 'no known type'
  return element(
    'div',
    {},
    element('div', { class: 'unsafe' }, `A message of ${views.has(type) ? 'an odd shape' : `type ${type}`}`),
    element('pre', { tabindex: 0 }, JSON.stringify(payload, null, 2) ?? ''),
  )
}

const unusable = (what, address) =>
  element(
    'div',
    { class: 'unsafe' },
    `${what} with an address that cannot be opened: `,
    element('code', {}, words(address).slice(0, 300)),
  )

function picture(address, title) {
  const src = mediaAddress(address, 'image')
  if (!src) return unusable('A picture', address)
  const image = element('img', {
    src,
    alt: title || 'Picture',
    loading: 'lazy',
    referrerpolicy: 'no-referrer',
  })
  const href = webAddress(address)
  image.addEventListener('error', () => image.replaceWith(unusable('A picture', address)), { once: true })
  return element(
    'figure',
    { class: 'picture' },
    href ? link(href, {}, image) : image,
    title ? element('figcaption', { dir: 'auto' }, title) : null,
  )
}

function played(kind, address, title) {
  const src = mediaAddress(address, kind)
  if (!src) return unusable(kind === 'audio' ? 'A sound' : 'A film', address)
  const player = element(kind, {
    src,
    controls: true,
    preload: 'metadata',
    'aria-label': title || (kind === 'audio' ? 'Sound' : 'Film'),
  })
  return element(
    'figure',
    { class: 'picture' },
    player,
    title ? element('figcaption', { dir: 'auto' }, title) : null,
  )
}

function file(address, title) {
  const href = webAddress(address)
  if (!href) return unusable('A file', address)
  return link(
    href,
    { class: 'file' },
    element('span', { 'aria-hidden': 'true' }, '📄'),
    element('span', { dir: 'auto' }, title || lastPart(href)),
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
    'Open a map',
  )
  const lines = [words(payload.title), words(payload.address), `${latitude}, ${longitude}`].filter(Boolean)
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
  const image =
    src &&
    element('img', {
      src,
      alt: '',
      loading: 'lazy',
      referrerpolicy: 'no-referrer',
      error: (event) => event.target.remove(),
    })
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
    return sayButton(
      name,
      { text: action === 'say' ? words(value) || name : name, value: words(value) },
      turn,
    )
  const href = webAddress(value)
  return href
    ? link(href, { dir: 'auto' }, name)
    : element('button', { type: 'button', disabled: true, title: 'This address cannot be opened' }, name)
}

function sayButton(label, { text, value }, turn) {
  const choose = (event) => {
    event.currentTarget.setAttribute('aria-pressed', 'true')
    turn.say(spoken(text, value))
  }
  return element(
    'button',
    { type: 'button', 'aria-pressed': 'false', dir: 'auto', disabled: !text, click: choose },
    label,
  )
}

/** A button says its label; what the bot calls it goes along where that differs. */
const spoken = (text, value) => ({ type: 'text', text, ...(value && value !== text && { value }) })

const choices = (options, turn) =>
  element(
    'div',
    { class: 'options' },
    ...options.map(({ label, value }) =>
      sayButton(
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
    { 'aria-label': question || 'Options' },
    ...options.map(({ label, value }, index) =>
      element('option', { value: index }, words(label) || words(value)),
    ),
  )
  const choose = () => {
    const { label, value } = options[Number(select.value)] ?? {}
    if (words(label) || words(value)) turn.say(spoken(words(label) || words(value), words(value)))
  }
  const controls = element(
    'div',
    { class: 'options' },
    select,
    element('button', { type: 'button', click: choose }, 'Choose'),
  )
  return element('div', {}, markdown(question), options.length > 0 ? controls : null)
}
