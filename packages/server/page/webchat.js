import { inkOn } from './ink.js'

// Embeds the chat in any website: a button that opens this server's chat page in a frame. Defines
// one global, `botsteadWebchat`, loads nothing from other servers, and stores nothing. Use
// `<script src=".../webchat.js" data-bot="bot_…"></script>` or `botsteadWebchat.init({ bot: 'bot_…' })`;
// `chat` is the webhook id of a chat, in place of the bot.
;(() => {
  const own = document.currentScript
  const origin = new URL(own.src).origin
  const frameStyle = {
    position: 'fixed',
    bottom: '92px',
    zIndex: '2147483000',
    background: '#fff',
    borderRadius: '12px',
    width: 'min(400px, calc(100vw - 40px))',
    height: 'min(640px, calc(100vh - 112px))',
    boxShadow: '0 8px 32px rgb(0 0 0 / 25%)',
  }
  const buttonStyle = {
    position: 'fixed',
    bottom: '20px',
    zIndex: '2147483001',
    width: '60px',
    height: '60px',
    padding: '0',
    border: '0',
    borderRadius: '50%',
    display: 'grid',
    placeItems: 'center',
    overflow: 'hidden',
    cursor: 'pointer',
    boxShadow: '0 4px 16px rgb(0 0 0 / 25%)',
  }

  function init({ bot, chat = bot, target, ...look } = {}) {
    if (!chat) throw new TypeError('botsteadWebchat.init requires `bot`: the id of the bot')
    const src = `${origin}/webchat?chat=${encodeURIComponent(chat)}`
    const frame = element('iframe', { src, loading: 'lazy' }, { border: '0' })
    frame.title = look.title ?? 'Chat'
    const shown = target ? inside(target, frame) : floating(frame)
    void dress(shown, chat, look)
    return shown
  }

  /**
   * Applies the appearance of the bot; that of the page has precedence. The button is hidden until then,
   * and stays hidden where the bot does not allow this website.
   */
  async function dress(shown, chat, look) {
    try {
      const path = `/webchat/${encodeURIComponent(chat)}/settings.json`
      const response = await fetch(origin + path)
      const settings = await response.json()
      if (!response.ok) throw new Error(settings.message)
      shown.dress({ ...settings, ...look })
    } catch (error) {
      console.error(`The chat of ${origin} is not shown: ${error.message}`)
    }
  }

  /** Shows the frame above a button in a corner of the window. */
  function floating(frame) {
    let title = frame.title
    const button = element('button', { type: 'button' }, buttonStyle)
    // Until the look is known.
    button.style.display = 'none'
    const dress = ({ botName, title: name = botName ?? title, ...look }) => {
      const { color = '#1f5c4a', position = 'right', avatarUrl, radius = 12, open = false } = look
      const side = position === 'left' ? 'left' : 'right'
      title = frame.title = name
      Object.assign(frame.style, frameStyle, { [side]: '20px', borderRadius: `${radius}px` })
      Object.assign(button.style, { display: 'grid', [side]: '20px', background: color })
      button.style.color = inkOn(getComputedStyle(button).backgroundColor)
      if (/^https?:/.test(avatarUrl ?? '')) closed = picture(avatarUrl)
      show(open || isOpen())
    }
    let closed = icon(bubblePath)
    const isOpen = () => button.getAttribute('aria-expanded') === 'true'
    const remove = () => {
      button.remove()
      frame.remove()
    }
    const show = (on) => {
      // Loads the chat when it opens for the first time.
      if (on && !frame.isConnected) document.body.append(frame)
      frame.hidden = !on
      button.replaceChildren(on ? icon(crossPath) : closed)
      button.setAttribute('aria-expanded', String(on))
      button.setAttribute('aria-label', on ? `Close ${title}` : `Open ${title}`)
    }
    button.addEventListener('click', () => show(!isOpen()))
    addEventListener('keydown', (event) => event.key === 'Escape' && show(false))
    document.body.append(button)
    show(false)
    return { open: () => show(true), close: () => show(false), remove, dress }
  }

  function inside(target, frame) {
    const container = typeof target === 'string' ? document.querySelector(target) : target
    Object.assign(frame.style, { width: '100%', height: '100%' })
    container.append(frame)
    const dress = ({ title, botName }) => (frame.title = title ?? botName ?? frame.title)
    return { open() {}, close() {}, remove: () => frame.remove(), dress }
  }

  const bubblePath = 'M4 5h16v11H9l-5 4z'
  const crossPath = 'M6 6l12 12M18 6 6 18'

  function icon(path) {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
    const attributes = { viewBox: '0 0 24 24', width: 28, height: 28, 'aria-hidden': 'true' }
    for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value)
    const style = { fill: 'none', stroke: 'currentColor', strokeWidth: '2' }
    Object.assign(svg.style, style, { strokeLinejoin: 'round' })
    const line = document.createElementNS('http://www.w3.org/2000/svg', 'path')
    line.setAttribute('d', path)
    svg.append(line)
    return svg
  }

  function picture(src) {
    const style = { width: '100%', height: '100%', objectFit: 'cover' }
    const image = element('img', { src, alt: '', referrerPolicy: 'no-referrer' }, style)
    image.addEventListener('error', () => image.replaceWith(icon(bubblePath)))
    return image
  }

  function element(name, attributes, style) {
    const created = Object.assign(document.createElement(name), attributes)
    Object.assign(created.style, style)
    return created
  }

  globalThis.botsteadWebchat = { init }
  const { bot, chat = bot, title, color, position } = own.dataset
  if (!chat) return
  const begin = () =>
    init({ chat, ...(title && { title }), ...(color && { color }), ...(position && { position }) })
  if (document.body) begin()
  else addEventListener('DOMContentLoaded', begin)
})()
