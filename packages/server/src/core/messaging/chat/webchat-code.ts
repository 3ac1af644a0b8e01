// HTML that an owner inserts into a web page to embed the chat with a bot: snippets like those of the
// original, with scripts of this server. They contain no secrets.

type WebchatType = 'preconfigured' | 'configurable' | 'fullscreen' | 'sharableUrl'

interface Webchat {
  botId: string
  /** Webhook id of the integration. */
  clientId: string
  botName: string
}

/** `origin` is the URL at which clients reach this server. */
export function webchatCode(
  type: WebchatType,
  webchat: Webchat & { origin: string },
): string {
  const { origin, botName, clientId } = webchat
  const page = `${origin}/webchat?clientId=${encodeURIComponent(clientId)}`
  if (type === 'sharableUrl') return page
  if (type === 'fullscreen')
    return (
      `<iframe src=${quoted(page)} title=${quoted(botName)} ` +
      'style="position:fixed;inset:0;width:100%;height:100%;border:0"></iframe>'
    )
  const script = (path: string, attributes = '') =>
    `<script src=${quoted(`${origin}/webchat/${path}`)}${attributes}></script>`
  const inject = script('v3.6/inject.js')
  if (type === 'preconfigured')
    return `${inject}\n${script(`${encodeURIComponent(clientId)}/config.js`, ' defer')}`
  const call = initCall(webchat, { color: '#3276EA' }).replaceAll('\n', '\n  ')
  return `${inject}\n<script>\n  ${call}\n</script>`
}

/** Returns the call that starts the webchat on a page. */
export function initCall(
  { botId, clientId, botName }: Webchat,
  configuration: Record<string, string> = {},
): string {
  const settings = {
    botId,
    clientId,
    configuration: { version: 'v2', botName, ...configuration },
  }
  return `window.botpress.init(${inScript(settings)})`
}

function quoted(text: string) {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return `"${escaped.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}"`
}

/** Escapes text that would end the script or begin a comment in it. */
const inScript = (value: unknown) =>
  JSON.stringify(value, null, 2)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
