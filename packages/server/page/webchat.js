// Embeds the chat in any website: a button that opens this server's chat page in a frame. Defines
// one global, `botsteadWebchat`, and loads nothing from other servers. Use
// `<script src=".../webchat.js" data-chat="…" defer></script>` or
// `botsteadWebchat.init({ chat: '…' })`.
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
    color: '#fff',
    font: '28px/60px system-ui',
    cursor: 'pointer',
    boxShadow: '0 4px 16px rgb(0 0 0 / 25%)',
  }

  function init({ chat, title = 'Chat', target, ...look } = {}) {
    if (!chat)
      throw new TypeError(
        'botsteadWebchat.init requires `chat`: the webhook id at the end of the chat URL',
      )
    const frame = element(
      'iframe',
      { title, src: `${origin}/webchat?chat=${encodeURIComponent(chat)}`, loading: 'lazy' },
      { border: '0' },
    )
    return target ? inside(target, frame) : floating(frame, title, look)
  }

  /** Shows the frame above a button in a corner of the window. */
  function floating(frame, title, { color = '#3276ea', position = 'right', open = false }) {
    const side = position === 'left' ? 'left' : 'right'
    Object.assign(frame.style, frameStyle, { [side]: '20px' })
    const button = element(
      'button',
      { type: 'button' },
      { ...buttonStyle, [side]: '20px', background: color },
    )
    const remove = () => {
      button.remove()
      frame.remove()
    }
    const show = (on) => {
      // Loads the chat when it opens for the first time.
      if (on && !frame.isConnected) document.body.append(frame)
      frame.hidden = !on
      button.textContent = on ? '×' : '💬'
      button.setAttribute('aria-expanded', String(on))
      button.setAttribute('aria-label', on ? `Close ${title}` : `Open ${title}`)
    }
    button.addEventListener('click', () => show(button.getAttribute('aria-expanded') !== 'true'))
    addEventListener('keydown', (event) => event.key === 'Escape' && show(false))
    document.body.append(button)
    show(open)
    return { open: () => show(true), close: () => show(false), remove }
  }

  function inside(target, frame) {
    const container = typeof target === 'string' ? document.querySelector(target) : target
    Object.assign(frame.style, { width: '100%', height: '100%' })
    container.append(frame)
    return { open() {}, close() {}, remove: () => frame.remove() }
  }

  function element(name, attributes, style) {
    const created = Object.assign(document.createElement(name), attributes)
    Object.assign(created.style, style)
    return created
  }

  globalThis.botsteadWebchat = { init }
  const { chat, title, color, position } = own.dataset
  if (!chat) return
  const begin = () =>
    init({ chat, ...(title && { title }), ...(color && { color }), ...(position && { position }) })
  if (document.body) begin()
  else addEventListener('DOMContentLoaded', begin)
})()
