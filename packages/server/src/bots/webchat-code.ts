// What an owner pastes into a web page to have the chat with a bot there. All of it comes from this server; it names the chat, and holds no secret.

export type WebchatType = 'preconfigured' | 'configurable' | 'fullscreen' | 'sharableUrl'

export interface Webchat {
  /** Where clients reach this server. */
  origin: string
  webhookId: string
  botName: string
}

export function webchatCode(type: WebchatType, { origin, webhookId, botName }: Webchat): string {
  const script = quoted(`${origin}/webchat.js`)
  const chat = encodeURIComponent(webhookId)
  if (type === 'sharableUrl') return `${origin}/?chat=${chat}`
  if (type === 'fullscreen')
    return `<iframe src=${quoted(`${origin}/webchat?chat=${chat}`)} title=${quoted(botName)} style="position:fixed;inset:0;width:100%;height:100%;border:0"></iframe>`
  if (type === 'preconfigured')
    return `<script src=${script} data-chat=${quoted(webhookId)} data-title=${quoted(botName)} defer></script>`
  const settings = { chat: webhookId, title: botName, color: '#3276ea', position: 'right', open: false }
  return `<script src=${script}></script>\n<script>\n  botsteadWebchat.init(${inScript(settings)})\n</script>`
}

const quoted = (text: string) =>
  `"${text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}"`

/** Nothing in it ends the script, or begins a comment in it. */
const inScript = (value: unknown) =>
  JSON.stringify(value, null, 2)
    .replaceAll('\n', '\n  ')
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
