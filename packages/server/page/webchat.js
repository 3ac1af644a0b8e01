// Embeds the chat in any website: a button that opens this server's chat page in a frame. Defines
// one global, `botsteadWebchat`, loads nothing from other servers, and stores nothing. Use
// `<script src=".../webchat.js" data-bot="bot_…"></script>` or `botsteadWebchat.init({ bot: 'bot_…' })`;
// `chat` is the webhook id of a chat, in place of the bot.
import { openFrame } from './widget-frame.js'
import { ChatWindow } from './widget-window.js'

;(() => {
  const own = document.currentScript
  const origin = new URL(own.src).origin

  /** `look` has precedence over the appearance of the bot. */
  function init({ bot, chat = bot, target, userKey, title, ...look } = {}) {
    if (!chat)
      throw new TypeError('botsteadWebchat.init requires `bot`: the id of the bot')
    const chosen = { ...look, ...(title && { botName: title }) }
    const page = openFrame({
      origin,
      chat,
      userKey,
      onConnected: () => shown.tellOpened?.(),
      onClose: () => shown.hide?.(),
    })
    page.configure(chosen)
    const shown = target ? inside(target, page.frame) : new ChatWindow(page)
    void dress(shown, chat, chosen)
    return {
      open: () => shown.show?.(),
      close: () => shown.hide?.(),
      setUserKey: page.setUserKey,
      remove() {
        page.remove()
        shown.remove?.()
      },
    }
  }

  /** Without the settings the button stays hidden, such as on a website that the bot does not allow. */
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

  function inside(target, frame) {
    const container = typeof target === 'string' ? document.querySelector(target) : target
    if (!container)
      throw new TypeError(`botsteadWebchat.init: no element matches "${target}"`)
    Object.assign(frame.style, { width: '100%', height: '100%' })
    frame.title = 'Chat'
    container.append(frame)
    return { dress: ({ botName }) => (frame.title = botName) }
  }

  globalThis.botsteadWebchat = { init }
  const { bot, chat = bot, ...data } = own.dataset
  if (!chat) return
  const names = ['userKey', 'title', 'color', 'position']
  const options = Object.fromEntries(names.map((name) => [name, data[name] || undefined]))
  const begin = () => init({ chat, ...JSON.parse(JSON.stringify(options)) })
  if (document.body) begin()
  else addEventListener('DOMContentLoaded', begin)
})()
