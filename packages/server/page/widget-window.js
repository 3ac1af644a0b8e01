// The chat in a window above a button in a corner of the website. The window covers small screens.
import { inkOn } from './ink.js'
import { bubblePath, crossPath, element, icon, picture } from './widget-elements.js'
import { toLabel } from './widget-labels.js'

const layer = '2147483000'
const shadow = 'rgb(0 0 0 / 25%)'
const windowStyle = {
  position: 'fixed',
  inset: 'auto',
  zIndex: layer,
  margin: '0',
  padding: '0',
  border: '0',
  maxWidth: 'none',
  maxHeight: 'none',
  overflow: 'hidden',
  display: 'none',
}
const panelStyle = {
  inset: 'auto',
  bottom: '92px',
  boxShadow: `0 8px 32px ${shadow}`,
  width: 'min(400px, calc(100vw - 40px))',
  height: 'min(640px, calc(100vh - 112px))',
}
const fullStyle = {
  inset: '0',
  width: '100%',
  height: '100%',
  borderRadius: '0',
  boxShadow: 'none',
}
const buttonStyle = {
  position: 'fixed',
  bottom: '20px',
  zIndex: layer,
  width: '60px',
  height: '60px',
  padding: '0',
  border: '0',
  borderRadius: '50%',
  placeItems: 'center',
  overflow: 'hidden',
  // Hidden until the look is known.
  display: 'none',
  cursor: 'pointer',
  boxShadow: `0 4px 16px ${shadow}`,
}

export class ChatWindow {
  #frame
  #send
  #small = matchMedia('(max-width: 480px), (max-height: 480px)')
  #listening = new AbortController()
  #box = element('dialog', {}, windowStyle)
  #button = element('button', { type: 'button' }, buttonStyle)
  #look = { botName: 'Chat', side: 'right', radius: 12 }
  #closedIcon = icon(bubblePath)

  /** `send` sends a message to the chat page. */
  constructor({ frame, send }) {
    this.#frame = frame
    this.#send = send
    Object.assign(frame.style, { width: '100%', height: '100%' })
    this.#box.append(frame)
    this.#listen()
    document.body.append(this.#button)
    this.#draw()
  }

  /** A modal window makes the covered website inert; otherwise the website can be used, too. */
  show({ takesFocus = true } = {}) {
    const box = this.#box
    // Loads the chat when it opens for the first time.
    if (!box.isConnected) document.body.append(box)
    if (box.open) return
    if (this.#small.matches) box.showModal()
    else box.open = true
    const { radius, side } = this.#look
    const place = this.#small.matches ? fullStyle : { ...panelStyle, [side]: '20px' }
    Object.assign(box.style, { borderRadius: `${radius}px` }, place, { display: 'block' })
    this.#draw()
    if (!takesFocus) return
    this.#frame.focus()
    this.tellOpened()
  }

  hide() {
    const box = this.#box
    if (!box.open) return
    const hadFocus = box.contains(document.activeElement)
    box.close()
    box.style.display = 'none'
    this.#draw()
    if (hadFocus) this.#button.focus()
  }

  /** Lets the chat page take the focus, and show a button to close it where it covers that of the website. */
  tellOpened() {
    if (!this.#box.open) return
    this.#send({ type: 'botstead:opened', isModal: this.#box.matches(':modal') })
  }

  dress({ color = '#1f5c4a', position, avatarUrl, open = false, ...look }) {
    const side = position === 'left' ? 'left' : 'right'
    Object.assign(this.#look, look, { side })
    const { botName, theme } = this.#look
    this.#frame.title = botName
    this.#box.setAttribute('aria-label', botName)
    const isDark = matchMedia('(prefers-color-scheme: dark)').matches
    const ground = { light: '#f3efe6', dark: '#0f1714' }
    this.#box.style.background = ground[theme] ?? ground[isDark ? 'dark' : 'light']
    Object.assign(this.#button.style, {
      display: 'grid',
      [side]: '20px',
      background: color,
    })
    this.#button.style.color = inkOn(getComputedStyle(this.#button).backgroundColor)
    if (/^https?:/.test(avatarUrl ?? '')) this.#closedIcon = picture(avatarUrl)
    this.#draw()
    if (open) this.show({ takesFocus: false })
  }

  remove() {
    this.#listening.abort()
    this.#button.remove()
    this.#box.remove()
  }

  #draw() {
    const { botName, language } = this.#look
    const { open } = this.#box
    this.#button.replaceChildren(open ? icon(crossPath) : this.#closedIcon)
    this.#button.setAttribute('aria-expanded', String(open))
    this.#button.setAttribute(
      'aria-label',
      toLabel(open ? 'close' : 'open', botName, language),
    )
  }

  #listen() {
    const { signal } = this.#listening
    this.#button.addEventListener('click', () =>
      this.#box.open ? this.hide() : this.show(),
    )
    // The browser would close a modal window itself.
    this.#box.addEventListener('cancel', (event) => {
      event.preventDefault()
      this.hide()
    })
    addEventListener('keydown', ({ key }) => key === 'Escape' && this.hide(), { signal })
    const reopen = () => {
      if (!this.#box.open) return
      this.hide()
      this.show()
    }
    this.#small.addEventListener('change', reopen, { signal })
  }
}
