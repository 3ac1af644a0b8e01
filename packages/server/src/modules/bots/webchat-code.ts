// HTML that an owner inserts into a web page to embed the chat with a bot. It uses only this server
// and contains no secrets.

type WebchatType = 'preconfigured' | 'configurable' | 'fullscreen' | 'sharableUrl'

interface Webchat {
  /** URL at which clients reach this server. */
  origin: string
  webhookId: string
  botName: string
}

export function webchatCode(type: WebchatType, { origin, webhookId, botName }: Webchat): string {
  const script = quoted(`${origin}/webchat.js`)
  const chat = encodeURIComponent(webhookId)
  if (type === 'sharableUrl') return `${origin}/?chat=${chat}`
  if (type === 'fullscreen')
    return (
      `<iframe src=${quoted(`${origin}/webchat?chat=${chat}`)} title=${quoted(botName)} ` +
      'style="position:fixed;inset:0;width:100%;height:100%;border:0"></iframe>'
    )
  if (type === 'preconfigured')
    return (
      `<script src=${script} data-chat=${quoted(webhookId)} data-title=${quoted(botName)} ` +
      'defer></script>'
    )
  const settings = {
    chat: webhookId,
    title: botName,
    color: '#3276ea',
    position: 'right',
    open: false,
  }
  return `<script src=${script}></script>\n<script>\n  botsteadWebchat.init(${inScript(settings)})\n</script>`
}

function quoted(text: string) {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return `"${escaped.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}"`
}

/** Escapes text that would end the script or begin a comment in it. */
const inScript = (value: unknown) =>
  JSON.stringify(value, null, 2)
    .replaceAll('\n', '\n  ')
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
