// Embeds the webchat in any website: a button that opens this server's chat page in a frame. Defines
// `window.botpress` with the methods and events of the original script, so that a snippet works after
// its host is changed. Loads nothing from other servers.
;(() => {
  if (window.botpress?.initialized !== undefined) return
  const origin = new URL(document.currentScript.src).origin
  const handlers = new Map()
  /** Calls of the chat page that await its answer. */
  const pending = new Map()
  let settings = null
  let frame = null
  let button = null
  let isOpen = false
  let isEmbedded = false
  let calls = 0
  /** Until then, the frame may still have the origin of the website, and receives no messages. */
  let isConnected = false
  /** Settles when the chat page is connected, or cannot open the chat. */
  let connected
  let failed
  let connection = new Promise((resolve, reject) => {
    connected = resolve
    failed = reject
  })
  connection.catch(() => {})

  function emit(type, payload) {
    for (const handler of [...(handlers.get(type) ?? [])]) handler(payload)
    for (const handler of [...(handlers.get('*') ?? [])]) handler({ type, payload })
  }

  function on(type, handler) {
    if (!handlers.has(type)) handlers.set(type, new Set())
    handlers.get(type).add(handler)
    return () => handlers.get(type).delete(handler)
  }

  function init({ clientId, configuration = {}, user, conversationId, ...rest } = {}) {
    if (!clientId) throw new TypeError('botpress.init requires `clientId`')
    if (settings) return
    // The button and the chat have one colour.
    const colored = { ...configuration, color: configuration.color ?? '#3276ea' }
    settings = { ...rest, clientId, configuration: colored, user, conversationId }
    whenParsed(() => {
      build()
      botpress.initialized = true
      emit('webchat:initialized')
    })
  }

  const whenParsed = (begin) => {
    if (document.readyState === 'loading') addEventListener('DOMContentLoaded', begin)
    else begin()
  }

  function build() {
    const { configuration } = settings
    const container = document.getElementById(
      configuration.embeddedChatId ?? 'bp-embedded-webchat',
    )
    const toggler = document.getElementById(
      configuration.toggleChatId ?? 'bp-toggle-chat',
    )
    toggler?.addEventListener('click', toggle)
    if (container) {
      isEmbedded = true
      load(container, { width: '100%', height: '100%' })
      show(true)
    } else if (!toggler) {
      button = element('button', { type: 'button', className: 'bpFab' }, buttonStyle)
      button.addEventListener('click', toggle)
      addEventListener('keydown', ({ key }) => key === 'Escape' && close())
      document.body.append(button)
    }
    decorate()
  }

  /** Shows name and colour of the configuration. */
  function decorate() {
    const { botName = 'Chat', color, fabImage } = settings.configuration
    if (frame) frame.title = botName
    if (!button) return
    button.style.background = color
    button.setAttribute('aria-label', `${isOpen ? 'Close' : 'Open'} ${botName}`)
    button.setAttribute('aria-expanded', String(isOpen))
    const image =
      /^https?:/.test(fabImage ?? '') && element('img', { src: fabImage, alt: '' }, fill)
    button.replaceChildren(isOpen ? '×' : image || '💬')
  }

  /** Loads the chat page. Without `open`, a call such as sendMessage loads it in the background. */
  function load(parent, style) {
    if (frame) return
    const src = `${origin}/webchat?clientId=${encodeURIComponent(settings.clientId)}&embedded`
    frame = element('iframe', { src, className: 'bpWebchat' }, { border: '0', ...style })
    frame.hidden = true
    parent.append(frame)
  }

  function show(on) {
    if (on) load(document.body, frameStyle)
    if (!frame || isOpen === on) return
    isOpen = on
    frame.hidden = !on
    decorate()
    emit(on ? 'webchat:opened' : 'webchat:closed')
    if (on && isConnected) tell({ type: 'botstead:opened' })
  }

  const open = () => whenInitialized(() => show(true))
  const close = () => whenInitialized(() => isEmbedded || show(false))
  const toggle = () => (isOpen ? close() : open())

  function whenInitialized(act) {
    if (botpress.initialized) act()
    else {
      const stop = on('webchat:initialized', () => {
        stop()
        act()
      })
    }
  }

  function tell(message) {
    // Without query and fragment, which may contain secrets.
    const page = location.origin + location.pathname
    frame.contentWindow.postMessage({ ...message, page }, origin)
  }

  /** Calls a method of the chat page, which it loads if necessary. */
  async function call(method, ...parameters) {
    await new Promise(whenInitialized)
    load(document.body, frameStyle)
    await connection
    const id = ++calls
    return new Promise((resolve, reject) => {
      pending.set(id, { resolve, reject })
      tell({ type: 'botstead:call', id, method, parameters })
    })
  }

  const received = {
    /** The frame requests its settings, which only this page can send. */
    'botstead:loaded': () => {
      const { configuration, user, conversationId } = settings
      tell({
        type: 'botstead:init',
        configuration: plain(configuration),
        user,
        conversationId,
      })
    },
    'botstead:connected': () => {
      isConnected = true
      connected()
      connection = Promise.resolve()
      emit('webchat:ready', { conversationId: settings.conversationId })
      if (isOpen) tell({ type: 'botstead:opened' })
    },
    'botstead:close': () => {
      close()
      button?.focus()
    },
    'botstead:failed': ({ error }) => failed(new Error(error)),
    'botstead:reply': ({ id, result, error }) => {
      const { resolve, reject } = pending.get(id) ?? {}
      pending.delete(id)
      if (error === undefined) resolve?.(result)
      else reject?.(new Error(error))
    },
    'botstead:event': ({ name, data }) => {
      if (name === 'visibility') return { show: open, hide: close, toggle }[data]?.()
      if (name === 'config') return void config({ configuration: data })
      emit(name, data)
    },
  }

  addEventListener('message', ({ source, origin: from, data }) => {
    if (!frame || source !== frame.contentWindow || from !== origin) return
    if (Object.hasOwn(received, data?.type)) received[data.type](data)
  })

  /** Functions and elements cannot be sent to the page. */
  const plain = (value) => JSON.parse(JSON.stringify(value ?? {}))

  async function config({ configuration, user } = {}) {
    Object.assign(settings.configuration, configuration)
    decorate()
    if (user) await updateUser(user)
    if (frame && configuration) await call('config', plain(settings.configuration))
  }

  const updateUser = (user) => call('updateUser', plain(user))

  function element(name, attributes, style) {
    const created = Object.assign(document.createElement(name), attributes)
    Object.assign(created.style, style)
    return created
  }

  const fixed = { position: 'fixed', right: '20px', zIndex: '2147483000' }
  const fill = { width: '100%', height: '100%', borderRadius: '50%', objectFit: 'cover' }
  const frameStyle = {
    ...fixed,
    bottom: '92px',
    background: '#fff',
    borderRadius: '12px',
    width: 'min(400px, calc(100vw - 40px))',
    height: 'min(640px, calc(100vh - 112px))',
    boxShadow: '0 8px 32px rgb(0 0 0 / 25%)',
  }
  const buttonStyle = {
    ...fixed,
    bottom: '20px',
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

  const botpress = {
    initialized: false,
    init,
    open,
    close,
    toggle,
    on,
    config,
    updateUser,
    sendMessage: (text) => call('sendMessage', String(text)),
    sendEvent: (event) => call('sendEvent', plain(event)),
    getUser: () => call('getUser'),
    restartConversation: () => call('restartConversation'),
  }
  window.botpress = botpress
})()
